//! Why the journal did not take something, by what can be done about it.

use std::io;

/// Why the journal did not take something.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JournalError {
    /// The disk has no room. Recovery would find nothing of it, and it may be tried again.
    #[error("the disk has no room: {0}")]
    Full(#[source] io::Error),
    /// What is on disk is not known until the journal is read again.
    #[error(transparent)]
    Failed(io::Error),
}

impl JournalError {
    /// The failure of something that recovery takes no notice of, whether it was done or not.
    pub(super) fn unnoticed(error: io::Error) -> JournalError {
        if is_full(&error) { JournalError::Full(error) } else { JournalError::Failed(error) }
    }
}

/// Returns whether an error says that the disk, or what the user may have of it, is full.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
