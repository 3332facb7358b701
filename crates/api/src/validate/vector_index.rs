//! Definitions of vector indexes, with a new table or for one that exists.
//!
//! The texts were measured on AWS in August 2026, but for those that say otherwise.

use std::collections::HashSet;
use std::fmt::Display;

use monotable_database::schema::{
    Billing, Distance, KeyAttribute, SearchAttribute, SearchRole, VectorIndexDefinition,
};
use monotable_item::limits::{SEARCH_FILTERS_MAX, VECTOR_DIMENSIONS_MAX, VECTOR_INDEXES_MAX};
use monotable_protocol::shapes::{SearchSchemaElement, VectorAttributeDefinition, VectorIndex};

use super::attribute_definitions::{Definitions, read_name as read_attribute};
use super::constraint::{Violations, length_at_least, missing, old, value_at_least};
use super::enums::Member;
use super::index_definition::read_name;
use super::projection::{self, ProjectionMembers};
use crate::error::ApiError;

const DISTANCE: Member<Option<Distance>> = Member {
    path: "distanceFunction",
    default: None,
    values: &[
        ("COSINE", Some(Distance::Cosine)),
        ("DOT_PRODUCT", Some(Distance::DotProduct)),
        ("EUCLIDEAN", Some(Distance::Euclidean)),
    ],
};

const SEARCH_ROLE: Member<Option<SearchRole>> = Member {
    path: "searchSchemaElementType",
    default: None,
    values: &[("HASH", Some(SearchRole::Partition)), ("INLINE_FILTER", Some(SearchRole::Filter))],
};

/// A vector index whose members are well-formed, each by itself.
#[derive(Debug, Clone)]
pub(crate) struct VectorIndexMembers {
    /// Its name.
    pub(crate) name: String,
    /// The attribute with the vectors.
    pub(crate) attribute: String,
    /// The attributes of its search schema.
    pub(crate) search: Vec<(String, SearchRole)>,
    projection: ProjectionMembers,
    dimensions: i64,
    distance: Distance,
}

/// Reads the vector indexes of a table to be created.
pub(crate) fn read_all(
    violations: &mut Violations,
    indexes: &Option<Vec<VectorIndex>>,
) -> Vec<VectorIndexMembers> {
    let indexes = indexes.iter().flatten().zip(1..);
    let read = indexes.map(|(index, number)| {
        read(violations, &format_args!("vectorIndexes.{number}.member"), index)
    });
    read.collect()
}

/// Reads a vector index.
pub(crate) fn read(
    violations: &mut Violations,
    path: &dyn Display,
    index: &VectorIndex,
) -> VectorIndexMembers {
    let name = read_name(violations, path, &index.index_name);
    let attribute =
        read_vector_attribute(violations, &format_args!("{path}.vectorAttribute"), index);
    let search =
        read_search_schema(violations, &format_args!("{path}.searchSchema"), &index.search_schema);
    let projection =
        projection::read(violations, &format_args!("{path}.projection"), &index.projection);
    let dimensions = read_dimensions(violations, &format_args!("{path}.dimensions"), index);
    let distance_path = format_args!("{path}.distanceFunction");
    let distance = read_required(violations, &distance_path, &DISTANCE, &index.distance_function);
    VectorIndexMembers {
        name,
        attribute: attribute.unwrap_or_default(),
        search,
        projection,
        dimensions,
        distance: distance.unwrap_or(Distance::Cosine),
    }
}

fn read_vector_attribute(
    violations: &mut Violations,
    path: &dyn Display,
    index: &VectorIndex,
) -> Option<String> {
    match &index.vector_attribute {
        Some(VectorAttributeDefinition { attribute_name }) => {
            read_attribute(violations, &format_args!("{path}.attributeName"), attribute_name)
        }
        None => {
            violations.push(missing(path));
            None
        }
    }
}

fn read_search_schema(
    violations: &mut Violations,
    path: &dyn Display,
    schema: &Option<Vec<SearchSchemaElement>>,
) -> Vec<(String, SearchRole)> {
    if schema.as_ref().is_some_and(Vec::is_empty) {
        violations.push(old("[]", path, &length_at_least(1)));
    }
    let elements = schema.iter().flatten().zip(1..);
    let read = elements.filter_map(|(element, number)| {
        let path = format_args!("{path}.{number}.member");
        let name_path = format_args!("{path}.attributeName");
        let name = read_attribute(violations, &name_path, &element.attribute_name);
        let role_path = format_args!("{path}.searchSchemaElementType");
        let role = &element.search_schema_element_type;
        name.zip(read_required(violations, &role_path, &SEARCH_ROLE, role))
    });
    read.collect()
}

/// Reads a member of an enum that must be there.
fn read_required<T: Copy>(
    violations: &mut Violations,
    path: &dyn Display,
    member: &Member<Option<T>>,
    text: &Option<String>,
) -> Option<T> {
    violations.require(text, path);
    let read = member.read_at(path, text);
    violations.extend(read.as_ref().err().cloned());
    read.unwrap_or_default()
}

