//! `BatchGetItem`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use monotable_database::capacity::{Consistency, Consumed};
use monotable_database::{Got, ItemKey, Lookup, Table};
use monotable_expr::Projection;
use monotable_item::limits::{BATCH_BYTES_MAX, BATCH_GET_KEYS_MAX};
use monotable_protocol::batch_get_item::{
    BatchGetItemRequest, BatchGetItemResponse, KeysAndAttributes,
};
use monotable_protocol::{ResponseItem, StoredItem};
use monotable_storage::Engine;

use crate::authorization::{Leading, Named, Wish};
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Pass, Spent};
use crate::observation;
use crate::operations::get_item::projected;
use crate::operations::page::consistency;
use crate::render::capacity::{self, Split};
use crate::session::Session;
use crate::validate::constraint::{Violations, length_at_least, length_at_most, missing, new, old};
use crate::validate::enums::{RETURN_CONSUMED, ReturnConsumed, refuse};
use crate::validate::expressions::check_mixing;
use crate::validate::read_projection::ProjectionParameters;
use crate::validate::table_name::TableName;
use crate::validate::{keys, request_items};
use crate::wording::value::ValueLayer;

/// Runs `BatchGetItem`: reads up to a hundred items by their keys.
pub(crate) async fn batch_get_item<E: Engine>(
    api: &Session<'_, E>,
    request: BatchGetItemRequest,
) -> Result<BatchGetItemResponse, ApiError> {
    let (items, wanted) = check_members(&request)?;
    let projections = check_request(items)?;
    let mut found_tables = Vec::with_capacity(items.len());
    for ((name, asked), projection) in items.iter().zip(&projections) {
        let wish = || wish(asked, projection.as_ref()).consuming(&request.return_consumed_capacity);
        found_tables.push(api.table(TableName::checked(name), wish).await?);
    }
    let mut tables = Vec::with_capacity(items.len());
    for (((name, asked), projection), table) in items.iter().zip(projections).zip(found_tables) {
        tables.push(TableRead::new(name, &table, asked, projection)?);
    }
    let pass = gate::enter(api, || Entry::batch("BatchGetItem", gate_members(&tables))).await?;
    let found = read(api, &tables, &pass).await?;
    pass_out(pass, &tables, &found)?;
    let held = found.iter().flatten().filter(|got| got.item.is_some()).count();
    let mut found = found.into_iter();
    let mut response = Response::default();
    for table in &tables {
        response.add(table, found.by_ref().take(table.keys.len()), wanted)?;
    }
    // What there is no room for was read, and is to be asked for again.
    observation::note_page(response.responses.values().map(Vec::len).sum(), held);
    Ok(response.finish(wanted))
}

/// What policies are asked about the keys of one table.
fn wish<'r>(asked: &'r KeysAndAttributes, projection: Option<&'r Projection>) -> Wish<'r> {
    let keys = asked.keys.iter().flatten().filter_map(|key| key.0.as_ref().ok());
    let keys: Vec<&Bytes> = keys.collect();
    let named = keys.iter().map(|key| Named::Item(key)).collect();
    let wish = Wish { leading: Leading::Items(keys), named, ..Wish::new("BatchGetItem") };
    wish.returning(projection)
}

