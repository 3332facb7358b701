//! Operations on one item.

use monotable::backend::{
    BackendError, DeleteItem, GetItem, GetItemOutcome, PutItem, UpdateItem, WriteOutcome,
};
use monotable_protocol::delete_item::{DeleteItemRequest, DeleteItemResponse};
use monotable_protocol::get_item::{GetItemRequest, GetItemResponse};
use monotable_protocol::put_item::{PutItemRequest, PutItemResponse};
use monotable_protocol::shapes::ConsumedCapacity;
use monotable_protocol::update_item::{UpdateItemRequest, UpdateItemResponse};
use monotable_protocol::{ResponseItem, StoredItem};

use super::outcome;
use super::parameter::{capacity, names, on_failure, return_values, table_name, values};

pub(super) fn get(request: GetItem) -> GetItemRequest {
    GetItemRequest {
        table_name: table_name(&request.table),
        key: Some(StoredItem::of(request.key)),
        consistent_read: Some(request.consistent),
        return_consumed_capacity: capacity(request.capacity),
        projection_expression: request.projection,
        expression_attribute_names: names(request.names),
        attributes_to_get: None,
    }
}

pub(super) fn got(response: GetItemResponse) -> Result<GetItemOutcome, BackendError> {
    Ok(GetItemOutcome {
        item: outcome::item(response.item)?,
        consumed: response.consumed_capacity.map(outcome::consumed),
    })
}

pub(super) fn put(request: PutItem) -> PutItemRequest {
    PutItemRequest {
        table_name: table_name(&request.table),
        item: Some(StoredItem::of(request.item)),
        return_values: return_values(request.returns),
        return_consumed_capacity: capacity(request.capacity),
        condition_expression: request.condition,
        expression_attribute_names: names(request.names),
        expression_attribute_values: values(request.values),
        return_values_on_condition_check_failure: on_failure(request.item_on_failure),
        ..PutItemRequest::default()
    }
}

pub(super) fn update(request: UpdateItem) -> UpdateItemRequest {
    UpdateItemRequest {
        table_name: table_name(&request.table),
        key: Some(StoredItem::of(request.key)),
        return_values: return_values(request.returns),
        return_consumed_capacity: capacity(request.capacity),
        update_expression: Some(request.update),
        condition_expression: request.condition,
        expression_attribute_names: names(request.names),
        expression_attribute_values: values(request.values),
        return_values_on_condition_check_failure: on_failure(request.item_on_failure),
        ..UpdateItemRequest::default()
    }
}

pub(super) fn delete(request: DeleteItem) -> DeleteItemRequest {
    DeleteItemRequest {
        table_name: table_name(&request.table),
        key: Some(StoredItem::of(request.key)),
        return_values: return_values(request.returns),
        return_consumed_capacity: capacity(request.capacity),
        condition_expression: request.condition,
        expression_attribute_names: names(request.names),
        expression_attribute_values: values(request.values),
        return_values_on_condition_check_failure: on_failure(request.item_on_failure),
        ..DeleteItemRequest::default()
    }
}

/// What a write answers: the attributes that it returns, and what it consumed.
pub(super) struct Written(Option<ResponseItem>, Option<ConsumedCapacity>);

impl From<PutItemResponse> for Written {
    fn from(response: PutItemResponse) -> Written {
        Written(response.attributes, response.consumed_capacity)
    }
}

impl From<UpdateItemResponse> for Written {
    fn from(response: UpdateItemResponse) -> Written {
        Written(response.attributes, response.consumed_capacity)
    }
}

impl From<DeleteItemResponse> for Written {
    fn from(response: DeleteItemResponse) -> Written {
        Written(response.attributes, response.consumed_capacity)
    }
}

pub(super) fn written(response: impl Into<Written>) -> Result<WriteOutcome, BackendError> {
    let Written(attributes, consumed) = response.into();
    let attributes = outcome::item(attributes)?;
    Ok(WriteOutcome { attributes, consumed: consumed.map(outcome::consumed) })
}
