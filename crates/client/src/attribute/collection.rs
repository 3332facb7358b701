//! Options, lists, maps, sets and bytes.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::{Type, Value};

use super::{Attribute, NumberBounds, ValueError};

/// An absent value is an attribute that the item does not have.
impl<T: Attribute> Attribute for Option<T> {
    const KIND: Type = T::KIND;
    const REQUIRED: bool = false;
    const VALUES: &'static [&'static str] = T::VALUES;
    const BOUNDS: NumberBounds = T::BOUNDS;

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

/// A set of texts, numbers or [`Bytes`], or of newtypes of these. DynamoDB has no empty sets: an
/// empty one is an attribute that the item lacks.
impl<M: Attribute + Ord> Attribute for BTreeSet<M> {
    const KIND: Type = match M::KIND {
        Type::String if M::REQUIRED => Type::StringSet,
        Type::Number if M::REQUIRED => Type::NumberSet,
        Type::Binary if M::REQUIRED => Type::BinarySet,
        _ => panic!("the members of a set are texts, numbers or bytes"),
    };
    const REQUIRED: bool = false;

    fn to_value(&self) -> Option<Value> {
        set_of(self.iter().filter_map(M::to_value))
    }

    fn is_storable(&self) -> bool {
        self.iter().all(M::is_storable)
    }

    fn from_value(value: Value) -> Result<BTreeSet<M>, ValueError> {
        let members: Vec<Value> = match (Self::KIND, value) {
            (Type::StringSet, Value::StringSet(members)) => {
                members.into_iter().map(Value::String).collect()
            }
            (Type::NumberSet, Value::NumberSet(members)) => {
                members.into_iter().map(Value::Number).collect()
            }
            (Type::BinarySet, Value::BinarySet(members)) => {
                members.into_iter().map(Value::Binary).collect()
            }
            // An empty one that is the element of a list.
            (_, Value::Null) => Vec::new(),
            (expected, other) => return Err(ValueError::wrong_type(expected, &other)),
        };
        members.into_iter().map(M::from_value).collect()
    }

    fn from_missing() -> Option<BTreeSet<M>> {
        Some(BTreeSet::new())
    }
}

/// The set of values of one type, unless there are none or they are no members of a set.
pub(crate) fn set_of(members: impl Iterator<Item = Value>) -> Option<Value> {
    let mut set = None;
    for member in members {
        match (&mut set, member) {
            (None, Value::String(text)) => set = Some(Value::StringSet(vec![text])),
            (None, Value::Number(number)) => set = Some(Value::NumberSet(vec![number])),
            (None, Value::Binary(bytes)) => set = Some(Value::BinarySet(vec![bytes])),
            (Some(Value::StringSet(texts)), Value::String(text)) => texts.push(text),
            (Some(Value::NumberSet(numbers)), Value::Number(number)) => numbers.push(number),
            (Some(Value::BinarySet(all)), Value::Binary(bytes)) => all.push(bytes),
            _ => return None,
        }
    }
    set
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
    use monotable_item::Number;

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
    fn a_set_is_stored_by_the_type_of_its_members() {
        let numbers = BTreeSet::from([2_u8, 1]);
        let stored = Value::NumberSet(vec![Number::from(1), Number::from(2)]);
        assert_eq!(numbers.to_value(), Some(stored.clone()));
        assert_eq!(BTreeSet::<u8>::KIND, Type::NumberSet);
        assert_eq!(BTreeSet::from_value(stored.clone()), Ok(numbers));
        assert!(BTreeSet::<String>::from_value(stored).is_err());
        let too_large = Value::NumberSet(vec![Number::from(256)]);
        assert!(BTreeSet::<u8>::from_value(too_large).is_err());

        let bytes = BTreeSet::from([Bytes(vec![1])]);
        assert_eq!(bytes.to_value(), Some(Value::BinarySet(vec![vec![1]])));
        assert_eq!(BTreeSet::from_value(bytes.to_value().unwrap()), Ok(bytes));
        assert_eq!(BTreeSet::<Bytes>::new().to_value(), None);
    }

    #[test]
    fn an_empty_set_in_a_list_comes_back() {
        let list = vec![BTreeSet::from(["a".to_owned()]), BTreeSet::new()];
        assert_eq!(Vec::from_value(list.to_value().unwrap()), Ok(list));
    }

    #[test]
    fn a_set_is_no_list() {
        let list = Value::List(vec![Value::from("a")]);
        assert!(BTreeSet::<String>::from_value(list).is_err());
    }
}
