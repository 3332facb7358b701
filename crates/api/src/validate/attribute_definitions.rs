//! AttributeDefinitions: the types of the attributes that keys consist of.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use monotable_database::schema::KeyAttribute;
use monotable_item::key_encoding::KeyType;
use monotable_item::limits::KEY_NAME_BYTES_MAX;
use monotable_protocol::shapes::AttributeDefinition;

use super::constraint::{Violations, length_at_least, length_at_most, missing, old};
use super::enums::Member;
use super::key_schema::KeyElement;
use super::repetition::first_repeated;
use crate::error::ApiError;

const PATH: &str = "attributeDefinitions";

const ATTRIBUTE_TYPE: Member<Option<KeyType>> = Member {
    path: "attributeType",
    default: None,
    values: &[
        ("B", Some(KeyType::Binary)),
        ("N", Some(KeyType::Number)),
        ("S", Some(KeyType::String)),
    ],
};

/// Definitions that are well-formed, each by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Definitions {
    attributes: Vec<KeyAttribute>,
    /// The types by name, for the keys of many indexes.
    kinds: HashMap<String, KeyType>,
}

impl Definitions {
    /// Reads a list that must be there.
    pub(crate) fn read_required(
        violations: &mut Violations,
        definitions: &Option<Vec<AttributeDefinition>>,
    ) -> Definitions {
        violations.require(definitions, PATH);
        Definitions::read(violations, definitions)
    }

    /// Reads a list that may be absent.
    pub(crate) fn read(
        violations: &mut Violations,
        definitions: &Option<Vec<AttributeDefinition>>,
    ) -> Definitions {
        let definitions = definitions.iter().flatten().zip(1..);
        let read = definitions.filter_map(|(definition, number)| {
            read_definition(violations, &format_args!("{PATH}.{number}.member"), definition)
        });
        let attributes: Vec<KeyAttribute> = read.collect();
        // The first definition of a name counts.
        let kinds = attributes.iter().rev();
        let kinds = kinds.map(|definition| (definition.name.clone(), definition.kind)).collect();
        Definitions { attributes, kinds }
    }

    /// The type of an attribute, if it is defined.
    pub(crate) fn kind(&self, name: &str) -> Option<KeyType> {
        self.kinds.get(name).copied()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.attributes.len()
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.attributes.iter().map(|definition| definition.name.as_str())
    }

    /// The names, as messages list them: `[a, b]`.
    pub(crate) fn listed(&self) -> String {
        let names: Vec<&str> = self.names().collect();
        format!("[{}]", names.join(", "))
    }

    /// The definitions as the database keeps them.
    pub(crate) fn into_attributes(self) -> Vec<KeyAttribute> {
        self.attributes
    }

    /// Refuses two definitions of one attribute.
    pub(crate) fn check_unique(&self) -> Result<(), ApiError> {
        match first_repeated(self.names()) {
            None => Ok(()),
            Some(name) => {
                Err(ApiError::validation(format!("Attribute Name is duplicated: {name}")))
            }
        }
    }

    /// Refuses definitions that the key of a table without indexes does not use.
    pub(crate) fn check_used_by_key(&self, key: &[KeyElement]) -> Result<(), ApiError> {
        if self.len() == key.len() {
            Ok(())
        } else {
            Err(ApiError::parameter(
                "Number of attributes in KeySchema does not exactly match number of attributes \
                 defined in AttributeDefinitions",
            ))
        }
    }

    /// Refuses definitions that no key of a table or of its indexes uses.
    pub(crate) fn check_used_by_keys<'a>(
        &self,
        keys: impl Iterator<Item = &'a String>,
    ) -> Result<(), ApiError> {
        let mut known = HashSet::new();
        let names = keys.map(String::as_str);
        let used: Vec<&str> = names.filter(|name| known.insert(*name)).collect();
        if self.names().all(|name| known.contains(name)) {
            Ok(())
        } else {
            Err(ApiError::parameter(format!(
                "Some AttributeDefinitions are not used. AttributeDefinitions: {}, keys used: [{}]",
                self.listed(),
                used.join(", ")
            )))
        }
    }
}

fn read_definition(
    violations: &mut Violations,
    path: &dyn Display,
    definition: &AttributeDefinition,
) -> Option<KeyAttribute> {
    let kind =
        read_type(violations, &format_args!("{path}.attributeType"), &definition.attribute_type);
    let name =
        read_name(violations, &format_args!("{path}.attributeName"), &definition.attribute_name);
    Some(KeyAttribute { name: name?, kind: kind? })
}

fn read_type(
    violations: &mut Violations,
    path: &dyn Display,
    text: &Option<String>,
) -> Option<KeyType> {
    violations.require(text, path);
    match ATTRIBUTE_TYPE.read_at(path, text) {
        Ok(kind) => kind,
        Err(violation) => {
            violations.push(violation);
            None
        }
    }
}

/// Reads the name of an attribute of a key.
pub(super) fn read_name(
    violations: &mut Violations,
    path: &dyn Display,
    name: &Option<String>,
) -> Option<String> {
    let Some(name) = name else {
        violations.push(missing(path));
        return None;
    };
    let constraint = match name.len() {
        0 => length_at_least(1),
        1..=KEY_NAME_BYTES_MAX => return Some(name.clone()),
        _ => length_at_most(KEY_NAME_BYTES_MAX),
    };
    violations.push(old(name, path, &constraint));
    None
}
