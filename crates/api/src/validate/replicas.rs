//! Replicas in other regions, which this database does not have.
//!
//! A request for one is refused: to accept it would promise copies that never come.

use monotable_protocol::create_table::CreateTableRequest;
use monotable_protocol::update_table::UpdateTableRequest;

use crate::error::ApiError;

/// Refuses a table to be created as a replica.
pub(crate) fn check_new_table(request: &CreateTableRequest) -> Result<(), ApiError> {
    refuse_if(request.global_table_source_arn.is_some())
}

/// Refuses changes of replicas.
pub(crate) fn check_change(request: &UpdateTableRequest) -> Result<(), ApiError> {
    refuse_if(is_changed(request))
}

/// Whether the request is about replicas.
pub(crate) fn is_changed(request: &UpdateTableRequest) -> bool {
    let is_given = |count: Option<usize>| count.is_some_and(|count| count > 0);
    is_given(request.replica_updates.as_ref().map(Vec::len))
        || request.multi_region_consistency.is_some()
}

fn refuse_if(asks_for_replicas: bool) -> Result<(), ApiError> {
    if asks_for_replicas {
        Err(ApiError::parameter("Global tables are not supported"))
    } else {
        Ok(())
    }
}
