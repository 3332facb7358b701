//! The types of fields and parameters.

use monotable_item::{Type, Value};
use monotable_model::document::{Attribute, Entity};

use super::identifier::{field_name, literal, type_name};

/// A type of a field, without the `Option` of an attribute that may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// `String`
    Text,
    /// `Number`
    Number,
    /// `u64`, which locks are.
    Lock,
    /// `bool`
    Flag,
    /// An enum with its texts.
    Enumeration(String, Vec<String>),
    /// Any other type.
    Other(String),
}

impl Kind {
    /// The type of an attribute of an entity.
    pub(super) fn of(entity: &Entity, attribute: &Attribute) -> Kind {
        if entity.lock.as_ref() == Some(&attribute.name) {
            return Kind::Lock;
        }
        Kind::of_owned(&type_name(&entity.name), attribute)
    }

    /// The type of a parameter that is no attribute.
    pub(super) fn of_type(kind: Type) -> Kind {
        Kind::of_owned("", &Attribute::new("", kind))
    }

    /// The type of an attribute; `owner` begins the names of types that are made for it.
    pub(super) fn of_owned(owner: &str, attribute: &Attribute) -> Kind {
        match attribute.kind {
            Type::String => match texts(attribute) {
                Some(texts) => {
                    Kind::Enumeration(format!("{owner}{}", type_name(&attribute.name)), texts)
                }
                None => Kind::Text,
            },
            Type::Number => Kind::Number,
            Type::Bool => Kind::Flag,
            Type::Binary => Kind::Other("Bytes".to_owned()),
            Type::StringSet => Kind::Other("BTreeSet<String>".to_owned()),
            Type::List => {
                let element = attribute.items.as_deref().map(|items| {
                    let mut element = items.clone();
                    element.name = format!("{}Element", attribute.name);
                    Kind::of_owned(owner, &element).owned()
                });
                Kind::Other(format!("Vec<{}>", element.unwrap_or_else(|| "Value".to_owned())))
            }
            Type::Map if attribute.members.is_empty() => {
                Kind::Other("BTreeMap<String, Value>".to_owned())
            }
            Type::Map => Kind::Other(format!("{owner}{}", type_name(&attribute.name))),
            Type::Null | Type::NumberSet | Type::BinarySet => Kind::Other("Value".to_owned()),
        }
    }

    /// The type itself.
    pub(super) fn owned(&self) -> String {
        match self {
            Kind::Text => "String".to_owned(),
            Kind::Number => "Number".to_owned(),
            Kind::Lock => "u64".to_owned(),
            Kind::Flag => "bool".to_owned(),
            Kind::Enumeration(name, _) | Kind::Other(name) => name.clone(),
        }
    }

    /// The type of a parameter that has such a value.
    pub(super) fn parameter(&self) -> String {
        match self {
            Kind::Text => "&str".to_owned(),
            Kind::Number | Kind::Lock | Kind::Flag | Kind::Enumeration(..) => self.owned(),
            Kind::Other(name) => match vec_element(name) {
                Some(element) => format!("&[{element}]"),
                None => format!("&{name}"),
            },
        }
    }

    /// A parameter as a value that is owned.
    pub(super) fn to_owned(&self, parameter: &str) -> String {
        match self {
            Kind::Text => format!("{parameter}.to_owned()"),
            Kind::Number | Kind::Lock | Kind::Flag | Kind::Enumeration(..) => parameter.to_owned(),
            Kind::Other(name) if vec_element(name).is_some() => format!("{parameter}.to_vec()"),
            Kind::Other(_) => format!("{parameter}.clone()"),
        }
    }

    /// The expression of a value, where the type has one: what is borrowed is enough for text.
    pub(super) fn literal(&self, value: &Value) -> Option<String> {
        Some(match (self, value) {
            (Kind::Text, Value::String(text)) => literal(text),
            (Kind::Enumeration(name, texts), Value::String(text)) => {
                texts.contains(text).then(|| format!("{name}::{}", variant(text)))?
            }
            (Kind::Number, Value::Number(number)) => {
                format!("Number::from({})", number.to_i64()?)
            }
            (Kind::Lock, Value::Number(number)) => number.to_i64()?.to_string(),
            (Kind::Flag, Value::Bool(flag)) => flag.to_string(),
            (Kind::Other(name), Value::Map(members))
                if name.starts_with("BTreeMap") && members.is_empty() =>
            {
                "BTreeMap::new()".to_owned()
            }
            _ => return None,
        })
    }

    /// The expression of a value that is owned.
    pub(super) fn owned_literal(&self, value: &Value) -> Option<String> {
        let literal = self.literal(value)?;
        Some(if *self == Kind::Text { format!("{literal}.to_owned()") } else { literal })
    }
}

/// Whether a field of an attribute is an `Option`: an empty set is one that the item lacks.
pub(super) fn is_option(attribute: &Attribute) -> bool {
    !attribute.required && attribute.kind != Type::StringSet
}

/// Whether an item may lack the attribute.
pub(super) fn can_be_missing(attribute: &Attribute) -> bool {
    is_option(attribute) || attribute.kind == Type::StringSet
}

/// `T` of `Vec<T>`.
fn vec_element(name: &str) -> Option<&str> {
    name.strip_prefix("Vec<")?.strip_suffix('>')
}

/// The name of an enum's variant.
pub(super) fn variant(text: &str) -> String {
    type_name(&field_name(text))
}

/// The texts of an enumeration, if each has a variant of its own.
fn texts(attribute: &Attribute) -> Option<Vec<String>> {
    let mut texts: Vec<String> = Vec::new();
    for value in &attribute.values {
        let Value::String(text) = value else { return None };
        if text.is_empty() || texts.iter().any(|known| variant(known) == variant(text)) {
            return None;
        }
        texts.push(text.clone());
    }
    (!texts.is_empty()).then_some(texts)
}
