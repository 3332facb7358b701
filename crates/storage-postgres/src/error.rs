//! What can go wrong, in the words of the contract.

use monotable_storage::{Error, ErrorKind, Result};
use tokio_postgres::error::{DbError, Severity, SqlState};

/// Why a store cannot be opened or made.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is not one.
    #[error("not an address of a PostgreSQL database: {}", cause(.0))]
    Address(#[source] tokio_postgres::Error),
    /// Not a plain name.
    #[error(
        "\"{0}\" cannot be the name of a schema: 1 to 63 lower-case letters, digits and underscores"
    )]
    SchemaName(String),
    /// No connection.
    #[error("cannot connect to the database: {}", cause(.0))]
    Connect(#[source] tokio_postgres::Error),
    /// No answer in time.
    #[error("cannot connect to the database: it does not answer")]
    Silent,
    /// The database refused a step.
    #[error("the database refuses: {}", cause(.0))]
    Refused(#[source] tokio_postgres::Error),
    /// Older than what is tested.
    #[error("the database is PostgreSQL {found}; version 15 or later is needed")]
    Version {
        /// The major version that it has.
        found: i32,
    },
    /// Not what is needed.
    #[error("the database is {name}, which cannot hold a store: {reason}")]
    Unable {
        /// What it is.
        name: &'static str,
        /// What it lacks.
        reason: &'static str,
    },
    /// A standby.
    #[error(
        "the database takes no writes: it is a standby or read-only; name the primary, or all hosts"
    )]
    ReadOnly,
    /// Nothing there.
    #[error("the database holds no store in the schema \"{0}\": make one first")]
    Missing(String),
    /// Made by a later or earlier version.
    #[error("the store has format {found}, and this version reads format {known}")]
    Format {
        /// The format of the store.
        found: i32,
        /// The format of this version.
        known: i32,
    },
}

/// What went wrong, with the words of the database or of the system, which `Display` leaves out.
fn cause(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

/// What a failed call means, if it is known that nothing was written.
pub(crate) fn failed(error: tokio_postgres::Error) -> Error {
    Error::with_source(kind_of(&error), error)
}

/// What a failed read of a snapshot means: once its connection is gone, so is the snapshot.
pub(crate) fn failed_in_snapshot(error: tokio_postgres::Error) -> Error {
    let kind = if is_lost(&error) { ErrorKind::Expired } else { kind_of(&error) };
    Error::with_source(kind, error)
}

/// What a failure before the first write means: on another connection it may go well.
pub(crate) fn failed_before_writing(error: tokio_postgres::Error) -> Error {
    let kind = if is_lost(&error) { ErrorKind::Conflict } else { kind_of(&error) };
    Error::with_source(kind, error)
}

/// Tries of a read, which does no harm twice.
pub(crate) struct Tries {
    left: usize,
}

impl Tries {
    pub(crate) fn new() -> Tries {
        Tries { left: 3 }
    }

    /// The answer, unless the connection was lost and another one is worth a try.
    pub(crate) fn judge<T>(
        &mut self,
        answer: Result<T, tokio_postgres::Error>,
    ) -> Option<Result<T>> {
        match answer {
            Err(error) if is_lost(&error) && self.left > 0 => {
                self.left -= 1;
                None
            }
            answer => Some(answer.map_err(failed)),
        }
    }
}

/// Whether the connection is gone.
fn is_lost(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_none_or(is_fatal)
}

fn kind_of(error: &tokio_postgres::Error) -> ErrorKind {
    let Some(code) = error.code() else { return ErrorKind::Unavailable };
    // Locks ran out for a group; alone, a transaction needs fewer.
    let conflicts = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::OUT_OF_MEMORY,
    ];
    let damages = [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED];
    if conflicts.contains(code) {
        ErrorKind::Conflict
    } else if damages.contains(code) {
        ErrorKind::Corrupt
    } else {
        ErrorKind::Unavailable
    }
}

/// Whether the session ended with this error.
pub(crate) fn is_fatal(error: &DbError) -> bool {
    !matches!(error.parsed_severity(), Some(Severity::Error))
}
