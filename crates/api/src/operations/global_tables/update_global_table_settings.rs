//! `UpdateGlobalTableSettings`: changes how a global table is set, of which there is none.

use std::convert::Infallible;

use monotable_protocol::global_table::UpdateGlobalTableSettingsRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `UpdateGlobalTableSettings`.
pub(crate) async fn update_global_table_settings<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateGlobalTableSettingsRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let name = request.global_table_name.as_deref().unwrap_or_default();
    api.authorize_global_table(name, "UpdateGlobalTableSettings")?;
    api.authorize_new_table(name, || Wish::new("UpdateGlobalTableSettings"))?;
    Err(ApiError::global_table_settings_not_found(name))
}
