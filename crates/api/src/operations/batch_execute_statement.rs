//! `BatchExecuteStatement`.

use std::collections::BTreeSet;
use std::sync::Arc;

use monotable_database::capacity::Consumed;
use monotable_database::{ItemKey, Table};
use monotable_expr::partiql::StatementKind;
use monotable_item::Value;
use monotable_item::limits::BATCH_STATEMENTS_MAX;
use monotable_protocol::batch_execute_statement::{
    BatchExecuteStatementRequest, BatchExecuteStatementResponse, BatchStatementError,
    BatchStatementRequest, BatchStatementResponse,
};
use monotable_storage::Engine;

use crate::error::{ApiError, Code};
use crate::observation::{self, EndedStatement};
use crate::partiql::{Execution, Form, Options, Outcome, Prepared, Writing, parameters};
use crate::render::capacity::Split;
use crate::render::many::sum_by_table;
use crate::session::Session;
use crate::validate::enums::{ReturnConsumed, ReturnOnFailure};
use crate::validate::keys::KeyRefusal;
use crate::validate::statements::{StatementList, StatementMembers};
use crate::wording::partiql;

const OPERATION: &str = "BatchExecuteStatement";

/// How often a statement is fitted to its table, if that changes every time.
const ATTEMPTS_MAX: usize = 8;

/// Runs `BatchExecuteStatement`: up to 25 lookups or writes, each for itself.
pub(crate) async fn batch_execute_statement<E: Engine>(
    api: &Session<'_, E>,
    mut request: BatchExecuteStatementRequest,
) -> Result<BatchExecuteStatementResponse, ApiError> {
    let wanted = check_members(&request)?;
    let statements = request.statements.take().unwrap_or_default();
    let members: Vec<Member> = statements.into_iter().map(Member::new).collect();
    check_kinds(&members)?;
    let mut fitted = Vec::with_capacity(members.len());
    for member in &members {
        fitted.push(member.fit(api, &request.return_consumed_capacity).await);
    }
    check_duplicates(&fitted)?;
    let mut responses = Vec::with_capacity(members.len());
    let mut consumed = Vec::new();
    for (member, fitted) in members.iter().zip(fitted) {
        let run = member.run(api, fitted, &request.return_consumed_capacity).await;
        observation::note_statement(run.ended());
        responses.push(run.response);
        consumed.extend(run.consumed);
    }
    let tables = consumed.iter().filter_map(|(prepared, table, consumed): &Spending<'_>| {
        let name = prepared.table_name().ok()?;
        Some(((name, table.schema().clone()), consumed.clone()))
    });
    let consumed_capacity = sum_by_table(tables, wanted, Split::None);
    Ok(BatchExecuteStatementResponse { responses: Some(responses), consumed_capacity })
}

/// What a statement consumed on its table.
type Spending<'m> = (&'m Prepared, Arc<Table>, Consumed);

/// A statement of the batch, or why it cannot be run.
struct Member {
    prepared: Result<Prepared, ApiError>,
    consistent_read: Option<bool>,
}

/// A statement that fits its table, and the item that it is about.
struct Fitted {
    table: Arc<Table>,
    key: ItemKey,
}

struct Run<'m> {
    response: BatchStatementResponse,
    consumed: Option<Spending<'m>>,
    /// How many items it has returned or written.
    items: u64,
    error: Option<Code>,
}

impl Run<'_> {
    /// How the statement ended, for those who count it.
    fn ended(&self) -> EndedStatement {
        let consumed = self.consumed.as_ref().map(|(_, _, consumed)| consumed.total());
        let units = consumed.unwrap_or_default();
        EndedStatement { units, items: self.items, error: self.error }
    }
}

impl Member {
    fn new(request: BatchStatementRequest) -> Member {
        let prepared = parameters(request.parameters).and_then(|values: Vec<Value>| {
            Prepared::new(request.statement.as_deref().unwrap_or_default(), &values)
        });
        Member { prepared, consistent_read: request.consistent_read }
    }

    /// Finds the table, and checks the statement against it. A refusal by a table that another
    /// server has changed since does not count.
    async fn fit<E: Engine>(
        &self,
        api: &Session<'_, E>,
        return_consumed_capacity: &Option<String>,
    ) -> Result<Fitted, ApiError> {
        for _ in 1..ATTEMPTS_MAX {
            match self.fit_once(api, return_consumed_capacity).await {
                Err(error) if api.is_outdated(&error).await => {}
                fitted => return fitted,
            }
        }
        self.fit_once(api, return_consumed_capacity).await
    }

    async fn fit_once<E: Engine>(
        &self,
        api: &Session<'_, E>,
        return_consumed_capacity: &Option<String>,
    ) -> Result<Fitted, ApiError> {
        let prepared = self.prepared.as_ref().map_err(Clone::clone)?;
        if prepared.statement.kind() == StatementKind::Exists {
            return Err(partiql::exists_outside_transaction());
        }
        let wish = || prepared.wish().within(OPERATION).consuming(return_consumed_capacity);
        let table = api.table(prepared.table_name()?, wish).await?;
        let key = if prepared.is_read() {
            let lookup = self.execution(api, prepared, &table).lookup_key(Form::Single);
            lookup.map(|found| found.map(|(_, key)| key))
        } else {
            Writing::new(table.schema(), prepared, Form::Single)
                .map(|writing| Some(writing.write.key().clone()))
        };
        let key = key.map_err(KeyRefusal::into_error)?;
        let key = key.ok_or_else(|| partiql::select_without_key(OPERATION))?;
        Ok(Fitted { table, key })
    }

