//! What can go wrong between a consumer and the endpoint.

use std::io;
use std::path::PathBuf;

use monotable_remote as remote;

/// Why a stream cannot be followed, or not any further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A call has no answer, or not one that helps.
    #[error(transparent)]
    Call(#[from] remote::Error),
    /// The table has no stream.
    #[error("table {table} has no stream")]
    NoStream {
        /// The table.
        table: String,
    },
    /// Another process has taken over the trigger.
    #[error("another process runs the trigger {trigger:?} as well, and has taken over {shard}")]
    TakenOver {
        /// The name of the trigger.
        trigger: String,
        /// The shard that the other process reads.
        shard: String,
    },
    /// Records that were given up cannot be put aside, so they cannot be given up.
    #[error("{path} cannot be written: {source}")]
    DeadLetters {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
}

impl Error {
    /// Whether the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Error::Call(error) => error.is_transient(),
            Error::NoStream { .. } | Error::TakenOver { .. } | Error::DeadLetters { .. } => false,
        }
    }

    /// Whether the endpoint answered with the error of this name.
    pub fn is_refusal(&self, name: &str) -> bool {
        matches!(self, Error::Call(error) if error.is_refusal(name))
    }

    pub(crate) fn malformed(operation: &'static str, member: &'static str) -> Error {
        Error::Call(remote::Error::Malformed { operation, member })
    }
}
