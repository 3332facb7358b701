//! `BatchWriteItem`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use monotable_database::{
    ItemKey, Table, TransactError, TransactOutcome, TransactWrite, Write, WriteOutcome,
};
use monotable_item::limits::BATCH_WRITES_MAX;
use monotable_item::stored::ItemView;
use monotable_protocol::StoredItem;
use monotable_protocol::batch_write_item::{
    BatchWriteItemRequest, BatchWriteItemResponse, WriteRequest,
};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Pass, Spent};
use crate::observation;
use crate::render::capacity::Split;
use crate::render::many::{TouchedItem, metrics_by_table, sum_by_table};
use crate::session::Session;
use crate::validate::constraint::{Violations, length_at_most, missing, new, old};
use crate::validate::enums::{
    RETURN_CONSUMED, RETURN_METRICS, ReturnConsumed, ReturnMetrics, ReturnOnFailure, refuse,
};
use crate::validate::table_name::TableName;
use crate::validate::{item, keys, request_items};
use crate::wording::value::ValueLayer;
use crate::wording::write;

type RequestItems = BTreeMap<String, Vec<WriteRequest>>;

/// Runs `BatchWriteItem`: puts and deletes up to 25 items.
///
/// All of them go into one storage transaction, and so share one sync. DynamoDB promises less, that
/// each happens or not, but nothing that this breaks.
pub(crate) async fn batch_write_item<E: Engine>(
    api: &Session<'_, E>,
    request: BatchWriteItemRequest,
) -> Result<BatchWriteItemResponse, ApiError> {
    let members = check_members(&request)?;
    let requests = check_request(members.items)?;
    let mut tables = Vec::with_capacity(requests.len());
    for (name, member) in &requests {
        let wish = || {
            let wish = Wish::on_item("BatchWriteItem", member.attributes());
            wish.consuming(&request.return_consumed_capacity)
        };
        tables.push(api.table(*name, wish).await?);
    }
    let mut writes = Vec::with_capacity(requests.len());
    for ((_, member), table) in requests.iter().zip(tables) {
        writes.push(transact_write(table, member)?);
    }
    check_duplicates(&writes)?;
    let members_of = || gate_members(&writes, &requests);
    let pass = gate::enter(api, || Entry::batch("BatchWriteItem", members_of())).await?;
    writes.iter_mut().enumerate().for_each(|(at, one)| pass.approve(at, &mut one.write));
    let unprocessed = unprocessed(members.items, &pass);
    let is_done = |at: &usize| !pass.is_refused(*at);
    let done: Vec<usize> = (0..writes.len()).filter(is_done).collect();
    let writes = keep(writes, &pass);
    let requests = keep(requests, &pass);
    let outcomes = write_all(api, &writes).await?;
    pass.leave(|| done.iter().zip(&outcomes).map(|(at, out)| Spent::write(*at, out)).collect())?;
    let ended = writes.iter().zip(&outcomes);
    observation::note_items(ended.filter(|(one, out)| out.has_written(one.write.kind())).count());
    let touched: Vec<TouchedItem<'_>> = requests
        .iter()
        .zip(writes.iter().zip(&outcomes))
        .map(|((name, member), (write, outcome))| {
            TouchedItem::new(*name, write, member.attributes(), outcome.collection_bytes)
        })
        .collect();
    let consumed = outcomes.into_iter().map(|outcome| outcome.consumed);
    let consumed = touched.iter().map(TouchedItem::table).zip(consumed);
    Ok(BatchWriteItemResponse {
        unprocessed_items: Some(unprocessed),
        item_collection_metrics: metrics_by_table(&touched, members.metrics)?,
        consumed_capacity: sum_by_table(consumed, members.consumed, Split::None),
    })
}

fn gate_members<'r>(
    writes: &'r [TransactWrite],
    requests: &'r [(TableName<'_>, BatchMember<'_>)],
) -> Vec<Member<'r>> {
    let members = writes.iter().zip(requests);
    let member = |(write, (_, member)): (&'r TransactWrite, &'r (_, BatchMember<'_>))| {
        Member::write(&write.table, &write.write, member.attributes())
    };
    members.map(member).collect()
}

/// What of a batch is done.
fn keep<T>(members: Vec<T>, pass: &Pass<'_>) -> Vec<T> {
    if pass.is_free() {
        return members;
    }
    let members = members.into_iter().enumerate();
    members.filter(|(at, _)| !pass.is_refused(*at)).map(|(_, member)| member).collect()
}

/// What the client is to send again.
fn unprocessed(items: &RequestItems, pass: &Pass<'_>) -> RequestItems {
    let mut unprocessed = RequestItems::new();
    if pass.is_free() {
        return unprocessed;
    }
    let requests =
        items.iter().flat_map(|(table, requests)| requests.iter().map(move |one| (table, one)));
    for (at, (table, request)) in requests.enumerate() {
        if pass.is_refused(at) {
            unprocessed.entry(table.clone()).or_default().push(request.clone());
        }
    }
    unprocessed
}

struct Members<'r> {
    items: &'r RequestItems,
    consumed: ReturnConsumed,
    metrics: ReturnMetrics,
}

fn check_members(request: &BatchWriteItemRequest) -> Result<Members<'_>, ApiError> {
    let items = request_items::required(&request.request_items)?;
    let consumed = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    let metrics = RETURN_METRICS.read(&request.return_item_collection_metrics);
    let mut violations = Violations::default();
    violations.extend(consumed.as_ref().err().cloned());
    violations.extend(metrics.as_ref().err().cloned());
    violations.finish()?;
    let mut violations = Violations::default();
    violations.extend(request_items::name_violation(items, as_java));
    for (table, requests) in items {
        violations.extend(length_violation(table, requests));
        violations.extend(member_violation(table, requests));
    }
    violations.finish()?;
    if items.values().map(Vec::len).sum::<usize>() > BATCH_WRITES_MAX {
        return Err(ApiError::validation("Too many items requested for the BatchWriteItem call"));
    }
    Ok(Members { items, consumed: consumed.map_err(refuse)?, metrics: metrics.map_err(refuse)? })
}

