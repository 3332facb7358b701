//! `TransactWriteItems`.

use monotable_database::capacity::{Consistency, Consumed, read_units};
use monotable_database::{
    Home, RequestToken, TransactError, TransactOutcome, TransactWrite, WriteError, WriteOutcome,
};
use monotable_item::limits::{REQUEST_TOKEN_LENGTH_MAX, TRANSACT_BYTES_MAX};
use monotable_item::stored::{CorruptItem, ItemView};
use monotable_protocol::encode_json;
use monotable_protocol::shapes::ConsumedCapacity;
use monotable_protocol::transact_write_items::{
    TransactWriteItemsRequest, TransactWriteItemsResponse,
};
use monotable_storage::Engine;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Pass, Spent};
use crate::observation;
use crate::render::capacity::Split;
use crate::render::many::{TouchedItem, metrics_by_table, sum_by_table};
use crate::session::Session;
use crate::validate::constraint::{Violations, length_at_least, length_at_most, new};
use crate::validate::enums::{
    RETURN_CONSUMED, RETURN_METRICS, ReturnConsumed, ReturnMetrics, refuse,
};
use crate::validate::transact_action::{self, CheckedAction, RequiredAction};
use crate::validate::transact_items;
use crate::wording::write::{self, no_reason};

/// Runs `TransactWriteItems`: up to a hundred writes and checks, all or none.
pub(crate) async fn transact_write_items<E: Engine>(
    api: &Session<'_, E>,
    request: TransactWriteItemsRequest,
) -> Result<TransactWriteItemsResponse, ApiError> {
    let members = check_members(&request)?;
    let mut actions: Vec<CheckedAction<'_>> = Vec::with_capacity(members.actions.len());
    for action in members.actions {
        actions.push(action?.check()?);
    }
    check_size(&actions)?;
    let mut tables = Vec::with_capacity(actions.len());
    for action in &actions {
        let wish = || action.wish().consuming(&request.return_consumed_capacity);
        tables.push(api.table(action.table_name, wish).await?);
    }
    let writes = actions.iter().zip(tables).map(|(action, table)| action.write(table));
    let mut writes = transact_items::all_or_cancel(writes, |member| member.write.key())?;
    let token = request_token(api.home(), &request)?;
    let pass = gate::enter(api, || entry(&writes, &actions, token.as_ref())).await?;
    writes.iter_mut().enumerate().for_each(|(at, one)| pass.approve(at, &mut one.write));
    let outcome = api.database.transact_write(&writes, token.as_ref()).await;
    let outcome = outcome.map_err(|error| cancelled(error, &actions))?;
    observation::note_items(written(&writes, &outcome));
    leave(pass, &outcome)?;
    let collections = collection_bytes(&outcome);
    let touched: Vec<TouchedItem<'_>> = writes
        .iter()
        .zip(&actions)
        .zip(collections)
        .map(|((write, action), bytes)| {
            TouchedItem::new(action.table_name, write, action.attributes(), bytes)
        })
        .collect();
    Ok(TransactWriteItemsResponse {
        consumed_capacity: consumed(&touched, &outcome, members.consumed)?,
        item_collection_metrics: metrics_by_table(&touched, members.metrics)?,
    })
}

fn entry<'r>(
    writes: &'r [TransactWrite],
    actions: &'r [CheckedAction<'_>],
    token: Option<&'r RequestToken>,
) -> Entry<'r> {
    let members = writes.iter().zip(actions);
    let member = |(write, action): (&'r TransactWrite, &'r CheckedAction<'_>)| {
        Member::write(&write.table, &write.write, action.attributes())
    };
    let token = token.map(|token| token.token.as_str());
    Entry::transaction("TransactWriteItems", members.map(member).collect(), token)
}

/// How many items a transaction has written. Checks write none, and what had been done before
/// writes nothing again.
pub(crate) fn written(writes: &[TransactWrite], outcome: &TransactOutcome) -> usize {
    let TransactOutcome::Done(outcomes) = outcome else { return 0 };
    let ended = writes.iter().zip(outcomes);
    ended.filter(|(member, outcome)| outcome.has_written(member.write.kind())).count()
}

/// Counts what was written. What had been done before is charged as reads, which is not counted.
pub(crate) fn leave(pass: Pass<'_>, outcome: &TransactOutcome) -> Result<(), ApiError> {
    let TransactOutcome::Done(outcomes) = outcome else { return pass.leave(Vec::new) };
    if pass.is_free() {
        return Ok(());
    }
    let consumed: Vec<Consumed> = outcomes.iter().map(doubled).collect();
    let spent = consumed.iter().zip(outcomes).enumerate();
    pass.leave(|| spent.map(|(at, (spent, out))| Spent::transacted(at, spent, out)).collect())
}

struct Members<'r> {
    actions: Vec<Result<RequiredAction<'r>, ApiError>>,
    consumed: ReturnConsumed,
    metrics: ReturnMetrics,
}

