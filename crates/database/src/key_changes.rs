//! The index key attributes that an update changes.
//!
//! They are looked at before the item is made, where they will come from: a request's value, or the
//! item as it is.

use monotable_item::Type;
use monotable_item::stored::{AttributeEdit, Edit, Edits, NewValue};

use crate::error::KeyError;
use crate::key::check_index_keys;
use crate::key_value::{KeySource, KeyValue, of_stored, of_value};
use crate::schema::TableSchema;

/// Checks the index key attributes that an update changes.
///
/// An item that was there before an index may have values that the index cannot hold. It is not in
/// that index, but can still be changed elsewhere.
pub(crate) fn check_changed_index_keys(
    schema: &TableSchema,
    edits: &Edits<'_>,
) -> Result<(), KeyError> {
    check_index_keys(schema, &Changed(edits))
}

/// Checks all index key attributes of an item that comes into being.
pub(crate) fn check_new_index_keys(
    schema: &TableSchema,
    edits: &Edits<'_>,
) -> Result<(), KeyError> {
    check_index_keys(schema, &New(edits))
}

/// The attributes that have another value after an update.
struct Changed<'e, 'a>(&'e Edits<'a>);

impl KeySource for Changed<'_, '_> {
    fn key_value(&self, name: &str) -> Option<KeyValue<'_>> {
        changed_value(self.0, name)
    }
}

/// The attributes of an item that an update brings into being.
struct New<'e, 'a>(&'e Edits<'a>);

impl KeySource for New<'_, '_> {
    fn key_value(&self, name: &str) -> Option<KeyValue<'_>> {
        match self.0.attribute(name) {
            AttributeEdit::Kept => of_stored(self.0.item().get(name).ok()??),
            AttributeEdit::Replaced(_) | AttributeEdit::ChangedInside => {
                changed_value(self.0, name)
            }
        }
    }
}

/// The value that an attribute has after an update, if it is another one.
fn changed_value<'e>(edits: &'e Edits<'_>, name: &str) -> Option<KeyValue<'e>> {
    match edits.attribute(name) {
        AttributeEdit::Kept => None,
        AttributeEdit::Replaced(edit) if is_same(edit) => None,
        AttributeEdit::Replaced(edit) => edit.value.as_ref().and_then(of_new),
        AttributeEdit::ChangedInside => {
            let value = edits.item().get(name).ok()??;
            Some(KeyValue::Other(value.kind()))
        }
    }
}

/// Returns whether an attribute keeps its value.
fn is_same(edit: &Edit<'_>) -> bool {
    edit.place.value().zip(edit.value.as_ref()).is_some_and(|(old, new)| new.is_as(old))
}

fn of_new<'v>(value: &'v NewValue<'_>) -> Option<KeyValue<'v>> {
    match value {
        NewValue::Value(value) => Some(of_value(value)),
        NewValue::Stored(value) => of_stored(value.view()),
        NewValue::Joined(_) => Some(KeyValue::Other(Type::List)),
    }
}
