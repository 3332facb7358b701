//! How many bytes DynamoDB counts for values and items.
//!
//! The figures decide the 400 KB gate, the 1 MB page and every capacity unit, so they are exact.

use crate::{Item, Value};

/// What a list or map costs before its elements.
pub(crate) const CONTAINER_BYTES: usize = 3;
/// What each element of a list or map costs beside itself.
pub(crate) const ELEMENT_BYTES: usize = 1;

/// The bytes of an item: its names in UTF-8 and its values.
pub fn item_size_bytes(item: &Item) -> usize {
    item.iter().map(|(name, value)| name.len() + value_size_bytes(value)).sum()
}

/// The bytes of one value.
pub fn value_size_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Number(number) => number.size_bytes(),
        Value::Binary(bytes) => bytes.len(),
        Value::Bool(_) | Value::Null => 1,
        Value::List(values) => {
            let elements = values.iter().map(|value| ELEMENT_BYTES + value_size_bytes(value));
            CONTAINER_BYTES + elements.sum::<usize>()
        }
        Value::Map(map) => CONTAINER_BYTES + map.len() * ELEMENT_BYTES + item_size_bytes(map),
        Value::StringSet(members) => members.iter().map(String::len).sum(),
        Value::NumberSet(members) => members.iter().map(|number| number.size_bytes()).sum(),
        Value::BinarySet(members) => members.iter().map(Vec::len).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_cost_three_bytes_and_one_for_each_element() {
        let list = Value::List(vec![Value::from("ab"), Value::Null]);
        assert_eq!(value_size_bytes(&list), 3 + (1 + 2) + (1 + 1));
        let map = Value::Map(Item::from([("key".to_owned(), Value::Bool(true))]));
        assert_eq!(value_size_bytes(&map), 3 + (1 + 3 + 1));
        assert_eq!(value_size_bytes(&Value::List(Vec::new())), 3);
    }

    #[test]
    fn names_and_text_count_in_utf8_bytes() {
        let item = Item::from([("größe".to_owned(), Value::from("ñ"))]);
        assert_eq!(item_size_bytes(&item), 7 + 2);
    }

    #[test]
    fn sets_cost_their_members() {
        let numbers = Value::number_set(vec![1.into(), 22.into(), 333.into()]);
        assert_eq!(value_size_bytes(&numbers), 2 + 2 + 3);
        assert_eq!(value_size_bytes(&Value::string_set(vec!["a".into(), "bc".into()])), 3);
    }
}
