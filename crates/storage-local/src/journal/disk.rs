//! The steps of a commit that touch the disk, apart from the journal so that tests can make them
//! fail.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::directory::private_file;

/// Makes, writes and syncs the files of the journal.
pub(crate) trait Disk: Send + Sync + 'static {
    /// Makes an empty file.
    fn create(&self, path: &Path) -> io::Result<File>;

    /// Writes all of the bytes at an offset.
    fn write(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Brings what was written to disk.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// The bytes that may still be written where a file or directory is.
    fn free_bytes(&self, path: &Path) -> io::Result<u64>;
}

/// What the operating system does.
#[derive(Debug)]
pub(crate) struct LocalDisk;

impl Disk for LocalDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        private_file().create_new(true).open(path)
    }

    fn write(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    fn free_bytes(&self, path: &Path) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(path)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
}
