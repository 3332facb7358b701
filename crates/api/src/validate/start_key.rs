//! `ExclusiveStartKey` of Query and Scan.

use monotable_database::schema::{IndexSchema, KeyAttribute, KeySchema, TableSchema};
use monotable_database::{
    KeyError, KeyProblem, KeyRole, KeySelection, Span, StartKey, has_only_keys,
};
use monotable_item::{Item, Value};

use super::key_size::KeySize;
use crate::error::ApiError;
use crate::wording::key::{self, NOT_OF_SCHEMA};

const INVALID: &str = "The provided starting key is invalid";

/// Checks which attributes the start key of a Query has: the keys of the table and of the index.
pub(crate) fn check_queried(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
) -> Result<(), ApiError> {
    check_attributes(schema, index, attributes, INVALID)
}

/// Checks the type and size of one key attribute of what is read. Returns the size of the values of
/// its role up to it.
pub(crate) fn check_part(
    attribute: &KeyAttribute,
    start: Option<&Item>,
    before: KeySize,
) -> Result<KeySize, ApiError> {
    match start.and_then(|start| start.get(&attribute.name)) {
        None => Ok(before),
        Some(value) if is_of_type(attribute, value) => before.with(value),
        Some(_) => Err(ApiError::validation(NOT_OF_SCHEMA)),
    }
}

/// Checks the types and sizes of the key attributes of one role of what is read.
pub(crate) fn check_parts(
    parts: &[KeyAttribute],
    role: KeyRole,
    start: Option<&Item>,
) -> Result<(), ApiError> {
    let check = |size, part| check_part(part, start, size);
    parts.iter().try_fold(KeySize::new(role), check).map(drop)
}

/// The start key of a Query, of which the attributes of what is queried were checked: it must lie
/// where the query reads.
pub(crate) fn of_query(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
    selection: &KeySelection,
) -> Result<StartKey, ApiError> {
    check_table_types(schema, attributes)?;
    let start = start_key(schema, index, attributes)?;
    check_position(schema, index, attributes, selection, &start)?;
    Ok(start)
}

/// Checks which attributes the start key of a Scan has, and the types and sizes of those of the
/// index.
pub(crate) fn check_scanned(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
) -> Result<(), ApiError> {
    let Some(scanned) = index else {
        return check_attributes(schema, index, attributes, &not_of_schema());
    };
    check_attributes(schema, index, attributes, INVALID)?;
    check_parts(&scanned.key.partition, KeyRole::Partition, Some(attributes))?;
    check_parts(&scanned.key.sort, KeyRole::Sort, Some(attributes))
}

/// The start key of a Scan, of which the attributes were checked: it must lie in the segment.
pub(crate) fn of_scan(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
    span: &Span,
) -> Result<StartKey, ApiError> {
    check_table_types(schema, attributes)?;
    let start = start_key(schema, index, attributes)?;
    match span {
        Span::Segment { segment, total } if !span.contains(schema, index, &start) => {
            Err(ApiError::validation(format!(
                "{INVALID}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct \
                 Segment. TotalSegments: {total} Segment: {segment}"
            )))
        }
        Span::Segment { .. } | Span::Everything | Span::Partition(_) => Ok(start),
    }
}

/// Refuses a start key unless it has the keys of the table and of the index, and nothing else.
fn check_attributes(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
    text: &str,
) -> Result<(), ApiError> {
    let index = index.map(|index| &index.key);
    let mut wanted =
        schema.key.attributes().chain(index.into_iter().flat_map(KeySchema::attributes));
    let complete = wanted.all(|part| attributes.contains_key(&part.name));
    if complete && has_only_keys(attributes, &schema.key, index) {
        Ok(())
    } else {
        Err(ApiError::validation(text))
    }
}

fn check_table_types(schema: &TableSchema, attributes: &Item) -> Result<(), ApiError> {
    if schema.key.attributes().any(|part| has_wrong_type(part, attributes)) {
        Err(ApiError::validation(not_of_schema()))
    } else {
        Ok(())
    }
}

fn has_wrong_type(part: &KeyAttribute, attributes: &Item) -> bool {
    attributes.get(&part.name).is_some_and(|value| !is_of_type(part, value))
}

fn is_of_type(part: &KeyAttribute, value: &Value) -> bool {
    value.kind() == part.kind.value_type()
}

fn not_of_schema() -> String {
    format!("{INVALID}: {NOT_OF_SCHEMA}")
}

fn start_key(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
) -> Result<StartKey, ApiError> {
    StartKey::new(schema, index, attributes).map_err(|error| invalid(&error))
}

fn invalid(error: &KeyError) -> ApiError {
    match error.problem {
        KeyProblem::TooLong(role) => ApiError::parameter(key::too_long(role)).after(INVALID),
        _ => ApiError::validation(not_of_schema()),
    }
}

fn check_position(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
    selection: &KeySelection,
    start: &StartKey,
) -> Result<(), ApiError> {
    let read = index.map_or(&schema.key, |index| &index.key);
    let own = KeySelection { partition: partition_of(read, attributes), ..selection.clone() };
    let partition_fits = own.partition == selection.partition;
    let has_sort_condition = selection.sort_last.is_some() || !selection.sort_equal.is_empty();
    if !has_sort_condition {
        return if partition_fits {
            Ok(())
        } else {
            Err(ApiError::validation(
                "The provided starting key is outside query boundaries based on provided \
                 conditions",
            ))
        };
    }
    if !Span::Partition(own).contains(schema, index, start) {
        return Err(ApiError::validation(
            "The provided starting key does not match the range key predicate",
        ));
    }
    let one_row = index.is_none() && selection.sort_last.is_none();
    if partition_fits && !one_row {
        Ok(())
    } else {
        Err(ApiError::validation("The query can return at most one row and cannot be restarted"))
    }
}

fn partition_of(key: &KeySchema, attributes: &Item) -> Vec<Value> {
    key.partition.iter().filter_map(|part| attributes.get(&part.name).cloned()).collect()
}
