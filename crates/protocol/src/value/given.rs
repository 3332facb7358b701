//! Values that come as values, from callers in the same process.
//!
//! A value that was made by a program can be wrong in fewer ways than one that was written as JSON:
//! its sets may be empty, repeat members or have them in any order, and it may be nested too
//! deeply. Those are refused exactly as they are in JSON, by the same functions.

use monotable_item::limits::NESTING_MAX;
use monotable_item::stored::{self, CorruptItem};
use monotable_item::{Item, Value};

use super::decode::WireItem;
use super::encode::ResponseItem;
use super::error::{InvalidAttribute, ValueError};
use super::set;
use super::stored_item::StoredItem;
use crate::json::DEPTH_MAX;

impl WireItem {
    /// The values of an expression, or a key, as a request holds them.
    pub fn of(mut values: Item) -> WireItem {
        let mut first: Option<(String, ValueError)> = None;
        let mut only_too_deep = true;
        for (name, value) in &mut values {
            if let Err(error) = accept(value, 0) {
                only_too_deep &= error == ValueError::TooDeep && is_bounded(value, 0);
                first.get_or_insert_with(|| (name.clone(), error));
            }
        }
        WireItem(match first {
            None => Ok(values),
            Some((name, error)) => {
                let too_deep = only_too_deep.then_some(values);
                Err(InvalidAttribute { name, error, too_deep })
            }
        })
    }
}

impl StoredItem {
    /// An item or a key as a request holds it.
    pub fn of(item: Item) -> StoredItem {
        let WireItem(item) = WireItem::of(item);
        StoredItem(item.map(|item| stored::encode(&item).into()))
    }

    /// The attributes, of an item that a response gives back.
    pub fn into_item(self) -> Option<Result<Item, CorruptItem>> {
        self.0.ok().map(|stored| stored::decode(&stored))
    }
}

impl ResponseItem {
    /// The attributes.
    pub fn into_item(self) -> Result<Item, CorruptItem> {
        match self {
            ResponseItem::Values(item) => Ok(item),
            ResponseItem::Stored(stored) => stored::decode(&stored),
        }
    }
}

/// Takes a value that has `depth` maps and lists around it, or says the first thing that is wrong
/// with it. Members of sets are put into order.
fn accept(value: &mut Value, depth: usize) -> Result<(), ValueError> {
    match value {
        Value::StringSet(members) => *value = set::strings(std::mem::take(members))?,
        Value::NumberSet(members) => *value = set::distinct_numbers(std::mem::take(members))?,
        Value::BinarySet(members) => *value = set::binaries(std::mem::take(members))?,
        Value::List(values) => {
            check_depth(depth + 1)?;
            values.iter_mut().try_for_each(|value| accept(value, depth + 1))?;
        }
        Value::Map(map) => {
            check_depth(depth + 1)?;
            map.values_mut().try_for_each(|value| accept(value, depth + 1))?;
        }
        Value::String(_) | Value::Number(_) | Value::Binary(_) | Value::Bool(_) | Value::Null => {}
    }
    Ok(())
}

fn check_depth(depth: usize) -> Result<(), ValueError> {
    if depth > NESTING_MAX { Err(ValueError::TooDeep) } else { Ok(()) }
}

/// Whether a value lies no deeper than JSON could say it.
fn is_bounded(value: &Value, depth: usize) -> bool {
    depth < DEPTH_MAX
        && match value {
            Value::List(values) => values.iter().all(|value| is_bounded(value, depth + 1)),
            Value::Map(map) => map.values().all(|value| is_bounded(value, depth + 1)),
            Value::String(_)
            | Value::Number(_)
            | Value::Binary(_)
            | Value::Bool(_)
            | Value::Null
            | Value::StringSet(_)
            | Value::NumberSet(_)
            | Value::BinarySet(_) => true,
        }
}

#[cfg(test)]
mod tests {
    use monotable_item::Number;

    use super::*;
    use crate::decode_request;

    fn item(value: Value) -> Item {
        Item::from([("a".to_owned(), value)])
    }

    /// What is said of a value is what is said of it as JSON.
    #[track_caller]
    fn check(value: Value, json: &str) {
        let body = format!(r#"{{"a":{json}}}"#);
        let read: WireItem = decode_request(body.as_bytes()).unwrap();
        assert_eq!(WireItem::of(item(value.clone())), read);
        let read: StoredItem = decode_request(body.as_bytes()).unwrap();
        assert_eq!(StoredItem::of(item(value)), read);
    }

    fn texts(members: &[&str]) -> Vec<String> {
        members.iter().map(|text| (*text).to_owned()).collect()
    }

    fn numbers(members: &[i64]) -> Vec<Number> {
        members.iter().map(|number| Number::from(*number)).collect()
    }

    #[test]
    fn sets_are_put_into_order() {
        check(Value::StringSet(texts(&["b", "a"])), r#"{"SS":["b","a"]}"#);
        check(Value::NumberSet(numbers(&[10, 9])), r#"{"NS":["10","9"]}"#);
        check(Value::BinarySet(vec![vec![255], vec![0]]), r#"{"BS":["/w==","AA=="]}"#);
    }

    #[test]
    fn sets_that_are_empty_or_repeat_are_refused() {
        check(Value::StringSet(vec![]), r#"{"SS":[]}"#);
        check(Value::NumberSet(vec![]), r#"{"NS":[]}"#);
        check(Value::BinarySet(vec![]), r#"{"BS":[]}"#);
        check(Value::StringSet(texts(&["b", "a", "b"])), r#"{"SS":["b","a","b"]}"#);
        check(Value::NumberSet(numbers(&[2, 2])), r#"{"NS":["2","2"]}"#);
        check(Value::BinarySet(vec![vec![0], vec![0]]), r#"{"BS":["AA==","AA=="]}"#);
    }

    #[test]
    fn a_set_inside_of_a_value_is_checked() {
        check(Value::List(vec![Value::StringSet(vec![])]), r#"{"L":[{"SS":[]}]}"#);
        check(Value::Map(item(Value::StringSet(vec![]))), r#"{"M":{"a":{"SS":[]}}}"#);
    }

    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Null, |inner, _| Value::List(vec![inner]))
    }

    #[test]
    fn values_nest_as_deeply_as_they_may_and_no_deeper() {
        for levels in [NESTING_MAX, NESTING_MAX + 1] {
            let (open, close) = (r#"{"L":["#.repeat(levels), "]}".repeat(levels));
            check(nested(levels), &format!(r#"{open}{{"NULL":true}}{close}"#));
        }
    }

    /// What JSON cannot say is refused even where depth does not matter.
    #[test]
    fn a_value_of_endless_depth_is_not_kept() {
        let WireItem(refused) = WireItem::of(item(nested(DEPTH_MAX + 1)));
        assert_eq!(refused.unwrap_err().too_deep, None);
    }
}
