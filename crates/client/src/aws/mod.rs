//! DynamoDB itself, or any endpoint that speaks like it, by way of the AWS SDK.
//!
//! A [`Client`] of the SDK is a [`Backend`]: how it finds its endpoint, signs, retries and times
//! out is what it was configured with. [`attribute_value`] and [`value()`] lead from our values to
//! those of the SDK and back, and [`attributes`] and [`item()`] do so for whole items.
//!
//! ```no_run
//! use std::sync::Arc;
//! use monotable::backend::Backend;
//!
//! # fn configured() -> aws_sdk_dynamodb::Config { unimplemented!() }
//! let client = aws_sdk_dynamodb::Client::from_conf(configured());
//! let backend: Arc<dyn Backend> = Arc::new(client);
//! ```

mod attempts;
mod batch;
mod error;
mod item;
mod outcome;
mod page;
mod parameter;
mod pause;
mod table;
mod transaction;
mod value;

use std::time::SystemTime;

use aws_sdk_dynamodb::Client;
use aws_smithy_async::time::{SystemTimeSource, TimeSource};

use crate::backend::{
    Answer, Backend, BatchGetItem, BatchGetItemOutcome, BatchWriteItem, BatchWriteItemOutcome,
    CreateTable, DeleteItem, DeleteTable, DescribeTable, GetItem, GetItemOutcome, PageOutcome,
    Pause, PutItem, Query, Scan, TableDescription, TransactGetItems, TransactGetItemsOutcome,
    TransactWriteItems, TransactWriteItemsOutcome, UpdateItem, UpdateTimeToLive, WriteOutcome,
};

pub use value::{UnknownValue, attribute_value, attributes, item, value};

impl Backend for Client {
    fn get_item(&self, request: GetItem) -> Answer<'_, GetItemOutcome> {
        Box::pin(item::get(self, request))
    }

    fn put_item(&self, request: PutItem) -> Answer<'_, WriteOutcome> {
        Box::pin(item::put(self, request))
    }

    fn update_item(&self, request: UpdateItem) -> Answer<'_, WriteOutcome> {
        Box::pin(item::update(self, request))
    }

    fn delete_item(&self, request: DeleteItem) -> Answer<'_, WriteOutcome> {
        Box::pin(item::delete(self, request))
    }

    fn query(&self, request: Query) -> Answer<'_, PageOutcome> {
        Box::pin(page::query(self, request))
    }

    fn scan(&self, request: Scan) -> Answer<'_, PageOutcome> {
        Box::pin(page::scan(self, request))
    }

    fn batch_get_item(&self, request: BatchGetItem) -> Answer<'_, BatchGetItemOutcome> {
        Box::pin(batch::get(self, request))
    }

    fn batch_write_item(&self, request: BatchWriteItem) -> Answer<'_, BatchWriteItemOutcome> {
        Box::pin(batch::write(self, request))
    }

    fn transact_get_items(&self, request: TransactGetItems) -> Answer<'_, TransactGetItemsOutcome> {
        Box::pin(transaction::get(self, request))
    }

    fn transact_write_items(
        &self,
        request: TransactWriteItems,
    ) -> Answer<'_, TransactWriteItemsOutcome> {
        Box::pin(transaction::write(self, request))
    }

    fn create_table(&self, request: CreateTable) -> Answer<'_, TableDescription> {
        Box::pin(table::create(self, request))
    }

    fn describe_table(&self, request: DescribeTable) -> Answer<'_, TableDescription> {
        Box::pin(table::describe(self, request))
    }

    fn delete_table(&self, request: DeleteTable) -> Answer<'_, TableDescription> {
        Box::pin(table::delete(self, request))
    }

    fn update_time_to_live(&self, request: UpdateTimeToLive) -> Answer<'_, ()> {
        Box::pin(table::update_time_to_live(self, request))
    }

    /// The time of the client's time source, or of the machine.
    fn now(&self) -> SystemTime {
        match self.config().time_source() {
            Some(source) => source.now(),
            None => SystemTimeSource::new().now(),
        }
    }

    fn pause(&self, attempt: u32) -> Pause<'_> {
        Box::pin(pause::pause(self, attempt))
    }
}
