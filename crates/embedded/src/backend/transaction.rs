//! Operations on many items together.

use monotable::backend::{
    BackendError, TransactGet, TransactGetItems, TransactGetItemsOutcome, TransactWrite,
    TransactWriteItems, TransactWriteItemsOutcome,
};
use monotable_protocol::StoredItem;
use monotable_protocol::transact_get_items::{
    Get, TransactGetItem, TransactGetItemsRequest, TransactGetItemsResponse,
};
use monotable_protocol::transact_write_items::{
    ConditionCheck, Delete, Put, TransactWriteItem, TransactWriteItemsRequest,
    TransactWriteItemsResponse, Update,
};

use super::outcome;
use super::parameter::{capacity, names, on_failure, table_name, values};

pub(super) fn get(request: TransactGetItems) -> TransactGetItemsRequest {
    TransactGetItemsRequest {
        transact_items: Some(request.gets.into_iter().map(get_one).collect()),
        return_consumed_capacity: capacity(request.capacity),
    }
}

fn get_one(get: TransactGet) -> TransactGetItem {
    let get = Get {
        key: Some(StoredItem::of(get.key)),
        table_name: table_name(&get.table),
        projection_expression: get.projection,
        expression_attribute_names: names(get.names),
    };
    TransactGetItem { get: Some(get) }
}

pub(super) fn got(
    response: TransactGetItemsResponse,
) -> Result<TransactGetItemsOutcome, BackendError> {
    let items = response.responses.into_iter().flatten();
    Ok(TransactGetItemsOutcome {
        items: items.map(|response| outcome::item(response.item)).collect::<Result<_, _>>()?,
        consumed: outcome::consumed_by_table(response.consumed_capacity),
    })
}

pub(super) fn write(request: TransactWriteItems) -> TransactWriteItemsRequest {
    TransactWriteItemsRequest {
        transact_items: Some(request.actions.into_iter().map(action).collect()),
        return_consumed_capacity: capacity(request.capacity),
        return_item_collection_metrics: None,
        client_request_token: request.token,
    }
}

fn action(action: TransactWrite) -> TransactWriteItem {
    let mut item = TransactWriteItem::default();
    match action {
        TransactWrite::Check { table, key, condition, names: of, values: at, item_on_failure } => {
            item.condition_check = Some(Box::new(ConditionCheck {
                key: Some(StoredItem::of(key)),
                table_name: table_name(&table),
                condition_expression: Some(condition),
                expression_attribute_names: names(of),
                expression_attribute_values: values(at),
                return_values_on_condition_check_failure: on_failure(item_on_failure),
            }));
        }
        TransactWrite::Put {
            table,
            item: put,
            condition,
            names: of,
            values: at,
            item_on_failure,
        } => {
            item.put = Some(Box::new(Put {
                item: Some(StoredItem::of(put)),
                table_name: table_name(&table),
                condition_expression: condition,
                expression_attribute_names: names(of),
                expression_attribute_values: values(at),
                return_values_on_condition_check_failure: on_failure(item_on_failure),
            }));
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
            item.update = Some(Box::new(Update {
                key: Some(StoredItem::of(key)),
                update_expression: Some(update),
                table_name: table_name(&table),
                condition_expression: condition,
                expression_attribute_names: names(of),
                expression_attribute_values: values(at),
                return_values_on_condition_check_failure: on_failure(item_on_failure),
            }));
        }
        TransactWrite::Delete { table, key, condition, names: of, values: at, item_on_failure } => {
            item.delete = Some(Box::new(Delete {
                key: Some(StoredItem::of(key)),
                table_name: table_name(&table),
                condition_expression: condition,
                expression_attribute_names: names(of),
                expression_attribute_values: values(at),
                return_values_on_condition_check_failure: on_failure(item_on_failure),
            }));
        }
    }
    item
}

pub(super) fn written(response: TransactWriteItemsResponse) -> TransactWriteItemsOutcome {
    let consumed = outcome::consumed_by_table(response.consumed_capacity);
    TransactWriteItemsOutcome { consumed }
}
