//! Keys of requests against the schema of their table.

use bytes::Bytes;
use monotable_database::schema::{KeyAttribute, KeySchema, TableSchema};
use monotable_database::{
    ItemKey, KeyError, KeyProblem, KeySource, Write, WriteRefusal, check_index_keys,
};
use monotable_expr::{Condition, Projection, Update};
use monotable_item::stored::ItemView;
use monotable_item::{Item, Path};
use monotable_protocol::{StoredItem, WireItem};

use crate::error::ApiError;
use crate::wording::key;
use crate::wording::value::{self, ValueLayer};

/// The attributes of an item or key, if all their values are valid.
pub(crate) fn values(item: &WireItem, layer: ValueLayer) -> Result<&Item, ApiError> {
    item.0.as_ref().map_err(|invalid| value::word_attribute(invalid, layer))
}

/// The stored form of an item or key, if all its values are valid.
pub(crate) fn stored(item: &StoredItem, layer: ValueLayer) -> Result<&Bytes, ApiError> {
    item.0.as_ref().map_err(|invalid| value::word_attribute(invalid, layer))
}

/// The key that a lookup names: it has the key attributes, all of them and no others.
pub(crate) fn lookup(schema: &TableSchema, attributes: &Bytes) -> Result<ItemKey, ApiError> {
    lookup_in_transaction(schema, attributes).map_err(KeyRefusal::into_error)
}

/// The put of an item; its index keys are checked too.
pub(crate) fn put(schema: &TableSchema, item: &Bytes) -> Result<Write, ApiError> {
    Write::put(schema, item.clone())
        .map_err(|refusal| KeyRefusal::of_write(refusal, key::of_item).into_error())
}

/// The put of an item in a batch, where a key that does not fit is answered as for a lookup.
pub(crate) fn put_in_batch(schema: &TableSchema, item: &Bytes) -> Result<Write, ApiError> {
    Write::put(schema, item.clone()).map_err(|refusal| match refusal {
        WriteRefusal::Key(KeyError {
            index: None,
            problem: KeyProblem::Missing | KeyProblem::WrongType { .. },
            ..
        }) => ApiError::validation(key::NOT_OF_SCHEMA),
        WriteRefusal::Key(error) => key::of_item(&error),
        other => ApiError::internal(&other),
    })
}

/// The update of the item with these key attributes, which must be all of them and no others.
pub(crate) fn update(
    schema: &TableSchema,
    attributes: &Bytes,
    changes: Option<Update>,
) -> Result<Write, ApiError> {
    update_in_transaction(schema, attributes, changes).map_err(KeyRefusal::into_error)
}

/// Why a write cannot use a key, by what it means for a transaction.
#[derive(Debug)]
pub(crate) enum KeyRefusal {
    /// The transaction is cancelled, and this is the reason of its action.
    Cancels(ApiError),
    /// The request is not valid at all: so it is with empty keys.
    Refuses(ApiError),
}

impl KeyRefusal {
    pub(super) fn new(error: &KeyError, worded: ApiError) -> KeyRefusal {
        match error.problem {
            KeyProblem::Empty(_) => KeyRefusal::Refuses(worded),
            _ => KeyRefusal::Cancels(worded),
        }
    }

    fn of_write(refusal: WriteRefusal, word: fn(&KeyError) -> ApiError) -> KeyRefusal {
        match refusal {
            WriteRefusal::Key(error) => KeyRefusal::new(&error, word(&error)),
            other => KeyRefusal::Refuses(ApiError::internal(&other)),
        }
    }

    /// The answer outside of transactions.
    pub(crate) fn into_error(self) -> ApiError {
        match self {
            KeyRefusal::Cancels(error) | KeyRefusal::Refuses(error) => error,
        }
    }
}

/// The key that a lookup in a transaction names.
pub(crate) fn lookup_in_transaction(
    schema: &TableSchema,
    attributes: &Bytes,
) -> Result<ItemKey, KeyRefusal> {
    let attributes = view(attributes)?;
    check_is_of_schema(schema, &attributes)?;
    ItemKey::of(schema, &attributes)
        .map_err(|error| KeyRefusal::new(&error, key::of_lookup(&error)))
}

