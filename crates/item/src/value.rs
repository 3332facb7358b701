//! The ten types of attribute values.

use std::collections::BTreeMap;

use crate::Number;

/// A map of names to values: an item, or a map inside one.
pub type Map = BTreeMap<String, Value>;

/// An item: its attributes by name. Names sort by their UTF-8 bytes, as everywhere in the product.
pub type Item = Map;

/// One attribute value.
///
/// Sets hold their members in a fixed order (bytes for strings and binaries, value for numbers) and
/// without repetition, so that derived equality is set equality. [`Value::string_set`] and its
/// siblings keep that promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `S`: text.
    String(String),
    /// `N`: an exact decimal.
    Number(Number),
    /// `B`: bytes.
    Binary(Vec<u8>),
    /// `BOOL`.
    Bool(bool),
    /// `NULL`.
    Null,
    /// `L`: values in order.
    List(Vec<Value>),
    /// `M`: values by name.
    Map(Map),
    /// `SS`: distinct strings in byte order.
    StringSet(Vec<String>),
    /// `NS`: distinct numbers in order of value.
    NumberSet(Vec<Number>),
    /// `BS`: distinct binaries in byte order.
    BinarySet(Vec<Vec<u8>>),
}

/// The name of a type, as it stands on the wire and in `attribute_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `S`
    String,
    /// `N`
    Number,
    /// `B`
    Binary,
    /// `BOOL`
    Bool,
    /// `NULL`
    Null,
    /// `L`
    List,
    /// `M`
    Map,
    /// `SS`
    StringSet,
    /// `NS`
    NumberSet,
    /// `BS`
    BinarySet,
}

impl Type {
    /// Every type, in the order of the wire documentation.
    pub const ALL: [Type; 10] = [
        Type::String,
        Type::Number,
        Type::Binary,
        Type::Bool,
        Type::Null,
        Type::List,
        Type::Map,
        Type::StringSet,
        Type::NumberSet,
        Type::BinarySet,
    ];

    /// The wire code: `S`, `N`, `BOOL` and so on.
    pub fn code(self) -> &'static str {
        match self {
            Type::String => "S",
            Type::Number => "N",
            Type::Binary => "B",
            Type::Bool => "BOOL",
            Type::Null => "NULL",
            Type::List => "L",
            Type::Map => "M",
            Type::StringSet => "SS",
            Type::NumberSet => "NS",
            Type::BinarySet => "BS",
        }
    }

    /// The type that a wire code names.
    pub fn from_code(code: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl Value {
    /// The type of this value.
    pub fn kind(&self) -> Type {
        match self {
            Value::String(_) => Type::String,
            Value::Number(_) => Type::Number,
            Value::Binary(_) => Type::Binary,
            Value::Bool(_) => Type::Bool,
            Value::Null => Type::Null,
            Value::List(_) => Type::List,
            Value::Map(_) => Type::Map,
            Value::StringSet(_) => Type::StringSet,
            Value::NumberSet(_) => Type::NumberSet,
            Value::BinarySet(_) => Type::BinarySet,
        }
    }

    /// A string set of these members, sorted and without repetition.
    pub fn string_set(mut members: Vec<String>) -> Value {
        sort_and_dedup(&mut members);
        Value::StringSet(members)
    }

    /// A number set of these members, sorted and without repetition.
    pub fn number_set(mut members: Vec<Number>) -> Value {
        sort_and_dedup(&mut members);
        Value::NumberSet(members)
    }

    /// A binary set of these members, sorted and without repetition.
    pub fn binary_set(mut members: Vec<Vec<u8>>) -> Value {
        sort_and_dedup(&mut members);
        Value::BinarySet(members)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Value {
        Value::Number(Number::from(integer))
    }
}

fn sort_and_dedup<T: Ord>(members: &mut Vec<T>) {
    members.sort_unstable();
    members.dedup();
}
