//! What can go wrong.

use std::fmt;

use monotable_item::{Item, Value};
use monotable_model::template::{BoundError, BuildError};

use crate::attribute::ValueError;
use crate::backend::{BackendError, WriteOne};

/// Why an operation of the client failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A key cannot be built: a part is empty, too long, or not of its form.
    #[error("{entity}: the key {attribute} cannot be built: {reason}")]
    Key {
        /// The entity.
        entity: &'static str,
        /// The attribute of the key.
        attribute: String,
        /// What is wrong.
        reason: BuildError,
    },
    /// A key is longer than DynamoDB takes.
    #[error("{entity}: the key {attribute} is {bytes} bytes long, over {bytes_max}")]
    KeyTooLong {
        /// The entity.
        entity: &'static str,
        /// The attribute of the key.
        attribute: String,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        bytes_max: usize,
    },
    /// A value is longer than the entity declares with `max_len`.
    #[error("{entity}: {attribute} is {bytes} bytes long, over {bytes_max}")]
    TooLong {
        /// The entity.
        entity: &'static str,
        /// The attribute.
        attribute: &'static str,
        /// How long the value is.
        bytes: u64,
        /// How long it may be.
        bytes_max: u64,
    },
    /// An attribute of the entity has the name of a key and another value than its template builds.
    #[error("{entity}: {attribute} is not what its template builds")]
    Conflict {
        /// The entity.
        entity: &'static str,
        /// The attribute of the key.
        attribute: String,
    },
    /// The definitions of table and entity do not fit together.
    #[error("{entity}: {reason}")]
    Model {
        /// The entity.
        entity: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A range of a sort key has no key condition.
    #[error("{entity}: the range of the sort key cannot be asked for: {reason}")]
    Range {
        /// The entity or collection.
        entity: &'static str,
        /// What is wrong.
        reason: BoundError,
    },
    /// A value has no stored form, such as a NaN.
    #[error("{entity}: {attribute} has no stored form")]
    Unstorable {
        /// The entity.
        entity: &'static str,
        /// The attribute.
        attribute: &'static str,
    },
    /// A patch changes nothing.
    #[error("{entity}: the patch changes nothing")]
    EmptyPatch {
        /// The entity.
        entity: &'static str,
    },
    /// A patch changes a field twice, and not both can happen in one update.
    #[error("{entity}: {attribute} cannot be changed in both ways by one patch")]
    ClashingChanges {
        /// The entity.
        entity: &'static str,
        /// The attribute.
        attribute: &'static str,
    },
    /// An item is not what its entity says.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A condition was not met.
    #[error("{entity}: the condition does not hold")]
    NotMet {
        /// The entity.
        entity: &'static str,
    },
    /// A value that must be unique is taken.
    #[error("{entity}: another item has this {attribute}")]
    Taken {
        /// The entity.
        entity: &'static str,
        /// The attribute.
        attribute: &'static str,
    },
    /// A cursor is not one of this query.
    #[error(transparent)]
    Cursor(#[from] CursorError),
    /// A requested segment is out of range.
    #[error("there is no segment {number} of {of}: there are up to 1000000, counted from 0")]
    Segment {
        /// The segment.
        number: u32,
        /// How many there are.
        of: u32,
    },
    /// A batch could not be finished: this many members are left.
    #[error("{left} members of the batch were not processed")]
    Unprocessed {
        /// How many.
        left: usize,
    },
    /// A batch of writes failed when some of them were done.
    #[error("{} writes of the batch were not processed: {error}", remainder.len())]
    Interrupted {
        /// The writes that were not processed, or of which it is not known.
        remainder: Vec<WriteOne>,
        /// Why.
        error: BackendError,
    },
    /// A transaction would be refused, so it was not sent.
    #[error("the transaction cannot be sent: {0}")]
    Transaction(&'static str),
    /// The table does not become usable.
    #[error("table {table} is not usable")]
    TableUnusable {
        /// The table.
        table: String,
    },
    /// The database refused or failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// An item is not what its entity says.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{entity} {key}: {fault}", key = KeyText(key))]
pub struct DecodeError {
    /// The entity that was expected.
    pub entity: &'static str,
    /// The item's key in the table.
    pub key: Box<Item>,
    /// What is wrong.
    pub fault: DecodeFault,
}

/// What is wrong with an item.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeFault {
    /// The item is of another entity.
    #[error("the item {}", type_of(found.as_deref()))]
    Foreign {
        /// The value of its type attribute.
        found: Option<String>,
    },
    /// An attribute is missing.
    #[error("{attribute} is missing")]
    Missing {
        /// The attribute.
        attribute: &'static str,
    },
    /// The item has a version that the entity does not read.
    #[error("{attribute}: version {found} cannot be read, only {}", list(known))]
    Version {
        /// The attribute with the version.
        attribute: &'static str,
        /// What it holds.
        found: String,
        /// The versions that the entity reads, the current one last.
        known: Vec<u64>,
    },
    /// An attribute is not what its field holds.
    #[error("{attribute}: {reason}")]
    Value {
        /// The attribute.
        attribute: &'static str,
        /// What is wrong.
        reason: ValueError,
    },
}

/// Why a cursor is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CursorError {
    /// The text was changed, or sealed with another secret.
    #[error("the cursor is not authentic")]
    NotAuthentic,
    /// The cursor was made for another access pattern, or for another version of the model.
    #[error("the cursor belongs to another access pattern or to an older model")]
    OtherPattern,
    /// The cursor was made for another partition.
    #[error("the cursor belongs to another partition")]
    OtherPartition,
    /// The cursor was made by a query in the other direction. Over several shards it goes on as it
    /// began.
    #[error("a cursor over several shards goes on in the direction of its query")]
    OtherDirection,
    /// A cursor over several shards leads on, not back.
    #[error("a cursor over several shards leads on, not back")]
    OneWay,
}

/// Why a write of an entity did not happen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WriteError<E> {
    /// The condition did not hold.
    NotMet {
        /// The item as it is; nothing if there is none.
        current: Option<E>,
    },
    /// A value that must be unique is taken.
    Taken {
        /// The attribute.
        attribute: &'static str,
        /// The key of the item that has it, as far as it is known.
        by: Option<Item>,
    },
    /// Anything else.
    Failed(Error),
}

