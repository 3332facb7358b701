//! Operations on many items, independent of each other.

use std::collections::BTreeMap;

use monotable::backend::{
    BackendError, BatchGetItem, BatchGetItemOutcome, BatchWriteItem, BatchWriteItemOutcome,
    KeysToGet, TableName, WriteOne,
};
use monotable_item::Item;
use monotable_protocol::StoredItem;
use monotable_protocol::batch_get_item::{
    BatchGetItemRequest, BatchGetItemResponse, KeysAndAttributes,
};
use monotable_protocol::batch_write_item::{
    BatchWriteItemRequest, BatchWriteItemResponse, DeleteRequest, PutRequest, WriteRequest,
};

use super::error::corrupt;
use super::outcome;
use super::parameter::{capacity, names};

pub(super) fn get(request: BatchGetItem) -> BatchGetItemRequest {
    let tables = request.tables.into_iter();
    BatchGetItemRequest {
        request_items: Some(
            tables.map(|(table, keys)| (table.to_string(), wanted(keys))).collect(),
        ),
        return_consumed_capacity: capacity(request.capacity),
    }
}

fn wanted(wanted: KeysToGet) -> KeysAndAttributes {
    KeysAndAttributes {
        keys: Some(wanted.keys.into_iter().map(StoredItem::of).collect()),
        attributes_to_get: None,
        consistent_read: Some(wanted.consistent),
        projection_expression: wanted.projection,
        expression_attribute_names: names(wanted.names),
    }
}

pub(super) fn got(response: BatchGetItemResponse) -> Result<BatchGetItemOutcome, BackendError> {
    let found = by_table(response.responses, |items| outcome::items(Some(items)))?;
    Ok(BatchGetItemOutcome {
        items: found,
        unprocessed: by_table(response.unprocessed_keys, left_keys)?,
        consumed: outcome::consumed_by_table(response.consumed_capacity),
    })
}

fn left_keys(left: KeysAndAttributes) -> Result<KeysToGet, BackendError> {
    Ok(KeysToGet {
        keys: left.keys.into_iter().flatten().map(left_item).collect::<Result<_, _>>()?,
        consistent: left.consistent_read.unwrap_or_default(),
        projection: left.projection_expression,
        names: left.expression_attribute_names.unwrap_or_default(),
    })
}

pub(super) fn write(request: BatchWriteItem) -> BatchWriteItemRequest {
    let writes = |writes: Vec<WriteOne>| writes.into_iter().map(write_request).collect();
    let tables = request.tables.into_iter();
    BatchWriteItemRequest {
        request_items: Some(tables.map(|(table, it)| (table.to_string(), writes(it))).collect()),
        return_consumed_capacity: capacity(request.capacity),
        return_item_collection_metrics: None,
    }
}

fn write_request(write: WriteOne) -> WriteRequest {
    match write {
        WriteOne::Put(item) => {
            let put = PutRequest { item: Some(StoredItem::of(item)) };
            WriteRequest { put_request: Some(put), delete_request: None }
        }
        WriteOne::Delete(key) => {
            let delete = DeleteRequest { key: Some(StoredItem::of(key)) };
            WriteRequest { put_request: None, delete_request: Some(delete) }
        }
    }
}

pub(super) fn written(
    response: BatchWriteItemResponse,
) -> Result<BatchWriteItemOutcome, BackendError> {
    let left = |writes: Vec<WriteRequest>| writes.into_iter().filter_map(left_write).collect();
    Ok(BatchWriteItemOutcome {
        unprocessed: by_table(response.unprocessed_items, left)?,
        consumed: outcome::consumed_by_table(response.consumed_capacity),
    })
}

fn left_write(write: WriteRequest) -> Option<Result<WriteOne, BackendError>> {
    if let Some(item) = write.put_request.and_then(|put| put.item) {
        return Some(left_item(item).map(WriteOne::Put));
    }
    let key = write.delete_request.and_then(|delete| delete.key)?;
    Some(left_item(key).map(WriteOne::Delete))
}

/// An item or key that comes back as it was sent.
fn left_item(item: StoredItem) -> Result<Item, BackendError> {
    // One that was refused would have had the whole batch refused.
    item.into_item().unwrap_or_else(|| Ok(Item::new())).map_err(corrupt)
}

fn by_table<From, To>(
    tables: Option<BTreeMap<String, From>>,
    convert: impl Fn(From) -> Result<To, BackendError>,
) -> Result<BTreeMap<TableName, To>, BackendError> {
    let tables = tables.into_iter().flatten();
    tables.map(|(table, it)| Ok((table.into(), convert(it)?))).collect()
}
