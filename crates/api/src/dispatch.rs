//! From the name of an operation to its code.

use std::future::Future;
use std::pin::pin;

use monotable_database::off_worker;
use monotable_identity::Caller;
use monotable_protocol::describe_table::DescribeTableRequest;
use monotable_protocol::json::Reader;
use monotable_protocol::{Decode, DecodeError, Encode, decode_request, encode_json};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::gate;
use crate::operations as op;
use crate::session::Session;
use crate::wording;

/// What the `X-Amz-Target` header starts with for calls on tables and items.
const TABLES_SERVICE: &str = "DynamoDB_20120810.";
/// What it starts with for calls on streams.
const STREAMS_SERVICE: &str = "DynamoDBStreams_20120810.";

/// How often a request is checked, if its table changes every time before it is carried out.
pub(crate) const ATTEMPTS_MAX: usize = 64;

impl<E: Engine> Api<E> {
    /// Answers one request: who sends it, its `X-Amz-Target` and its body.
    pub async fn call(
        &self,
        caller: &Caller,
        target: &str,
        body: &[u8],
    ) -> Result<Vec<u8>, ApiError> {
        // Pinned where it is made: the state of a call is large, and whoever takes it copies it.
        let answer = pin!(self.answer(caller, target, body));
        off_worker::watch(body.len(), answer).await
    }

    async fn answer(
        &self,
        caller: &Caller,
        target: &str,
        body: &[u8],
    ) -> Result<Vec<u8>, ApiError> {
        let session = &Session::new(self, caller);
        if self.gate.is_watching() {
            // Behind a pointer, so that calls that nobody meddles with have no room for it.
            return Box::pin(answer_watched(session, target, body)).await;
        }
        dispatch(session, target, body).await
    }
}

async fn answer_watched<E: Engine>(
    session: &Session<'_, E>,
    target: &str,
    body: &[u8],
) -> Result<Vec<u8>, ApiError> {
    let operation = target.rsplit('.').next().unwrap_or_default();
    let answer = dispatch(session, target, body);
    gate::answer_watched(session, operation, || named_table(body), answer).await
}

/// The table that a call on a table names.
fn named_table(body: &[u8]) -> Option<String> {
    let request: DescribeTableRequest = decode_request(body).ok()?;
    request.table_name
}

async fn dispatch<E: Engine>(
    session: &Session<'_, E>,
    target: &str,
    body: &[u8],
) -> Result<Vec<u8>, ApiError> {
    if let Some(operation) = target.strip_prefix(TABLES_SERVICE) {
        call_tables(session, operation, body).await
    } else if let Some(operation) = target.strip_prefix(STREAMS_SERVICE) {
        call_streams(session, operation, body).await
    } else {
        Err(unknown_operation(body))
    }
}

/// Writes the list of a service's operations, and the function that runs one by its name.
macro_rules! operations {
    ($names:ident, $call:ident: $($text:literal => $name:ident,)*) => {
        const $names: &[&str] = &[$($text),*];

        async fn $call<E: Engine>(
            session: &Session<'_, E>,
            operation: &str,
            body: &[u8],
        ) -> Result<Vec<u8>, ApiError> {
            match operation {
                $($text => {
                    run(session, body, |request| op::$name::$name(session, request)).await
                })*
                _ => Err(unknown_operation(body)),
            }
        }
    };
}

