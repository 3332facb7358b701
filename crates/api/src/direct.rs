//! Calls from the same process: requests come as they are, and so do responses.
//!
//! A call runs the same function as [`Api::call`] does, with all of its checks. Only the JSON is
//! left out.

use std::pin::pin;

use monotable_database::off_worker;
use monotable_identity::Caller;
use monotable_protocol::batch_get_item::{BatchGetItemRequest, BatchGetItemResponse};
use monotable_protocol::batch_write_item::{BatchWriteItemRequest, BatchWriteItemResponse};
use monotable_protocol::create_table::{CreateTableRequest, CreateTableResponse};
use monotable_protocol::delete_item::{DeleteItemRequest, DeleteItemResponse};
use monotable_protocol::delete_table::{DeleteTableRequest, DeleteTableResponse};
use monotable_protocol::describe_table::{DescribeTableRequest, DescribeTableResponse};
use monotable_protocol::get_item::{GetItemRequest, GetItemResponse};
use monotable_protocol::put_item::{PutItemRequest, PutItemResponse};
use monotable_protocol::query::{QueryRequest, QueryResponse};
use monotable_protocol::scan::{ScanRequest, ScanResponse};
use monotable_protocol::transact_get_items::{TransactGetItemsRequest, TransactGetItemsResponse};
use monotable_protocol::transact_write_items::{
    TransactWriteItemsRequest, TransactWriteItemsResponse,
};
use monotable_protocol::update_item::{UpdateItemRequest, UpdateItemResponse};
use monotable_protocol::update_time_to_live::{UpdateTimeToLiveRequest, UpdateTimeToLiveResponse};
use monotable_storage::Engine;

use crate::context::Api;
use crate::dispatch::ATTEMPTS_MAX;
use crate::error::ApiError;
use crate::gate;
use crate::operations as op;
use crate::session::Session;

/// Writes the methods of operations on items, which meet the gate themselves.
macro_rules! calls_on_items {
    ($($(#[$doc:meta])* $name:ident: $request:ty => $response:ty,)*) => {
        impl<E: Engine> Api<E> {$(
            $(#[$doc])*
            pub async fn $name(
                &self,
                caller: &Caller,
                request: &$request,
            ) -> Result<$response, ApiError> {
                let session = &Session::new(self, caller);
                let answer = pin!(run(session, || op::$name::$name(session, request.clone())));
                off_worker::watch(0, answer).await
            }
        )*}
    };
}

/// Writes the methods of operations on a table, which meet the gate here.
macro_rules! calls_on_tables {
    ($($(#[$doc:meta])* $name:ident, $operation:literal: $request:ty => $response:ty,)*) => {
        impl<E: Engine> Api<E> {$(
            $(#[$doc])*
            pub async fn $name(
                &self,
                caller: &Caller,
                request: &$request,
            ) -> Result<$response, ApiError> {
                let session = &Session::new(self, caller);
                let answer = run(session, || op::$name::$name(session, request.clone()));
                if !self.gate.is_watching() {
                    return answer.await;
                }
                let table = || request.table_name.clone();
                gate::answer_watched(session, $operation, table, answer).await
            }
        )*}
    };
}

calls_on_items! {
    /// Reads many items, each for itself.
    batch_get_item: BatchGetItemRequest => BatchGetItemResponse,
    /// Writes many items, each for itself.
    batch_write_item: BatchWriteItemRequest => BatchWriteItemResponse,
    /// Removes one item.
    delete_item: DeleteItemRequest => DeleteItemResponse,
    /// Reads one item.
    get_item: GetItemRequest => GetItemResponse,
    /// Writes one item.
    put_item: PutItemRequest => PutItemResponse,
    /// Reads a page of one partition.
    query: QueryRequest => QueryResponse,
    /// Reads a page of a table or index.
    scan: ScanRequest => ScanResponse,
    /// Reads many items as they are at one moment.
    transact_get_items: TransactGetItemsRequest => TransactGetItemsResponse,
    /// Writes many items together.
    transact_write_items: TransactWriteItemsRequest => TransactWriteItemsResponse,
    /// Changes one item.
    update_item: UpdateItemRequest => UpdateItemResponse,
}

calls_on_tables! {
    /// Makes a table.
    create_table, "CreateTable": CreateTableRequest => CreateTableResponse,
    /// Removes a table.
    delete_table, "DeleteTable": DeleteTableRequest => DeleteTableResponse,
    /// Describes a table.
    describe_table, "DescribeTable": DescribeTableRequest => DescribeTableResponse,
    /// Says by which attribute items expire.
    update_time_to_live, "UpdateTimeToLive": UpdateTimeToLiveRequest => UpdateTimeToLiveResponse,
}

/// Runs an operation. One that was checked against a table that has changed since has done nothing,
/// and is checked again.
async fn run<E, Response, Running>(
    session: &Session<'_, E>,
    operation: impl Fn() -> Running,
) -> Result<Response, ApiError>
where
    E: Engine,
    Running: Future<Output = Result<Response, ApiError>>,
{
    for _ in 1..ATTEMPTS_MAX {
        let answer = operation().await;
        let Err(error) = &answer else { return answer };
        if !error.is_out_of_date() && !session.is_outdated(error).await {
            return answer;
        }
        session.attempts.repeat();
    }
    operation().await
}
