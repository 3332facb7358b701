//! Values of the SDK, and ours.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use monotable_item::{Item, Map, Number, Value};

/// A value of the SDK that is none of the ten types, or a number that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not an attribute value")]
pub struct UnknownValue(String);

/// Converts a value to one of the SDK.
pub fn attribute_value(value: Value) -> AttributeValue {
    match value {
        Value::String(text) => AttributeValue::S(text),
        Value::Number(number) => AttributeValue::N(number.to_string()),
        Value::Binary(bytes) => AttributeValue::B(Blob::new(bytes)),
        Value::Bool(truth) => AttributeValue::Bool(truth),
        Value::Null => AttributeValue::Null(true),
        Value::List(values) => AttributeValue::L(values.into_iter().map(attribute_value).collect()),
        Value::Map(map) => AttributeValue::M(attributes(map)),
        Value::StringSet(members) => AttributeValue::Ss(members),
        Value::NumberSet(members) => {
            AttributeValue::Ns(members.iter().map(Number::to_string).collect())
        }
        Value::BinarySet(members) => {
            AttributeValue::Bs(members.into_iter().map(Blob::new).collect())
        }
    }
}

/// Converts a value of the SDK to one of ours. The SDK's type is open to further kinds of values,
/// and holds numbers as text, so it can fail.
pub fn value(value: AttributeValue) -> Result<Value, UnknownValue> {
    Ok(match value {
        AttributeValue::S(text) => Value::String(text),
        AttributeValue::N(text) => Value::Number(number(&text)?),
        AttributeValue::B(blob) => Value::Binary(blob.into_inner()),
        AttributeValue::Bool(truth) => Value::Bool(truth),
        AttributeValue::Null(_) => Value::Null,
        AttributeValue::L(values) => {
            Value::List(values.into_iter().map(self::value).collect::<Result<_, _>>()?)
        }
        AttributeValue::M(map) => Value::Map(item(map)?),
        AttributeValue::Ss(members) => Value::string_set(members),
        AttributeValue::Ns(members) => {
            let numbers = members.iter().map(|text| number(text)).collect::<Result<_, _>>();
            Value::number_set(numbers?)
        }
        AttributeValue::Bs(members) => {
            Value::binary_set(members.into_iter().map(Blob::into_inner).collect())
        }
        other => return Err(UnknownValue(format!("{other:?}"))),
    })
}

fn number(text: &str) -> Result<Number, UnknownValue> {
    text.parse().map_err(|_| UnknownValue(format!("the number {text:?}")))
}

/// Converts an item to the map that the SDK takes it as.
pub fn attributes(item: Map) -> HashMap<String, AttributeValue> {
    item.into_iter().map(|(name, value)| (name, attribute_value(value))).collect()
}

/// Converts an item of the SDK to one of ours.
pub fn item(attributes: HashMap<String, AttributeValue>) -> Result<Item, UnknownValue> {
    // Collected as results, the list that a map is built from would grow step by step.
    let mut members = Vec::with_capacity(attributes.len());
    for (name, value) in attributes {
        members.push((name, self::value(value)?));
    }
    Ok(members.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(members: &[&str]) -> Vec<String> {
        members.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_value_of_every_type_goes_there_and_back() {
        let inner = Map::from([("n".to_owned(), Value::from(-7))]);
        for (ours, theirs) in [
            (Value::from("text"), AttributeValue::S("text".to_owned())),
            (Value::from(12), AttributeValue::N("12".to_owned())),
            (Value::Binary(vec![0, 255]), AttributeValue::B(Blob::new([0, 255]))),
            (Value::Bool(false), AttributeValue::Bool(false)),
            (Value::Null, AttributeValue::Null(true)),
            (Value::List(vec![Value::Null]), AttributeValue::L(vec![AttributeValue::Null(true)])),
            (
                Value::Map(inner),
                AttributeValue::M(HashMap::from([(
                    "n".to_owned(),
                    AttributeValue::N("-7".to_owned()),
                )])),
            ),
            (Value::StringSet(texts(&["a", "b"])), AttributeValue::Ss(texts(&["a", "b"]))),
            (
                Value::NumberSet(vec![Number::from(9), Number::from(10)]),
                AttributeValue::Ns(texts(&["9", "10"])),
            ),
            (Value::BinarySet(vec![vec![1]]), AttributeValue::Bs(vec![Blob::new([1])])),
        ] {
            assert_eq!(attribute_value(ours.clone()), theirs);
            assert_eq!(value(theirs), Ok(ours));
        }
    }

    #[test]
    fn sets_of_the_sdk_come_in_any_order() {
        let found = value(AttributeValue::Ns(texts(&["10", "9"])));
        assert_eq!(found, Ok(Value::NumberSet(vec![Number::from(9), Number::from(10)])));
    }

    #[test]
    fn a_number_that_is_none_is_refused() {
        let refused = value(AttributeValue::N("seven".to_owned())).unwrap_err();
        assert_eq!(refused.to_string(), "the number \"seven\" is not an attribute value");
    }
}
