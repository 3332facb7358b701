//! `TransactGetItems`.

use std::sync::Arc;

use bytes::Bytes;
use monotable_database::capacity::{Consistency, Consumed};
use monotable_database::{Got, Lookup, Table};
use monotable_expr::Projection;
use monotable_item::limits::TRANSACT_BYTES_MAX;
use monotable_protocol::StoredItem;
use monotable_protocol::transact_get_items::{
    Get, ItemResponse, TransactGetItem, TransactGetItemsRequest, TransactGetItemsResponse,
};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Pass, Spent};
use crate::observation;
use crate::operations::get_item::projected;
use crate::render::capacity::Split;
use crate::render::many::sum_by_table;
use crate::session::Session;
use crate::validate::constraint::{Violations, missing};
use crate::validate::enums::{RETURN_CONSUMED, ReturnConsumed, refuse};
use crate::validate::keys::{self, KeyRefusal};
use crate::validate::read_projection::ProjectionParameters;
use crate::validate::table_name::{self, TableName};
use crate::validate::transact_items;
use crate::wording::value::ValueLayer;

/// Runs `TransactGetItems`: reads up to a hundred items as they are at one moment.
pub(crate) async fn transact_get_items<E: Engine>(
    api: &Session<'_, E>,
    request: TransactGetItemsRequest,
) -> Result<TransactGetItemsResponse, ApiError> {
    let (required, wanted) = check_members(&request)?;
    let gets: Vec<CheckedGet<'_>> = required.iter().map(check_get).collect::<Result<_, _>>()?;
    let mut tables = Vec::with_capacity(gets.len());
    for get in &gets {
        let wish = || {
            let wish = Wish::on_item("GetItem", get.key).returning(get.projection.as_ref());
            wish.within("TransactGetItems").consuming(&request.return_consumed_capacity)
        };
        tables.push(api.table(get.table_name, wish).await?);
    }
    let lookups = tables.iter().zip(&gets).map(|(table, get)| get.find(table));
    let lookups = transact_items::all_or_cancel(lookups, |lookup| &lookup.key)?;
    let entry = || Entry::transaction("TransactGetItems", gate_members(&lookups, &gets), None);
    let pass = gate::enter(api, entry).await?;
    let found = api.database.get_many(&lookups).await?;
    observation::note_items(held(&found));
    leave(pass, &found)?;
    if found.iter().map(|got| got.size_bytes).sum::<usize>() > TRANSACT_BYTES_MAX {
        return Err(transact_items::too_large());
    }
    let schemas = tables.iter().map(|table| table.schema().clone());
    let tables = gets.iter().map(|get| get.table_name).zip(schemas);
    let consumed = tables.zip(&found).map(|(table, got)| (table, consumed(got)));
    let consumed_capacity = sum_by_table(consumed, wanted, Split::Reads);
    let mut responses = Vec::with_capacity(gets.len());
    for (got, get) in found.into_iter().zip(&gets) {
        responses.push(response(got.item, get.projection.as_ref())?);
    }
    Ok(TransactGetItemsResponse { consumed_capacity, responses: Some(responses) })
}

fn gate_members<'r>(lookups: &'r [Lookup], gets: &[CheckedGet<'r>]) -> Vec<Member<'r>> {
    let member = |(lookup, get): (&'r Lookup, &CheckedGet<'r>)| {
        Member::get(&lookup.table, &lookup.key, get.key, Consistency::Strong)
    };
    lookups.iter().zip(gets).map(member).collect()
}

/// How many of the items are there.
pub(crate) fn held(found: &[Got]) -> usize {
    found.iter().filter(|got| got.item.is_some()).count()
}

/// Counts what was read.
pub(crate) fn leave(pass: Pass<'_>, found: &[Got]) -> Result<(), ApiError> {
    if pass.is_free() {
        return Ok(());
    }
    let consumed: Vec<Consumed> = found.iter().map(consumed).collect();
    pass.leave(|| consumed.iter().enumerate().map(|(at, spent)| Spent::read(at, spent)).collect())
}

/// What a read in a transaction costs: twice as much as another.
pub(crate) fn consumed(got: &Got) -> Consumed {
    Consumed::on_table(got.units(Consistency::Strong).doubled())
}

/// A `Get` with the members that it must have.
struct RequiredGet<'r> {
    get: &'r Get,
    table_name: TableName<'r>,
    key: &'r StoredItem,
}

/// A `Get` without what needs the table.
struct CheckedGet<'r> {
    table_name: TableName<'r>,
    key: &'r Bytes,
    projection: Option<Projection>,
}

fn check_members(
    request: &TransactGetItemsRequest,
) -> Result<(Vec<RequiredGet<'_>>, ReturnConsumed), ApiError> {
    let items = transact_items::required(&request.transact_items)?;
    let mut violations = Violations::default();
    let wanted = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    violations.extend(wanted.as_ref().err().cloned());
    let gets = items.iter().zip(1..);
    let gets = gets.filter_map(|(item, number)| required(item, number, &mut violations)).collect();
    violations.finish()?;
    Ok((gets, wanted.map_err(refuse)?))
}

/// The `Get` of an element, or a note of what is wrong with its members.
fn required<'r>(
    item: &'r TransactGetItem,
    number: usize,
    violations: &mut Violations,
) -> Option<RequiredGet<'r>> {
    let path = format_args!("transactItems.{number}.member.get");
    let Some(get) = &item.get else {
        violations.push(missing(path));
        return None;
    };
    violations.require(&get.key, format_args!("{path}.key"));
    let table_name =
        table_name::required_at(&get.table_name, format_args!("{path}.tableName"), violations)?;
    Some(RequiredGet { get, table_name, key: get.key.as_ref()? })
}

fn check_get<'r>(required: &RequiredGet<'r>) -> Result<CheckedGet<'r>, ApiError> {
    let parameters = ProjectionParameters {
        attributes_to_get: &None,
        projection_expression: &required.get.projection_expression,
        names: &required.get.expression_attribute_names,
    };
    parameters.check_combination()?;
    let projection = parameters.read()?;
    let key = keys::stored(required.key, ValueLayer::Current)?;
    Ok(CheckedGet { table_name: required.table_name, key, projection })
}

impl CheckedGet<'_> {
    /// The item to look up. A key that does not fit the schema cancels the transaction.
    fn find(&self, table: &Arc<Table>) -> Result<Lookup, KeyRefusal> {
        let (table, schema) = (table.clone(), table.schema());
        let key = keys::lookup_in_transaction(schema, self.key)?;
        keys::check_projection(schema, self.projection.as_ref()).map_err(KeyRefusal::Cancels)?;
        Ok(Lookup { table, key })
    }
}

/// The answer to one read; a projection that finds nothing is answered like a missing item.
fn response(
    item: Option<Bytes>,
    projection: Option<&Projection>,
) -> Result<ItemResponse, ApiError> {
    let Some(item) = item else { return Ok(ItemResponse::default()) };
    let item = projected(item, projection)?;
    Ok(ItemResponse { item: Some(item).filter(|item| !transact_items::is_empty(item)) })
}