    fn execution<'a, 'g, E: Engine>(
        &self,
        api: &'a Session<'g, E>,
        prepared: &'a Prepared,
        table: &'a Arc<Table>,
    ) -> Execution<'a, 'g, E> {
        let consistent_read = self.consistent_read;
        Execution { api, operation: OPERATION, prepared, table, consistent_read }
    }

    /// Carries the statement out. One that was checked against a table that has changed since has
    /// done nothing and is checked again; the others of the batch are not.
    async fn run<E: Engine>(
        &self,
        api: &Session<'_, E>,
        mut fitted: Result<Fitted, ApiError>,
        return_consumed_capacity: &Option<String>,
    ) -> Run<'_> {
        let mut attempts = 0;
        loop {
            let (table, prepared) = match (fitted, &self.prepared) {
                (Ok(fitted), Ok(prepared)) => (fitted.table, prepared),
                (Err(error), _) => return refused(&error, None),
                (_, Err(error)) => return refused(error, None),
            };
            let execution = self.execution(api, prepared, &table);
            let outcome = if prepared.is_read() {
                execution.select(Options::default()).await
            } else {
                execution.write(ReturnOnFailure::None).await
            };
            attempts += 1;
            let name = prepared.statement.table();
            match outcome {
                Ok(outcome) => return done(prepared, table, outcome),
                Err(error) if error.is_out_of_date() && attempts < ATTEMPTS_MAX => {
                    fitted = self.fit(api, return_consumed_capacity).await;
                    if fitted.is_ok() {
                        api.attempts.repeat();
                    }
                }
                Err(error) => return refused(&error, Some(name)),
            }
        }
    }
}

fn done(prepared: &Prepared, table: Arc<Table>, outcome: Outcome) -> Run<'_> {
    let items = if prepared.is_read() { outcome.items.len() } else { outcome.written };
    let response = BatchStatementResponse {
        error: None,
        table_name: Some(prepared.statement.table().to_owned()),
        item: outcome.items.into_iter().next(),
    };
    let consumed = Some((prepared, table, outcome.consumed));
    Run { response, consumed, items: items as u64, error: None }
}

/// The answer to a statement that failed, with its table if it ran.
fn refused<'m>(error: &ApiError, table: Option<&str>) -> Run<'m> {
    let told = BatchStatementError {
        code: Some(code(error.code()).to_owned()),
        message: error.message().map(str::to_owned),
    };
    let response = BatchStatementResponse {
        error: Some(told),
        table_name: table.map(str::to_owned),
        item: None,
    };
    Run { response, consumed: None, items: 0, error: Some(error.code()) }
}

/// The name of an error inside of a batch.
fn code(code: Code) -> &'static str {
    match code {
        Code::Validation | Code::Serialization | Code::UnknownOperation => "ValidationError",
        Code::ConditionalCheckFailed => "ConditionalCheckFailed",
        Code::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceeded",
        Code::RequestLimitExceeded => "RequestLimitExceeded",
        Code::ProvisionedThroughputExceeded => "ProvisionedThroughputExceeded",
        Code::TransactionConflict => "TransactionConflict",
        Code::Throttling => "ThrottlingError",
        Code::ResourceNotFound => "ResourceNotFound",
        Code::AccessDenied => "AccessDenied",
        Code::DuplicateItem => "DuplicateItem",
        Code::ResourceInUse
        | Code::LimitExceeded
        | Code::TransactionCanceled
        | Code::IdempotentParameterMismatch
        | Code::ExpiredIterator
        | Code::TrimmedDataAccess
        | Code::MissingAuthenticationToken
        | Code::IncompleteSignature
        | Code::InvalidSignature
        | Code::UnrecognizedClient
        | Code::ExpiredToken
        | Code::TransactionInProgress
        | Code::ServiceUnavailable
        | Code::TableNotFound
        | Code::BackupNotFound
        | Code::ExportNotFound
        | Code::ImportNotFound
        | Code::GlobalTableNotFound
        | Code::ContinuousBackupsUnavailable
        | Code::PointInTimeRecoveryUnavailable
        | Code::InvalidExportTime
        | Code::PolicyNotFound
        | Code::InternalServerError => "InternalServerError",
    }
}

const STATEMENTS: StatementList =
    StatementList { name: "Statements", path: "statements", count_max: BATCH_STATEMENTS_MAX };

fn check_members(request: &BatchExecuteStatementRequest) -> Result<ReturnConsumed, ApiError> {
    let statements = request.statements.as_deref();
    STATEMENTS.check_count(statements.map(<[_]>::len))?;
    let members = statements.unwrap_or_default().iter().map(|statement| StatementMembers {
        text: &statement.statement,
        parameters_count: statement.parameters.as_ref().map(Vec::len),
        return_on_failure: &statement.return_values_on_condition_check_failure,
    });
    STATEMENTS.check_each(members, &request.return_consumed_capacity)
}

/// Refuses reads beside writes.
fn check_kinds(members: &[Member]) -> Result<(), ApiError> {
    let prepared = || members.iter().filter_map(|member| member.prepared.as_ref().ok());
    let reads = prepared().any(Prepared::is_read);
    if reads && prepared().any(|prepared| !prepared.is_read()) {
        Err(partiql::reads_and_writes(OPERATION))
    } else {
        Ok(())
    }
}

/// Refuses two statements about one item.
fn check_duplicates(fitted: &[Result<Fitted, ApiError>]) -> Result<(), ApiError> {
    let mut seen = BTreeSet::new();
    if fitted.iter().flatten().all(|fitted| seen.insert(&fitted.key)) {
        Ok(())
    } else {
        Err(ApiError::validation("Provided list of item keys contains duplicates"))
    }
}
