//! What a database must do for the client: one method per operation, over plain values.
//!
//! The client builds a request and reads an outcome; it never sees JSON, HTTP or an SDK. A
//! [`Backend`] is an AWS SDK client, a database in this process, or a [`Recorder`] that keeps the
//! requests of a test. Requests are owned, so that a backend in process can move items out of them
//! instead of copying.
//!
//! The trait is object-safe: a database handle holds an `Arc<dyn Backend>`, so that the code of an
//! application is compiled once for all backends and its types do not name one. The price is one
//! allocation per call, for the future.

mod batch;
mod capacity;
mod code;
mod error;
mod expression;
mod item;
mod page;
mod recorder;
mod table;
mod transaction;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

pub use batch::{
    BatchGetItem, BatchGetItemOutcome, BatchWriteItem, BatchWriteItemOutcome, KeysToGet, WriteOne,
};
pub use capacity::{CapacityDetail, ConsumedCapacity};
pub use error::{BackendError, CancellationReason, ErrorKind};
pub use expression::{Names, Values};
pub use item::{
    DeleteItem, GetItem, GetItemOutcome, PutItem, ReturnValues, UpdateItem, WriteOutcome,
};
pub use monotable_model::document::{Billing, IndexKind, IndexProjection, StreamView};
pub use page::{PageOutcome, Query, Scan, Segment, Select};
pub use recorder::{Recorder, Request};
pub use table::{
    CreateTable, DeleteTable, DescribeTable, IndexDescription, KeySchema, TableDescription,
    TableStatus, UpdateTimeToLive,
};
pub use transaction::{
    TransactGet, TransactGetItems, TransactGetItemsOutcome, TransactWrite, TransactWriteItems,
    TransactWriteItemsOutcome,
};

/// A table's name. Shared, because every request of a handle carries the same one.
pub type TableName = Arc<str>;

/// The answer of a backend, some time later.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, BackendError>> + Send + 'a>>;

/// A wait, which ends some time later.
pub type Pause<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A database that speaks DynamoDB's operations.
///
/// Retrying a throttled or lost request is the backend's business; the client itself sends again
/// only what a batch left unprocessed.
pub trait Backend: Send + Sync + 'static {
    /// Reads one item.
    fn get_item(&self, request: GetItem) -> Answer<'_, GetItemOutcome>;
    /// Writes a whole item.
    fn put_item(&self, request: PutItem) -> Answer<'_, WriteOutcome>;
    /// Changes an item, or creates it.
    fn update_item(&self, request: UpdateItem) -> Answer<'_, WriteOutcome>;
    /// Removes an item.
    fn delete_item(&self, request: DeleteItem) -> Answer<'_, WriteOutcome>;
    /// Reads a page of one partition.
    fn query(&self, request: Query) -> Answer<'_, PageOutcome>;
    /// Reads a page of a table or index.
    fn scan(&self, request: Scan) -> Answer<'_, PageOutcome>;
    /// Reads up to 100 items.
    fn batch_get_item(&self, request: BatchGetItem) -> Answer<'_, BatchGetItemOutcome>;
    /// Writes up to 25 items, independently of each other.
    fn batch_write_item(&self, request: BatchWriteItem) -> Answer<'_, BatchWriteItemOutcome>;
    /// Reads up to 100 items as of one moment.
    fn transact_get_items(&self, request: TransactGetItems) -> Answer<'_, TransactGetItemsOutcome>;
    /// Does up to 100 writes and checks together, or none of them.
    fn transact_write_items(
        &self,
        request: TransactWriteItems,
    ) -> Answer<'_, TransactWriteItemsOutcome>;
    /// Creates a table.
    fn create_table(&self, request: CreateTable) -> Answer<'_, TableDescription>;
    /// Describes a table.
    fn describe_table(&self, request: DescribeTable) -> Answer<'_, TableDescription>;
    /// Deletes a table.
    fn delete_table(&self, request: DeleteTable) -> Answer<'_, TableDescription>;
    /// Names the attribute by which items expire.
    fn update_time_to_live(&self, request: UpdateTimeToLive) -> Answer<'_, ()>;

    /// The time, for stamps and locks. A backend with a clock of its own answers with that.
    fn now(&self) -> SystemTime;

    /// Waits before something is sent for the `attempt`th time again, counted from 1: longer each
    /// time, with some jitter.
    fn pause(&self, attempt: u32) -> Pause<'_>;
}
