//! What can go wrong in an engine, by what the caller must do about it.

use std::fmt;

use crate::CommitId;

/// The result of a storage call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failed storage call: what the caller must do, and the cause.
#[derive(Debug, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    kind: ErrorKind,
    commit: Option<CommitId>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error without a deeper cause.
    pub fn new(kind: ErrorKind) -> Error {
        Error { kind, commit: None, source: None }
    }

    /// An error that `source` led to.
    pub fn with_source(
        kind: ErrorKind,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        Error { kind, commit: None, source: Some(source.into()) }
    }

    /// A commit that may have happened or not, which [`Engine::settle`](crate::Engine::settle) can
    /// tell.
    pub fn unknown(commit: CommitId) -> Error {
        Error { kind: ErrorKind::Unknown, commit: Some(commit), source: None }
    }

    /// What the caller must do.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The commit to ask for, of an error of the kind [`ErrorKind::Unknown`].
    pub fn commit(&self) -> Option<CommitId> {
        self.commit
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error::new(kind)
    }
}

/// What a caller must do about a failed call. Callers match it exhaustively: a new kind is a new
/// duty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Retry the transaction: it met another one and nothing was written.
    Conflict,
    /// Retry later: the store cannot be reached, is too busy, or has no room. Nothing was written.
    Unavailable,
    /// Ask what became of the commit before anything is said about it: it may have been written.
    Unknown,
    /// Take another snapshot: this one is too old to be read.
    Expired,
    /// Do less at a time: the batch is larger than [`BATCH_BYTES_MAX`](crate::BATCH_BYTES_MAX).
    TooLarge,
    /// Stop: stored bytes are not what was written.
    Corrupt,
    /// Reopen the store: a write failed half way, and what is on disk is known only after recovery.
    Poisoned,
    /// Do nothing: the store was closed.
    Closed,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::Conflict => "transaction conflict",
            ErrorKind::Unavailable => "storage is unavailable",
            ErrorKind::Unknown => "storage cannot tell whether a write happened",
            ErrorKind::Expired => "the snapshot is too old to be read",
            ErrorKind::TooLarge => "the batch is too large",
            ErrorKind::Corrupt => "stored data is corrupt",
            ErrorKind::Poisoned => "storage refuses writes after a failed one until it is reopened",
            ErrorKind::Closed => "storage is closed",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn an_error_names_its_kind_and_keeps_its_cause() {
        let error = Error::with_source(ErrorKind::Corrupt, "bad block");
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert_eq!(error.to_string(), "stored data is corrupt");
        assert_eq!(error.source().unwrap().to_string(), "bad block");
        assert!(Error::from(ErrorKind::Closed).source().is_none());
        assert_eq!(Error::unknown(CommitId(7)).commit(), Some(CommitId(7)));
    }
}
