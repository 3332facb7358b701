//! Calls that are not about items: on tables and on streams. They can fail and be slow, but consume
//! nothing.

use monotable_faults::{CalledItem, FaultKind, FaultyCall};
use monotable_protocol::decode_request;
use monotable_protocol::describe_table::DescribeTableRequest;
use monotable_storage::Engine;

use super::disturbance::Disturbance;
use super::fail;
use crate::error::ApiError;
use crate::session::Session;
use crate::wording::throttling;

/// The operations that [enter](super::enter) themselves.
const OF_ITEMS: [&str; 13] = [
    "BatchExecuteStatement",
    "BatchGetItem",
    "BatchWriteItem",
    "DeleteItem",
    "ExecuteStatement",
    "ExecuteTransaction",
    "GetItem",
    "PutItem",
    "Query",
    "Scan",
    "TransactGetItems",
    "TransactWriteItems",
    "UpdateItem",
];

/// Answers a call to which something may happen, unless it is about items.
pub(crate) async fn answer_watched<E: Engine>(
    api: &Session<'_, E>,
    target: &str,
    body: &[u8],
    answer: impl Future<Output = Result<Vec<u8>, ApiError>>,
) -> Result<Vec<u8>, ApiError> {
    let operation = target.rsplit('.').next().unwrap_or_default();
    if OF_ITEMS.contains(&operation) {
        return answer.await;
    }
    let plan = api.gate.plan();
    let table = named_table(body);
    let items = table.iter().map(|table| CalledItem {
        table: table.as_str().into(),
        index: None,
        is_of_global_index: false,
        key: None,
        may_be_stale: false,
    });
    let hits = plan.decide(&FaultyCall { operation, items: items.collect() });
    let disturbance = Disturbance::of(&hits, &[]);
    if !disturbance.delay.is_zero() {
        api.database.clock().sleep(disturbance.delay).await;
    }
    if let Some(failure) = disturbance.before {
        return Err(fail(failure));
    }
    if hits.iter().any(|hit| matches!(hit.kind, FaultKind::Throttle(_))) {
        return Err(throttling::too_many_requests());
    }
    let answer = answer.await?;
    match disturbance.after {
        Some(failure) => Err(fail(failure)),
        None => Ok(answer),
    }
}

/// The table that a call names, if it names one.
fn named_table(body: &[u8]) -> Option<String> {
    let request: DescribeTableRequest = decode_request(body).ok()?;
    let name = request.table_name?;
    // A table can be named by its Amazon resource name.
    Some(name.rsplit_once(":table/").map_or(name.as_str(), |(_, name)| name).to_owned())
}
