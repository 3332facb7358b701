//! `/_monotable/faults`: the faults that calls fail by, for those who test applications.

use monotable_faults::{FaultPlan, document};
use serde_json::Value;

use super::Refusal;
use crate::handler::Handler;

/// The faults that are in force, and what became of them.
pub(super) fn report<H: Handler>(handler: &H) -> Value {
    document::report(&handler.faults())
}

/// Puts the faults of a document in the place of those that are in force.
pub(super) fn set<H: Handler>(handler: &H, body: &[u8]) -> Result<(), Refusal> {
    let document: Value = serde_json::from_slice(body)
        .map_err(|error| Refusal::invalid(format!("the body is no JSON: {error}")))?;
    let plan = document::read(&document).map_err(|error| Refusal::invalid(error.to_string()))?;
    handler.set_faults(plan);
    Ok(())
}

/// Ends all faults.
pub(super) fn clear<H: Handler>(handler: &H) {
    handler.set_faults(FaultPlan::default());
}
