//! From the name of an operation to its code.

use std::future::Future;

use monotable_database::off_worker;
use monotable_protocol::json::Reader;
use monotable_protocol::{Decode, DecodeError, Encode, decode_request, encode_response};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::gate;
use crate::operations as op;
use crate::wording;

/// What the `X-Amz-Target` header starts with for calls on tables and items.
const TABLES_SERVICE: &str = "DynamoDB_20120810";
/// What it starts with for calls on streams.
const STREAMS_SERVICE: &str = "DynamoDBStreams_20120810";

/// How often a request is checked, if its table changes every time before it is carried out.
const ATTEMPTS_MAX: usize = 64;

impl<E: Engine> Api<E> {
    /// Answers one request: its `X-Amz-Target` and its body.
    pub async fn call(&self, target: &str, body: &[u8]) -> Result<Vec<u8>, ApiError> {
        off_worker::watch(body.len(), self.answer(target, body)).await
    }

    async fn answer(&self, target: &str, body: &[u8]) -> Result<Vec<u8>, ApiError> {
        if self.gate.is_watching() {
            let answer = self.dispatch(target, body);
            return Box::pin(gate::answer_watched(self, target, body, answer)).await;
        }
        self.dispatch(target, body).await
    }

    async fn dispatch(&self, target: &str, body: &[u8]) -> Result<Vec<u8>, ApiError> {
        match target.split_once('.') {
            Some((TABLES_SERVICE, operation)) => self.call_tables(operation, body).await,
            Some((STREAMS_SERVICE, operation)) => self.call_streams(operation, body).await,
            Some(_) | None => Err(unknown_operation(body)),
        }
    }

    async fn call_tables(&self, operation: &str, body: &[u8]) -> Result<Vec<u8>, ApiError> {
        match operation {
            "BatchGetItem" => run(body, |r| op::batch_get_item::batch_get_item(self, r)).await,
            "BatchWriteItem" => {
                run(body, |r| op::batch_write_item::batch_write_item(self, r)).await
            }
            "CreateTable" => run(body, |r| op::create_table::create_table(self, r)).await,
            "DeleteItem" => run(body, |r| op::delete_item::delete_item(self, r)).await,
            "DeleteTable" => run(body, |r| op::delete_table::delete_table(self, r)).await,
            "DescribeTable" => run(body, |r| op::describe_table::describe_table(self, r)).await,
            "DescribeTimeToLive" => {
                run(body, |r| op::describe_time_to_live::describe_time_to_live(self, r)).await
            }
            "GetItem" => run(body, |r| op::get_item::get_item(self, r)).await,
            "ListTables" => run(body, |r| op::list_tables::list_tables(self, r)).await,
            "PutItem" => run(body, |r| op::put_item::put_item(self, r)).await,
            "Query" => run(body, |r| op::query::query(self, r)).await,
            "Scan" => run(body, |r| op::scan::scan(self, r)).await,
            "TransactGetItems" => {
                run(body, |r| op::transact_get_items::transact_get_items(self, r)).await
            }
            "TransactWriteItems" => {
                run(body, |r| op::transact_write_items::transact_write_items(self, r)).await
            }
            "UpdateItem" => run(body, |r| op::update_item::update_item(self, r)).await,
            "UpdateTable" => run(body, |r| op::update_table::update_table(self, r)).await,
            "UpdateTimeToLive" => {
                run(body, |r| op::update_time_to_live::update_time_to_live(self, r)).await
            }
            _ => Err(unknown_operation(body)),
        }
    }

    async fn call_streams(&self, operation: &str, body: &[u8]) -> Result<Vec<u8>, ApiError> {
        match operation {
            "DescribeStream" => run(body, |r| op::describe_stream::describe_stream(self, r)).await,
            "GetRecords" => run(body, |r| op::get_records::get_records(self, r)).await,
            "GetShardIterator" => {
                run(body, |r| op::get_shard_iterator::get_shard_iterator(self, r)).await
            }
            "ListStreams" => run(body, |r| op::list_streams::list_streams(self, r)).await,
            _ => Err(unknown_operation(body)),
        }
    }
}

/// Runs an operation. One that was checked against a table that has changed since has done nothing,
/// and is checked again, as if it had come a moment later.
async fn run<Request, Response, Running>(
    body: &[u8],
    operation: impl Fn(Request) -> Running,
) -> Result<Vec<u8>, ApiError>
where
    Request: Decode,
    Response: Encode,
    Running: Future<Output = Result<Response, ApiError>>,
{
    for _ in 1..ATTEMPTS_MAX {
        match run_once(body, &operation).await {
            Err(error) if error.is_out_of_date() => {}
            answer => return answer,
        }
    }
    run_once(body, &operation).await
}

async fn run_once<Request, Response, Running>(
    body: &[u8],
    operation: &impl Fn(Request) -> Running,
) -> Result<Vec<u8>, ApiError>
where
    Request: Decode,
    Response: Encode,
    Running: Future<Output = Result<Response, ApiError>>,
{
    let request = decode_request(body).map_err(|error| wrong_shape(body, error))?;
    // Futures are moved while they are passed on, and a future has room for all that any operation
    // keeps. Behind a pointer, an operation adds nothing to that but the pointer.
    match Box::pin(operation(request)).await {
        Ok(response) => {
            off_worker::move_if_large(response.room_bytes()).await;
            Ok(encode_response(&response)?)
        }
        Err(error) => Err(error),
    }
}

/// The answer to a call of no operation. DynamoDB reads a body before it looks for the operation.
fn unknown_operation(body: &[u8]) -> ApiError {
    if body.is_empty() {
        return ApiError::unknown_operation();
    }
    check_json(body).map_or_else(wording::decode::word, |()| ApiError::unknown_operation())
}

/// The answer to a body of another shape. DynamoDB reads all of a body before it looks at its
/// shape, so a mistake in the JSON comes first, wherever it stands.
fn wrong_shape(body: &[u8], error: DecodeError) -> ApiError {
    wording::decode::word(check_json(body).err().unwrap_or(error))
}

fn check_json(body: &[u8]) -> Result<(), DecodeError> {
    let mut reader = Reader::new(body)?;
    reader.skip_value()?;
    reader.finish()
}
