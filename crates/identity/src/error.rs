//! Authentication errors, and errors in credentials files.

use std::io;
use std::path::PathBuf;

use monotable_sigv4::SignatureError;

/// Why a request is nobody's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthenticationError {
    /// Its signature is missing or wrong.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// There is no such key.
    #[error("the key is not known")]
    UnknownKey,
    /// A temporary key came without its token or with another one, or another key came with one.
    #[error("the session token is not the one of the key")]
    WrongSessionToken,
    /// The key counts no more.
    #[error("the key has expired")]
    Expired,
}

/// Why a credentials file is of no use, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
    /// Others may read it.
    #[error(
        "{0} holds secrets, and other users of this machine may open it (its mode is {mode:03o}); \
         run: chmod 600 {0}",
        path.display()
    )]
    OpenToOthers {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// Others may change what users may do.
    #[error(
        "{0} says what users may do, and others may write to it (its mode is {mode:03o}); \
         run: chmod go-w {0}",
        path.display()
    )]
    WritableByOthers {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// It is larger than any such file should be.
    #[error("{} is larger than {max_bytes} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        max_bytes: u64,
    },
    /// Its content makes no sense.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The character in it, from 1.
        column: usize,
        /// Why.
        reason: String,
    },
    /// It should hold a token and nothing else.
    #[error(
        "{} holds no token: 16 to 1024 characters in a line, without spaces",
        path.display()
    )]
    NotAToken {
        /// The file.
        path: PathBuf,
    },
    /// It belongs to another user, and would not any more.
    #[error(
        "{} belongs to user {user} and group {group}, and a file in its place cannot be given to \
         them ({source}); run this as that user or as root", path.display()
    )]
    OwnerLost {
        /// The file.
        path: PathBuf,
        /// The number of the user.
        user: u32,
        /// The number of the group.
        group: u32,
        /// The refusal.
        source: io::Error,
    },
    /// There is no such key in it.
    #[error("{} has no key {access_key_id}", path.display())]
    NoSuchKey {
        /// The file.
        path: PathBuf,
        /// The name of the key.
        access_key_id: String,
    },
    /// It is written in a way that cannot be changed here.
    #[error("the key cannot be taken out of {} without changing more; edit it by hand",
        path.display())]
    NotEditable {
        /// The file.
        path: PathBuf,
    },
}

impl FileError {
    /// What a refusal of the file system is.
    pub(crate) fn io(path: &std::path::Path, source: io::Error) -> FileError {
        FileError::Io { path: path.to_owned(), source }
    }
}
