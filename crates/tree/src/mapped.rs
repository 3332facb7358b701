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

/// Whether somebody holds a part of a mapping.
#[derive(Debug, Default)]
pub(crate) struct Holders(Weak<()>);

impl Holders {
    pub(crate) fn are_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

/// How much of a file is mapped page by page at once.
#[cfg(target_os = "linux")]
const PIECE_BYTES: usize = 4 << 20;

/// Maps a whole file. What is cut out of the bytes keeps the mapping, and nothing is copied.
///
/// A page that the disk cannot deliver ends the process by a signal, as it would be with any program that is itself read from that
/// disk.
pub(crate) fn map(file: &File) -> io::Result<(Bytes, Holders)> {
    Ok(share(map_file(file)?))
}

/// Maps a file that was just written. Its pages are in memory, so all of them are mapped at once: otherwise each reader that is the
/// first at a page would spend more time on that than on reading it.
pub(crate) fn map_written(file: &File) -> io::Result<(Bytes, Holders)> {
    let bytes = map_file(file)?;
    populate(&bytes);
    Ok(share(bytes))
}

#[expect(unsafe_code, reason = "a mapping is bytes only for as long as nobody changes the file")]
fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: tables are written once, mapped after that, and never changed or cut short while somebody holds a part of them; the
    // directory is locked against other processes that keep to the lock, and nobody but the owner may enter it.
    unsafe { Mmap::map(file) }
}

fn share(bytes: Mmap) -> (Bytes, Holders) {
    let holders = Arc::new(());
    let weak = Holders(Arc::downgrade(&holders));
    (Bytes::from_owner(Mapping { bytes, _holders: holders }), weak)
}

/// Where the system cannot do this, pages are mapped when they are read.
#[cfg(target_os = "linux")]
fn populate(bytes: &Mmap) {
    for begin in (0..bytes.len()).step_by(PIECE_BYTES) {
        let length = PIECE_BYTES.min(bytes.len() - begin);
        if bytes.advise_range(memmap2::Advice::PopulateRead, begin, length).is_err() {
            return;
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn populate(_: &Mmap) {}
