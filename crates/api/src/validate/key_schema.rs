//! Key schemas: which attributes are the key of a table or of an index, and in which order.
//!
//! A key schema goes through two stages, as everything in a definition of a table does. It is
//! *read*: each element by itself is well-formed, and what is not is noted, to be answered together
//! with the rest of the request. Then it is *resolved*: its attributes are defined and their order
//! makes sense.

use std::fmt::Display;

use monotable_database::KeyRole;
use monotable_database::schema::{KeyAttribute, KeySchema};
use monotable_item::limits::INDEX_KEY_PARTS_MAX;
use monotable_protocol::shapes::KeySchemaElement;

use super::attribute_definitions::{Definitions, read_name};
use super::constraint::{Violations, length_at_least, length_at_most, missing, old};
use super::enums::Member;
use super::repetition::first_repeated;
use crate::error::ApiError;

/// The most elements of the key of a table or of a local index.
pub(crate) const PAIR_ELEMENTS_MAX: usize = 2;
/// The most elements of the key of a global index.
pub(crate) const GLOBAL_INDEX_ELEMENTS_MAX: usize = 2 * INDEX_KEY_PARTS_MAX;

const KEY_TYPE: Member<Option<KeyRole>> = Member {
    path: "keyType",
    default: None,
    values: &[("HASH", Some(KeyRole::Partition)), ("RANGE", Some(KeyRole::Sort))],
};

/// An element of a key schema that is well-formed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyElement {
    /// The attribute's name.
    pub(crate) name: String,
    /// What it does in the key.
    pub(crate) role: KeyRole,
}

/// Reads a key schema of at most `elements_max` elements.
pub(crate) fn read(
    violations: &mut Violations,
    path: &dyn Display,
    schema: &Option<Vec<KeySchemaElement>>,
    elements_max: usize,
) -> Vec<KeyElement> {
    let Some(schema) = schema else {
        violations.push(missing(path));
        return Vec::new();
    };
    violations.extend(length_violation(path, schema, elements_max));
    let elements = schema.iter().zip(1..);
    let read = elements.filter_map(|(element, number)| {
        read_element(violations, &format_args!("{path}.{number}.member"), element)
    });
    read.collect()
}

fn length_violation(
    path: &dyn Display,
    schema: &[KeySchemaElement],
    elements_max: usize,
) -> Option<String> {
    let constraint = match schema.len() {
        0 => length_at_least(1),
        count if count > elements_max => length_at_most(elements_max),
        _ => return None,
    };
    Some(old(echo(schema), path, &constraint))
}

fn echo(schema: &[KeySchemaElement]) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".to_owned());
    let elements: Vec<String> = schema
        .iter()
        .map(|element| {
            let (name, key_type) = (text(&element.attribute_name), text(&element.key_type));
            format!("KeySchemaElement(attributeName={name}, keyType={key_type})")
        })
        .collect();
    format!("[{}]", elements.join(", "))
}

fn read_element(
    violations: &mut Violations,
    path: &dyn Display,
    element: &KeySchemaElement,
) -> Option<KeyElement> {
    let name =
        read_name(violations, &format_args!("{path}.attributeName"), &element.attribute_name);
    let role = read_role(violations, &format_args!("{path}.keyType"), &element.key_type);
    Some(KeyElement { name: name?, role: role? })
}

fn read_role(
    violations: &mut Violations,
    path: &dyn Display,
    text: &Option<String>,
) -> Option<KeyRole> {
    violations.require(text, path);
    match KEY_TYPE.read_at(path, text) {
        Ok(role) => role,
        Err(violation) => {
            violations.push(violation);
            None
        }
    }
}