/// The update in a transaction of the item with these key attributes.
pub(crate) fn update_in_transaction(
    schema: &TableSchema,
    attributes: &Bytes,
    changes: Option<Update>,
) -> Result<Write, KeyRefusal> {
    check_is_of_schema(schema, &view(attributes)?)?;
    Write::update(schema, attributes.clone(), changes)
        .map_err(|refusal| KeyRefusal::of_write(refusal, key::of_lookup))
}

fn check_is_of_schema(schema: &TableSchema, attributes: &ItemView<'_>) -> Result<(), KeyRefusal> {
    if is_of_schema(schema, attributes) {
        Ok(())
    } else {
        Err(KeyRefusal::Cancels(ApiError::validation(key::NOT_OF_SCHEMA)))
    }
}

/// Whether there are all key attributes, of their types, and no others.
fn is_of_schema(schema: &TableSchema, attributes: &ItemView<'_>) -> bool {
    let has_part = |part: &KeyAttribute| {
        let value = attributes.key_value(&part.name);
        value.is_some_and(|value| value.kind() == part.kind.value_type())
    };
    // Names are there once, so that as many as there are parts are the parts.
    let count = attributes.attributes().count_left();
    schema.key.attributes().count() == count && schema.key.attributes().all(has_part)
}

fn view(attributes: &Bytes) -> Result<ItemView<'_>, KeyRefusal> {
    ItemView::new(attributes).map_err(|corrupt| KeyRefusal::Refuses(corrupt.into()))
}

/// The put of an item in a transaction; its index keys are checked too.
pub(crate) fn put_in_transaction(schema: &TableSchema, item: &Bytes) -> Result<Write, KeyRefusal> {
    Write::put(schema, item.clone()).map_err(|refusal| KeyRefusal::of_write(refusal, key::of_item))
}

/// Refuses what an update cannot do in this table, whatever the item is.
pub(crate) fn check_update(schema: &TableSchema, update: &Update) -> Result<(), KeyRefusal> {
    check_not_updated(schema, update).map_err(KeyRefusal::Cancels)?;
    check_assigned(schema, update)?;
    check_not_nested(schema, update.paths()).map_err(KeyRefusal::Cancels)
}

/// Refuses a condition that looks inside a key attribute.
pub(crate) fn check_condition(
    schema: &TableSchema,
    condition: Option<&Condition>,
) -> Result<(), ApiError> {
    condition.map_or(Ok(()), |condition| check_not_nested(schema, condition.paths()))
}

/// Refuses a projection that looks inside a key attribute.
pub(crate) fn check_projection(
    schema: &TableSchema,
    projection: Option<&Projection>,
) -> Result<(), ApiError> {
    projection.map_or(Ok(()), |projection| check_not_nested(schema, projection.paths()))
}

/// Refuses values of the request that an index key attribute cannot have.
fn check_assigned(schema: &TableSchema, update: &Update) -> Result<(), KeyRefusal> {
    let assigned = update
        .assignments()
        .filter(|(path, _)| path.is_attribute() && is_index_key(schema, &path.root));
    let assigned = assigned.map(|(path, value)| (path.root.clone(), value.clone()));
    let assigned: Item = assigned.collect();
    let refuse = |error: KeyError| KeyRefusal::new(&error, key::of_assignment(&error));
    check_index_keys(schema, &assigned).map_err(refuse)
}

/// Refuses an update of a key attribute.
fn check_not_updated(schema: &TableSchema, update: &Update) -> Result<(), ApiError> {
    for attribute in schema.key.attributes() {
        if update.targets().any(|path| path.root == attribute.name) {
            return Err(ApiError::parameter(format!(
                "Cannot update attribute {}. This attribute is part of the key",
                attribute.name
            )));
        }
    }
    Ok(())
}

/// Refuses paths that look inside a key attribute, which is always a scalar.
fn check_not_nested<'p>(
    schema: &TableSchema,
    paths: impl IntoIterator<Item = &'p Path>,
) -> Result<(), ApiError> {
    for path in paths.into_iter().filter(|path| !path.is_attribute()) {
        let kind = match is_index_key(schema, &path.root) {
            _ if schema.key.contains(&path.root) => "Key",
            true => "IndexKey",
            false => continue,
        };
        return Err(ApiError::validation(format!(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
             allowed: {kind}: {}",
            path.root
        )));
    }
    Ok(())
}

fn is_index_key(schema: &TableSchema, name: &str) -> bool {
    schema.indexes.iter().any(|index| KeySchema::contains(&index.key, name))
}