operations! {
    TABLES_OPERATIONS, call_tables:
    "BatchExecuteStatement" => batch_execute_statement,
    "BatchGetItem" => batch_get_item,
    "BatchWriteItem" => batch_write_item,
    "CancelBulkOperation" => cancel_bulk_operation,
    "CreateBackup" => create_backup,
    "CreateGlobalTable" => create_global_table,
    "CreateTable" => create_table,
    "DeleteBackup" => delete_backup,
    "DeleteItem" => delete_item,
    "DeleteResourcePolicy" => delete_resource_policy,
    "DeleteTable" => delete_table,
    "DescribeBackup" => describe_backup,
    "DescribeBulkOperation" => describe_bulk_operation,
    "DescribeContinuousBackups" => describe_continuous_backups,
    "DescribeContributorInsights" => describe_contributor_insights,
    "DescribeEndpoints" => describe_endpoints,
    "DescribeExport" => describe_export,
    "DescribeGlobalTable" => describe_global_table,
    "DescribeGlobalTableSettings" => describe_global_table_settings,
    "DescribeImport" => describe_import,
    "DescribeKinesisStreamingDestination" => describe_kinesis_streaming_destination,
    "DescribeLimits" => describe_limits,
    "DescribeTable" => describe_table,
    "DescribeTableReplicaAutoScaling" => describe_table_replica_auto_scaling,
    "DescribeTimeToLive" => describe_time_to_live,
    "DisableKinesisStreamingDestination" => disable_kinesis_streaming_destination,
    "EnableKinesisStreamingDestination" => enable_kinesis_streaming_destination,
    "ExecuteStatement" => execute_statement,
    "ExecuteTransaction" => execute_transaction,
    "ExportTableToPointInTime" => export_table_to_point_in_time,
    "GetItem" => get_item,
    "GetResourcePolicy" => get_resource_policy,
    "ImportTable" => import_table,
    "ListBackups" => list_backups,
    "ListBulkOperations" => list_bulk_operations,
    "ListContributorInsights" => list_contributor_insights,
    "ListExports" => list_exports,
    "ListGlobalTables" => list_global_tables,
    "ListImports" => list_imports,
    "ListTables" => list_tables,
    "ListTagsOfResource" => list_tags_of_resource,
    "PutItem" => put_item,
    "PutResourcePolicy" => put_resource_policy,
    "Query" => query,
    "RestoreTableFromBackup" => restore_table_from_backup,
    "RestoreTableToPointInTime" => restore_table_to_point_in_time,
    "Scan" => scan,
    "SearchVectors" => search_vectors,
    "StartBulkPutItems" => start_bulk_put_items,
    "TagResource" => tag_resource,
    "TransactGetItems" => transact_get_items,
    "TransactWriteItems" => transact_write_items,
    "UntagResource" => untag_resource,
    "UpdateContinuousBackups" => update_continuous_backups,
    "UpdateContributorInsights" => update_contributor_insights,
    "UpdateGlobalTable" => update_global_table,
    "UpdateGlobalTableSettings" => update_global_table_settings,
    "UpdateItem" => update_item,
    "UpdateKinesisStreamingDestination" => update_kinesis_streaming_destination,
    "UpdateTable" => update_table,
    "UpdateTableReplicaAutoScaling" => update_table_replica_auto_scaling,
    "UpdateTimeToLive" => update_time_to_live,
}

operations! {
    STREAMS_OPERATIONS, call_streams:
    "DescribeStream" => describe_stream,
    "GetRecords" => get_records,
    "GetShardIterator" => get_shard_iterator,
    "ListStreams" => list_streams,
}

/// The targets of all operations, as clients send them in `X-Amz-Target`.
pub fn targets() -> impl Iterator<Item = String> {
    let tables = TABLES_OPERATIONS.iter().map(|name| format!("{TABLES_SERVICE}{name}"));
    let streams = STREAMS_OPERATIONS.iter().map(|name| format!("{STREAMS_SERVICE}{name}"));
    tables.chain(streams)
}

/// Whether an operation asks for the name that the server was called by.
#[inline]
pub fn asks_for_host(target: &str) -> bool {
    target == "DynamoDB_20120810.DescribeEndpoints"
}

/// Runs an operation. One that was checked against a table that has changed since has done nothing,
/// and is checked again, as if it had come a moment later.
async fn run<E, Request, Response, Running>(
    session: &Session<'_, E>,
    body: &[u8],
    operation: impl Fn(Request) -> Running,
) -> Result<Vec<u8>, ApiError>
where
    E: Engine,
    Request: Decode,
    Response: Encode,
    Running: Future<Output = Result<Response, ApiError>>,
{
    for _ in 1..ATTEMPTS_MAX {
        let answer = run_once(body, &operation).await;
        let is_final = match &answer {
            Ok(_) => true,
            Err(error) => !error.is_out_of_date() && !session.is_outdated(error).await,
        };
        if is_final {
            return answer;
        }
        session.attempts.repeat();
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
            Ok(encode_json(&response)?)
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
