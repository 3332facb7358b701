//! Key conditions against the key schema of what is queried.

use monotable_database::schema::{KeyAttribute, KeySchema};
use monotable_database::{KeyRole, KeySelection, SortCondition};
use monotable_expr::{KeyComparison, KeyCondition};
use monotable_item::{Item, Value, value_size_bytes};

use super::key_size::KeySize;
use super::start_key;
use crate::error::ApiError;
use crate::wording::key;

/// What the condition selects: all partition key attributes must be equal to something, and sort
/// key attributes may be, from the first on; the last one with a condition may have another.
///
/// Each attribute of the start key, if there is one, is checked before the condition on it.
pub(crate) fn select(
    key: &KeySchema,
    condition: &KeyCondition,
    start: Option<&Item>,
) -> Result<KeySelection, ApiError> {
    check_count(key, condition)?;
    let mut partition = Vec::with_capacity(key.partition.len());
    let mut size = KeySize::new(KeyRole::Partition);
    let mut start_size = size;
    for attribute in &key.partition {
        start_size = start_key::check_part(attribute, start, start_size)?;
        let (value, with_value) = equality(attribute, condition, size)?;
        partition.push(value.clone());
        size = with_value;
    }
    start_key::check_parts(&key.sort, KeyRole::Sort, start)?;
    let mut selection = KeySelection { partition, sort_equal: Vec::new(), sort_last: None };
    if condition.comparisons().len() > key.partition.len() {
        select_sort(key, condition, &mut selection)?;
    }
    Ok(selection)
}

fn check_count(key: &KeySchema, condition: &KeyCondition) -> Result<(), ApiError> {
    let (given, allowed) = (condition.comparisons().len(), key.attributes().count());
    if given <= allowed {
        return Ok(());
    }
    Err(ApiError::validation(format!(
        "The number of query conditions ({given}) exceeds the number of key attributes defined in \
         the schema ({allowed})"
    )))
}

fn equality<'c>(
    attribute: &KeyAttribute,
    condition: &'c KeyCondition,
    size: KeySize,
) -> Result<(&'c Value, KeySize), ApiError> {
    let comparison = condition.comparison(&attribute.name).ok_or_else(|| missed(attribute))?;
    let size = check_values(attribute, comparison, size)?;
    match comparison {
        KeyComparison::Equal(value) => Ok((value, size)),
        _ => Err(ApiError::validation("Query key condition not supported")),
    }
}

fn select_sort(
    key: &KeySchema,
    condition: &KeyCondition,
    selection: &mut KeySelection,
) -> Result<(), ApiError> {
    let last = key.sort.iter().rposition(|part| condition.comparison(&part.name).is_some());
    let Some(last) = last else {
        return Err(key
            .sort
            .first()
            .map_or_else(|| ApiError::validation("Query key condition not supported"), missed));
    };
    check_gaps(key, condition, last)?;
    let mut size = KeySize::new(KeyRole::Sort);
    for attribute in key.sort.iter().take(last + 1) {
        let Some(comparison) = condition.comparison(&attribute.name) else { continue };
        size = check_values(attribute, comparison, size)?;
        match sort_part(comparison)? {
            SortPart::Equal(value) => selection.sort_equal.push(value),
            SortPart::Last(condition) => selection.sort_last = Some(condition),
        }
    }
    Ok(())
}

/// Refuses a condition on a sort key attribute unless all before it have equality conditions.
fn check_gaps(key: &KeySchema, condition: &KeyCondition, last: usize) -> Result<(), ApiError> {
    let has_equality = |part: &&KeyAttribute| {
        matches!(condition.comparison(&part.name), Some(KeyComparison::Equal(_)))
    };
    let gaps: Vec<&str> = key
        .sort
        .iter()
        .take(last)
        .filter(|part| !has_equality(part))
        .map(|part| part.name.as_str())
        .collect();
    let Some(last) = key.sort.get(last).filter(|_| !gaps.is_empty()) else { return Ok(()) };
    Err(ApiError::validation(format!(
        "RANGE key attributes {} must have equality conditions specified in the query because a \
         condition is present on key attribute {}",
        gaps.join(", "),
        last.name
    )))
}

/// What a comparison asks of a sort key attribute: only the last one may ask for more than
/// equality.
enum SortPart {
    Equal(Value),
    Last(SortCondition),
}

fn sort_part(comparison: &KeyComparison) -> Result<SortPart, ApiError> {
    Ok(SortPart::Last(match comparison.clone() {
        KeyComparison::Equal(value) => return Ok(SortPart::Equal(value)),
        KeyComparison::Less(value) => SortCondition::Less(value),
        KeyComparison::LessOrEqual(value) => SortCondition::LessOrEqual(value),
        KeyComparison::Greater(value) => SortCondition::Greater(value),
        KeyComparison::GreaterOrEqual(value) => SortCondition::GreaterOrEqual(value),
        KeyComparison::Between(lower, upper) => SortCondition::Between(lower, upper),
        KeyComparison::BeginsWith(value) => SortCondition::BeginsWith(value),
        KeyComparison::NotIndexable => return Err(not_indexable()),
    }))
}

/// Checks what a key attribute is compared with: right types, not empty, not too long. Returns the
/// size of the values of its role up to it.
fn check_values(
    attribute: &KeyAttribute,
    comparison: &KeyComparison,
    before: KeySize,
) -> Result<KeySize, ApiError> {
    let values = match comparison {
        KeyComparison::Equal(value)
        | KeyComparison::Less(value)
        | KeyComparison::LessOrEqual(value)
        | KeyComparison::Greater(value)
        | KeyComparison::GreaterOrEqual(value)
        | KeyComparison::BeginsWith(value) => [Some(value), None],
        KeyComparison::Between(lower, upper) => [Some(lower), Some(upper)],
        KeyComparison::NotIndexable => return Err(not_indexable()),
    };
    let mut size = before;
    for value in values.into_iter().flatten() {
        if value.kind() != attribute.kind.value_type() {
            return Err(ApiError::parameter("Condition parameter type does not match schema type"));
        }
        if value_size_bytes(value) == 0 {
            return Err(ApiError::validation(key::empty(value.kind(), &attribute.name)));
        }
        size = before.with(value)?;
    }
    Ok(size)
}

fn missed(attribute: &KeyAttribute) -> ApiError {
    ApiError::validation(format!("Query condition missed key schema element: {}", attribute.name))
}

fn not_indexable() -> ApiError {
    ApiError::validation("Attempted conditional constraint is not an indexable operation")
}
