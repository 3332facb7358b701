//! Why a database does not open, and why a clock is not moved.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use monotable_storage_local as storage_local;

/// Why a database was not opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The directory is open already, in this process or another.
    #[error(
        "{} is open already: a directory belongs to one database at a time; clone the `Embedded` \
         to use it from several places, or close it first",
        directory.display()
    )]
    InUse {
        /// The directory.
        directory: PathBuf,
    },
    /// The directory cannot be used.
    #[error("the database does not open: {source}")]
    Unusable {
        /// The directory.
        directory: PathBuf,
        /// What is wrong with it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl OpenError {
    pub(crate) fn of_directory(directory: &Path, error: storage_local::OpenError) -> OpenError {
        match error {
            storage_local::OpenError::InUse { path } => OpenError::InUse { directory: path },
            other => OpenError::unusable(directory, other),
        }
    }

    pub(crate) fn unusable(
        directory: &Path,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> OpenError {
        OpenError::Unusable { directory: directory.to_owned(), source: Box::new(source) }
    }
}

/// The store under a database failed.
#[derive(Debug, thiserror::Error)]
#[error("the store failed")]
pub struct StoreError(#[from] monotable_storage::Error);

/// Why a clock was not moved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClockError {
    /// The database uses the clock of the machine.
    #[error(
        "the database goes by the clock of the machine; make it with \
         `Embedded::builder().clock_at(time)` to move its clock"
    )]
    NotManual,
    /// The new time is before that of the clock.
    #[error("the clock is at {now:?} and cannot go back to {wanted:?}")]
    MovedBack {
        /// The time of the clock.
        now: SystemTime,
        /// The requested time.
        wanted: SystemTime,
    },
    /// The clock was moved, but what became due could not be done.
    #[error(transparent)]
    Store(#[from] StoreError),
}
