//! Calls that are not about items: on tables and on streams. They can fail and be slow, but consume
//! nothing.

use monotable_faults::{CalledItem, FaultKind, FaultyCall};
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

/// Answers a call to which something may happen, unless it is about items. `table` says which table
/// the call names, if it names one.
pub(crate) async fn answer_watched<E: Engine, Answer>(
    api: &Session<'_, E>,
    operation: &str,
    table: impl FnOnce() -> Option<String>,
    answer: impl Future<Output = Result<Answer, ApiError>>,
) -> Result<Answer, ApiError> {
    if OF_ITEMS.contains(&operation) {
        return answer.await;
    }
    let plan = api.gate.plan();
    let table = table();
    let items = table.iter().map(|table| CalledItem {
        table: bare_name(table).into(),
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

/// The name of a table, which may be named by its Amazon resource name.
fn bare_name(name: &str) -> &str {
    name.rsplit_once(":table/").map_or(name, |(_, name)| name)
}
