//! `ListTables`: names the tables, a page at a time.

use monotable_item::limits::LIST_TABLES_PAGE_MAX;
use monotable_protocol::list_tables::{ListTablesRequest, ListTablesResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::constraint::{Violations, value_violation};
use crate::validate::table_name;

/// Runs `ListTables`.
pub(crate) async fn list_tables<E: Engine>(
    api: &Session<'_, E>,
    request: ListTablesRequest,
) -> Result<ListTablesResponse, ApiError> {
    check(&request)?;
    api.authorize_all_tables("ListTables")?;
    let limit = request.limit.and_then(|limit| usize::try_from(limit).ok());
    let limit = limit.unwrap_or(LIST_TABLES_PAGE_MAX);
    let start = request.exclusive_start_table_name.as_deref();
    Ok(page(api.database.table_names(api.home(), start, limit + 1).await?, limit))
}

fn check(request: &ListTablesRequest) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    if let Some(start) = &request.exclusive_start_table_name {
        violations.append(table_name::violations(start, "exclusiveStartTableName"));
    }
    let limit = request.limit.map(i64::from);
    let max = LIST_TABLES_PAGE_MAX as i64;
    violations.extend(limit.and_then(|limit| value_violation(limit, "limit", 1, max)));
    violations.finish()
}

/// The page of at most `limit` names, of which one more was looked up: unlike a page of items, one
/// that ends with the last table says so.
fn page(mut names: Vec<String>, limit: usize) -> ListTablesResponse {
    let has_more = names.len() > limit;
    names.truncate(limit);
    let last_evaluated_table_name = names.last().filter(|_| has_more).cloned();
    ListTablesResponse { table_names: Some(names), last_evaluated_table_name }
}
