//! Words that several rules say.

use monotable_item::Value;
use monotable_model::template::ItemKey;

/// A value for people.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{text}\""),
        Value::Number(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// A key for people: one value, or two.
pub(super) fn key_text(key: &ItemKey) -> String {
    let partition = value_text(&key.partition);
    match &key.sort {
        Some(sort) => format!("{partition} and {}", value_text(sort)),
        None => partition,
    }
}

/// A list for people: `a, b and c`.
pub(super) fn joined<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