fn gate_members<'r>(tables: &'r [TableRead<'_>]) -> Vec<Member<'r>> {
    tables.iter().flat_map(TableRead::gate_members).collect()
}

/// Reads all items, but those that the client is to ask for again.
async fn read<E: Engine>(
    api: &Session<'_, E>,
    tables: &[TableRead<'_>],
    pass: &Pass<'_>,
) -> Result<Vec<Option<Got>>, ApiError> {
    let lookups: Vec<Lookup> = tables.iter().flat_map(TableRead::lookups).collect();
    // All are read at one moment, so one table that is to be consistent is enough.
    let is_strong =
        |table: &TableRead<'_>| consistency(table.asked.consistent_read) == Consistency::Strong;
    let is_strong = tables.iter().any(is_strong);
    let consistency = if is_strong { Consistency::Strong } else { Consistency::Eventual };
    if !pass.is_free() {
        return Box::pin(gate::get_many(api, pass, &lookups, consistency)).await;
    }
    let found = gate::get_all(api, &lookups, consistency).await?;
    Ok(found.into_iter().map(Some).collect())
}

fn pass_out(
    pass: Pass<'_>,
    tables: &[TableRead<'_>],
    found: &[Option<Got>],
) -> Result<(), ApiError> {
    if pass.is_free() {
        return Ok(());
    }
    let consistencies = tables.iter().flat_map(|table| {
        std::iter::repeat_n(consistency(table.asked.consistent_read), table.keys.len())
    });
    let consumed = found.iter().zip(consistencies).map(|(got, consistency)| {
        let units = got.as_ref().map(|got| got.units(consistency));
        Consumed::on_table(units.unwrap_or_default())
    });
    let consumed: Vec<Consumed> = consumed.collect();
    pass.leave(|| consumed.iter().enumerate().map(|(at, spent)| Spent::read(at, spent)).collect())
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
        violations.extend(attributes_violation(table, asked));
    }
    violations.finish()?;
    Ok((items, wanted.map_err(refuse)?))
}

fn keys_violation(table: &str, asked: &KeysAndAttributes) -> Option<String> {
    if asked.keys.is_none() {
        return Some(missing(format_args!("requestItems.{table}.member.keys")));
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

fn attributes_violation(table: &str, asked: &KeysAndAttributes) -> Option<String> {
    let path = format!("requestItems.{table}.member.attributesToGet");
    let is_empty = asked.attributes_to_get.as_ref().is_some_and(Vec::is_empty);
    is_empty.then(|| old("[]", &path, &length_at_least(1)))
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

/// Checks what needs no table; returns the projection of each.
fn check_request(
    items: &BTreeMap<String, KeysAndAttributes>,
) -> Result<Vec<Option<Projection>>, ApiError> {
    check_all_mixing(items)?;
    let mut key_count = 0;
    let mut projections = Vec::with_capacity(items.len());
    for asked in items.values() {
        parameters(asked).check_combination()?;
        projections.push(parameters(asked).read()?);
        let keys = asked.keys.iter().flatten();
        let keys = keys.map(|key| keys::stored(key, ValueLayer::Current));
        check_duplicates(&keys.collect::<Result<Vec<_>, _>>()?)?;
        key_count += self::key_count(asked);
        if key_count > BATCH_GET_KEYS_MAX {
            return Err(ApiError::validation("Too many items requested for the BatchGetItem call"));
        }
    }
    Ok(projections)
}

/// Refuses an expression beside a parameter from before expressions, even for another table.
fn check_all_mixing(items: &BTreeMap<String, KeysAndAttributes>) -> Result<(), ApiError> {
    let any = |has: fn(&KeysAndAttributes) -> bool| items.values().any(has);
    check_mixing(
        &[("AttributesToGet", any(|asked| asked.attributes_to_get.is_some()))],
        &[("ProjectionExpression", any(|asked| asked.projection_expression.is_some()))],
    )
}

/// Refuses equal keys, of which the stored forms are equal too, whatever the schema.
fn check_duplicates(keys: &[&Bytes]) -> Result<(), ApiError> {
    let distinct: BTreeSet<&Bytes> = keys.iter().copied().collect();
    if distinct.len() < keys.len() {
        return Err(ApiError::validation("Provided list of item keys contains duplicates"));
    }
    Ok(())
}

/// What is read of one table.
struct TableRead<'r> {
    /// The table as the request names it.
    name: &'r str,
    table: Arc<Table>,
    asked: &'r KeysAndAttributes,
    keys: Vec<ItemKey>,
    projection: Option<Projection>,
}

impl<'r> TableRead<'r> {
    fn new(
        name: &'r str,
        table: &Arc<Table>,
        asked: &'r KeysAndAttributes,
        projection: Option<Projection>,
    ) -> Result<TableRead<'r>, ApiError> {
        let schema = table.schema();
        let key = |key: &StoredItem| keys::lookup(schema, keys::stored(key, ValueLayer::Current)?);
        let keys = asked.keys.iter().flatten().map(key).collect::<Result<_, _>>()?;
        keys::check_projection(schema, projection.as_ref())?;
        Ok(TableRead { name, table: table.clone(), asked, keys, projection })
    }

    /// The items to look up.
    fn lookups(&self) -> impl Iterator<Item = Lookup> {
        self.keys.iter().map(|key| Lookup { table: self.table.clone(), key: key.clone() })
    }

    /// The items as those see them who let calls fail.
    fn gate_members(&self) -> impl Iterator<Item = Member<'_>> {
        let consistency = consistency(self.asked.consistent_read);
        let attributes = self.asked.keys.iter().flatten();
        let attributes = attributes.filter_map(|key| key.0.as_ref().ok());
        let keys = self.keys.iter().zip(attributes);
        keys.map(move |(key, attributes)| Member::get(&self.table, key, attributes, consistency))
    }

    /// The same request for other keys.
    fn ask_again(&self, keys: Vec<StoredItem>) -> KeysAndAttributes {
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
    /// Adds what was found in a table, until the response is full; the rest is to be asked for
    /// again.
    fn add(
        &mut self,
        table: &TableRead<'_>,
        found: impl Iterator<Item = Option<Got>>,
        wanted: ReturnConsumed,
    ) -> Result<(), ApiError> {
        let mut items = Vec::new();
        let mut again = Vec::new();
        let mut consumed = Consumed::default();
        for (got, key) in found.zip(table.asked.keys.iter().flatten()) {
            let has_room = |got: &Got| self.size_bytes + got.size_bytes <= BATCH_BYTES_MAX;
            let Some(got) = got.filter(has_room) else {
                again.push(key.clone());
                continue;
            };
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
        let name = TableName::checked(table.name);
        self.consumed.extend(capacity::render(
            name,
            table.table.schema(),
            &consumed,
            wanted,
            Split::None,
        ));
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
