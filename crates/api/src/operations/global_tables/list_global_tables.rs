//! `ListGlobalTables`: names the global tables, of which there is none.

use monotable_protocol::global_table::{ListGlobalTablesRequest, ListGlobalTablesResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;

/// Runs `ListGlobalTables`.
pub(crate) async fn list_global_tables<E: Engine>(
    api: &Session<'_, E>,
    request: ListGlobalTablesRequest,
) -> Result<ListGlobalTablesResponse, ApiError> {
    model::check(&request)?;
    api.authorize_all_tables("ListGlobalTables")?;
    Ok(ListGlobalTablesResponse { global_tables: Some(Vec::new()) })
}
