//! Types of attributes, parameters and records.

use monotable_item::{Type, Value};
use monotable_model::document::{Attribute, AttributeFormat, Entity, Model};
use monotable_model::template::{Form, Template};

use crate::case::pascal;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text.
    Text,
    /// One of some texts.
    Texts(Vec<String>),
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// Bytes.
    Bytes,
    /// True or false.
    Flag,
    /// Nothing.
    Null,
    /// A set of texts.
    TextSet,
    /// A set of numbers.
    NumberSet,
    /// A set of bytes.
    BytesSet,
    /// A list.
    List(Box<Kind>),
    /// A map of any members.
    Map,
    /// A map with declared members, or another record, by its name.
    Record(String),
    /// Anything.
    Any,
}

/// A member of a record, or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// The name in the model.
    pub(crate) name: String,
    /// Its type.
    pub(crate) kind: Kind,
    /// Whether it may be absent.
    pub(crate) optional: bool,
    /// What it is.
    pub(crate) description: Option<String>,
}

/// A type with members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) description: String,
    /// Its members.
    pub(crate) fields: Vec<Field>,
}

/// The records of maps with declared members, those of inner maps included.
pub(crate) fn records(model: &Model) -> Vec<Record> {
    let mut found = Vec::new();
    for entity in &model.entities {
        for attribute in &entity.attributes {
            collect(&pascal(&entity.name), attribute, &mut found);
        }
    }
    found
}

fn collect(owner: &str, attribute: &Attribute, found: &mut Vec<Record>) {
    let name = format!("{owner}{}", pascal(&attribute.name));
    match attribute.kind {
        Type::Map if !attribute.members.is_empty() => {
            attribute.members.iter().for_each(|member| collect(&name, member, found));
            let fields = attribute.members.iter().map(|member| field(&name, member, &[])).collect();
            let description = format!("Members of `{}`.", attribute.name);
            found.push(Record { name, description, fields });
        }
        Type::List => {
            if let Some(items) = &attribute.items {
                let element = Attribute { name: "element".to_owned(), ..(**items).clone() };
                collect(&name, &element, found);
            }
        }
        Type::Map
        | Type::String
        | Type::Number
        | Type::Binary
        | Type::Bool
        | Type::Null
        | Type::StringSet
        | Type::NumberSet
        | Type::BinarySet => {}
    }
}

/// The members of an entity's type.
pub(crate) fn fields(entity: &Entity) -> Vec<Field> {
    let owner = pascal(&entity.name);
    let whole = whole_numbers(entity);
    entity.attributes.iter().map(|attribute| field(&owner, attribute, &whole)).collect()
}

fn field(owner: &str, attribute: &Attribute, whole: &[&str]) -> Field {
    Field {
        name: attribute.name.clone(),
        kind: kind(owner, attribute, whole.contains(&attribute.name.as_str())),
        optional: !attribute.required,
        description: attribute.description.clone(),
    }
}

/// The type of an attribute of an entity, or of a map whose record has this name.
pub(crate) fn kind(owner: &str, attribute: &Attribute, is_whole: bool) -> Kind {
    let name = format!("{owner}{}", pascal(&attribute.name));
    match attribute.kind {
        Type::String => texts(&attribute.values).map_or(Kind::Text, Kind::Texts),
        Type::Number if is_whole || counts_time(attribute) => Kind::Whole,
        Type::Number => Kind::Number,
        Type::Binary => Kind::Bytes,
        Type::Bool => Kind::Flag,
        Type::Null => Kind::Null,
        Type::StringSet => Kind::TextSet,
        Type::NumberSet => Kind::NumberSet,
        Type::BinarySet => Kind::BytesSet,
        Type::Map if attribute.members.is_empty() => Kind::Map,
        Type::Map => Kind::Record(name),
        Type::List => {
            let element = |items: &Attribute| {
                let element = Attribute { name: "element".to_owned(), ..items.clone() };
                kind(&name, &element, false)
            };
            Kind::List(Box::new(attribute.items.as_deref().map_or(Kind::Any, element)))
        }
    }
}

fn texts(values: &[Value]) -> Option<Vec<String>> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    let texts: Vec<String> = values.iter().map(text).collect::<Option<_>>()?;
    (!texts.is_empty()).then_some(texts)
}

fn counts_time(attribute: &Attribute) -> bool {
    matches!(attribute.format, Some(AttributeFormat::EpochSeconds | AttributeFormat::EpochMillis))
}

/// The attributes that keys take whole numbers of.
pub(crate) fn whole_numbers(entity: &Entity) -> Vec<&str> {
    let templates = all_templates(entity);
    let parts = templates.flat_map(Template::attributes);
    let whole = parts.filter(|part| match part.encoding.form() {
        Form::Plain => true,
        Form::Number(form) => form.fraction_digits() == 0,
        Form::Text(_)
        | Form::Time(_)
        | Form::YearFirst
        | Form::Identifier(_)
        | Form::Enumeration(_)
        | Form::Hash(_)
        | Form::Bool
        | Form::NumberKey
        | Form::BinaryKey => false,
    });
    whole.map(|part| part.path.root.as_str()).collect()
}

/// The templates of all keys of an entity.
pub(crate) fn all_templates(entity: &Entity) -> impl Iterator<Item = &Template> {
    let of_indexes = entity.indexes.iter().map(|index| &index.keys);
    let keys = entity.key.iter().chain(of_indexes);
    keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort))
}
