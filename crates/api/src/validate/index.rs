//! The index that a Query or Scan names.

use monotable_database::IndexState;
use monotable_database::schema::{
    IndexKind, IndexSchema, IndexStatus, TableSchema, VectorIndexSchema,
};

use crate::error::ApiError;

/// Refuses to query a vector index.
pub(crate) fn check_queried(
    schema: &TableSchema,
    name: &Option<String>,
    consistent_read: Option<bool>,
) -> Result<(), ApiError> {
    match vector_index(schema, name.as_deref()) {
        None => Ok(()),
        Some(_) if consistent_read == Some(true) => Err(consistent_read_refused()),
        Some(_) => Err(ApiError::validation("Query operation not supported on this index type.")),
    }
}

/// Refuses to scan a vector index, or to read it by a statement. The service ends this text without
/// a full stop.
pub(crate) fn check_scanned(schema: &TableSchema, name: Option<&str>) -> Result<(), ApiError> {
    match vector_index(schema, name) {
        None => Ok(()),
        Some(_) => Err(ApiError::validation("Scan operation not supported on this index type")),
    }
}

fn vector_index<'s>(schema: &'s TableSchema, name: Option<&str>) -> Option<&'s VectorIndexSchema> {
    let index = schema.vector_index(name?)?;
    (index.status != IndexStatus::Deleting).then_some(index)
}

fn consistent_read_refused() -> ApiError {
    ApiError::validation("Consistent reads are not supported on global secondary indexes")
}

/// Finds the index, which must be complete; a strongly consistent read needs a local one.
pub(crate) fn find<'s>(
    schema: &'s TableSchema,
    name: &Option<String>,
    consistent_read: Option<bool>,
) -> Result<Option<&'s IndexSchema>, ApiError> {
    let Some(name) = name else { return Ok(None) };
    let index = schema.index(name).filter(|index| index.status != IndexStatus::Deleting);
    let Some(index) = index else {
        return Err(ApiError::validation(format!(
            "The table does not have the specified index: {name}"
        )));
    };
    if consistent_read == Some(true) && index.kind == IndexKind::Global {
        return Err(consistent_read_refused());
    }
    if index.status == IndexStatus::Creating {
        return Err(backfilling(name));
    }
    Ok(Some(index))
}

/// Refuses an index that is filled, but shown as being created. The clock is asked only if anything
/// depends on it.
pub(crate) fn check_settled(
    index: Option<&IndexSchema>,
    now_millis: impl FnOnce() -> u64,
) -> Result<(), ApiError> {
    let Some(index) = index.filter(|index| index.transition.is_some()) else { return Ok(()) };
    match index.state_at(now_millis()) {
        IndexState::Creating { .. } => Err(backfilling(&index.name)),
        IndexState::Updating | IndexState::Deleting | IndexState::Active => Ok(()),
    }
}

fn backfilling(name: &str) -> ApiError {
    ApiError::validation(format!("Cannot read from backfilling global secondary index: {name}"))
}
