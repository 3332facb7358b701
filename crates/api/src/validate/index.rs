//! The index that a Query or Scan names.

use monotable_database::IndexState;
use monotable_database::schema::{IndexKind, IndexSchema, IndexStatus, TableSchema};

use crate::error::ApiError;

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
        return Err(ApiError::validation(
            "Consistent reads are not supported on global secondary indexes",
        ));
    }
    if index.status == IndexStatus::Creating {
        return Err(backfilling(name));
    }
    Ok(Some(index))
}

/// Refuses an index that is filled, but shown as being created. The clock is asked only if anything depends
/// on it.
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
