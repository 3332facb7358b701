//! Values as charts write them.

use monotable_item::Value;
use monotable_model::document::{Tree, inline_tree, value_tree};

/// A value on one line: texts and numbers as they are, sets as the list of their
/// members, everything else as JSON.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::StringSet(texts) => set(texts.iter().map(|text| Tree::String(text.clone()))),
        Value::NumberSet(numbers) => set(numbers.iter().map(|one| Tree::Number(one.to_string()))),
        Value::Binary(_) | Value::List(_) | Value::Map(_) | Value::BinarySet(_) => {
            inline_tree(&value_tree(value))
        }
    }
}

fn set(members: impl Iterator<Item = Tree>) -> String {
    inline_tree(&Tree::List(members.collect()))
}
