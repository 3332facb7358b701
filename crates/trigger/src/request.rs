//! Requests with members that may be missing.

use serde_json::Value;

/// A request with one more member, if there is a value for it.
pub(crate) fn with(mut request: Value, member: &str, value: Option<Value>) -> Value {
    if let (Some(members), Some(value)) = (request.as_object_mut(), value) {
        members.insert(member.to_owned(), value);
    }
    request
}
