//! `CancelBulkOperation`: ends a bulk operation, of which there is none.

use std::convert::Infallible;

use monotable_protocol::bulk_operation::CancelBulkOperationRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `CancelBulkOperation`.
pub(crate) async fn cancel_bulk_operation<E: Engine>(
    api: &Session<'_, E>,
    request: CancelBulkOperationRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let arn = request.bulk_operation_arn.as_deref().unwrap_or_default();
    api.authorize_arn(arn, "CancelBulkOperation")?;
    Err(ApiError::resource_not_found())
}
