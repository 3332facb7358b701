//! `DescribeGlobalTableSettings`: tells how a global table is set, of which there is none.

use std::convert::Infallible;

use monotable_protocol::global_table::DescribeGlobalTableSettingsRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `DescribeGlobalTableSettings`.
pub(crate) async fn describe_global_table_settings<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeGlobalTableSettingsRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let name = request.global_table_name.as_deref().unwrap_or_default();
    api.authorize_global_table(name, "DescribeGlobalTableSettings")?;
    Err(ApiError::global_table_settings_not_found(name))
}
