//! A backend that keeps what it is asked and what was answered.

use std::sync::{Mutex, MutexGuard};
use std::time::SystemTime;

use monotable::Item;
use monotable::backend::*;
use monotable_conformance::client::{Outcome, ServiceError};
use serde_json::{Map, Value as Json, json};

use crate::wire::json_of_item;

/// A request and its answer, once there is one.
pub(crate) type Seen = (Request, Option<Outcome>);

pub(crate) struct Observed {
    inner: Box<dyn Backend>,
    seen: Mutex<Vec<Seen>>,
}

impl Observed {
    pub(crate) fn new(inner: impl Backend) -> Observed {
        Observed { inner: Box::new(inner), seen: Mutex::default() }
    }

    /// Returns what was asked and answered so far, and forgets it.
    pub(crate) fn take(&self) -> Vec<Seen> {
        std::mem::take(&mut self.seen())
    }

    /// The position that the last query started after.
    pub(crate) fn last_start(&self) -> Option<Item> {
        match self.seen().last() {
            Some((Request::Query(query), _)) => query.start_after.clone(),
            _ => None,
        }
    }

    fn seen(&self) -> MutexGuard<'_, Vec<Seen>> {
        self.seen.lock().unwrap()
    }

    fn observe<'a, R: Clone, T: Send + 'a>(
        &'a self,
        request: R,
        kind: fn(R) -> Request,
        send: impl FnOnce(&'a dyn Backend, R) -> Answer<'a, T>,
        told: fn(&T) -> Json,
    ) -> Answer<'a, T> {
        let at = {
            let mut seen = self.seen();
            seen.push((kind(request.clone()), None));
            seen.len() - 1
        };
        let answer = send(self.inner.as_ref(), request);
        Box::pin(async move {
            let result = answer.await;
            let outcome = match &result {
                Ok(outcome) => Outcome::Success(told(outcome)),
                Err(error) => Outcome::Failure(failure(error)),
            };
            if let Some(seen) = self.seen().get_mut(at) {
                seen.1 = Some(outcome);
            }
            result
        })
    }
}

fn failure(error: &BackendError) -> ServiceError {
    let mut body = json!({ "message": error.message });
    if let ErrorKind::TransactionCancelled { reasons } = &error.kind {
        let code = |reason: &CancellationReason| {
            let code = reason.code.as_deref().unwrap_or("None");
            json!({ "Code": code })
        };
        body["CancellationReasons"] = reasons.iter().map(code).collect();
    }
    ServiceError { code: error.code.clone(), body }
}

fn page(page: &PageOutcome) -> Json {
    let mut response = json!({
        "Items": page.items.iter().map(json_of_item).collect::<Vec<_>>(),
        "Count": page.count,
        "ScannedCount": page.scanned_count,
    });
    if let Some(key) = &page.last_key {
        response["LastEvaluatedKey"] = json_of_item(key);
    }
    response
}

fn written(outcome: &WriteOutcome) -> Json {
    match &outcome.attributes {
        Some(attributes) => json!({ "Attributes": json_of_item(attributes) }),
        None => json!({}),
    }
}

fn got(outcome: &GetItemOutcome) -> Json {
    match &outcome.item {
        Some(item) => json!({ "Item": json_of_item(item) }),
        None => json!({}),
    }
}

fn batch(outcome: &BatchGetItemOutcome) -> Json {
    let tables = outcome.items.iter().map(|(table, items)| {
        (table.to_string(), Json::Array(items.iter().map(json_of_item).collect()))
    });
    json!({ "Responses": tables.collect::<Map<_, _>>() })
}

fn nothing<T>(_: &T) -> Json {
    json!({})
}

impl Backend for Observed {
    fn get_item(&self, request: GetItem) -> Answer<'_, GetItemOutcome> {
        self.observe(request, Request::GetItem, |inner, it| inner.get_item(it), got)
    }

    fn put_item(&self, request: PutItem) -> Answer<'_, WriteOutcome> {
        self.observe(request, Request::PutItem, |inner, it| inner.put_item(it), written)
    }

    fn update_item(&self, request: UpdateItem) -> Answer<'_, WriteOutcome> {
        self.observe(request, Request::UpdateItem, |inner, it| inner.update_item(it), written)
    }

    fn delete_item(&self, request: DeleteItem) -> Answer<'_, WriteOutcome> {
        self.observe(request, Request::DeleteItem, |inner, it| inner.delete_item(it), written)
    }

    fn query(&self, request: Query) -> Answer<'_, PageOutcome> {
        self.observe(request, Request::Query, |inner, it| inner.query(it), page)
    }

    fn scan(&self, request: Scan) -> Answer<'_, PageOutcome> {
        self.observe(request, Request::Scan, |inner, it| inner.scan(it), page)
    }

    fn batch_get_item(&self, request: BatchGetItem) -> Answer<'_, BatchGetItemOutcome> {
        self.observe(request, Request::BatchGetItem, |inner, it| inner.batch_get_item(it), batch)
    }

    fn batch_write_item(&self, request: BatchWriteItem) -> Answer<'_, BatchWriteItemOutcome> {
        self.observe(
            request,
            Request::BatchWriteItem,
            |inner, it| inner.batch_write_item(it),
            nothing,
        )
    }

    fn transact_get_items(&self, request: TransactGetItems) -> Answer<'_, TransactGetItemsOutcome> {
        self.inner.transact_get_items(request)
    }

    fn transact_write_items(
        &self,
        request: TransactWriteItems,
    ) -> Answer<'_, TransactWriteItemsOutcome> {
        self.observe(
            request,
            Request::TransactWriteItems,
            |inner, it| inner.transact_write_items(it),
            nothing,
        )
    }

    fn create_table(&self, request: CreateTable) -> Answer<'_, TableDescription> {
        self.inner.create_table(request)
    }

    fn describe_table(&self, request: DescribeTable) -> Answer<'_, TableDescription> {
        self.inner.describe_table(request)
    }

    fn delete_table(&self, request: DeleteTable) -> Answer<'_, TableDescription> {
        self.inner.delete_table(request)
    }

    fn update_time_to_live(&self, request: UpdateTimeToLive) -> Answer<'_, ()> {
        self.inner.update_time_to_live(request)
    }

    fn now(&self) -> SystemTime {
        self.inner.now()
    }

    fn pause(&self, attempt: u32) -> Pause<'_> {
        self.inner.pause(attempt)
    }
}