fn read_dimensions(violations: &mut Violations, path: &dyn Display, index: &VectorIndex) -> i64 {
    violations.require(&index.dimensions, path);
    let dimensions = index.dimensions.unwrap_or(1);
    if dimensions < 1 {
        violations.push(old(dimensions, path, &value_at_least(1)));
    }
    dimensions
}

/// Resolves the vector indexes of a table to be created, beside its other indexes.
pub(crate) fn define_all<'n>(
    indexes: &[VectorIndexMembers],
    billing: Billing,
    definitions: &Definitions,
    other_names: impl Iterator<Item = &'n str>,
) -> Result<Vec<VectorIndexDefinition>, ApiError> {
    if indexes.is_empty() {
        return Ok(Vec::new());
    }
    check_on_demand(billing)?;
    if indexes.len() > VECTOR_INDEXES_MAX {
        return Err(ApiError::parameter(format!(
            "VectorIndex count exceeds the per-table limit of {VECTOR_INDEXES_MAX}"
        )));
    }
    let names: HashSet<&str> = other_names.collect();
    let mut defined: Vec<VectorIndexDefinition> = Vec::with_capacity(indexes.len());
    for index in indexes {
        let definition = define(index, definitions)?;
        check_same_dimensions(&definition, defined.iter())?;
        if names.contains(definition.name.as_str()) || is_named(&defined, &definition.name) {
            return Err(ApiError::parameter(format!("Duplicate index name: {}", index.name)));
        }
        defined.push(definition);
    }
    Ok(defined)
}

fn is_named(defined: &[VectorIndexDefinition], name: &str) -> bool {
    defined.iter().any(|definition| definition.name == name)
}

/// Resolves a vector index by the definitions that come with it.
pub(crate) fn define(
    index: &VectorIndexMembers,
    definitions: &Definitions,
) -> Result<VectorIndexDefinition, ApiError> {
    let dimensions = u32::try_from(index.dimensions).ok();
    let dimensions = dimensions.filter(|count| (1..=VECTOR_DIMENSIONS_MAX).contains(count));
    let dimensions = dimensions.ok_or_else(|| {
        ApiError::parameter(format!(
            "Number of dimensions must be between 1 and {VECTOR_DIMENSIONS_MAX} inclusive."
        ))
    })?;
    check_roles(index)?;
    check_not_defined(index, definitions)?;
    let search = index.search.iter().map(|(name, role)| search_attribute(name, *role, definitions));
    Ok(VectorIndexDefinition {
        name: index.name.clone(),
        attribute: index.attribute.clone(),
        dimensions,
        distance: index.distance,
        search: search.collect::<Result<_, _>>()?,
        projected: projection::projected(&index.projection)?,
    })
}

fn check_roles(index: &VectorIndexMembers) -> Result<(), ApiError> {
    let roles = [
        (SearchRole::Partition, "HASH", 1),
        (SearchRole::Filter, "INLINE_FILTER", SEARCH_FILTERS_MAX),
    ];
    for (role, name, most) in roles {
        let count = index.search.iter().filter(|(_, found)| *found == role).count();
        if count > most {
            return Err(ApiError::parameter(format!(
                "Value '{count}' at 'SearchSchema' failed to satisfy constraint: Member must have \
                 {name} count less than or equal to {most}"
            )));
        }
    }
    Ok(())
}

/// The vector attribute has no type that a definition could give it.
fn check_not_defined(
    index: &VectorIndexMembers,
    definitions: &Definitions,
) -> Result<(), ApiError> {
    match definitions.kind(&index.attribute) {
        None => Ok(()),
        Some(_) => Err(ApiError::parameter(format!(
            "Conflicting attribute definition for '{}'. An attribute cannot be defined in \
             AttributeDefinitions when used as a VectorAttribute.",
            index.attribute
        ))),
    }
}

fn search_attribute(
    name: &str,
    role: SearchRole,
    definitions: &Definitions,
) -> Result<SearchAttribute, ApiError> {
    let kind = definitions.kind(name).ok_or_else(|| {
        ApiError::parameter("One element in SearchSchema is not defined in attribute definitions")
    })?;
    Ok(SearchAttribute { role, attribute: KeyAttribute { name: name.to_owned(), kind } })
}

/// Refuses a vector index of a table that is not paid for by request.
pub(crate) fn check_on_demand(billing: Billing) -> Result<(), ApiError> {
    match billing {
        Billing::OnDemand => Ok(()),
        Billing::Provisioned => {
            Err(ApiError::parameter("Vector indexes are only supported for PAY_PER_REQUEST tables"))
        }
    }
}

/// Refuses an index of an attribute whose vectors have other dimensions in another index.
pub(crate) fn check_same_dimensions<'d>(
    new: &VectorIndexDefinition,
    mut others: impl Iterator<Item = &'d VectorIndexDefinition>,
) -> Result<(), ApiError> {
    let conflicts = |other: &VectorIndexDefinition| {
        other.attribute == new.attribute && other.dimensions != new.dimensions
    };
    if others.any(conflicts) {
        Err(ApiError::parameter(format!(
            "Conflicting attribute definition for '{}'. All VectorIndexes on the same vector \
             attribute must use the same dimensions.",
            new.attribute
        )))
    } else {
        Ok(())
    }
}
