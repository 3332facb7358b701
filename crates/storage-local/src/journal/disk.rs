//! The two steps of a commit that touch the disk, apart from the journal so that tests can make them fail.

use std::fs::File;
use std::io::{self, Write};

/// Writes and syncs the files of the journal.
pub(crate) trait Disk: Send + Sync + 'static {
    /// Writes where the file's last write ended.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()>;

    /// Brings what was written to disk.
    fn sync(&self, file: &File) -> io::Result<()>;
}

/// What the operating system does.
#[derive(Debug)]
pub(crate) struct LocalDisk;

impl Disk for LocalDisk {
    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }
}
