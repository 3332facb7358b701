//! Sums and differences of sets, whose members are sorted and distinct.

use monotable_item::Value;

/// Returns whether a value is a set.
pub(super) fn is_set(value: &Value) -> bool {
    matches!(value, Value::StringSet(_) | Value::NumberSet(_) | Value::BinarySet(_))
}

/// The members of either set, if both are sets of one type.
pub(super) fn union(left: Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::StringSet(left), Value::StringSet(right)) => {
            Some(Value::string_set(concat(left, right)))
        }
        (Value::NumberSet(left), Value::NumberSet(right)) => {
            Some(Value::number_set(concat(left, right)))
        }
        (Value::BinarySet(left), Value::BinarySet(right)) => {
            Some(Value::binary_set(concat(left, right)))
        }
        _ => None,
    }
}

/// The members of the left set that are not in the right one, if both are sets of one type. Nothing
/// inside if none remains: there are no empty sets.
pub(super) fn difference(left: Value, right: &Value) -> Option<Option<Value>> {
    match (left, right) {
        (Value::StringSet(left), Value::StringSet(right)) => {
            Some(without(left, right).map(Value::StringSet))
        }
        (Value::NumberSet(left), Value::NumberSet(right)) => {
            Some(without(left, right).map(Value::NumberSet))
        }
        (Value::BinarySet(left), Value::BinarySet(right)) => {
            Some(without(left, right).map(Value::BinarySet))
        }
        _ => None,
    }
}

fn concat<T: Clone>(mut left: Vec<T>, right: &[T]) -> Vec<T> {
    left.extend_from_slice(right);
    left
}

fn without<T: Ord>(mut left: Vec<T>, right: &[T]) -> Option<Vec<T>> {
    left.retain(|member| right.binary_search(member).is_err());
    (!left.is_empty()).then_some(left)
}
