//! `ListExports`: names the exports, of which there is none.

use monotable_protocol::export::{ListExportsRequest, ListExportsResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, page_token};

/// Runs `ListExports`. As on AWS, the table need not exist.
pub(crate) async fn list_exports<E: Engine>(
    api: &Session<'_, E>,
    request: ListExportsRequest,
) -> Result<ListExportsResponse, ApiError> {
    model::check(&request)?;
    page_token::refuse(&request.next_token)?;
    api.authorize_all_tables("ListExports")?;
    Ok(ListExportsResponse { export_summaries: Some(Vec::new()) })
}
