//! A backend that records the requests it gets.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use super::{
    Answer, Backend, BackendError, BatchGetItem, BatchGetItemOutcome, BatchWriteItem,
    BatchWriteItemOutcome, CreateTable, DeleteItem, DeleteTable, DescribeTable, GetItem,
    GetItemOutcome, PageOutcome, Pause, PutItem, Query, Scan, TableDescription, TableStatus,
    TransactGetItems, TransactGetItemsOutcome, TransactWriteItems, TransactWriteItemsOutcome,
    UpdateItem, UpdateTimeToLive, WriteOutcome,
};

/// A request as the client made it.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Reads one item.
    GetItem(GetItem),
    /// Writes a whole item.
    PutItem(PutItem),
    /// Changes an item.
    UpdateItem(UpdateItem),
    /// Removes an item.
    DeleteItem(DeleteItem),
    /// Reads a page of one partition.
    Query(Query),
    /// Reads a page over all partitions.
    Scan(Scan),
    /// Reads many items.
    BatchGetItem(BatchGetItem),
    /// Writes many items.
    BatchWriteItem(BatchWriteItem),
    /// Reads many items as of one moment.
    TransactGetItems(TransactGetItems),
    /// Writes many items together.
    TransactWriteItems(TransactWriteItems),
    /// Creates a table.
    CreateTable(CreateTable),
    /// Describes a table.
    DescribeTable(DescribeTable),
    /// Deletes a table.
    DeleteTable(DeleteTable),
    /// Names the attribute by which items expire.
    UpdateTimeToLive(UpdateTimeToLive),
}

/// A backend without a database: it keeps every request, and answers as an empty table does.
///
/// It is for tests of what an application sends. [`Recorder::wrap`] puts it before a real backend.
pub struct Recorder {
    requests: Mutex<Vec<Request>>,
    inner: Option<Box<dyn Backend>>,
}

impl Recorder {
    /// Creates a recorder that answers as an empty table does.
    pub fn new() -> Recorder {
        Recorder { requests: Mutex::default(), inner: None }
    }

    /// Creates a recorder that passes every request on to `backend`.
    pub fn wrap(backend: impl Backend) -> Recorder {
        Recorder { requests: Mutex::default(), inner: Some(Box::new(backend)) }
    }

    /// Returns the requests so far and forgets them.
    pub fn take(&self) -> Vec<Request> {
        std::mem::take(&mut self.requests())
    }

    fn requests(&self) -> MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn record<'a, R: Clone, T: Send + 'a>(
        &'a self,
        request: R,
        recorded: impl FnOnce(R) -> Request,
        send: impl FnOnce(&'a dyn Backend, R) -> Answer<'a, T>,
        empty: impl FnOnce() -> Result<T, BackendError>,
    ) -> Answer<'a, T> {
        self.requests().push(recorded(request.clone()));
        if let Some(inner) = &self.inner {
            return send(inner.as_ref(), request);
        }
        let answer = empty();
        Box::pin(std::future::ready(answer))
    }
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder::new()
    }
}

fn described(create: &CreateTable) -> TableDescription {
    TableDescription {
        table: create.table.to_string(),
        status: TableStatus::Active,
        attributes: create.attributes.clone(),
        key: create.key.clone(),
        indexes: create.indexes.clone(),
        item_count: 0,
    }
}

fn no_table() -> BackendError {
    BackendError {
        kind: super::ErrorKind::NotFound,
        code: "ResourceNotFoundException".to_owned(),
        message: "a recorder has no tables".to_owned(),
    }
}

impl Backend for Recorder {
    fn get_item(&self, request: GetItem) -> Answer<'_, GetItemOutcome> {
        self.record(request, Request::GetItem, |inner, it| inner.get_item(it), empty)
    }

    fn put_item(&self, request: PutItem) -> Answer<'_, WriteOutcome> {
        self.record(request, Request::PutItem, |inner, it| inner.put_item(it), empty)
    }

    fn update_item(&self, request: UpdateItem) -> Answer<'_, WriteOutcome> {
        self.record(request, Request::UpdateItem, |inner, it| inner.update_item(it), empty)
    }

    fn delete_item(&self, request: DeleteItem) -> Answer<'_, WriteOutcome> {
        self.record(request, Request::DeleteItem, |inner, it| inner.delete_item(it), empty)
    }

    fn query(&self, request: Query) -> Answer<'_, PageOutcome> {
        self.record(request, Request::Query, |inner, it| inner.query(it), empty)
    }

    fn scan(&self, request: Scan) -> Answer<'_, PageOutcome> {
        self.record(request, Request::Scan, |inner, it| inner.scan(it), empty)
    }

    fn batch_get_item(&self, request: BatchGetItem) -> Answer<'_, BatchGetItemOutcome> {
        self.record(request, Request::BatchGetItem, |inner, it| inner.batch_get_item(it), empty)
    }

    fn batch_write_item(&self, request: BatchWriteItem) -> Answer<'_, BatchWriteItemOutcome> {
        self.record(request, Request::BatchWriteItem, |inner, it| inner.batch_write_item(it), empty)
    }

    fn transact_get_items(&self, request: TransactGetItems) -> Answer<'_, TransactGetItemsOutcome> {
        let nothing = TransactGetItemsOutcome {
            items: vec![None; request.gets.len()],
            ..TransactGetItemsOutcome::default()
        };
        self.record(
            request,
            Request::TransactGetItems,
            |inner, it| inner.transact_get_items(it),
            || Ok(nothing),
        )
    }

    fn transact_write_items(
        &self,
        request: TransactWriteItems,
    ) -> Answer<'_, TransactWriteItemsOutcome> {
        self.record(
            request,
            Request::TransactWriteItems,
            |inner, it| inner.transact_write_items(it),
            empty,
        )
    }

    fn create_table(&self, request: CreateTable) -> Answer<'_, TableDescription> {
        let description = described(&request);
        self.record(
            request,
            Request::CreateTable,
            |inner, it| inner.create_table(it),
            || Ok(description),
        )
    }

    fn describe_table(&self, request: DescribeTable) -> Answer<'_, TableDescription> {
        self.record(
            request,
            Request::DescribeTable,
            |inner, it| inner.describe_table(it),
            || Err(no_table()),
        )
    }

    fn delete_table(&self, request: DeleteTable) -> Answer<'_, TableDescription> {
        self.record(
            request,
            Request::DeleteTable,
            |inner, it| inner.delete_table(it),
            || Err(no_table()),
        )
    }

    fn update_time_to_live(&self, request: UpdateTimeToLive) -> Answer<'_, ()> {
        self.record(
            request,
            Request::UpdateTimeToLive,
            |inner, it| inner.update_time_to_live(it),
            empty,
        )
    }

    fn now(&self) -> SystemTime {
        match &self.inner {
            Some(inner) => inner.now(),
            None => SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600),
        }
    }

    fn pause(&self, attempt: u32) -> Pause<'_> {
        match &self.inner {
            Some(inner) => inner.pause(attempt),
            None => Box::pin(std::future::ready(())),
        }
    }
}

fn empty<T: Default>() -> Result<T, BackendError> {
    Ok(T::default())
}
