//! Why a store does not open, and what the tree's errors mean to callers.

use std::io;
use std::path::{Path, PathBuf};

use monotable_storage::{Error, ErrorKind};

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another engine has the directory open.
    #[error("{} is in use by another process", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds files that no store made.
    #[error("{} is not empty and not a Monotable data directory: it has {found}", path.display())]
    NotMonotable {
        /// The directory.
        path: PathBuf,
        /// One of the files.
        found: String,
    },
    /// An earlier version made the directory.
    #[error(
        "{} has storage format {found}, and this version reads format {supported} only: export its \
         tables with the version that made it, and import them into an empty directory",
        path.display()
    )]
    OlderFormat {
        /// The directory.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that this version reads.
        supported: u32,
    },
    /// A later version made the directory.
    #[error("{} has storage format {found}, and this version reads format {supported}",
        path.display())]
    NewerFormat {
        /// The directory.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that this version reads.
        supported: u32,
    },
    /// The files are there, but not as they were written.
    #[error("{} is corrupt: {source}", path.display())]
    Corrupt {
        /// The file or directory.
        path: PathBuf,
        /// What is wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The operating system refused something.
    #[error("cannot open {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
}

impl OpenError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> OpenError + '_ {
        move |source| OpenError::Io { path: path.to_owned(), source }
    }

    pub(crate) fn corrupt(
        path: &Path,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> OpenError {
        OpenError::Corrupt { path: path.to_owned(), source: source.into() }
    }
}

/// Why a tree does not open.
pub(crate) fn open_tree_error(error: monotable_tree::Error) -> OpenError {
    use monotable_tree::Error as TreeError;
    match error {
        TreeError::Io { path, source } if source.kind() == io::ErrorKind::NotFound => {
            OpenError::corrupt(&path, "it is missing")
        }
        TreeError::Io { path, source } => OpenError::Io { path, source },
        TreeError::Damaged { path, what } => OpenError::corrupt(&path, what),
        TreeError::Stopped => OpenError::corrupt(Path::new(""), error),
    }
}

/// What a caller must do about an error of the tree.
pub(crate) fn tree_error(error: monotable_tree::Error) -> Error {
    use monotable_tree::Error as TreeError;
    let kind = match &error {
        TreeError::Io { .. } | TreeError::Stopped => ErrorKind::Unavailable,
        TreeError::Damaged { .. } => ErrorKind::Corrupt,
    };
    Error::with_source(kind, error)
}