fn length_violation(table: &str, requests: &[WriteRequest]) -> Option<String> {
    match requests.len() {
        0 => Some(old(
            format!("{{{table}=[]}}"),
            "requestItems",
            "Map value must satisfy constraint: [Member must have length less than or equal to 25, \
             Member must have length greater than or equal to 1]",
        )),
        count if count > BATCH_WRITES_MAX => {
            let path = format!("RequestItems.{table}.member");
            Some(new(&path, &length_at_most(BATCH_WRITES_MAX)))
        }
        _ => None,
    }
}

fn member_violation(table: &str, requests: &[WriteRequest]) -> Option<String> {
    requests.iter().zip(1..).find_map(|(request, number)| {
        let at = |member: &str| {
            missing(format_args!("requestItems.{table}.member.{number}.member.{member}"))
        };
        let put = request.put_request.as_ref().filter(|put| put.item.is_none());
        let delete = request.delete_request.as_ref().filter(|delete| delete.key.is_none());
        put.map(|_| at("putRequest.item")).or_else(|| delete.map(|_| at("deleteRequest.key")))
    })
}

/// The map as the older layer prints it. What stands inside the requests is not told apart.
fn as_java(items: &RequestItems) -> String {
    let tables = items.iter().map(|(name, requests)| {
        let requests: Vec<String> = requests.iter().map(request_as_java).collect();
        format!("{name}=[{}]", requests.join(", "))
    });
    format!("{{{}}}", tables.collect::<Vec<_>>().join(", "))
}

fn request_as_java(request: &WriteRequest) -> String {
    let put = request.put_request.as_ref().map_or("null".to_owned(), |put| {
        format!("PutRequest(item={{{}}})", attributes_as_java(&put.item))
    });
    let delete = request.delete_request.as_ref().map_or("null".to_owned(), |delete| {
        format!("DeleteRequest(key={{{}}})", attributes_as_java(&delete.key))
    });
    format!("WriteRequest(putRequest={put}, deleteRequest={delete})")
}

fn attributes_as_java(item: &Option<StoredItem>) -> String {
    let item = item.as_ref().and_then(|item| item.0.as_ref().ok());
    let item = item.and_then(|item| ItemView::new(item).ok());
    let attributes = item.into_iter().flat_map(|item| item.attributes()).flatten();
    let texts = attributes.map(|(name, value)| {
        format!("{}=AttributeValue({}=…)", String::from_utf8_lossy(name), value.kind().code())
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// One write of the batch, with an item or a key.
enum BatchMember<'r> {
    Put(&'r Bytes),
    Delete(&'r Bytes),
}

impl<'r> BatchMember<'r> {
    fn attributes(&self) -> &'r Bytes {
        match self {
            BatchMember::Put(attributes) | BatchMember::Delete(attributes) => attributes,
        }
    }
}

/// Checks what needs no table.
fn check_request(items: &RequestItems) -> Result<Vec<(TableName<'_>, BatchMember<'_>)>, ApiError> {
    let layer = ValueLayer::Older;
    let mut members = Vec::new();
    for (name, requests) in items {
        for request in requests {
            let put = request.put_request.as_ref().and_then(|put| put.item.as_ref());
            let delete = request.delete_request.as_ref().and_then(|delete| delete.key.as_ref());
            let member = match (put, delete) {
                (Some(put), None) => {
                    let put = item::check(put, layer)?;
                    item::check_size(put)?;
                    BatchMember::Put(put)
                }
                (None, Some(key)) => BatchMember::Delete(keys::stored(key, layer)?),
                (Some(_), Some(_)) | (None, None) => return Err(not_one_request()),
            };
            members.push((TableName::checked(name), member));
        }
    }
    Ok(members)
}

fn not_one_request() -> ApiError {
    ApiError::validation(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the \
         supported datatypes",
    )
}

fn transact_write(table: Arc<Table>, member: &BatchMember<'_>) -> Result<TransactWrite, ApiError> {
    let schema = table.schema();
    let write = match *member {
        BatchMember::Put(item) => keys::put_in_batch(schema, item)?,
        BatchMember::Delete(key) => Write::delete(keys::lookup(schema, key)?),
    };
    Ok(TransactWrite { table, write })
}

fn check_duplicates(writes: &[TransactWrite]) -> Result<(), ApiError> {
    let distinct: BTreeSet<&ItemKey> = writes.iter().map(|member| member.write.key()).collect();
    if distinct.len() < writes.len() {
        return Err(ApiError::validation("Provided list of item keys contains duplicates"));
    }
    Ok(())
}

async fn write_all<E: Engine>(
    api: &Session<'_, E>,
    writes: &[TransactWrite],
) -> Result<Vec<WriteOutcome>, ApiError> {
    match api.database.transact_write(writes, None).await {
        Ok(TransactOutcome::Done(outcomes)) => Ok(outcomes),
        Ok(TransactOutcome::Replayed(_)) => unreachable!("a batch has no token to replay"),
        Err(TransactError::Cancelled(reasons)) => {
            let error = reasons.into_iter().flatten().next();
            let error = error.expect("a cancelled transaction has a reason");
            Err(write::word(error, ReturnOnFailure::None))
        }
        Err(TransactError::SchemaChanged) => Err(ApiError::out_of_date()),
        Err(TransactError::Storage(error)) => Err(error.into()),
        Err(other) => Err(ApiError::internal(&other)),
    }
}