fn check_members(request: &TransactWriteItemsRequest) -> Result<Members<'_>, ApiError> {
    let items = transact_items::required(&request.transact_items)?;
    check_token(&request.client_request_token)?;
    let mut violations = Violations::default();
    let consumed = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    let metrics = RETURN_METRICS.read(&request.return_item_collection_metrics);
    violations.extend(consumed.as_ref().err().cloned());
    violations.extend(metrics.as_ref().err().cloned());
    let actions = items.iter().zip(1..);
    let actions =
        actions.filter_map(|(item, number)| transact_action::read(item, number, &mut violations));
    let actions = actions.collect();
    violations.finish()?;
    Ok(Members { actions, consumed: consumed.map_err(refuse)?, metrics: metrics.map_err(refuse)? })
}

/// Refuses a token that is empty or too long.
pub(crate) fn check_token(token: &Option<String>) -> Result<(), ApiError> {
    let constraint = match token.as_ref().map(String::len) {
        Some(0) => length_at_least(1),
        Some(length) if length > REQUEST_TOKEN_LENGTH_MAX => {
            length_at_most(REQUEST_TOKEN_LENGTH_MAX)
        }
        Some(_) | None => return Ok(()),
    };
    Err(refuse(new("ClientRequestToken", &constraint)))
}

fn check_size(actions: &[CheckedAction<'_>]) -> Result<(), ApiError> {
    let mut size_bytes = 0;
    for action in actions {
        size_bytes += action.size_bytes()?;
        if size_bytes > TRANSACT_BYTES_MAX {
            return Err(transact_items::too_large());
        }
    }
    Ok(())
}

/// A token with a digest of the actions in the one form of JSON that equal actions have, however
/// the client wrote them.
fn request_token(
    home: &Home,
    request: &TransactWriteItemsRequest,
) -> Result<Option<RequestToken>, CorruptItem> {
    let (Some(token), Some(items)) = (&request.client_request_token, &request.transact_items)
    else {
        return Ok(None);
    };
    let digest = xxh3_128(&encode_json(items)?);
    Ok(Some(RequestToken { home: home.clone(), token: token.clone(), digest }))
}

fn cancelled(error: TransactError, actions: &[CheckedAction<'_>]) -> ApiError {
    match error {
        TransactError::Cancelled(reasons) => match cancellation(reasons, actions) {
            Ok(error) | Err(error) => error,
        },
        TransactError::SchemaChanged => ApiError::out_of_date(),
        TransactError::TokenMismatch => ApiError::idempotent_parameter_mismatch(),
        TransactError::Storage(error) => error.into(),
        other => ApiError::internal(&other),
    }
}

/// The cancellation, or the error that answers the whole request instead.
fn cancellation(
    failures: Vec<Option<WriteError>>,
    actions: &[CheckedAction<'_>],
) -> Result<ApiError, ApiError> {
    let mut reasons = Vec::with_capacity(failures.len());
    for (failure, action) in failures.into_iter().zip(actions) {
        reasons.push(match failure {
            Some(error) => write::reason(error, action.on_failure)?,
            None => no_reason(),
        });
    }
    Ok(ApiError::transaction_canceled(reasons))
}

/// What the transaction consumed: the table's part is doubled, that of indexes is not. A replay is
/// charged as a transactional read.
pub(crate) fn consumed(
    touched: &[TouchedItem<'_>],
    outcome: &TransactOutcome,
    wanted: ReturnConsumed,
) -> Result<Option<Vec<ConsumedCapacity>>, ApiError> {
    let tables = touched.iter().map(TouchedItem::table);
    match outcome {
        TransactOutcome::Done(outcomes) => {
            let consumed = outcomes.iter().map(doubled);
            Ok(sum_by_table(tables.zip(consumed), wanted, Split::Writes))
        }
        TransactOutcome::Replayed(items) => {
            observation::note_replay();
            let mut read = Vec::with_capacity(items.len());
            for (table, item) in tables.zip(items) {
                let size_bytes = match &item.item {
                    Some(item) => ItemView::new(item)?.size_bytes(),
                    None => 0,
                };
                let units = read_units(size_bytes, Consistency::Strong).doubled();
                read.push((table, Consumed::on_table(units)));
            }
            Ok(sum_by_table(read.into_iter(), wanted, Split::Reads))
        }
    }
}

/// How large the item collection of each write is.
fn collection_bytes(outcome: &TransactOutcome) -> Vec<Option<u64>> {
    match outcome {
        TransactOutcome::Done(outcomes) => {
            outcomes.iter().map(|outcome| outcome.collection_bytes).collect()
        }
        TransactOutcome::Replayed(items) => {
            items.iter().map(|item| item.collection_bytes).collect()
        }
    }
}

fn doubled(outcome: &WriteOutcome) -> Consumed {
    Consumed { table: outcome.consumed.table.doubled(), ..outcome.consumed.clone() }
}
