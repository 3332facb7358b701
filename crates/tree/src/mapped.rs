//! Files that are read where the operating system has them.

use std::fs::File;
use std::io;

use bytes::Bytes;
use memmap2::Mmap;

/// Maps a whole file. What is cut out of the bytes keeps the mapping, and nothing is copied.
///
/// A page that the disk cannot deliver ends the process by a signal, as it would be with any program that is itself read from that
/// disk.
#[expect(unsafe_code, reason = "a mapping is bytes only for as long as nobody changes the file")]
pub(crate) fn map(file: &File) -> io::Result<Bytes> {
    // SAFETY: tables are written once, mapped after that, and never changed or cut short; the directory is locked against
    // other processes that keep to the lock, and nobody but the owner may enter it. Removing a file leaves its mapping whole.
    let mapping = unsafe { Mmap::map(file) }?;
    Ok(Bytes::from_owner(mapping))
}
