//! Unique values: an item of its own holds each of them, so that two writers collide on its key.
//!
//! The item lies under the key that the constraint's template builds, and carries the key of the
//! item that has the value. It is written and removed in one transaction with that item.

use monotable_item::{Item, Value};

use crate::backend::{Names, TableName, TransactWrite, Values};
use crate::condition::Term;
use crate::error::Error;
use crate::expression::Placeholders;
use crate::schema::{EntitySchema, TableSchema, UniqueDefinition};

/// The value of the type attribute, and of the sort key, of an item that holds a unique value.
pub(crate) const UNIQUE: &str = "UNIQUE";

/// The attribute with the key of the item that has the value.
const OWNER: &str = "owner";

/// The action that takes a value; it fails if the value is taken.
pub(super) fn take(
    table: TableName,
    schema: &EntitySchema,
    unique: &UniqueDefinition,
    value: &Value,
    owner: Item,
) -> Result<TransactWrite, Error> {
    let mut placeholders = Placeholders::default();
    let condition = absent(schema, &mut placeholders);
    put(table, schema, unique, value, owner, (condition, placeholders))
}

/// The action that takes a value, or finds it taken by the same owner; it fails if another has it.
pub(super) fn confirm(
    table: TableName,
    schema: &EntitySchema,
    unique: &UniqueDefinition,
    value: &Value,
    owner: Item,
) -> Result<TransactWrite, Error> {
    let mut placeholders = Placeholders::default();
    let absent = absent(schema, &mut placeholders);
    let is_own = Term::Compare(OWNER, "=", Value::Map(owner.clone()));
    let condition = format!("{absent} OR {}", is_own.write(&mut placeholders));
    put(table, schema, unique, value, owner, (condition, placeholders))
}

fn absent(schema: &EntitySchema, placeholders: &mut Placeholders) -> String {
    Term::Missing(schema.table.definition.partition_key.name).write(placeholders)
}

fn put(
    table: TableName,
    schema: &EntitySchema,
    unique: &UniqueDefinition,
    value: &Value,
    owner: Item,
    (condition, placeholders): (String, Placeholders),
) -> Result<TransactWrite, Error> {
    let mut item = claim_key(schema, unique, value)?;
    if let Some(name) = schema.table.definition.type_attribute {
        item.insert(name.to_owned(), Value::from(UNIQUE));
    }
    item.insert(OWNER.to_owned(), Value::Map(owner));
    Ok(TransactWrite::Put {
        table,
        item,
        condition: Some(condition),
        names: placeholders.names,
        values: placeholders.values,
        item_on_failure: true,
    })
}

/// The action that gives a value free.
pub(super) fn release(
    table: TableName,
    schema: &EntitySchema,
    unique: &UniqueDefinition,
    value: &Value,
) -> Result<TransactWrite, Error> {
    Ok(TransactWrite::Delete {
        table,
        key: claim_key(schema, unique, value)?,
        condition: None,
        names: Names::new(),
        values: Values::new(),
        item_on_failure: false,
    })
}

/// The key of the item that has the value of this item, if it says so.
pub(super) fn owner(claim: &Item) -> Option<Item> {
    match claim.get(OWNER) {
        Some(Value::Map(key)) => Some(key.clone()),
        _ => None,
    }
}

/// Returns whether an item holds a unique value for another.
pub(super) fn is_claim(table: &TableSchema, item: &Item) -> bool {
    let is_named = |name: &str| item.get(name) == Some(&Value::from(UNIQUE));
    let definition = table.definition;
    let has_type = definition.type_attribute.is_none_or(is_named);
    has_type && definition.sort_key.is_none_or(|sort| is_named(sort.name)) && owner(item).is_some()
}

fn claim_key(
    schema: &EntitySchema,
    unique: &UniqueDefinition,
    value: &Value,
) -> Result<Item, Error> {
    let table = schema.table.definition;
    let built = schema.claim(unique, value)?;
    let mut key = Item::from([(table.partition_key.name.to_owned(), built)]);
    if let Some(sort) = &table.sort_key {
        key.insert(sort.name.to_owned(), Value::from(UNIQUE));
    }
    Ok(key)
}
