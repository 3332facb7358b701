//! `ExecuteTransaction`.

use std::sync::Arc;

use bytes::Bytes;
use monotable_database::capacity::Consistency;
use monotable_database::schema::TableSchema;
use monotable_database::{
    ItemKey, Lookup, RequestToken, Table, TransactError, TransactWrite, Write, WriteError,
};
use monotable_item::Value;
use monotable_item::limits::{TRANSACT_ACTIONS_MAX, TRANSACT_BYTES_MAX};
use monotable_protocol::error_response::CancellationReason;
use monotable_protocol::execute_transaction::{
    ExecuteTransactionRequest, ExecuteTransactionResponse, ParameterizedStatement,
};
use monotable_protocol::transact_get_items::ItemResponse;
use monotable_storage::Engine;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{ApiError, Code};
use crate::gate::{self, Entry, Member};
use crate::observation;
use crate::operations::{transact_get_items, transact_write_items};
use crate::partiql::{Execution, Form, Prepared, Writing, digest, parameters};
use crate::render::capacity::Split;
use crate::render::many::{TouchedItem, sum_by_table};
use crate::session::Session;
use crate::validate::enums::{RETURN_ON_FAILURE, ReturnConsumed, ReturnOnFailure, refuse};
use crate::validate::keys::KeyRefusal;
use crate::validate::statements::{StatementList, StatementMembers};
use crate::validate::table_name::TableName;
use crate::validate::transact_items;
use crate::wording::partiql;
use crate::wording::write::{self, named_reason, no_reason, validation_reason};

const OPERATION: &str = "ExecuteTransaction";

/// Runs `ExecuteTransaction`: up to a hundred lookups, or as many writes and checks, all or none.
pub(crate) async fn execute_transaction<E: Engine>(
    api: &Session<'_, E>,
    mut request: ExecuteTransactionRequest,
) -> Result<ExecuteTransactionResponse, ApiError> {
    let consumed = check_members(&request)?;
    let sent = sent_statements(request.transact_statements.take().unwrap_or_default())?;
    let prepared = prepare(&sent)?;
    let is_read = check_kinds(&prepared)?;
    let mut members = Vec::with_capacity(prepared.len());
    for (position, (prepared, sent)) in prepared.iter().zip(&sent).enumerate() {
        let table_name = prepared.table_name().map_err(|error| at(error, position))?;
        let wish =
            || prepared.wish().within(OPERATION).consuming(&request.return_consumed_capacity);
        let table = api.table(table_name, wish).await;
        let statement = Statement { prepared, table_name, on_failure: sent.on_failure };
        members.push(statement.fit(api, table).map_err(|error| at(error, position))?);
    }
    let members = all_or_cancel(members)?;
    if is_read {
        return read(api, members, consumed).await;
    }
    let token = request.client_request_token.as_ref().map(|token| RequestToken {
        home: api.home().clone(),
        token: token.clone(),
        digest: digest_of(&sent),
    });
    write(api, members, token, consumed).await
}

/// A statement as it was sent, with parameters that are valid.
struct SentStatement {
    text: String,
    parameters: Vec<Value>,
    on_failure: ReturnOnFailure,
}

/// A statement whose table is to be found.
struct Statement<'r> {
    prepared: &'r Prepared,
    table_name: TableName<'r>,
    on_failure: ReturnOnFailure,
}

/// A statement on its table.
struct Fitted<'r> {
    statement: Statement<'r>,
    table: Arc<Table>,
    /// The item that is put, or the key of the item.
    attributes: Bytes,
    access: Access,
}

enum Access {
    Read(ItemKey),
    Write { write: Write, is_insert: bool },
}

const STATEMENTS: StatementList = StatementList {
    name: "TransactStatements",
    path: "transactStatements",
    count_max: TRANSACT_ACTIONS_MAX,
};

fn check_members(request: &ExecuteTransactionRequest) -> Result<ReturnConsumed, ApiError> {
    let statements = request.transact_statements.as_deref();
    STATEMENTS.check_count(statements.map(<[_]>::len))?;
    transact_write_items::check_token(&request.client_request_token)?;
    let members = statements.unwrap_or_default().iter().map(|statement| StatementMembers {
        text: &statement.statement,
        parameters_count: statement.parameters.as_ref().map(Vec::len),
        return_on_failure: &statement.return_values_on_condition_check_failure,
    });
    STATEMENTS.check_each(members, &request.return_consumed_capacity)
}

