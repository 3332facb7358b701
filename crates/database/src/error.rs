//! What each kind of call can answer when it does not succeed.

use bytes::Bytes;
use monotable_expr::{EvaluationError, UpdateError};
use monotable_item::Type;
use monotable_item::stored::CorruptItem;
use monotable_storage as storage;
use thiserror::Error;

use crate::fence::FenceError;
use crate::item_guard::Objection;
use crate::vector::{SearchRole, VectorProblem};

/// A record of the database that cannot be read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("corrupt record: {0}")]
pub struct CorruptRecord(pub(crate) &'static str);

/// A table is not what it was when a request was checked against it: the request is to be checked
/// again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the table has changed")]
pub struct SchemaChanged;

/// Which part of a key an attribute is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRole {
    /// The partition key.
    Partition,
    /// The sort key.
    Sort,
}

/// What is wrong with a key attribute of an item or of a lookup key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("key attribute {name}: {problem}")]
pub struct KeyError {
    /// The attribute.
    pub name: String,
    /// The index whose key it is, or none for the table's own key.
    pub index: Option<String>,
    /// What is wrong with it.
    pub problem: KeyProblem,
}

/// What can be wrong with a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyProblem {
    /// It is not there.
    #[error("missing")]
    Missing,
    /// It has another type than the schema says.
    #[error("expected type {}, found {}", expected.code(), actual.code())]
    WrongType {
        /// The schema's type.
        expected: Type,
        /// The type found.
        actual: Type,
    },
    /// It is an empty string or binary.
    #[error("empty {}", .0.code())]
    Empty(Type),
    /// It has more bytes than a key of its role may have.
    #[error("too long for a {0:?} key")]
    TooLong(KeyRole),
    /// It is an attribute of a search schema and has another type than that says.
    #[error("expected type {}, found {}", expected.code(), actual.code())]
    WrongSearchType {
        /// The schema's type.
        expected: Type,
        /// The type found.
        actual: Type,
    },
    /// It is an attribute of a search schema and has more bytes than one of its role may have.
    #[error("too long for a search schema: {0:?}")]
    TooLongToSearch(SearchRole),
    /// It is no vector of an index.
    #[error(transparent)]
    Vector(VectorProblem),
}

/// Why a write did not happen.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The condition does not hold.
    #[error("condition not met")]
    ConditionFailed {
        /// The item as it is, in its stored form.
        existing: Option<Bytes>,
    },
    /// The update would make an item that is too large.
    #[error("item would be {size_bytes} bytes")]
    ItemTooLarge {
        /// The size it would have at least: no more is counted when it is too much.
        size_bytes: usize,
    },
    /// The update would make an item whose values lie too deep.
    #[error("item would be nested too deeply")]
    ItemTooDeep,
    /// The update cannot be applied to the item.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// The update would give an index key attribute a value that it cannot have.
    #[error(transparent)]
    IndexKey(#[from] KeyError),
    /// The item collection is full.
    #[error("item collection is full")]
    CollectionTooLarge,
    /// The guard of the database refuses the item that the write would make.
    #[error("refused: {0}")]
    Refused(Objection),
    /// The table is not what it was when this was checked; see [`SchemaChanged`].
    #[error("the table has changed")]
    SchemaChanged,
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}

impl From<EvaluationError> for WriteError {
    fn from(error: EvaluationError) -> WriteError {
        match error {
            EvaluationError::Update(error) => error.into(),
            EvaluationError::Corrupt(corrupt) => corrupt.into(),
        }
    }
}

impl From<CorruptItem> for WriteError {
    fn from(corrupt: CorruptItem) -> WriteError {
        WriteError::Storage(storage::Error::with_source(storage::ErrorKind::Corrupt, corrupt))
    }
}

/// Why a read did not happen.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no such index.
    #[error("index not found")]
    IndexNotFound,
    /// The table is not what it was when this was checked; see [`SchemaChanged`].
    #[error("the table has changed")]
    SchemaChanged,
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}

impl From<CorruptItem> for ReadError {
    fn from(corrupt: CorruptItem) -> ReadError {
        ReadError::Storage(storage::Error::with_source(storage::ErrorKind::Corrupt, corrupt))
    }
}

