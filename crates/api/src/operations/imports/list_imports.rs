//! `ListImports`: names the imports, of which there is none.

use monotable_protocol::import::{ListImportsRequest, ListImportsResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, page_token};

/// Runs `ListImports`. As on AWS, the table need not exist.
pub(crate) async fn list_imports<E: Engine>(
    api: &Session<'_, E>,
    request: ListImportsRequest,
) -> Result<ListImportsResponse, ApiError> {
    model::check(&request)?;
    page_token::refuse(&request.next_token)?;
    api.authorize_all_tables("ListImports")?;
    Ok(ListImportsResponse { import_summary_list: Some(Vec::new()) })
}
