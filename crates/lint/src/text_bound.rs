//! The bounds of a range that are texts.

use monotable_expr::KeyComparison;
use monotable_item::Value;

/// The texts that keys are compared with by order. One that keys must equal or begin with is no
/// bound.
pub(super) fn text_bounds(comparison: &KeyComparison) -> Vec<&str> {
    let values = match comparison {
        KeyComparison::Less(value)
        | KeyComparison::LessOrEqual(value)
        | KeyComparison::Greater(value)
        | KeyComparison::GreaterOrEqual(value) => vec![value],
        KeyComparison::Between(lower, upper) => vec![lower, upper],
        KeyComparison::Equal(_) | KeyComparison::BeginsWith(_) | KeyComparison::NotIndexable => {
            Vec::new()
        }
    };
    values.into_iter().filter_map(text).collect()
}

/// The text that a value is.
pub(super) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}
