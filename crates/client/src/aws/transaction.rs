//! Operations on many items together.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Get, Put, TransactGetItem, TransactWriteItem, Update,
};

use super::attempts::send;
use super::error::refused_transaction;
use super::outcome;
use super::parameter::{capacity, names, on_failure, values};
use super::value::attributes;
use crate::backend::{
    BackendError, TransactGet, TransactGetItems, TransactGetItemsOutcome, TransactWrite,
    TransactWriteItems, TransactWriteItemsOutcome,
};

pub(super) async fn get(
    client: &Client,
    request: TransactGetItems,
) -> Result<TransactGetItemsOutcome, BackendError> {
    let gets = request.gets.into_iter().map(get_one).collect::<Result<_, _>>()?;
    let request = client
        .transact_get_items()
        .set_transact_items(Some(gets))
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused_transaction)?;
    let items = output.responses.into_iter().flatten();
    Ok(TransactGetItemsOutcome {
        items: items.map(|response| outcome::item(response.item)).collect::<Result<_, _>>()?,
        consumed: outcome::consumed_by_table(output.consumed_capacity),
    })
}

fn get_one(get: TransactGet) -> Result<TransactGetItem, BackendError> {
    let get = Get::builder()
        .table_name(&*get.table)
        .set_key(Some(attributes(get.key)))
        .set_projection_expression(get.projection)
        .set_expression_attribute_names(names(get.names));
    Ok(TransactGetItem::builder().get(get.build()?).build())
}

pub(super) async fn write(
    client: &Client,
    request: TransactWriteItems,
) -> Result<TransactWriteItemsOutcome, BackendError> {
    let actions = request.actions.into_iter().map(action).collect::<Result<_, _>>()?;
    let request = client
        .transact_write_items()
        .set_transact_items(Some(actions))
        .set_client_request_token(request.token)
        .set_return_consumed_capacity(capacity(request.capacity));
    let output = send!(request).map_err(refused_transaction)?;
    let consumed = outcome::consumed_by_table(output.consumed_capacity);
    Ok(TransactWriteItemsOutcome { consumed })
}

fn action(action: TransactWrite) -> Result<TransactWriteItem, BackendError> {
    let item = TransactWriteItem::builder();
    let item = match action {
        TransactWrite::Check { table, key, condition, names: of, values: at, item_on_failure } => {
            let check = ConditionCheck::builder()
                .table_name(&*table)
                .set_key(Some(attributes(key)))
                .condition_expression(condition)
                .set_expression_attribute_names(names(of))
                .set_expression_attribute_values(values(at))
                .set_return_values_on_condition_check_failure(on_failure(item_on_failure));
            item.condition_check(check.build()?)
        }
        TransactWrite::Put {
            table,
            item: put,
            condition,
            names: of,
            values: at,
            item_on_failure,
        } => {
            let put = Put::builder()
                .table_name(&*table)
                .set_item(Some(attributes(put)))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(of))
                .set_expression_attribute_values(values(at))
                .set_return_values_on_condition_check_failure(on_failure(item_on_failure));
            item.put(put.build()?)
        }
        TransactWrite::Update {
            table,
            key,
            update,
            condition,
            names: of,
            values: at,
            item_on_failure,
        } => {
            let update = Update::builder()
                .table_name(&*table)
                .set_key(Some(attributes(key)))
                .update_expression(update)
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(of))
                .set_expression_attribute_values(values(at))
                .set_return_values_on_condition_check_failure(on_failure(item_on_failure));
            item.update(update.build()?)
        }
        TransactWrite::Delete { table, key, condition, names: of, values: at, item_on_failure } => {
            let delete = Delete::builder()
                .table_name(&*table)
                .set_key(Some(attributes(key)))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(of))
                .set_expression_attribute_values(values(at))
                .set_return_values_on_condition_check_failure(on_failure(item_on_failure));
            item.delete(delete.build()?)
        }
    };
    Ok(item.build())
}
