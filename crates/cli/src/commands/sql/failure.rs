//! What went wrong with a statement, and where.

use anyhow::{Error, anyhow};
use monotable_remote as remote;

use super::caret;
use super::parsed;
use crate::endpoint::explain_call;

/// Says why a statement failed: in the endpoint's words, and with a caret if we know the place.
pub(super) fn explain(error: Error, statement: Option<&str>) -> Error {
    let error = match error.downcast::<remote::Error>() {
        Ok(error) => error,
        Err(other) => return other,
    };
    let remote::Error::Refused { code, message, .. } = &error else { return explain_call(error) };
    let place = match code.as_str() {
        "ValidationException" => statement.zip(statement.and_then(parsed::fault_of)),
        _ => None,
    };
    let place = place.map(|(text, offset)| format!("\n{}", caret::point(text, offset)));
    anyhow!("{code}: {message}{}", place.unwrap_or_default())
}
