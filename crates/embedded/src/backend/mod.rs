//! The typed client on the database, without HTTP and JSON.
//!
//! A request becomes a shape of `protocol`, which the API takes as it is, and the items of the
//! response are decoded from the bytes in which they are stored. Nothing is retried: a test that
//! makes calls fail wants to see what the application makes of it.

mod batch;
mod error;
mod item;
mod outcome;
mod page;
mod parameter;
mod table;
mod transaction;

use std::time::SystemTime;

use monotable::backend::{
    Answer, Backend, BatchGetItem, BatchGetItemOutcome, BatchWriteItem, BatchWriteItemOutcome,
    CreateTable, DeleteItem, DeleteTable, DescribeTable, GetItem, GetItemOutcome, PageOutcome,
    Pause, PutItem, Query, Scan, TableDescription, TransactGetItems, TransactGetItemsOutcome,
    TransactWriteItems, TransactWriteItemsOutcome, UpdateItem, UpdateTimeToLive, WriteOutcome,
};
use monotable_identity::Caller;

use self::error::refused;
use crate::embedded::Embedded;

/// Whoever has the database may do everything with it.
static ANYONE: Caller = Caller::anyone();

impl Backend for Embedded {
    fn get_item(&self, request: GetItem) -> Answer<'_, GetItemOutcome> {
        Box::pin(async move {
            let request = item::get(request);
            item::got(self.api().get_item(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn put_item(&self, request: PutItem) -> Answer<'_, WriteOutcome> {
        Box::pin(async move {
            let request = item::put(request);
            item::written(self.api().put_item(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn update_item(&self, request: UpdateItem) -> Answer<'_, WriteOutcome> {
        Box::pin(async move {
            let request = item::update(request);
            item::written(self.api().update_item(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn delete_item(&self, request: DeleteItem) -> Answer<'_, WriteOutcome> {
        Box::pin(async move {
            let request = item::delete(request);
            item::written(self.api().delete_item(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn query(&self, request: Query) -> Answer<'_, PageOutcome> {
        Box::pin(async move {
            let request = page::query(request);
            page::page(self.api().query(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn scan(&self, request: Scan) -> Answer<'_, PageOutcome> {
        Box::pin(async move {
            let request = page::scan(request);
            page::page(self.api().scan(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn batch_get_item(&self, request: BatchGetItem) -> Answer<'_, BatchGetItemOutcome> {
        Box::pin(async move {
            let request = batch::get(request);
            batch::got(self.api().batch_get_item(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn batch_write_item(&self, request: BatchWriteItem) -> Answer<'_, BatchWriteItemOutcome> {
        Box::pin(async move {
            let request = batch::write(request);
            batch::written(self.api().batch_write_item(&ANYONE, &request).await.map_err(refused)?)
        })
    }

    fn transact_get_items(&self, request: TransactGetItems) -> Answer<'_, TransactGetItemsOutcome> {
        Box::pin(async move {
            let request = transaction::get(request);
            let response = self.api().transact_get_items(&ANYONE, &request).await;
            transaction::got(response.map_err(refused)?)
        })
    }

    fn transact_write_items(
        &self,
        request: TransactWriteItems,
    ) -> Answer<'_, TransactWriteItemsOutcome> {
        Box::pin(async move {
            let request = transaction::write(request);
            let response = self.api().transact_write_items(&ANYONE, &request).await;
            response.map(transaction::written).map_err(refused)
        })
    }

    fn create_table(&self, request: CreateTable) -> Answer<'_, TableDescription> {
        Box::pin(async move {
            let request = table::create(request);
            let response = self.api().create_table(&ANYONE, &request).await.map_err(refused)?;
            Ok(table::described(response.table_description))
        })
    }

    fn describe_table(&self, request: DescribeTable) -> Answer<'_, TableDescription> {
        Box::pin(async move {
            let request = table::describe(&request.table);
            let response = self.api().describe_table(&ANYONE, &request).await.map_err(refused)?;
            Ok(table::described(response.table))
        })
    }

    fn delete_table(&self, request: DeleteTable) -> Answer<'_, TableDescription> {
        Box::pin(async move {
            let request = table::delete(&request.table);
            let response = self.api().delete_table(&ANYONE, &request).await.map_err(refused)?;
            Ok(table::described(response.table_description))
        })
    }

    fn update_time_to_live(&self, request: UpdateTimeToLive) -> Answer<'_, ()> {
        Box::pin(async move {
            let request = table::time_to_live(request);
            let response = self.api().update_time_to_live(&ANYONE, &request).await;
            response.map(drop).map_err(refused)
        })
    }

    fn now(&self) -> SystemTime {
        self.clock().now()
    }

    /// On the machine's clock this waits, for a table that is shown as under way is so for a time.
    /// A clock that stands still would never end a wait.
    fn pause(&self, attempt: u32) -> Pause<'_> {
        self.time_source().pause(attempt)
    }
}