/// Why a transaction did not happen.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TransactError {
    /// Some of its writes failed: the reason for each write, in order, none for those that passed.
    #[error("transaction cancelled")]
    Cancelled(Vec<Option<WriteError>>),
    /// The token was used for another request in the last ten minutes.
    #[error("token was used for another request")]
    TokenMismatch,
    /// The table is not what it was when this was checked; see [`SchemaChanged`].
    #[error("the table has changed")]
    SchemaChanged,
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}

/// Why a table was not created, changed or deleted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// There is one of that name.
    #[error("table exists")]
    Exists,
    /// The table is protected from deletion.
    #[error("table is protected")]
    Protected,
    /// The table has an index that is being created or deleted.
    #[error("an index of the table is being created or deleted")]
    Busy,
    /// There is an index of that name.
    #[error("index exists")]
    IndexExists,
    /// There is no such global index.
    #[error("index not found")]
    IndexNotFound,
    /// The table is not what it was when this was checked; see [`SchemaChanged`].
    #[error("the table has changed")]
    SchemaChanged,
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}

/// Why the items of a table expire as before.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TimeToLiveError {
    /// They expire by this attribute already.
    #[error("time to live is enabled already")]
    AlreadyEnabled,
    /// They do not expire.
    #[error("time to live is disabled already")]
    AlreadyDisabled,
    /// They expire by another attribute.
    #[error("time to live is enabled on {current}")]
    OtherAttribute {
        /// That attribute.
        current: String,
    },
    /// It was changed less than an hour ago.
    #[error("time to live was changed a short time ago")]
    TooSoon,
    /// The table is not what it was when this was checked; see [`SchemaChanged`].
    #[error("the table has changed")]
    SchemaChanged,
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}

/// Why the tables stay as they are, or are not kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RewindError {
    /// A table would be deleted that is protected from it.
    #[error("table {table} is protected from deletion")]
    Protected {
        /// That table.
        table: String,
    },
    /// Nothing is kept under that name.
    #[error("no tables are saved under that name")]
    NotSaved,
    /// The items are too many to be kept.
    #[error("all that is saved would take more than {bytes_max} bytes")]
    TooLarge {
        /// How much there may be.
        bytes_max: usize,
    },
    /// There are too many names already.
    #[error("tables are saved under {count_max} names already")]
    TooMany {
        /// How many there may be.
        count_max: usize,
    },
    /// Other processes use the store, and would know nothing of what is kept here.
    #[error("the store is shared by several servers")]
    Shared,
    /// Somebody else changes the tables, or another server has the upkeep of the store.
    #[error("the tables are being changed by somebody else")]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}

impl From<TableError> for RewindError {
    fn from(error: TableError) -> RewindError {
        match error {
            TableError::Storage(error) => RewindError::Storage(error),
            TableError::Exists
            | TableError::Protected
            | TableError::Busy
            | TableError::IndexExists
            | TableError::IndexNotFound
            | TableError::SchemaChanged => RewindError::Busy,
        }
    }
}

/// Why a database did not open.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A record cannot be read.
    #[error(transparent)]
    Corrupt(#[from] CorruptRecord),
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}

impl From<CorruptRecord> for storage::Error {
    fn from(corrupt: CorruptRecord) -> storage::Error {
        storage::Error::with_source(storage::ErrorKind::Corrupt, corrupt)
    }
}

impl From<CorruptRecord> for TransactError {
    fn from(corrupt: CorruptRecord) -> TransactError {
        TransactError::Storage(corrupt.into())
    }
}

impl From<CorruptRecord> for WriteError {
    fn from(corrupt: CorruptRecord) -> WriteError {
        WriteError::Storage(corrupt.into())
    }
}

impl From<FenceError> for WriteError {
    fn from(error: FenceError) -> WriteError {
        match error {
            FenceError::Changed => WriteError::SchemaChanged,
            FenceError::Corrupt(corrupt) => corrupt.into(),
        }
    }
}

impl From<FenceError> for TransactError {
    fn from(error: FenceError) -> TransactError {
        match error {
            FenceError::Changed => TransactError::SchemaChanged,
            FenceError::Corrupt(corrupt) => corrupt.into(),
        }
    }
}

impl From<SchemaChanged> for TableError {
    fn from(_: SchemaChanged) -> TableError {
        TableError::SchemaChanged
    }
}

impl From<SchemaChanged> for TimeToLiveError {
    fn from(_: SchemaChanged) -> TimeToLiveError {
        TimeToLiveError::SchemaChanged
    }
}
