//! `ExecuteStatement`.

use monotable_expr::partiql::StatementKind;
use monotable_item::limits::{NEXT_TOKEN_LENGTH_MAX, STATEMENT_LENGTH_MAX};
use monotable_protocol::execute_statement::{ExecuteStatementRequest, ExecuteStatementResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::operations::page;
use crate::partiql::{Execution, NextToken, Options, Prepared, digest, parameters};
use crate::render::capacity::{self, Split};
use crate::session::Session;
use crate::validate::constraint::{
    Violations, length_at_least, length_at_most, missing, new, value_at_least,
};
use crate::validate::enums::{
    RETURN_CONSUMED, RETURN_ON_FAILURE, ReturnConsumed, ReturnOnFailure, refuse,
};
use crate::wording::partiql;

/// Runs `ExecuteStatement`: reads with a `SELECT`, or writes one item.
pub(crate) async fn execute_statement<E: Engine>(
    api: &Session<'_, E>,
    mut request: ExecuteStatementRequest,
) -> Result<ExecuteStatementResponse, ApiError> {
    let parameters = request.parameters.take();
    let members = check_members(&request, parameters.as_ref().map(Vec::len))?;
    let parameters = self::parameters(parameters)?;
    let prepared = Prepared::new(members.statement, &parameters)?;
    if prepared.statement.kind() == StatementKind::Exists {
        return Err(partiql::exists_outside_transaction());
    }
    let table_name = prepared.table_name()?;
    let token = request.next_token.as_deref().filter(|_| prepared.is_read());
    let token = token.map(|text| NextToken::decode(text, digest(members.statement, &parameters)));
    let token = token.transpose()?;
    let wish = || prepared.wish().consuming(&request.return_consumed_capacity);
    let table = api.table(table_name, wish).await?;
    let execution = Execution {
        api,
        operation: "ExecuteStatement",
        prepared: &prepared,
        table: &table,
        consistent_read: request.consistent_read,
    };
    let outcome = if prepared.is_read() {
        execution.select(Options { token, limit: page::limit(request.limit) }).await?
    } else {
        execution.write(members.on_failure).await?
    };
    let encode = |next: &NextToken| next.encode(digest(members.statement, &parameters));
    Ok(ExecuteStatementResponse {
        next_token: outcome.next.as_ref().map(encode),
        last_evaluated_key: outcome.next.and_then(|next| next.start),
        items: Some(outcome.items),
        consumed_capacity: capacity::render(
            table_name,
            table.schema(),
            &outcome.consumed,
            members.consumed,
            Split::None,
        ),
    })
}

struct Members<'r> {
    statement: &'r str,
    consumed: ReturnConsumed,
    on_failure: ReturnOnFailure,
}

fn check_members(
    request: &ExecuteStatementRequest,
    parameter_count: Option<usize>,
) -> Result<Members<'_>, ApiError> {
    let statement = request.statement.as_deref();
    let statement = statement.ok_or_else(|| refuse(missing("statement")))?;
    check_statement(statement, "Statement")?;
    check_parameters(parameter_count, "Parameters")?;
    if request.limit.is_some_and(|limit| limit < 1) {
        return Err(refuse(new("Limit", &value_at_least(1))));
    }
    if let Some(token) = &request.next_token {
        check_length(token.len(), "NextToken", NEXT_TOKEN_LENGTH_MAX)?;
    }
    let mut violations = Violations::default();
    let consumed = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    let on_failure = RETURN_ON_FAILURE.read(&request.return_values_on_condition_check_failure);
    violations.extend(consumed.as_ref().err().cloned());
    violations.extend(on_failure.as_ref().err().cloned());
    violations.finish()?;
    let (consumed, on_failure) = (consumed.map_err(refuse)?, on_failure.map_err(refuse)?);
    Ok(Members { statement, consumed, on_failure })
}

/// Refuses a statement that is empty or too long.
pub(crate) fn check_statement(statement: &str, path: &str) -> Result<(), ApiError> {
    let length = statement.chars().take(STATEMENT_LENGTH_MAX + 1).count();
    check_length(length, path, STATEMENT_LENGTH_MAX)
}

/// Refuses an empty list of parameters.
pub(crate) fn check_parameters(count: Option<usize>, path: &str) -> Result<(), ApiError> {
    match count {
        Some(0) => Err(refuse(new(path, &length_at_least(1)))),
        Some(_) | None => Ok(()),
    }
}

fn check_length(length: usize, path: &str, max: usize) -> Result<(), ApiError> {
    match length {
        0 => Err(refuse(new(path, &length_at_least(1)))),
        length if length > max => Err(refuse(new(path, &length_at_most(max)))),
        _ => Ok(()),
    }
}
