//! A disk for tests that does what disks do on bad days.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::journal::record::BLOCK_BYTES;
use crate::journal::{Disk, LocalDisk};

/// A disk that can lose its power, fail a sync and be full.
///
/// After this many calls all others fail, and any of the blocks that were written and not synced
/// may be as they were before. A sync that fails does what Linux does: the blocks count as written
/// from then on, and no later sync writes them, though they are shown to whoever reads until the
/// power is lost.
pub(crate) struct UnsafeDisk {
    calls_left: AtomicU64,
    /// How many syncs succeed.
    good_syncs: AtomicU64,
    /// How many blocks can still be written.
    room_blocks: AtomicU64,
    unsynced: Mutex<Vec<Unsynced>>,
    forgotten: Mutex<Vec<Unsynced>>,
}

/// A block that was written, with what was there before.
struct Unsynced {
    file: File,
    inode: u64,
    offset: u64,
    before: Vec<u8>,
}

impl UnsafeDisk {
    pub(crate) fn new(calls_left: u64) -> Arc<UnsafeDisk> {
        Arc::new(UnsafeDisk {
            calls_left: AtomicU64::new(calls_left),
            good_syncs: AtomicU64::new(u64::MAX),
            room_blocks: AtomicU64::new(u64::MAX),
            unsynced: Mutex::default(),
            forgotten: Mutex::default(),
        })
    }

    fn call(&self) -> io::Result<()> {
        let left = take_one(&self.calls_left);
        left.then_some(()).ok_or_else(|| io::Error::other("no power"))
    }

    pub(crate) fn set_good_syncs(&self, count: u64) {
        self.good_syncs.store(count, Ordering::Relaxed);
    }

    pub(crate) fn set_room(&self, blocks: u64) {
        self.room_blocks.store(blocks, Ordering::Relaxed);
    }

    /// Puts back what was there before, for the blocks that are chosen.
    pub(crate) fn lose(&self, mut is_lost: impl FnMut() -> bool) {
        for blocks in [&self.unsynced, &self.forgotten] {
            for Unsynced { file, offset, before, .. } in blocks.lock().unwrap().drain(..).rev() {
                if is_lost() {
                    file.write_all_at(&before, offset).unwrap();
                }
            }
        }
    }
}

fn take_one(left: &AtomicU64) -> bool {
    let less = |left: u64| left.checked_sub(1);
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
}

impl Disk for UnsafeDisk {
    fn free_bytes(&self, _: &Path) -> io::Result<u64> {
        Ok(self.room_blocks.load(Ordering::Relaxed).saturating_mul(BLOCK_BYTES as u64))
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        self.call()?;
        LocalDisk.create(path)?;
        File::options().read(true).write(true).open(path)
    }

    fn write(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.call()?;
        let inode = file.metadata()?.ino();
        for (number, block) in bytes.chunks(BLOCK_BYTES).enumerate() {
            if !take_one(&self.room_blocks) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let offset = offset + (number * BLOCK_BYTES) as u64;
            let mut before = vec![0; block.len()];
            // Behind the end of the file there was nothing, which reads as zeros.
            let _ = file.read_exact_at(&mut before, offset);
            let file = file.try_clone()?;
            LocalDisk.write(&file, block, offset)?;
            self.unsynced.lock().unwrap().push(Unsynced { file, inode, offset, before });
        }
        Ok(())
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.call()?;
        let inode = file.metadata()?.ino();
        let (mut unsynced, mut forgotten) =
            (self.unsynced.lock().unwrap(), self.forgotten.lock().unwrap());
        let synced = unsynced.extract_if(.., |block| block.inode == inode).collect::<Vec<_>>();
        if !take_one(&self.good_syncs) {
            forgotten.extend(synced);
            return Err(io::Error::other("disk on fire"));
        }
        let is_synced = |lost: &Unsynced| {
            synced.iter().any(|block| (block.inode, block.offset) == (lost.inode, lost.offset))
        };
        forgotten.retain(|lost| !is_synced(lost));
        Ok(())
    }
}
