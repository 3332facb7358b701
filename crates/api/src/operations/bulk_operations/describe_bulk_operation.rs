//! `DescribeBulkOperation`: tells how far a bulk operation is, of which there is none.

use std::convert::Infallible;

use monotable_protocol::bulk_operation::DescribeBulkOperationRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `DescribeBulkOperation`.
pub(crate) async fn describe_bulk_operation<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeBulkOperationRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let arn = request.bulk_operation_arn.as_deref().unwrap_or_default();
    api.authorize_arn(arn, "DescribeBulkOperation")?;
    Err(ApiError::resource_not_found())
}
