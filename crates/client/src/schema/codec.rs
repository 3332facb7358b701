//! Reading and writing the fields of entities and of maps.

use std::mem;

use monotable_item::{Item, Type, Value};

use super::EntitySchema;
use crate::attribute::{Attribute, ValueError};
use crate::error::{DecodeError, DecodeFault, Error};

/// Puts a field among the attributes of an entity.
pub fn put_attribute<T: Attribute>(
    attributes: &mut Item,
    entity: &'static str,
    attribute: &'static str,
    field: &T,
) -> Result<(), Error> {
    match field.to_value() {
        _ if !field.is_storable() => return Err(Error::Unstorable { entity, attribute }),
        Some(value) => drop(attributes.insert(attribute.to_owned(), value)),
        None if T::REQUIRED => return Err(Error::Unstorable { entity, attribute }),
        None => {}
    }
    Ok(())
}

/// Puts a field into a map; nothing comes back for a required field without a stored form.
pub fn put_member<T: Attribute>(map: &mut Item, name: &str, field: &T) -> Option<()> {
    match field.to_value() {
        Some(value) => drop(map.insert(name.to_owned(), value)),
        None if T::REQUIRED => return None,
        None => {}
    }
    Some(())
}

/// The members of a map.
pub fn map_of(value: Value) -> Result<Item, ValueError> {
    match value {
        Value::Map(map) => Ok(map),
        other => Err(ValueError::wrong_type(Type::Map, &other)),
    }
}

/// A struct that is read from the members of a map, or from an item of an older version.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the attributes of an item",
    label = "not a struct of attributes",
    note = "derive `Attribute` for it"
)]
pub trait Members: Sized {
    /// The names of the members.
    const NAMES: &'static [&'static str];

    /// Reads the members; others are left alone.
    fn from_members(members: Item) -> Result<Self, MemberError>;
}

/// A member that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberError {
    /// Its name.
    pub member: &'static str,
    /// What is wrong with its value; nothing if it is missing.
    pub reason: Option<ValueError>,
}

/// Takes a field out of a map.
pub fn read_member<T: Attribute>(
    members: &mut Item,
    member: &'static str,
) -> Result<T, MemberError> {
    match members.remove(member) {
        Some(value) => {
            T::from_value(value).map_err(|reason| MemberError { member, reason: Some(reason) })
        }
        None => T::from_missing().ok_or(MemberError { member, reason: None }),
    }
}

impl From<MemberError> for ValueError {
    fn from(error: MemberError) -> ValueError {
        let MemberError { member, reason } = error;
        match reason {
            Some(ValueError { expected, found }) => {
                ValueError { expected: format!("{expected} as {member}"), found }
            }
            None => ValueError::unexpected(format!("a member {member}"), "none"),
        }
    }
}

impl From<MemberError> for DecodeFault {
    fn from(error: MemberError) -> DecodeFault {
        let MemberError { member: attribute, reason } = error;
        match reason {
            Some(reason) => DecodeFault::Value { attribute, reason },
            None => DecodeFault::Missing { attribute },
        }
    }
}

impl EntitySchema {
    /// Refuses an item of another entity, of which these attributes were asked for, and puts back
    /// what only its keys hold.
    pub fn receive_part(&self, item: &mut Item, names: &[&str]) -> Result<(), DecodeError> {
        self.check_type(item)?;
        if names.iter().any(|name| !item.contains_key(*name)) {
            self.restore(item);
        }
        Ok(())
    }

    /// Takes a field out of an item.
    pub fn take_attribute<T: Attribute>(
        &self,
        item: &mut Item,
        attribute: &'static str,
        stored_name: &str,
    ) -> Result<T, DecodeError> {
        // A field that is itself the key stays for the messages about others.
        let is_key = self.table.key_names().any(|name| name == stored_name);
        // Others leave a null behind: what removes an entry moves all that follow it.
        let value = if is_key {
            item.get(stored_name).cloned()
        } else {
            item.get_mut(stored_name).map(|value| mem::replace(value, Value::Null))
        };
        let Some(value) = value else {
            let missing = || self.decode_error(item, DecodeFault::Missing { attribute });
            return T::from_missing().ok_or_else(missing);
        };
        T::from_value(value)
            .map_err(|reason| self.decode_error(item, DecodeFault::Value { attribute, reason }))
    }
}
