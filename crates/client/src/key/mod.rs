//! Keys and beginnings of keys.
//!
//! The derive makes one type for each number of known sort key parts, over [`Prefix`]. A complete
//! key of the table is a [`Key`], and only that can be read, changed or deleted by.

mod part;
mod selection;
mod span;

use std::marker::PhantomData;

use monotable_item::{Item, Value};

pub use part::{Binary, Digits, Flag, KeyPart, Raw, Text, Time};
pub(crate) use selection::Partition;
pub use selection::{Prefix, Selection};

use crate::entity::{ConsistentPattern, Entity};
use crate::error::{DecodeError, Error};

/// The complete key of an item of an entity.
#[derive(Debug)]
pub struct Key<E> {
    /// The attributes that are its parts, by their names in the model.
    parts: Item,
    of: PhantomData<fn() -> E>,
}

impl<E: Entity> Key<E> {
    /// Creates a key of these parts. The derive's constructors call it with all of them.
    pub fn from_parts(parts: Item) -> Key<E> {
        Key { parts, of: PhantomData }
    }

    /// Returns the key of an entity.
    pub fn of(entity: &E) -> Result<Key<E>, Error> {
        let mut parts = entity.to_attributes()?;
        parts.retain(|name, _| E::schema().is_in_key(name));
        Ok(Key::from_parts(parts))
    }

    /// Reads the key of an item that is stored, such as one of a stream record.
    pub fn read(stored: &Item) -> Result<Key<E>, DecodeError> {
        E::schema().key_parts(stored).map(Key::from_parts)
    }

    /// Returns the key as the table stores it.
    pub fn to_item(&self) -> Result<Item, Error> {
        E::schema().key(&self.parts)
    }

    /// Returns a selection of this item alone, for a query.
    pub fn selection<P: ConsistentPattern<Subject = E>>(self) -> Selection<P> {
        Selection::of_parts(self.parts)
    }

    pub(crate) fn parts(&self) -> &Item {
        &self.parts
    }
}

impl<E> Clone for Key<E> {
    fn clone(&self) -> Key<E> {
        Key { parts: self.parts.clone(), of: PhantomData }
    }
}

impl<E> PartialEq for Key<E> {
    fn eq(&self, other: &Key<E>) -> bool {
        self.parts == other.parts
    }
}

/// Adds a part to those that are known. A value without a stored form is left out, which building
/// the key reports as missing.
pub fn add_part(parts: &mut Item, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        parts.insert(name.to_owned(), value);
    }
}
