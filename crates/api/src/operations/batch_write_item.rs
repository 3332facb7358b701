//! `BatchWriteItem`.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use monotable_database::{
    Action, ItemKey, TransactError, TransactOutcome, TransactWrite, Write, WriteOutcome,
};
use monotable_item::limits::BATCH_WRITES_MAX;
use monotable_item::{Item, stored};
use monotable_protocol::batch_write_item::{
    BatchWriteItemRequest, BatchWriteItemResponse, WriteRequest,
};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::render::many::{TouchedItem, consumed_by_table, metrics_by_table};
use crate::validate::constraint::{Violations, length_at_most, missing, new, old};
use crate::validate::enums::{
    RETURN_CONSUMED, RETURN_METRICS, ReturnConsumed, ReturnMetrics, ReturnOnFailure, refuse,
};
use crate::validate::{item, keys, request_items, table_name};
use crate::wording::value::ValueLayer;
use crate::wording::write;

type RequestItems = BTreeMap<String, Vec<WriteRequest>>;

/// Runs `BatchWriteItem`: puts and deletes up to 25 items.
///
/// All of them go into one storage transaction, and so share one sync. DynamoDB promises less, that each
/// happens or not, but nothing that this breaks.
pub(crate) async fn batch_write_item<E: Engine>(
    api: &Api<E>,
    request: BatchWriteItemRequest,
) -> Result<BatchWriteItemResponse, ApiError> {
    let members = check_members(&request)?;
    let requests = check_request(members.items)?;
    let mut writes = Vec::with_capacity(requests.len());
    for (name, member) in &requests {
        writes.push(transact_write(api, name, member)?);
    }
    check_duplicates(&writes)?;
    let outcomes = write_all(api, &writes).await?;
    let touched: Vec<TouchedItem<'_>> = requests
        .iter()
        .zip(&writes)
        .map(|((_, member), write)| TouchedItem::new(write, member.attributes()))
        .collect();
    let consumed = outcomes.iter().map(|outcome| &outcome.consumed);
    Ok(BatchWriteItemResponse {
        unprocessed_items: Some(BTreeMap::new()),
        item_collection_metrics: metrics_by_table(api, &touched, members.metrics).await?,
        consumed_capacity: consumed_by_table(&touched, consumed, members.consumed),
    })
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
            missing(&format!("requestItems.{table}.member.{number}.member.{member}"))
        };
        let put = request.put_request.as_ref().filter(|put| put.item.is_none());
        let delete = request.delete_request.as_ref().filter(|delete| delete.key.is_none());
        put.map(|_| at("putRequest.item")).or_else(|| delete.map(|_| at("deleteRequest.key")))
    })
}

/// The map as the older layer prints it. What stands inside the requests is not told apart.
fn as_java(items: &RequestItems) -> String {
    let request =
        |request: &WriteRequest| {
            let names = |item: &Option<monotable_protocol::WireItem>| {
                let item = item.as_ref().and_then(|item| item.0.as_ref().ok());
                let names = item.into_iter().flatten().map(|(name, value)| {
                    format!("{name}=AttributeValue({}=…)", value.kind().code())
                });
                names.collect::<Vec<_>>().join(", ")
            };
            let put = request.put_request.as_ref().map_or("null".to_owned(), |put| {
                format!("PutRequest(item={{{}}})", names(&put.item))
            });
            let delete = request.delete_request.as_ref().map_or("null".to_owned(), |delete| {
                format!("DeleteRequest(key={{{}}})", names(&delete.key))
            });
            format!("WriteRequest(putRequest={put}, deleteRequest={delete})")
        };
    let tables = items.iter().map(|(name, requests)| {
        let requests: Vec<String> = requests.iter().map(request).collect();
        format!("{name}=[{}]", requests.join(", "))
    });
    format!("{{{}}}", tables.collect::<Vec<_>>().join(", "))
}

/// One write of the batch.
enum BatchMember<'r> {
    Put(&'r Item),
    Delete(&'r Item),
}

impl<'r> BatchMember<'r> {
    fn attributes(&self) -> &'r Item {
        match self {
            BatchMember::Put(item) | BatchMember::Delete(item) => item,
        }
    }
}

/// Checks what needs no table.
fn check_request(items: &RequestItems) -> Result<Vec<(&str, BatchMember<'_>)>, ApiError> {
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
                (None, Some(key)) => BatchMember::Delete(keys::values(key, layer)?),
                (Some(_), Some(_)) | (None, None) => return Err(not_one_request()),
            };
            members.push((name.as_str(), member));
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

fn transact_write<E: Engine>(
    api: &Api<E>,
    name: &str,
    member: &BatchMember<'_>,
) -> Result<TransactWrite, ApiError> {
    let table = api.table(table_name::resource_name(name))?;
    let schema = table.schema();
    let (key, action) = match member {
        BatchMember::Put(item) => {
            let action = Action::Put(Bytes::from(stored::encode(item)));
            (keys::of_batch_item(&schema, item)?, action)
        }
        BatchMember::Delete(key) => (keys::lookup(&schema, key)?, Action::Delete),
    };
    Ok(TransactWrite { table, write: Write { key, action, condition: None } })
}

fn check_duplicates(writes: &[TransactWrite]) -> Result<(), ApiError> {
    let distinct: BTreeSet<&ItemKey> = writes.iter().map(|member| &member.write.key).collect();
    if distinct.len() < writes.len() {
        return Err(ApiError::validation("Provided list of item keys contains duplicates"));
    }
    Ok(())
}

async fn write_all<E: Engine>(
    api: &Api<E>,
    writes: &[TransactWrite],
) -> Result<Vec<WriteOutcome>, ApiError> {
    match api.database.transact_write(writes, None).await {
        Ok(TransactOutcome::Done(outcomes)) => Ok(outcomes),
        Ok(TransactOutcome::Replayed(_)) => Ok(Vec::new()),
        Err(TransactError::Cancelled(reasons)) => {
            let error = reasons.into_iter().flatten().next();
            Err(error.map_or_else(ApiError::resource_not_found, |error| {
                write::word(error, ReturnOnFailure::None)
            }))
        }
        Err(TransactError::Storage(error)) => Err(error.into()),
        Err(other) => Err(ApiError::internal(&other)),
    }
}
