//! `ExclusiveStartKey` of Query and Scan.

use monotable_database::schema::{IndexSchema, KeyAttribute, KeySchema, TableSchema};
use monotable_database::{KeySelection, Span, StartKey};
use monotable_item::{Item, Value};

use crate::error::ApiError;
use crate::wording::key::NOT_OF_SCHEMA;

const INVALID: &str = "The provided starting key is invalid";

/// The start key of a Query: it must lie where the query reads.
pub(crate) fn of_query(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
    selection: &KeySelection,
) -> Result<StartKey, ApiError> {
    check_attributes(schema, index, attributes, INVALID)?;
    let start = start_key(schema, index, attributes)?;
    check_position(schema, index, attributes, selection, &start)?;
    Ok(start)
}

/// The start key of a Scan: it must lie in the segment.
pub(crate) fn of_scan(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
    span: &Span,
) -> Result<StartKey, ApiError> {
    let table_text = format!("{INVALID}: {NOT_OF_SCHEMA}");
    let text = if index.is_some() { INVALID } else { &table_text };
    check_attributes(schema, index, attributes, text)?;
    let start = start_key(schema, index, attributes)?;
    match span {
        Span::Segment { segment, total } if !span.contains(schema, index, &start) => {
            Err(ApiError::validation(format!(
                "{INVALID}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct \
                 Segment. TotalSegments: {total} Segment: {segment}"
            )))
        }
        _ => Ok(start),
    }
}

/// Checks which attributes there are and their types: first the keys of what is read, then, for an
/// index, those of the table.
fn check_attributes(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
    wrong_number: &str,
) -> Result<(), ApiError> {
    let read = index.map_or(&schema.key, |index| &index.key);
    let is_key = |name: &String| schema.key.contains(name) || read.contains(name);
    let mut wanted = schema.key.attributes().chain(read.attributes());
    let complete = wanted.all(|part| attributes.contains_key(&part.name));
    if !complete || !attributes.keys().all(is_key) {
        return Err(ApiError::validation(wrong_number));
    }
    check_types(
        read,
        attributes,
        if index.is_some() { NOT_OF_SCHEMA } else { wrong_type(wrong_number) },
    )?;
    check_types(&schema.key, attributes, &format!("{INVALID}: {NOT_OF_SCHEMA}"))
}

/// A table's own key is refused by Query without, by Scan with the words about the starting key.
fn wrong_type(wrong_number: &str) -> &str {
    if wrong_number == INVALID { NOT_OF_SCHEMA } else { wrong_number }
}

fn check_types(key: &KeySchema, attributes: &Item, text: &str) -> Result<(), ApiError> {
    let is_wrong = |part: &KeyAttribute| {
        attributes.get(&part.name).is_some_and(|value| value.kind() != part.kind.value_type())
    };
    match key.attributes().any(is_wrong) {
        true => Err(ApiError::validation(text)),
        false => Ok(()),
    }
}

fn start_key(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    attributes: &Item,
) -> Result<StartKey, ApiError> {
    let invalid = |_| ApiError::validation(format!("{INVALID}: {NOT_OF_SCHEMA}"));
    StartKey::new(schema, index, attributes).map_err(invalid)
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
        return match partition_fits {
            true => Ok(()),
            false => Err(ApiError::validation(
                "The provided starting key is outside query boundaries based on provided conditions",
            )),
        };
    }
    if !Span::Partition(own).contains(schema, index, start) {
        return Err(ApiError::validation(
            "The provided starting key does not match the range key predicate",
        ));
    }
    let one_row = index.is_none() && selection.sort_last.is_none();
    match partition_fits && !one_row {
        true => Ok(()),
        false => Err(ApiError::validation(
            "The query can return at most one row and cannot be restarted",
        )),
    }
}

fn partition_of(key: &KeySchema, attributes: &Item) -> Vec<Value> {
    key.partition.iter().filter_map(|part| attributes.get(&part.name).cloned()).collect()
}
