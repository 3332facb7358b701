//! Unique values: an item of its own holds each of them, so that two writers collide on its key.
//!
//! The item lies under the key that the constraint's template builds, and carries the key of the
//! item that has the value. It is written and removed in one transaction with that item.
//!
//! What is removed by others, such as an item that expires, leaves the item of its value behind. So
//! a value that is taken is asked for once more where its owner does not have it: see `takeover`.

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

/// A unique value that an action of a transaction takes or gives free.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    schema: &'static EntitySchema,
    constraint: &'static UniqueDefinition,
}

impl Claim {
    pub(super) fn new(
        schema: &'static EntitySchema,
        constraint: &'static UniqueDefinition,
    ) -> Claim {
        Claim { schema, constraint }
    }

    pub(super) fn attribute(&self) -> &'static str {
        self.constraint.attribute
    }

    /// The condition that an item stays without the value that is noted at a place; nothing if it
    /// has the value, or is not known to lack it.
    pub(super) fn lacked_by(&self, item: &Item, place: &Item) -> Option<Term> {
        let Claim { schema, constraint } = *self;
        if !schema.recognizes(item) || !matches!(schema.older_version(item), Ok(None)) {
            return None;
        }
        let field =
            schema.definition.attributes.iter().find(|it| it.name == constraint.attribute)?;
        match item.get(field.stored_name) {
            None => field.stored.then_some(Term::Missing(field.stored_name)),
            Some(value) => {
                let is_other = claim_key(schema, constraint, value).ok()? != *place;
                is_other.then(|| Term::Compare(field.stored_name, "=", value.clone()))
            }
        }
    }
}

/// The action that takes a value; it fails if the value is taken.
pub(super) fn take(
    table: TableName,
    schema: &EntitySchema,
    unique: &UniqueDefinition,
    value: &Value,
    owner: Item,
) -> Result<TransactWrite, Error> {
    put(table, schema, unique, value, owner, free_or_of(schema, None))
}

/// The action that takes a value, or finds it taken by the same owner; it fails if another has it.
pub(super) fn confirm(
    table: TableName,
    schema: &EntitySchema,
    unique: &UniqueDefinition,
    value: &Value,
    owner: Item,
) -> Result<TransactWrite, Error> {
    let condition = free_or_of(schema, Some(owner.clone()));
    put(table, schema, unique, value, owner, condition)
}

/// Lets an action take a value of this owner.
pub(super) fn take_over(action: &mut TransactWrite, claim: &Claim, by: Item) -> Option<()> {
    let TransactWrite::Put { condition, names, values, .. } = action else { return None };
    let (text, placeholders) = free_or_of(claim.schema, Some(by));
    (*condition, *names, *values) = (Some(text), placeholders.names, placeholders.values);
    Some(())
}

/// The condition that nobody has a value, or that this owner has it.
fn free_or_of(schema: &EntitySchema, owner: Option<Item>) -> (String, Placeholders) {
    let mut placeholders = Placeholders::default();
    let mut terms = vec![Term::Missing(schema.table.definition.partition_key.name)];
    terms.extend(owner.map(|owner| Term::Compare(OWNER, "=", Value::Map(owner))));
    (Term::Any(terms).write(&mut placeholders), placeholders)
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
