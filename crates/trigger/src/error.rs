//! What can go wrong between a consumer and the endpoint.

use std::io;
use std::path::PathBuf;

/// Why a stream cannot be followed, or not any further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not an address that can be called.
    #[error("{text:?} is not an address such as http://127.0.0.1:8000")]
    InvalidAddress {
        /// What was given.
        text: String,
    },
    /// Nobody answers there.
    #[error("{address} does not answer: {reason}")]
    Unreachable {
        /// Who was called.
        address: String,
        /// What happened instead.
        reason: String,
    },
    /// The endpoint answered with an error.
    #[error("{operation} was refused: {code}: {message}")]
    Refused {
        /// What was asked for.
        operation: &'static str,
        /// The HTTP status.
        status: u16,
        /// The error's name without its namespace.
        code: String,
        /// The error's text.
        message: String,
    },
    /// The answer lacks something it must have.
    #[error("the answer to {operation} has no {member}")]
    Malformed {
        /// What was asked for.
        operation: &'static str,
        /// What is missing.
        member: &'static str,
    },
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
            Error::Unreachable { .. } => true,
            Error::Refused { status, code, .. } => *status >= 500 || is_throttle(code),
            Error::InvalidAddress { .. }
            | Error::Malformed { .. }
            | Error::NoStream { .. }
            | Error::TakenOver { .. }
            | Error::DeadLetters { .. } => false,
        }
    }

    /// Whether the endpoint answered with the error of this name.
    pub fn is_refusal(&self, name: &str) -> bool {
        matches!(self, Error::Refused { code, .. } if code == name)
    }
}

fn is_throttle(code: &str) -> bool {
    matches!(
        code,
        "ThrottlingException"
            | "ProvisionedThroughputExceededException"
            | "RequestLimitExceeded"
            | "LimitExceededException"
    )
}
