//! Values as charts write them.

use monotable_item::Value;

use crate::document::{inline_tree, value_tree};

/// A value on one line: texts and numbers as they are, everything else as JSON.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::Binary(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => inline_tree(&value_tree(value)),
    }
}
