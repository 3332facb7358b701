//! What can go wrong in an engine, by what the caller must do about it.

use std::fmt;

/// The result of a storage call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failed storage call: what the caller must do, and the cause.
#[derive(Debug, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    kind: ErrorKind,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error without a deeper cause.
    pub fn new(kind: ErrorKind) -> Error {
        Error { kind, source: None }
    }

    /// An error that `source` led to.
    pub fn with_source(
        kind: ErrorKind,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        Error { kind, source: Some(source.into()) }
    }

    /// What the caller must do.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error::new(kind)
    }
}

/// What a caller must do about a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Retry the transaction: it met another one and nothing was written.
    Conflict,
    /// Retry later: the store cannot be reached or is too busy.
    Unavailable,
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
    }
}
