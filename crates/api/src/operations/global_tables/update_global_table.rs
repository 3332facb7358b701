//! `UpdateGlobalTable`: adds regions to a global table, and removes some.

use std::convert::Infallible;

use monotable_protocol::global_table::UpdateGlobalTableRequest;
use monotable_storage::Engine;

use super::version_not_supported;
use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `UpdateGlobalTable`. A region to add is refused before the table is looked for.
pub(crate) async fn update_global_table<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateGlobalTableRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let updates = request.replica_updates.unwrap_or_default();
    if updates.is_empty() {
        return Err(ApiError::validation("One or more parameter values were invalid"));
    }
    let name = request.global_table_name.as_deref().unwrap_or_default();
    api.authorize_global_table(name, "UpdateGlobalTable")?;
    api.authorize_new_table(name, || Wish::new("UpdateGlobalTable"))?;
    if updates.iter().any(|update| update.create.is_some()) {
        Err(version_not_supported())
    } else {
        Err(ApiError::global_table_not_found(name))
    }
}
