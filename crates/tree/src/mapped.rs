//! Files that are read where the operating system has them.

use std::fs::File;
use std::io;
use std::sync::{Arc, Weak};

use bytes::Bytes;
use memmap2::Mmap;

/// A mapping, and a count of those who hold it.
struct Mapping {
    bytes: Mmap,
    _holders: Arc<()>,
}

impl AsRef<[u8]> for Mapping {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Whether a part of a mapping is in use.
#[derive(Debug, Default)]
pub(crate) struct Holders(Weak<()>);

impl Holders {
    pub(crate) fn are_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

/// Maps a whole file. What is cut out of the bytes keeps the mapping, and nothing is copied.
///
/// A page that the disk cannot deliver ends the process by a signal, as it would be with any
/// program that is itself read from that disk.
#[expect(unsafe_code, reason = "a mapping is bytes only for as long as nobody changes the file")]
pub(crate) fn map(file: &File) -> io::Result<(Bytes, Holders)> {
    // SAFETY: tables are written once, mapped after that, and never changed or cut short while
    // somebody holds a part of them; the directory is locked against other processes that keep to
    // the lock, and nobody but the owner may enter it.
    let bytes = unsafe { Mmap::map(file) }?;
    let holders = Arc::new(());
    let weak = Holders(Arc::downgrade(&holders));
    Ok((Bytes::from_owner(Mapping { bytes, _holders: holders }), weak))
}
