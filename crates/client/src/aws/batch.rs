//! Operations on many items, each for itself.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest};

use super::attempts::send;
use super::error::refused;
use super::outcome;
use super::parameter::{capacity, names};
use super::value::{self, attributes};
use crate::backend::{
    BackendError, BatchGetItem, BatchGetItemOutcome, BatchWriteItem, BatchWriteItemOutcome,
    KeysToGet, TableName, WriteOne,
};

pub(super) async fn get(
    client: &Client,
    request: BatchGetItem,
) -> Result<BatchGetItemOutcome, BackendError> {
    let tables = request.tables.into_iter();
    let tables = tables.map(|(table, keys)| Ok((table.to_string(), wanted(keys)?)));
    let request = client
        .batch_get_item()
        .set_request_items(Some(tables.collect::<Result<_, BackendError>>()?))
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused)?;
    Ok(BatchGetItemOutcome {
        items: by_table(output.responses, |items| outcome::items(Some(items)))?,
        unprocessed: by_table(output.unprocessed_keys, left_keys)?,
        consumed: outcome::consumed_by_table(output.consumed_capacity),
    })
}

fn wanted(wanted: KeysToGet) -> Result<KeysAndAttributes, BackendError> {
    let keys = KeysAndAttributes::builder()
        .set_keys(Some(wanted.keys.into_iter().map(attributes).collect()))
        .set_consistent_read(wanted.consistent.then_some(true))
        .set_projection_expression(wanted.projection)
        .set_expression_attribute_names(names(wanted.names));
    Ok(keys.build()?)
}

fn left_keys(left: KeysAndAttributes) -> Result<KeysToGet, BackendError> {
    Ok(KeysToGet {
        keys: left.keys.into_iter().map(value::item).collect::<Result<_, _>>()?,
        consistent: left.consistent_read.unwrap_or_default(),
        projection: left.projection_expression,
        names: left.expression_attribute_names.into_iter().flatten().collect(),
    })
}

pub(super) async fn write(
    client: &Client,
    request: BatchWriteItem,
) -> Result<BatchWriteItemOutcome, BackendError> {
    let writes = |writes: Vec<WriteOne>| writes.into_iter().map(write_request).collect();
    let tables = request.tables.into_iter();
    let tables = tables.map(|(table, it)| {
        let writes: Result<Vec<WriteRequest>, BackendError> = writes(it);
        Ok((table.to_string(), writes?))
    });
    let request = client
        .batch_write_item()
        .set_request_items(Some(tables.collect::<Result<_, BackendError>>()?))
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused)?;
    let left = |writes: Vec<WriteRequest>| writes.into_iter().filter_map(left_write).collect();
    Ok(BatchWriteItemOutcome {
        unprocessed: by_table(output.unprocessed_items, left)?,
        consumed: outcome::consumed_by_table(output.consumed_capacity),
    })
}

fn write_request(write: WriteOne) -> Result<WriteRequest, BackendError> {
    let request = WriteRequest::builder();
    let request = match write {
        WriteOne::Put(item) => {
            request.put_request(PutRequest::builder().set_item(Some(attributes(item))).build()?)
        }
        WriteOne::Delete(key) => {
            let delete = DeleteRequest::builder().set_key(Some(attributes(key))).build()?;
            request.delete_request(delete)
        }
    };
    Ok(request.build())
}

fn left_write(write: WriteRequest) -> Option<Result<WriteOne, BackendError>> {
    if let Some(put) = write.put_request {
        return Some(value::item(put.item).map(WriteOne::Put).map_err(BackendError::from));
    }
    let delete = write.delete_request?;
    Some(value::item(delete.key).map(WriteOne::Delete).map_err(BackendError::from))
}

fn by_table<From, To>(
    tables: Option<HashMap<String, From>>,
    convert: impl Fn(From) -> Result<To, BackendError>,
) -> Result<BTreeMap<TableName, To>, BackendError> {
    let tables = tables.into_iter().flatten();
    tables.map(|(table, it)| Ok((table.into(), convert(it)?))).collect()
}
