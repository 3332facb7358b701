//! `DescribeGlobalTable`: tells what a global table is, of which there is none.

use std::convert::Infallible;

use monotable_protocol::global_table::DescribeGlobalTableRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `DescribeGlobalTable`.
pub(crate) async fn describe_global_table<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeGlobalTableRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let name = request.global_table_name.as_deref().unwrap_or_default();
    api.authorize_global_table(name, "DescribeGlobalTable")?;
    Err(ApiError::global_table_not_found(name))
}
