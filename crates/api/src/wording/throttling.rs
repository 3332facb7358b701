//! Texts for calls that meet a limit of throughput, or a transaction.
//!
//! The texts for provisioned and on-demand tables are those that AWS's answers have, as its users
//! report them. That of a ceiling and that of the account are from AWS's documentation.

use monotable_database::schema::Billing;
use monotable_faults::Limit;
use monotable_protocol::error_response::{CancellationReason, ThrottlingReason};

use crate::error::{ApiError, Code};
use crate::throughput::{Flow, Throttled};

const PROVISIONED_TABLE: &str = "The level of configured provisioned throughput for the table was \
     exceeded. Consider increasing your provisioning level with the UpdateTable API.";
const PROVISIONED_INDEX: &str = "The level of configured provisioned throughput for one or more \
     global secondary indexes of the table was exceeded. Consider increasing your provisioning \
     level for the under-provisioned global secondary indexes with the UpdateTable API";
const ON_DEMAND: &str = "Throughput exceeds the current capacity of your table or index. DynamoDB \
     is automatically scaling your table or index so please try again shortly. If exceptions \
     persist, check if you have a hot key: \
     https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
const ON_DEMAND_INDEX: &str = "Throughput exceeds the current capacity for one or more global \
     secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.";
const MAX_ON_DEMAND: &str =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
const ACCOUNT: &str = "Throughput exceeds the current throughput limit for your account. Please \
     contact AWS Support at https://aws.amazon.com/support request a limit increase";
const TOO_MANY_REQUESTS: &str = "Rate of requests exceeds the allowed throughput.";
const CONFLICT: &str = "Transaction is ongoing for the item";

/// The answer to a call that meets these limits, of which there is one at least. `arn` makes the
/// Amazon resource name of a table.
pub(crate) fn error(throttled: &[Throttled], arn: impl Fn(&str) -> String) -> ApiError {
    let mut reasons: Vec<ThrottlingReason> = Vec::new();
    for throttled in throttled {
        let reason = reason(throttled, &arn);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let (code, text) = match throttled.first() {
        Some(throttled) => (code(throttled), text(throttled)),
        None => (Code::ProvisionedThroughputExceeded, PROVISIONED_TABLE),
    };
    ApiError::throttled(code, text, reasons)
}

fn code(throttled: &Throttled) -> Code {
    match (throttled.limit, throttled.billing) {
        (Limit::Account, _) => Code::RequestLimitExceeded,
        (Limit::Provisioned, _) => Code::ProvisionedThroughputExceeded,
        (Limit::MaxOnDemand, _) => Code::Throttling,
        (Limit::KeyRange, Billing::Provisioned) => Code::ProvisionedThroughputExceeded,
        (Limit::KeyRange, Billing::OnDemand) => Code::Throttling,
    }
}

fn text(throttled: &Throttled) -> &'static str {
    let is_index = throttled.index.is_some();
    match (throttled.limit, throttled.billing) {
        (Limit::Account, _) => ACCOUNT,
        (Limit::MaxOnDemand, _) => MAX_ON_DEMAND,
        (Limit::Provisioned, _) | (Limit::KeyRange, Billing::Provisioned) if is_index => {
            PROVISIONED_INDEX
        }
        (Limit::Provisioned, _) | (Limit::KeyRange, Billing::Provisioned) => PROVISIONED_TABLE,
        (Limit::KeyRange, Billing::OnDemand) if is_index && throttled.flow == Flow::Write => {
            ON_DEMAND_INDEX
        }
        (Limit::KeyRange, Billing::OnDemand) => ON_DEMAND,
    }
}

/// What was exceeded, as AWS names it: the kind of resource, of operation and of limit.
fn reason(throttled: &Throttled, arn: impl Fn(&str) -> String) -> ThrottlingReason {
    let resource = if throttled.index.is_some() { "Index" } else { "Table" };
    let flow = match throttled.flow {
        Flow::Read => "Read",
        Flow::Write => "Write",
    };
    let limit = match throttled.limit {
        Limit::Provisioned => "ProvisionedThroughputExceeded",
        Limit::KeyRange => "KeyRangeThroughputExceeded",
        Limit::MaxOnDemand => "MaxOnDemandThroughputExceeded",
        Limit::Account => "AccountLimitExceeded",
    };
    let table = arn(&throttled.table);
    ThrottlingReason {
        reason: Some(format!("{resource}{flow}{limit}")),
        resource: Some(match &throttled.index {
            Some(index) => format!("{table}/index/{index}"),
            None => table,
        }),
    }
}

/// The answer to a call on tables or streams of which there are too many.
pub(crate) fn too_many_requests() -> ApiError {
    ApiError::throttled(Code::Throttling, TOO_MANY_REQUESTS, Vec::new())
}

/// The reason of a member of a transaction that meets a limit.
pub(crate) fn cancellation(throttled: &Throttled) -> CancellationReason {
    let code = match code(throttled) {
        Code::ProvisionedThroughputExceeded => "ProvisionedThroughputExceeded",
        _ => "ThrottlingError",
    };
    named(code, text(throttled))
}

/// The reason of a member of a transaction that meets another one on its item.
pub(crate) fn conflict_cancellation() -> CancellationReason {
    named("TransactionConflict", CONFLICT)
}

/// The answer to a write that meets a transaction on its item.
pub(crate) fn conflict() -> ApiError {
    ApiError::transaction_conflict(CONFLICT)
}

fn named(code: &str, text: &str) -> CancellationReason {
    CancellationReason { code: Some(code.to_owned()), message: Some(text.to_owned()), item: None }
}