/// The statements with their parameters, which are all checked before any statement is read.
fn sent_statements(
    statements: Vec<ParameterizedStatement>,
) -> Result<Vec<SentStatement>, ApiError> {
    let sent = statements.into_iter().map(|statement| {
        let on_failure = &statement.return_values_on_condition_check_failure;
        Ok(SentStatement {
            on_failure: RETURN_ON_FAILURE.read(on_failure).map_err(refuse)?,
            text: statement.statement.unwrap_or_default(),
            parameters: parameters(statement.parameters)?,
        })
    });
    sent.collect()
}

fn prepare(statements: &[SentStatement]) -> Result<Vec<Prepared>, ApiError> {
    let prepare = |(position, sent): (usize, &SentStatement)| {
        Prepared::new(&sent.text, &sent.parameters).map_err(|error| at(error, position))
    };
    statements.iter().enumerate().map(prepare).collect()
}

/// The error as that of one of the statements.
fn at(error: ApiError, position: usize) -> ApiError {
    match error.code() {
        Code::Validation => {
            error.after(&format!("Validation failed in TransactStatements[{position}]"))
        }
        _ => error,
    }
}

/// Whether the statements read. They must all read, or all write.
fn check_kinds(prepared: &[Prepared]) -> Result<bool, ApiError> {
    let reads = prepared.iter().filter(|prepared| prepared.is_read()).count();
    match reads {
        0 => Ok(false),
        count if count == prepared.len() => Ok(true),
        _ => Err(partiql::reads_and_writes(OPERATION)),
    }
}

impl<'r> Statement<'r> {
    /// Fits the statement to its table, or gives the reason why the transaction is cancelled.
    fn fit<E: Engine>(
        self,
        api: &Session<'_, E>,
        table: Result<Arc<Table>, ApiError>,
    ) -> Result<Result<Fitted<'r>, CancellationReason>, ApiError> {
        let table = match table {
            Ok(table) => table,
            Err(error) if error.code() == Code::ResourceNotFound => {
                return Ok(Err(named_reason("ResourceNotFound", &error)));
            }
            Err(error) => return Err(error),
        };
        if self.prepared.statement.returning().is_some() {
            return Err(partiql::returning_in_transaction());
        }
        let access = if self.prepared.is_read() {
            self.lookup(api, &table)
        } else {
            Writing::new(table.schema(), self.prepared, Form::Transaction).map(|writing| {
                let Writing { write, attributes, is_insert, .. } = writing;
                (attributes, Access::Write { write, is_insert })
            })
        };
        match access {
            Ok((attributes, access)) => {
                Ok(Ok(Fitted { statement: self, table, attributes, access }))
            }
            Err(KeyRefusal::Cancels(error)) => Ok(Err(validation_reason(&error))),
            Err(KeyRefusal::Refuses(error)) => Err(error),
        }
    }

    /// The item that a `SELECT` looks up; it can do nothing else here.
    fn lookup<E: Engine>(
        &self,
        api: &Session<'_, E>,
        table: &Arc<Table>,
    ) -> Result<(Bytes, Access), KeyRefusal> {
        if self.prepared.statement.index().is_some() {
            return Err(KeyRefusal::Refuses(partiql::index_in_transaction()));
        }
        let prepared = self.prepared;
        let consistent_read = Some(true);
        let execution = Execution { api, operation: OPERATION, prepared, table, consistent_read };
        match execution.lookup_key(Form::Transaction)? {
            Some((attributes, key)) => Ok((attributes, Access::Read(key))),
            None => Err(KeyRefusal::Refuses(partiql::select_without_key(OPERATION))),
        }
    }
}

impl Fitted<'_> {
    fn key(&self) -> &ItemKey {
        match &self.access {
            Access::Read(key) => key,
            Access::Write { write, .. } => write.key(),
        }
    }
}

/// All statements. One that does not fit its table cancels the transaction, and two about one item
/// refuse it.
fn all_or_cancel(
    members: Vec<Result<Fitted<'_>, CancellationReason>>,
) -> Result<Vec<Fitted<'_>>, ApiError> {
    if members.iter().any(Result::is_err) {
        let reasons = members.into_iter().map(|member| member.err().unwrap_or_else(no_reason));
        return Err(ApiError::transaction_canceled(reasons.collect()));
    }
    let members: Vec<Fitted<'_>> = members.into_iter().flatten().collect();
    transact_items::check_duplicates(members.iter().map(Fitted::key))?;
    Ok(members)
}

