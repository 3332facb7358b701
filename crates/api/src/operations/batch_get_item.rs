//! `BatchGetItem`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use monotable_database::capacity::Consumed;
use monotable_database::schema::TableSchema;
use monotable_database::{Got, ItemKey};
use monotable_expr::Projection;
use monotable_item::limits::{BATCH_BYTES_MAX, BATCH_GET_KEYS_MAX};
use monotable_protocol::batch_get_item::{
    BatchGetItemRequest, BatchGetItemResponse, KeysAndAttributes,
};
use monotable_protocol::{ResponseItem, WireItem};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::operations::get_item::projected;
use crate::operations::page::consistency;
use crate::render::capacity::{self, Split};
use crate::validate::constraint::{Violations, length_at_least, length_at_most, missing, new};
use crate::validate::enums::{RETURN_CONSUMED, ReturnConsumed, refuse};
use crate::validate::read_projection::ProjectionParameters;
use crate::validate::{keys, request_items};
use crate::wording::value::ValueLayer;

/// Runs `BatchGetItem`: reads up to a hundred items by their keys.
pub(crate) async fn batch_get_item<E: Engine>(
    api: &Api<E>,
    request: BatchGetItemRequest,
) -> Result<BatchGetItemResponse, ApiError> {
    let (items, wanted) = check_members(&request)?;
    let projections = check_request(items)?;
    let mut tables = Vec::with_capacity(items.len());
    for ((name, asked), projection) in items.iter().zip(projections) {
        tables.push(TableRead::new(api, name, asked, projection)?);
    }
    tables.iter().try_for_each(TableRead::check_duplicates)?;
    let keys: Vec<ItemKey> = tables.iter().flat_map(|table| table.keys.iter().cloned()).collect();
    let mut found = api.database.get_many(&keys).await?.into_iter();
    let mut response = Response::default();
    for table in &tables {
        response.add(table, found.by_ref().take(table.keys.len()), wanted)?;
    }
    Ok(response.finish(wanted))
}

fn check_members(
    request: &BatchGetItemRequest,
) -> Result<(&BTreeMap<String, KeysAndAttributes>, ReturnConsumed), ApiError> {
    let items = request_items::required(&request.request_items)?;
    let mut violations = Violations::default();
    violations.extend(request_items::name_violation(items, request_items::as_json));
    let wanted = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    violations.extend(wanted.as_ref().err().cloned());
    for (table, asked) in items {
        violations.extend(keys_violation(table, asked));
    }
    violations.finish()?;
    if items.values().map(key_count).sum::<usize>() > BATCH_GET_KEYS_MAX {
        return Err(ApiError::validation("Too many items requested for the BatchGetItem call"));
    }
    Ok((items, wanted.map_err(refuse)?))
}

fn keys_violation(table: &str, asked: &KeysAndAttributes) -> Option<String> {
    if asked.keys.is_none() {
        return Some(missing(&format!("requestItems.{table}.member.keys")));
    }
    let path = format!("RequestItems.{table}.member.Keys");
    match key_count(asked) {
        0 => Some(new(&path, &length_at_least(1))),
        count if count > BATCH_GET_KEYS_MAX => {
            Some(new(&path, &length_at_most(BATCH_GET_KEYS_MAX)))
        }
        _ => None,
    }
}

fn key_count(asked: &KeysAndAttributes) -> usize {
    asked.keys.as_ref().map_or(0, Vec::len)
}

fn parameters(asked: &KeysAndAttributes) -> ProjectionParameters<'_> {
    ProjectionParameters {
        attributes_to_get: &asked.attributes_to_get,
        projection_expression: &asked.projection_expression,
        names: &asked.expression_attribute_names,
    }
}

/// Checks what needs no table; gives the projection of each.
fn check_request(
    items: &BTreeMap<String, KeysAndAttributes>,
) -> Result<Vec<Option<Projection>>, ApiError> {
    let check = |asked: &KeysAndAttributes| {
        parameters(asked).check_combination()?;
        for key in asked.keys.iter().flatten() {
            keys::values(key, ValueLayer::Current)?;
        }
        parameters(asked).read()
    };
    items.values().map(check).collect()
}

/// What is read of one table.
struct TableRead<'r> {
    /// The table as the request names it.
    name: &'r str,
    schema: Arc<TableSchema>,
    asked: &'r KeysAndAttributes,
    keys: Vec<ItemKey>,
    projection: Option<Projection>,
}

impl<'r> TableRead<'r> {
    fn new<E: Engine>(
        api: &Api<E>,
        name: &'r str,
        asked: &'r KeysAndAttributes,
        projection: Option<Projection>,
    ) -> Result<TableRead<'r>, ApiError> {
        let table = api.table(crate::validate::table_name::resource_name(name))?;
        let schema = table.schema();
        let key = |key: &WireItem| keys::lookup(&schema, keys::values(key, ValueLayer::Current)?);
        let keys = asked.keys.iter().flatten().map(key).collect::<Result<_, _>>()?;
        if let Some(projection) = &projection {
            keys::check_not_nested(&schema, projection.paths().iter())?;
        }
        Ok(TableRead { name, schema, asked, keys, projection })
    }

    fn check_duplicates(&self) -> Result<(), ApiError> {
        let distinct: BTreeSet<&ItemKey> = self.keys.iter().collect();
        if distinct.len() < self.keys.len() {
            return Err(ApiError::validation("Provided list of item keys contains duplicates"));
        }
        Ok(())
    }

    /// The same request for other keys.
    fn ask_again(&self, keys: Vec<WireItem>) -> KeysAndAttributes {
        KeysAndAttributes { keys: Some(keys), ..self.asked.clone() }
    }
}

/// A response in the making.
#[derive(Default)]
struct Response {
    responses: BTreeMap<String, Vec<ResponseItem>>,
    unprocessed: BTreeMap<String, KeysAndAttributes>,
    consumed: Vec<monotable_protocol::shapes::ConsumedCapacity>,
    size_bytes: usize,
}

impl Response {
    /// Adds what was found in a table, until the response is full; the rest is to be asked for again.
    fn add(
        &mut self,
        table: &TableRead<'_>,
        found: impl Iterator<Item = Got>,
        wanted: ReturnConsumed,
    ) -> Result<(), ApiError> {
        let mut items = Vec::new();
        let mut again = Vec::new();
        let mut consumed = Consumed::default();
        for (got, key) in found.zip(table.asked.keys.iter().flatten()) {
            if self.size_bytes + got.size_bytes > BATCH_BYTES_MAX {
                again.push(key.clone());
                continue;
            }
            self.size_bytes += got.size_bytes;
            consumed.table += got.units(consistency(table.asked.consistent_read));
            if let Some(item) = got.item {
                items.push(projected(item, table.projection.as_ref())?);
            }
        }
        self.responses.insert(table.name.to_owned(), items);
        if !again.is_empty() {
            self.unprocessed.insert(table.name.to_owned(), table.ask_again(again));
        }
        self.consumed.extend(capacity::render(&table.schema, &consumed, wanted, Split::None));
        Ok(())
    }

    fn finish(self, wanted: ReturnConsumed) -> BatchGetItemResponse {
        BatchGetItemResponse {
            responses: Some(self.responses),
            unprocessed_keys: Some(self.unprocessed),
            consumed_capacity: (wanted != ReturnConsumed::None).then_some(self.consumed),
        }
    }
}
