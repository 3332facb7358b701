//! Options, lists, maps, sets and bytes.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::{Type, Value};

use super::{Attribute, ValueError};

/// An absent value is an attribute that the item does not have.
impl<T: Attribute> Attribute for Option<T> {
    const KIND: Type = T::KIND;
    const REQUIRED: bool = false;
    const VALUES: &'static [&'static str] = T::VALUES;

    fn to_value(&self) -> Option<Value> {
        self.as_ref()?.to_value()
    }

    fn is_storable(&self) -> bool {
        self.as_ref().is_none_or(T::is_storable)
    }

    fn from_value(value: Value) -> Result<Option<T>, ValueError> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }

    fn from_missing() -> Option<Option<T>> {
        Some(None)
    }
}

impl<T: Attribute> Attribute for Vec<T> {
    const KIND: Type = Type::List;

    fn to_value(&self) -> Option<Value> {
        let element = |element: &T| element.to_value().unwrap_or(Value::Null);
        Some(Value::List(self.iter().map(element).collect()))
    }

    fn is_storable(&self) -> bool {
        self.iter().all(T::is_storable)
    }

    fn from_value(value: Value) -> Result<Vec<T>, ValueError> {
        match value {
            Value::List(elements) => elements.into_iter().map(T::from_value).collect(),
            other => Err(ValueError::wrong_type(Type::List, &other)),
        }
    }
}

impl<T: Attribute> Attribute for BTreeMap<String, T> {
    const KIND: Type = Type::Map;

    fn to_value(&self) -> Option<Value> {
        let members = self.iter().filter_map(|(name, it)| Some((name.clone(), it.to_value()?)));
        Some(Value::Map(members.collect()))
    }

    fn is_storable(&self) -> bool {
        self.values().all(T::is_storable)
    }

    fn from_value(value: Value) -> Result<BTreeMap<String, T>, ValueError> {
        let Value::Map(members) = value else {
            return Err(ValueError::wrong_type(Type::Map, &value));
        };
        members.into_iter().map(|(name, it)| Ok((name, T::from_value(it)?))).collect()
    }
}

/// A string set. DynamoDB has no empty sets: an empty one is an attribute that the item lacks.
impl Attribute for BTreeSet<String> {
    const KIND: Type = Type::StringSet;
    const REQUIRED: bool = false;

    fn to_value(&self) -> Option<Value> {
        if self.is_empty() { None } else { Some(Value::StringSet(self.iter().cloned().collect())) }
    }

    fn from_value(value: Value) -> Result<BTreeSet<String>, ValueError> {
        match value {
            Value::StringSet(members) => Ok(members.into_iter().collect()),
            other => Err(ValueError::wrong_type(Type::StringSet, &other)),
        }
    }

    fn from_missing() -> Option<BTreeSet<String>> {
        Some(BTreeSet::new())
    }
}

/// Bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub Vec<u8>);

impl Attribute for Bytes {
    const KIND: Type = Type::Binary;

    fn to_value(&self) -> Option<Value> {
        Some(Value::Binary(self.0.clone()))
    }

    fn from_value(value: Value) -> Result<Bytes, ValueError> {
        match value {
            Value::Binary(bytes) => Ok(Bytes(bytes)),
            other => Err(ValueError::wrong_type(Type::Binary, &other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_is_left_out_and_comes_back() {
        assert_eq!(None::<String>.to_value(), None);
        assert_eq!(Option::<String>::from_missing(), Some(None));
        assert_eq!(BTreeSet::<String>::new().to_value(), None);
        assert_eq!(BTreeSet::<String>::from_missing(), Some(BTreeSet::new()));
        assert_eq!(String::from_missing(), None);
    }

    #[test]
    fn an_absent_element_of_a_list_keeps_its_place() {
        let list = vec![Some(1_u8), None, Some(3)];
        let value = list.to_value().unwrap();
        assert_eq!(value, Value::List(vec![Value::from(1), Value::Null, Value::from(3)]));
        assert_eq!(Vec::<Option<u8>>::from_value(value), Ok(list));
    }

    #[test]
    fn what_holds_a_number_that_is_none_cannot_be_stored() {
        assert!(!Some(f64::NAN).is_storable());
        assert!(!vec![1.0, f64::NAN].is_storable());
        assert!(!BTreeMap::from([("a".to_owned(), Some(f64::INFINITY))]).is_storable());
        assert!(None::<f64>.is_storable() && vec![Some(1.0), None].is_storable());
    }

    #[test]
    fn a_set_is_no_list() {
        let list = Value::List(vec![Value::from("a")]);
        assert!(BTreeSet::<String>::from_value(list).is_err());
    }
}