/// Resolves the key of a table.
pub(crate) fn table_key(
    elements: &[KeyElement],
    definitions: &Definitions,
) -> Result<KeySchema, ApiError> {
    let key = resolve(elements, definitions).filter(|_| elements.len() <= definitions.len());
    let key = key.ok_or_else(|| match (elements.len(), definitions.len()) {
        (1, 1..) => undefined(elements, definitions),
        _ => ApiError::validation("Invalid KeySchema: Some index key attribute have no definition"),
    })?;
    check_names_differ(elements)?;
    check_first_is_partition(elements)?;
    check_second_is_sort(elements)?;
    Ok(key)
}

/// Resolves the key of a local index.
pub(crate) fn local_index_key(
    elements: &[KeyElement],
    definitions: &Definitions,
) -> Result<KeySchema, ApiError> {
    let key = resolve(elements, definitions).ok_or_else(|| undefined(elements, definitions))?;
    check_names_differ(elements)?;
    check_first_is_partition(elements)?;
    check_second_is_sort(elements)?;
    Ok(key)
}

/// Resolves the key of a global index, which may have several attributes of each role.
pub(crate) fn global_index_key(
    elements: &[KeyElement],
    definitions: &Definitions,
) -> Result<KeySchema, ApiError> {
    let key = resolve(elements, definitions).ok_or_else(|| undefined(elements, definitions))?;
    check_names_differ(elements)?;
    check_first_is_partition(elements)?;
    check_partition_precedes_sort(elements)?;
    check_part_count("HASH", &key.partition)?;
    check_part_count("RANGE", &key.sort)?;
    Ok(key)
}

/// The key with the types of its attributes, if all are defined.
fn resolve(elements: &[KeyElement], definitions: &Definitions) -> Option<KeySchema> {
    let mut key = KeySchema { partition: Vec::new(), sort: Vec::new() };
    for element in elements {
        let kind = definitions.kind(&element.name)?;
        let attribute = KeyAttribute { name: element.name.clone(), kind };
        match element.role {
            KeyRole::Partition => key.partition.push(attribute),
            KeyRole::Sort => key.sort.push(attribute),
        }
    }
    Some(key)
}

fn undefined(elements: &[KeyElement], definitions: &Definitions) -> ApiError {
    let keys: Vec<&str> = elements.iter().map(|element| element.name.as_str()).collect();
    ApiError::parameter(format!(
        "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], \
         AttributeDefinitions: {}",
        keys.join(", "),
        definitions.listed()
    ))
}

fn check_names_differ(elements: &[KeyElement]) -> Result<(), ApiError> {
    match first_repeated(elements.iter().map(|element| element.name.as_str())) {
        None => Ok(()),
        Some(_) => Err(ApiError::validation(match elements.len() {
            PAIR_ELEMENTS_MAX => {
                "Both the Hash Key and the Range Key element in the KeySchema have the same name"
            }
            _ => "The KeySchema contains multiple key attributes with the same name",
        })),
    }
}

fn check_first_is_partition(elements: &[KeyElement]) -> Result<(), ApiError> {
    match elements.first() {
        Some(first) if first.role != KeyRole::Partition => Err(ApiError::validation(
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        )),
        Some(_) | None => Ok(()),
    }
}

fn check_second_is_sort(elements: &[KeyElement]) -> Result<(), ApiError> {
    match elements.get(1) {
        Some(second) if second.role != KeyRole::Sort => Err(ApiError::validation(
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        )),
        Some(_) | None => Ok(()),
    }
}

fn check_partition_precedes_sort(elements: &[KeyElement]) -> Result<(), ApiError> {
    if elements.is_sorted_by_key(|element| element.role == KeyRole::Sort) {
        Ok(())
    } else {
        Err(ApiError::parameter(
            "All HASH key attributes must precede RANGE key attributes in the KeySchema",
        ))
    }
}

fn check_part_count(key_type: &str, parts: &[KeyAttribute]) -> Result<(), ApiError> {
    match parts.len() {
        0..=INDEX_KEY_PARTS_MAX => Ok(()),
        _ => Err(ApiError::parameter(format!(
            "The KeySchema exceeds the maximum allowed number of {key_type} key attributes"
        ))),
    }
}
