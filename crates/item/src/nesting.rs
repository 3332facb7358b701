//! How deep values lie in each other.

use crate::{Item, Value};

/// How many maps and lists lie around the deepest value of an item. An item of scalars and sets has
/// none.
pub fn item_nesting(item: &Item) -> usize {
    item.values().map(value_nesting).max().unwrap_or(0)
}

/// How many maps and lists a value has around its deepest part, itself among them.
pub(crate) fn value_nesting(value: &Value) -> usize {
    match value {
        Value::List(values) => 1 + values.iter().map(value_nesting).max().unwrap_or(0),
        Value::Map(map) => 1 + item_nesting(map),
        Value::String(_)
        | Value::Number(_)
        | Value::Binary(_)
        | Value::Bool(_)
        | Value::Null
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_value_counts() {
        let list = Value::List(vec![Value::Null, Value::List(vec![])]);
        let map = Value::Map(Item::from([("list".to_owned(), list)]));
        let item = Item::from([("a".to_owned(), Value::from(1)), ("b".to_owned(), map)]);
        assert_eq!(item_nesting(&item), 3);
        assert_eq!(item_nesting(&Item::new()), 0);
    }
}
