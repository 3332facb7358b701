//! Key values, wherever they come from: attributes that were sent as values, or those of a stored
//! item.

use monotable_item::stored::{ItemView, ValueView};
use monotable_item::{Item, Number, Type, Value, key_encoding};

/// A value as keys see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyValue<'a> {
    /// Text.
    String(&'a [u8]),
    /// A number.
    Number(Number),
    /// Bytes.
    Binary(&'a [u8]),
    /// A value of a type that no key has.
    Other(Type),
}

impl KeyValue<'_> {
    /// The type of the value.
    pub fn kind(&self) -> Type {
        match self {
            KeyValue::String(_) => Type::String,
            KeyValue::Number(_) => Type::Number,
            KeyValue::Binary(_) => Type::Binary,
            KeyValue::Other(kind) => *kind,
        }
    }

    /// The size of a value that can be a key, as DynamoDB counts it.
    pub(crate) fn size_bytes(&self) -> usize {
        match self {
            KeyValue::String(bytes) | KeyValue::Binary(bytes) => bytes.len(),
            KeyValue::Number(number) => number.size_bytes(),
            KeyValue::Other(_) => 0,
        }
    }

    /// Appends the bytes of a value that can be a key, and nothing for another.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        match self {
            KeyValue::String(bytes) | KeyValue::Binary(bytes) => {
                key_encoding::encode_bytes(bytes, out);
            }
            KeyValue::Number(number) => key_encoding::encode_number(number, out),
            KeyValue::Other(_) => {}
        }
    }
}

/// Attributes that may have those of a key among them.
pub trait KeySource {
    /// The value of one attribute.
    fn key_value(&self, name: &str) -> Option<KeyValue<'_>>;
}

impl KeySource for Item {
    fn key_value(&self, name: &str) -> Option<KeyValue<'_>> {
        self.get(name).map(of_value)
    }
}

/// What is corrupt is not found.
impl KeySource for ItemView<'_> {
    fn key_value(&self, name: &str) -> Option<KeyValue<'_>> {
        of_stored(self.get(name).ok()??)
    }
}

/// A value as keys see it.
pub(crate) fn of_value(value: &Value) -> KeyValue<'_> {
    match value {
        Value::String(text) => KeyValue::String(text.as_bytes()),
        Value::Number(number) => KeyValue::Number(*number),
        Value::Binary(bytes) => KeyValue::Binary(bytes),
        Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => KeyValue::Other(value.kind()),
    }
}

/// A stored value as keys see it, or nothing if it is corrupt.
pub(crate) fn of_stored(value: ValueView<'_>) -> Option<KeyValue<'_>> {
    Some(match value {
        ValueView::String(bytes) => KeyValue::String(bytes),
        ValueView::Number(text) => KeyValue::Number(std::str::from_utf8(text).ok()?.parse().ok()?),
        ValueView::Binary(bytes) => KeyValue::Binary(bytes),
        other @ (ValueView::Bool(_)
        | ValueView::Null
        | ValueView::List(_)
        | ValueView::Map(_)
        | ValueView::StringSet(_)
        | ValueView::NumberSet(_)
        | ValueView::BinarySet(_)) => KeyValue::Other(other.kind()),
    })
}

#[cfg(test)]
mod tests {
    use monotable_item::stored;

    use super::*;

    #[test]
    fn a_stored_item_has_the_key_values_of_its_values() {
        let item = Item::from([
            ("string".to_owned(), Value::from("text")),
            ("empty".to_owned(), Value::from("")),
            ("number".to_owned(), Value::Number("-12.5".parse().unwrap())),
            ("binary".to_owned(), Value::Binary(vec![0, 255])),
            ("truth".to_owned(), Value::Bool(true)),
            ("null".to_owned(), Value::Null),
            ("list".to_owned(), Value::List(vec![1.into()])),
            ("map".to_owned(), Value::Map(Item::new())),
            ("strings".to_owned(), Value::string_set(vec!["a".into()])),
            ("numbers".to_owned(), Value::number_set(vec![1.into()])),
            ("binaries".to_owned(), Value::binary_set(vec![vec![1]])),
        ]);
        let stored = stored::encode(&item);
        let view = ItemView::new(&stored).unwrap();
        for name in item.keys().map(String::as_str).chain(["absent"]) {
            assert_eq!(view.key_value(name), item.key_value(name), "{name}");
            assert_eq!(
                item.key_value(name).map(|value| value.kind()),
                item.get(name).map(Value::kind)
            );
        }
    }

    #[test]
    fn what_is_corrupt_is_not_found() {
        let mut stored = stored::encode(&Item::from([("n".to_owned(), Value::from(7))]));
        *stored.last_mut().unwrap() = b'x';
        assert_eq!(ItemView::new(&stored).unwrap().key_value("n"), None);
    }
}
