//! `StartBulkPutItems`: writes items from Amazon S3 to a table, which this server does not do yet.

use std::convert::Infallible;

use monotable_protocol::bulk_operation::StartBulkPutItemsRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, table_name};

/// Runs `StartBulkPutItems`.
pub(crate) async fn start_bulk_put_items<E: Engine>(
    api: &Session<'_, E>,
    request: StartBulkPutItemsRequest,
) -> Result<Infallible, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    model::check(&request)?;
    api.named_table(name, || Wish::new("StartBulkPutItems")).await?;
    Err(ApiError::validation("This server does not run bulk operations yet"))
}
