//! `ListTables`: names the tables, a page at a time.

use monotable_item::limits::LIST_TABLES_PAGE_MAX;
use monotable_protocol::list_tables::{ListTablesRequest, ListTablesResponse};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::validate::constraint::{Violations, old, value_at_least, value_at_most};
use crate::validate::table_name;

/// Runs `ListTables`.
pub(crate) async fn list_tables<E: Engine>(
    api: &Api<E>,
    request: ListTablesRequest,
) -> Result<ListTablesResponse, ApiError> {
    check(&request)?;
    let limit = request.limit.and_then(|limit| usize::try_from(limit).ok());
    let limit = limit.unwrap_or(LIST_TABLES_PAGE_MAX);
    let start = request.exclusive_start_table_name.as_deref();
    Ok(page(api.database.table_names(start, limit + 1), limit))
}

fn check(request: &ListTablesRequest) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    if let Some(start) = &request.exclusive_start_table_name {
        violations.append(table_name::violations(start, "exclusiveStartTableName"));
    }
    violations.extend(request.limit.and_then(limit_violation));
    violations.finish()
}

fn limit_violation(limit: i32) -> Option<String> {
    let max = LIST_TABLES_PAGE_MAX as i64;
    let constraint = match i64::from(limit) {
        ..1 => value_at_least(1),
        limit if limit > max => value_at_most(max),
        _ => return None,
    };
    Some(old(limit, "limit", &constraint))
}

/// The page of at most `limit` names, of which one more was looked up: unlike a page of items, one that
/// ends with the last table says so.
fn page(mut names: Vec<String>, limit: usize) -> ListTablesResponse {
    let has_more = names.len() > limit;
    names.truncate(limit);
    let last_evaluated_table_name = names.last().filter(|_| has_more).cloned();
    ListTablesResponse { table_names: Some(names), last_evaluated_table_name }
}
