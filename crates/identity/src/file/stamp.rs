//! Whether files have changed since they were read.

use std::fs::{self, Metadata};
use std::path::PathBuf;
use std::time::SystemTime;

/// What files looked like at some time. Two that differ mean that a file was written, replaced or
/// removed in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStamp(Vec<Option<Look>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    size_bytes: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl FileStamp {
    /// What these files look like now.
    pub fn of(paths: &[PathBuf]) -> FileStamp {
        FileStamp(paths.iter().map(|path| fs::metadata(path).ok().as_ref().map(look)).collect())
    }
}

fn look(metadata: &Metadata) -> Look {
    let modified = metadata.modified().ok();
    Look { size_bytes: metadata.len(), modified, inode: inode(metadata) }
}

/// Another file in the same place has another number, even if it was written in the same moment.
#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}
