//! Words that several rules say.

use monotable_item::{Path, Step, Value};
use monotable_model::document::{Entity, Tree, inline_tree, quoted_name};
use monotable_model::template::ItemKey;

/// A value for people.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{text}\""),
        Value::Number(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// A path as an expression of the model writes it: the attribute under its name in the model.
pub(super) fn written_path(entity: &Entity, stored: &Path) -> String {
    let mut written = written_name(entity, &stored.root);
    for step in &stored.steps {
        match step {
            Step::Member(name) => written.push_str(&format!(".{}", quoted_name(name))),
            Step::Index(index) => written.push_str(&format!("[{index}]")),
        }
    }
    written
}

/// An attribute as an expression of the model writes it, by its name in items.
pub(super) fn written_name(entity: &Entity, stored: &str) -> String {
    let attribute = entity.attributes.iter().find(|attribute| attribute.item_name() == stored);
    quoted_name(attribute.map_or(stored, |attribute| attribute.name.as_str()))
}

/// A value as an expression of the model writes it, if one can.
pub(super) fn written_value(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(format!("'{}'", text.replace('\'', "''"))),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => Some("null".to_owned()),
        Value::Binary(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => None,
    }
}

/// A text between quotes, as TOML and JSON write it.
pub(super) fn quoted(text: &str) -> String {
    inline_tree(&Tree::String(text.to_owned()))
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
