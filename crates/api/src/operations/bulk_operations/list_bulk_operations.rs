//! `ListBulkOperations`: names the bulk operations, of which there is none.

use monotable_protocol::bulk_operation::{ListBulkOperationsRequest, ListBulkOperationsResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, page_token};

/// Runs `ListBulkOperations`.
pub(crate) async fn list_bulk_operations<E: Engine>(
    api: &Session<'_, E>,
    request: ListBulkOperationsRequest,
) -> Result<ListBulkOperationsResponse, ApiError> {
    model::check(&request)?;
    page_token::refuse(&request.next_token)?;
    api.authorize_all_tables("ListBulkOperations")?;
    Ok(ListBulkOperationsResponse { bulk_operations_summary_list: Some(Vec::new()) })
}
