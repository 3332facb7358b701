//! `CreateGlobalTable`: makes a global table of version 2017.11.29, which AWS does not do any more.

use std::convert::Infallible;

use monotable_protocol::global_table::CreateGlobalTableRequest;
use monotable_storage::Engine;

use super::version_not_supported;
use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `CreateGlobalTable`.
pub(crate) async fn create_global_table<E: Engine>(
    api: &Session<'_, E>,
    request: CreateGlobalTableRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let name = request.global_table_name.as_deref().unwrap_or_default();
    api.authorize_global_table(name, "CreateGlobalTable")?;
    api.authorize_new_table(name, || Wish::new("CreateGlobalTable"))?;
    Err(version_not_supported())
}
