//! `TransactGetItems`.

use std::collections::BTreeSet;
use std::sync::Arc;

use monotable_database::ItemKey;
use monotable_database::capacity::{Consistency, Consumed};
use monotable_database::schema::TableSchema;
use monotable_expr::Projection;
use monotable_item::Item;
use monotable_item::limits::TRANSACT_BYTES_MAX;
use monotable_protocol::transact_get_items::{
    Get, ItemResponse, TransactGetItem, TransactGetItemsRequest, TransactGetItemsResponse,
};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::operations::get_item::projected;
use crate::render::capacity::Split;
use crate::render::many::sum_by_table;
use crate::validate::constraint::{Violations, missing};
use crate::validate::enums::{RETURN_CONSUMED, ReturnConsumed, refuse};
use crate::validate::read_projection::ProjectionParameters;
use crate::validate::table_name::{self, Layer};
use crate::validate::{keys, transact_items};
use crate::wording::value::ValueLayer;

/// Runs `TransactGetItems`: reads up to a hundred items as they are at one moment.
pub(crate) async fn transact_get_items<E: Engine>(
    api: &Api<E>,
    request: TransactGetItemsRequest,
) -> Result<TransactGetItemsResponse, ApiError> {
    let (items, wanted) = check_members(&request)?;
    let gets: Vec<CheckedGet<'_>> = items.iter().map(check_get).collect::<Result<_, _>>()?;
    let mut schemas = Vec::with_capacity(gets.len());
    for get in &gets {
        schemas.push(api.table(get.table_name)?.schema());
    }
    let keys = find_keys(&schemas, &gets)?;
    check_duplicates(&keys)?;
    let found = api.database.get_many(&keys).await?;
    if found.iter().map(|got| got.size_bytes).sum::<usize>() > TRANSACT_BYTES_MAX {
        return Err(transact_items::too_large());
    }
    let consumed = schemas.into_iter().zip(&found).map(|(schema, got)| {
        let table = got.units(Consistency::Strong).doubled();
        (schema, Consumed { table, indexes: Vec::new() })
    });
    let consumed_capacity = sum_by_table(consumed, wanted, Split::Reads);
    let mut responses = Vec::with_capacity(gets.len());
    for (got, get) in found.into_iter().zip(&gets) {
        responses.push(response(got.item, get.projection.as_ref())?);
    }
    Ok(TransactGetItemsResponse { consumed_capacity, responses: Some(responses) })
}

/// A `Get` without what needs the table.
struct CheckedGet<'r> {
    table_name: &'r str,
    key: &'r Item,
    projection: Option<Projection>,
}

fn check_members(
    request: &TransactGetItemsRequest,
) -> Result<(&[TransactGetItem], ReturnConsumed), ApiError> {
    let items = transact_items::required(&request.transact_items)?;
    let mut violations = Violations::default();
    let wanted = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    violations.extend(wanted.as_ref().err().cloned());
    for (item, number) in items.iter().zip(1..) {
        violations.append(get_violations(item.get.as_ref(), number));
    }
    violations.finish()?;
    Ok((items, wanted.map_err(refuse)?))
}

fn get_violations(get: Option<&Get>, number: usize) -> Violations {
    let path = format!("transactItems.{number}.member.get");
    let mut violations = Violations::default();
    match get {
        None => violations.push(missing(&path)),
        Some(get) => {
            violations.require(&get.key, &format!("{path}.key"));
            violations.require(&get.table_name, &format!("{path}.tableName"));
        }
    }
    violations
}

fn check_get(item: &TransactGetItem) -> Result<CheckedGet<'_>, ApiError> {
    let get = item.get.as_ref().ok_or_else(ApiError::resource_not_found)?;
    let table_name = table_name::of_items(&get.table_name, Layer::New)?;
    let key = get.key.as_ref().ok_or_else(ApiError::resource_not_found)?;
    let key = keys::values(key, ValueLayer::Current)?;
    let parameters = ProjectionParameters {
        attributes_to_get: &None,
        projection_expression: &get.projection_expression,
        names: &get.expression_attribute_names,
    };
    parameters.check_combination()?;
    Ok(CheckedGet { table_name, key, projection: parameters.read()? })
}

/// The keys of all items. One that does not fit its schema cancels the transaction; an empty one is not
/// even valid.
fn find_keys(
    schemas: &[Arc<TableSchema>],
    gets: &[CheckedGet<'_>],
) -> Result<Vec<ItemKey>, ApiError> {
    let keys = schemas.iter().zip(gets);
    let keys = keys.map(|(schema, get)| keys::lookup_in_transaction(schema, get.key));
    transact_items::all_or_cancel(keys)
}

fn check_duplicates(keys: &[ItemKey]) -> Result<(), ApiError> {
    let distinct: BTreeSet<&ItemKey> = keys.iter().collect();
    if distinct.len() < keys.len() {
        return Err(transact_items::repeated_item());
    }
    Ok(())
}

/// The answer to one read; a projection that finds nothing is answered like a missing item.
fn response(
    item: Option<bytes::Bytes>,
    projection: Option<&Projection>,
) -> Result<ItemResponse, ApiError> {
    let Some(item) = item else { return Ok(ItemResponse::default()) };
    let item = projected(item, projection)?;
    Ok(ItemResponse { item: Some(item).filter(|item| !transact_items::is_empty(item)) })
}