impl<E: crate::Entity> fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::NotMet { .. } => {
                write!(f, "{}: the condition does not hold", E::DEFINITION.name)
            }
            WriteError::Taken { attribute, .. } => {
                write!(f, "{}: another item has this {attribute}", E::DEFINITION.name)
            }
            WriteError::Failed(error) => error.fmt(f),
        }
    }
}

impl<E: crate::Entity + fmt::Debug> std::error::Error for WriteError<E> {}

impl<E> From<Error> for WriteError<E> {
    fn from(error: Error) -> WriteError<E> {
        WriteError::Failed(error)
    }
}

impl<E> From<BackendError> for WriteError<E> {
    fn from(error: BackendError) -> WriteError<E> {
        WriteError::Failed(Error::Backend(error))
    }
}

impl<E> From<DecodeError> for WriteError<E> {
    fn from(error: DecodeError) -> WriteError<E> {
        WriteError::Failed(Error::Decode(error))
    }
}

impl<E: crate::Entity> From<WriteError<E>> for Error {
    fn from(error: WriteError<E>) -> Error {
        let entity = E::DEFINITION.name;
        match error {
            WriteError::NotMet { .. } => Error::NotMet { entity },
            WriteError::Taken { attribute, .. } => Error::Taken { entity, attribute },
            WriteError::Failed(error) => error,
        }
    }
}

fn type_of(found: Option<&str>) -> String {
    match found {
        Some(found) => format!("is of type {found:?}"),
        None => "has no type".to_owned(),
    }
}

fn list(versions: &[u64]) -> String {
    versions.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// A key as it stands in messages.
struct KeyText<'a>(&'a Item);

impl fmt::Display for KeyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, value) in self.0 {
            match value {
                Value::String(text) => write!(f, "{separator}{name}={text}")?,
                Value::Number(number) => write!(f, "{separator}{name}={number}")?,
                other => write!(f, "{separator}{name}={other:?}")?,
            }
            separator = " ";
        }
        Ok(())
    }
}
