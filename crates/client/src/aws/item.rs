//! Operations on one item.

use aws_sdk_dynamodb::Client;

use super::attempts::send;
use super::error::{refused, refused_write};
use super::outcome;
use super::parameter::{capacity, names, on_failure, return_values, values};
use super::value::attributes;
use crate::backend::{
    BackendError, DeleteItem, GetItem, GetItemOutcome, PutItem, UpdateItem, WriteOutcome,
};

pub(super) async fn get(client: &Client, request: GetItem) -> Result<GetItemOutcome, BackendError> {
    let request = client
        .get_item()
        .table_name(&*request.table)
        .set_key(Some(attributes(request.key)))
        .set_consistent_read(request.consistent.then_some(true))
        .set_projection_expression(request.projection)
        .set_expression_attribute_names(names(request.names))
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused)?;
    Ok(GetItemOutcome {
        item: outcome::item(output.item)?,
        consumed: output.consumed_capacity.map(outcome::consumed),
    })
}

pub(super) async fn put(client: &Client, request: PutItem) -> Result<WriteOutcome, BackendError> {
    let request = client
        .put_item()
        .table_name(&*request.table)
        .set_item(Some(attributes(request.item)))
        .set_condition_expression(request.condition)
        .set_expression_attribute_names(names(request.names))
        .set_expression_attribute_values(values(request.values))
        .set_return_values(return_values(request.returns))
        .set_return_values_on_condition_check_failure(on_failure(request.item_on_failure))
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused_write)?;
    Ok(WriteOutcome {
        attributes: outcome::item(output.attributes)?,
        consumed: output.consumed_capacity.map(outcome::consumed),
    })
}

pub(super) async fn update(
    client: &Client,
    request: UpdateItem,
) -> Result<WriteOutcome, BackendError> {
    let request = client
        .update_item()
        .table_name(&*request.table)
        .set_key(Some(attributes(request.key)))
        .update_expression(request.update)
        .set_condition_expression(request.condition)
        .set_expression_attribute_names(names(request.names))
        .set_expression_attribute_values(values(request.values))
        .set_return_values(return_values(request.returns))
        .set_return_values_on_condition_check_failure(on_failure(request.item_on_failure))
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused_write)?;
    Ok(WriteOutcome {
        attributes: outcome::item(output.attributes)?,
        consumed: output.consumed_capacity.map(outcome::consumed),
    })
}

pub(super) async fn delete(
    client: &Client,
    request: DeleteItem,
) -> Result<WriteOutcome, BackendError> {
    let request = client
        .delete_item()
        .table_name(&*request.table)
        .set_key(Some(attributes(request.key)))
        .set_condition_expression(request.condition)
        .set_expression_attribute_names(names(request.names))
        .set_expression_attribute_values(values(request.values))
        .set_return_values(return_values(request.returns))
        .set_return_values_on_condition_check_failure(on_failure(request.item_on_failure))
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused_write)?;
    Ok(WriteOutcome {
        attributes: outcome::item(output.attributes)?,
        consumed: output.consumed_capacity.map(outcome::consumed),
    })
}