async fn read<E: Engine>(
    api: &Session<'_, E>,
    members: Vec<Fitted<'_>>,
    wanted: ReturnConsumed,
) -> Result<ExecuteTransactionResponse, ApiError> {
    let lookup =
        |member: &Fitted<'_>| Lookup { table: member.table.clone(), key: member.key().clone() };
    let lookups: Vec<Lookup> = members.iter().map(lookup).collect();
    let entry = || {
        let members = members.iter().zip(&lookups).map(|(member, lookup)| {
            Member::get(&member.table, &lookup.key, &member.attributes, Consistency::Strong)
        });
        Entry::transaction(OPERATION, members.collect(), None)
    };
    let pass = gate::enter(api, entry).await?;
    let found = api.database.get_many(&lookups).await?;
    observation::note_items(transact_get_items::held(&found));
    transact_get_items::leave(pass, &found)?;
    if found.iter().map(|got| got.size_bytes).sum::<usize>() > TRANSACT_BYTES_MAX {
        return Err(transact_items::too_large());
    }
    let tables = members.iter().map(Fitted::named_table);
    let consumed = tables.zip(found.iter().map(transact_get_items::consumed));
    let consumed_capacity = sum_by_table(consumed, wanted, Split::Reads);
    let mut responses = Vec::with_capacity(members.len());
    for (member, got) in members.iter().zip(found) {
        responses.push(ItemResponse { item: member.statement.prepared.found(got)? });
    }
    Ok(ExecuteTransactionResponse { responses: Some(responses), consumed_capacity })
}

impl<'r> Fitted<'r> {
    fn named_table(&self) -> (TableName<'r>, Arc<TableSchema>) {
        (self.statement.table_name, self.table.schema().clone())
    }
}

async fn write<E: Engine>(
    api: &Session<'_, E>,
    members: Vec<Fitted<'_>>,
    token: Option<RequestToken>,
    wanted: ReturnConsumed,
) -> Result<ExecuteTransactionResponse, ApiError> {
    let writes: Vec<TransactWrite> = members.iter().filter_map(Fitted::transact_write).collect();
    let entry = || {
        let members = members
            .iter()
            .zip(&writes)
            .map(|(member, write)| Member::write(&write.table, &write.write, &member.attributes));
        let token = token.as_ref().map(|token| token.token.as_str());
        Entry::transaction(OPERATION, members.collect(), token)
    };
    let pass = gate::enter(api, entry).await?;
    let outcome = api.database.transact_write(&writes, token.as_ref()).await;
    let outcome = outcome.map_err(|error| cancelled(error, &members))?;
    observation::note_items(transact_write_items::written(&writes, &outcome));
    transact_write_items::leave(pass, &outcome)?;
    let touched: Vec<TouchedItem<'_>> = members
        .iter()
        .zip(&writes)
        .map(|(member, write)| {
            TouchedItem::new(member.statement.table_name, write, &member.attributes, None)
        })
        .collect();
    let consumed_capacity = transact_write_items::consumed(&touched, &outcome, wanted)?;
    Ok(ExecuteTransactionResponse { responses: Some(Vec::new()), consumed_capacity })
}

impl Fitted<'_> {
    fn transact_write(&self) -> Option<TransactWrite> {
        match &self.access {
            Access::Read(_) => None,
            Access::Write { write, .. } => {
                Some(TransactWrite { table: self.table.clone(), write: write.clone() })
            }
        }
    }
}

fn cancelled(error: TransactError, members: &[Fitted<'_>]) -> ApiError {
    match error {
        TransactError::Cancelled(failures) => {
            let reasons =
                failures.into_iter().zip(members).map(|(failure, member)| match failure {
                    Some(error) => member.reason(error),
                    None => Ok(no_reason()),
                });
            let reasons: Result<Vec<CancellationReason>, ApiError> = reasons.collect();
            reasons.map_or_else(|error| error, ApiError::transaction_canceled)
        }
        TransactError::SchemaChanged => ApiError::out_of_date(),
        TransactError::TokenMismatch => ApiError::idempotent_parameter_mismatch(),
        TransactError::Storage(error) => error.into(),
        other => ApiError::internal(&other),
    }
}

impl Fitted<'_> {
    /// Why the write is to blame for the cancellation.
    fn reason(&self, error: WriteError) -> Result<CancellationReason, ApiError> {
        let is_insert = matches!(self.access, Access::Write { is_insert: true, .. });
        match error {
            WriteError::ConditionFailed { .. } if is_insert => {
                Ok(named_reason("DuplicateItem", &ApiError::duplicate_item()))
            }
            WriteError::ItemTooDeep => Ok(validation_reason(&partiql::item_too_deep())),
            other => write::reason(other, self.statement.on_failure),
        }
    }
}

/// What tells the statements of a transaction from others.
fn digest_of(statements: &[SentStatement]) -> u128 {
    let mut bytes = Vec::with_capacity(17 * statements.len());
    for statement in statements {
        bytes.extend(digest(&statement.text, &statement.parameters).to_be_bytes());
        bytes.push(u8::from(statement.on_failure == ReturnOnFailure::AllOld));
    }
    xxh3_128(&bytes)
}
