//! Versions of items: which one an item has, and how an older one is read.
//!
//! The table's `version_attr` holds the version of an item, a number. An item without it is of
//! version 1: it was written before versions were kept.

use monotable_item::{Item, Number, Type, Value};
use monotable_model::document::Attribute;

use super::{EntitySchema, Members};
use crate::condition::Term;
use crate::error::{DecodeError, DecodeFault};

/// The version of an item that does not say its own.
const FIRST: u64 = 1;

impl EntitySchema {
    /// The attribute with the version of an item, and the version that is written, where both the
    /// table and the entity have one.
    pub(crate) fn version(&self) -> Option<(&'static str, u64)> {
        self.table.definition.version_attribute.zip(self.definition.version)
    }

    /// The attribute in the model document that holds the version.
    pub(super) fn version_document(&self) -> Option<Attribute> {
        let (name, _) = self.version()?;
        let mut attribute = Attribute::new(name, Type::Number);
        attribute.required = false;
        Some(attribute)
    }

    /// The attribute with the version of an item, and its value in one of the current version.
    pub(super) fn version_value(&self) -> Option<(&'static str, Value)> {
        self.version().map(|(name, version)| (name, value_of(version)))
    }

    /// Writes the current version into an item.
    pub(super) fn stamp_version(&self, item: &mut Item) {
        if let Some((name, version)) = self.version_value() {
            item.insert(name.to_owned(), version);
        }
    }

    /// The condition that an item is of the current version.
    pub(crate) fn current_version_term(&self) -> Option<Term> {
        let (name, version) = self.version()?;
        let is_current = Term::Compare(name, "=", value_of(version));
        if version == FIRST {
            return Some(Term::Any(vec![is_current, Term::Missing(name)]));
        }
        Some(is_current)
    }

    /// The version of an item if it is an older one; nothing for the current one. A version that
    /// the entity does not read, such as a newer one, is an error.
    pub fn older_version(&self, item: &Item) -> Result<Option<u64>, DecodeError> {
        let Some((attribute, current)) = self.version() else { return Ok(None) };
        let number = match item.get(attribute) {
            Some(Value::Number(number)) => *number,
            None => Number::from(FIRST as i64),
            Some(other) => {
                let found = format!("of type {}", other.kind().code());
                return Err(self.unknown_version(item, attribute, found));
            }
        };
        let version = number.to_i64().and_then(|it| u64::try_from(it).ok());
        match version {
            Some(version) if version == current => Ok(None),
            Some(version) if self.definition.older.iter().any(|it| it.version == version) => {
                Ok(Some(version))
            }
            Some(_) | None => Err(self.unknown_version(item, attribute, number.to_string())),
        }
    }

    /// Reads an item of an older version as the struct of that version.
    pub fn take_older<T: Members>(&self, item: Item) -> Result<T, DecodeError> {
        let key = self.key_part_of(&item);
        T::from_members(item).map_err(|error| self.decode_error(&key, error.into()))
    }

    fn unknown_version(&self, item: &Item, attribute: &'static str, found: String) -> DecodeError {
        let older = self.definition.older.iter().map(|it| it.version);
        let known = older.chain(self.definition.version).collect();
        self.decode_error(item, DecodeFault::Version { attribute, found, known })
    }
}

fn value_of(version: u64) -> Value {
    crate::Attribute::to_value(&version).unwrap_or(Value::Null)
}
