//! Keys of requests against the schema of their table.

use monotable_database::schema::{KeySchema, TableSchema};
use monotable_database::{ItemKey, KeyError, KeyProblem, check_index_keys, has_only_keys};
use monotable_expr::Update;
use monotable_item::{Item, Path};
use monotable_protocol::WireItem;

use crate::error::ApiError;
use crate::wording::key;
use crate::wording::value::{self, ValueLayer};

/// The attributes of an item or key, if all their values are valid.
pub(crate) fn values(item: &WireItem, layer: ValueLayer) -> Result<&Item, ApiError> {
    item.0.as_ref().map_err(|invalid| value::word(&invalid.error, layer))
}

/// The key that a lookup names: it has the key attributes, all of them and no others.
pub(crate) fn lookup(schema: &TableSchema, attributes: &Item) -> Result<ItemKey, ApiError> {
    if !has_only_keys(attributes, &schema.key, None) {
        return Err(ApiError::validation(key::NOT_OF_SCHEMA));
    }
    ItemKey::of(schema, attributes).map_err(|error| key::of_lookup(&error))
}

/// The key of an item that is put; its index keys are checked too.
pub(crate) fn of_item(schema: &TableSchema, item: &Item) -> Result<ItemKey, ApiError> {
    let found = ItemKey::of(schema, item).map_err(|error| key::of_item(&error))?;
    check_index_keys(schema, item).map_err(|error| key::of_item(&error))?;
    Ok(found)
}

/// The key of an item that a batch puts, where a key that does not fit is answered as for a lookup.
pub(crate) fn of_batch_item(schema: &TableSchema, item: &Item) -> Result<ItemKey, ApiError> {
    let found = ItemKey::of(schema, item).map_err(|error| match error.problem {
        KeyProblem::Missing | KeyProblem::WrongType { .. } => {
            ApiError::validation(key::NOT_OF_SCHEMA)
        }
        _ => key::of_item(&error),
    })?;
    check_index_keys(schema, item).map_err(|error| key::of_item(&error))?;
    Ok(found)
}

/// Why a transaction cannot use a key.
pub(crate) enum KeyRefusal {
    /// The transaction is cancelled, and this is the reason of its action.
    Cancels(ApiError),
    /// The request is not valid at all: so it is with empty keys.
    Refuses(ApiError),
}

impl KeyRefusal {
    fn new(error: &KeyError, worded: ApiError) -> KeyRefusal {
        match error.problem {
            KeyProblem::Empty(_) => KeyRefusal::Refuses(worded),
            _ => KeyRefusal::Cancels(worded),
        }
    }
}

/// The key that a lookup in a transaction names.
pub(crate) fn lookup_in_transaction(
    schema: &TableSchema,
    attributes: &Item,
) -> Result<ItemKey, KeyRefusal> {
    if !has_only_keys(attributes, &schema.key, None) {
        return Err(KeyRefusal::Cancels(ApiError::validation(key::NOT_OF_SCHEMA)));
    }
    ItemKey::of(schema, attributes).map_err(|error| KeyRefusal::new(&error, key::of_lookup(&error)))
}

/// The key of an item that a transaction puts; its index keys are checked too.
pub(crate) fn of_item_in_transaction(
    schema: &TableSchema,
    item: &Item,
) -> Result<ItemKey, KeyRefusal> {
    let refuse = |error: KeyError| KeyRefusal::new(&error, key::of_item(&error));
    let found = ItemKey::of(schema, item).map_err(refuse)?;
    check_index_keys(schema, item).map_err(refuse)?;
    Ok(found)
}

/// Refuses an update of a key attribute.
pub(crate) fn check_not_updated(schema: &TableSchema, update: &Update) -> Result<(), ApiError> {
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
pub(crate) fn check_not_nested<'p>(
    schema: &TableSchema,
    paths: impl Iterator<Item = &'p Path>,
) -> Result<(), ApiError> {
    for path in paths.filter(|path| !path.is_attribute()) {
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
