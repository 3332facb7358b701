//! The text of a value.

use monotable_item::Value;

/// The text of a value that can stand in a key or name a member: texts and numbers.
pub fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Binary(_)
        | Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => None,
    }
}
