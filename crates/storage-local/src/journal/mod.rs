//! The journal: every commit, in order, on disk before it is answered.
//!
//! A commit is one record of the current segment, written and synced as a whole. When a memtable is full, the committer
//! begins the next segment together with the next memtable; once the full one is in tables on disk, the segments before are
//! not needed any more, and their files are used again. Files are told apart by what is in them and not by their
//! names, so that nothing but their content ever has to be synced.
//!
//! The head of the newest segment says which ones are needed. So a segment that has become superfluous is left alone until
//! a newer head, on disk, does not name it: only then is its file spare.
//!
//! ```text
//! journal/
//!   0.journal   1.journal   …     a segment each, in no particular order; some are spare
//! ```
//!
//! `segment` and `record` have the layouts, `recovery` how they are read.

mod disk;
mod record;
mod recovery;
mod segment;

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use monotable_storage::Key;

pub(crate) use disk::{Disk, LocalDisk};
pub(crate) use record::Record;

use crate::directory::private_file;
use crate::{Durability, OpenError};
use record::{RecordBuffer, RecordHead};
use recovery::{list_slots, replay, slot_path};
use segment::SegmentHead;

/// How many files are kept for later segments.
const SPARES_MAX: usize = 2;

/// The open journal. The committer appends and begins segments, the background work makes and frees files, and a thread
/// of its own may sync.
pub(crate) struct Journal {
    directory: PathBuf,
    disk: Arc<dyn Disk>,
    durability: Durability,
    state: Mutex<State>,
}

struct State {
    current: Current,
    chain: Chain,
    buffer: RecordBuffer,
}

/// The segment that records go to.
struct Current {
    file: Arc<File>,
    slot: u64,
    segment: u64,
}

/// The segments before the current one, and what the next head will say.
struct Chain {
    /// Segments that are needed, as slot and segment, oldest first.
    used: VecDeque<(u64, u64)>,
    /// Slots that are not needed, but named by the newest head.
    freed: Vec<u64>,
    /// Slots that can be overwritten.
    spare: Vec<u64>,
    next_slot: u64,
    newest_segment: u64,
    next_record: u64,
    last_position: u64,
}

impl Journal {
    /// Makes a journal without records in a directory that is there.
    pub(crate) fn create(directory: &Path) -> Result<(), OpenError> {
        let create = || {
            let (number, first_record) = (1, 1);
            let head =
                SegmentHead { number, oldest_needed: number, first_record, last_position: 0 };
            let file = create_slot(directory, 0)?;
            LocalDisk.write(&file, &head.to_block())?;
            file.sync_all()
        };
        create().map_err(OpenError::io(directory))
    }

    /// Opens a journal, gives all records that it holds to `each`, and begins a segment for the next ones.
    pub(crate) fn open(
        directory: &Path,
        durability: Durability,
        disk: Arc<dyn Disk>,
        each: &mut dyn FnMut(&Record) -> Result<(), OpenError>,
    ) -> Result<Journal, OpenError> {
        let slots = list_slots(directory)?;
        let mut chain = replay(directory, &slots, each)?;
        chain.sync_used(directory, &*disk).map_err(OpenError::io(directory))?;
        // What lies behind the last record of the newest segment stays out of the way of the next ones.
        let current = chain.begin(directory, &*disk).map_err(OpenError::io(directory))?;
        let state = Mutex::new(State { current, chain, buffer: RecordBuffer::default() });
        Ok(Journal { directory: directory.to_owned(), disk, durability, state })
    }

    /// The position of the last append that was committed.
    pub(crate) fn last_position(&self) -> u64 {
        self.lock().chain.last_position
    }

    /// How many segments are needed, with the current one.
    pub(crate) fn segment_count(&self) -> usize {
        self.lock().chain.used.len() + 1
    }

    /// Writes a commit so that it is as durable as its answer will say.
    pub(crate) fn append(
        &self,
        writes: &[(Key, Option<Bytes>)],
        sequence_number: u64,
        last_position: u64,
    ) -> io::Result<()> {
        let mut guard = self.lock();
        let State { current, chain, buffer } = &mut *guard;
        buffer.clear();
        for (key, value) in writes {
            buffer.push(key, value.as_deref());
        }
        let is_synced = self.durability == Durability::Sync;
        let record = buffer.finish(current.segment, |writes_bytes| RecordHead {
            writes_bytes,
            is_after_sync: is_synced,
            number: chain.next_record,
            sequence_number,
            last_position,
        });
        self.disk.write(&current.file, record)?;
        if is_synced {
            self.disk.sync(&current.file)?;
        }
        chain.next_record += 1;
        chain.last_position = last_position;
        Ok(())
    }

    /// Brings everything written so far to disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        let file = self.lock().current.file.clone();
        self.disk.sync(&file)
    }

    /// Begins a segment, and tells its number: the segments before it hold what was written so far.
    pub(crate) fn begin_segment(&self) -> io::Result<u64> {
        let mut guard = self.lock();
        let State { current, chain, .. } = &mut *guard;
        // Recovery takes for granted that only the newest segment can end early.
        self.disk.sync(&current.file)?;
        chain.used.push_back((current.slot, current.segment));
        *current = chain.begin(&self.directory, &*self.disk)?;
        Ok(current.segment)
    }

    /// Begins a segment that needs no earlier one, because all of them are in tables on disk.
    pub(crate) fn begin_anew(&self) -> io::Result<()> {
        let mut guard = self.lock();
        let State { current, chain, .. } = &mut *guard;
        chain.freed.extend(chain.used.drain(..).map(|(slot, _)| slot));
        chain.freed.push(current.slot);
        *current = chain.begin(&self.directory, &*self.disk)?;
        Ok(())
    }

    /// Gives up the segments before this one, which are in tables on disk.
    pub(crate) fn free_before(&self, segment: u64) {
        let mut guard = self.lock();
        let Chain { used, freed, .. } = &mut guard.chain;
        while let Some((slot, _)) = used.pop_front_if(|(_, used)| *used < segment) {
            freed.push(slot);
        }
    }

    /// Makes sure that a segment can begin without making a file, and removes files that are too many.
    pub(crate) fn prepare_segment(&self) -> io::Result<()> {
        let (missing, superfluous) = self.lock().chain.adjust_spares();
        if let Some(slot) = missing {
            create_slot(&self.directory, slot)?;
            self.lock().chain.spare.push(slot);
        }
        superfluous
            .into_iter()
            .try_for_each(|slot| fs::remove_file(slot_path(&self.directory, slot)))
    }

    /// A commit that failed is the last one, so what a panicking thread left does no harm.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Chain {
    /// Brings to disk what was read, which a process that was killed may have left to the operating system: the next segment begins
    /// behind it, and recovery takes for granted that only the newest one can end early.
    fn sync_used(&self, directory: &Path, disk: &dyn Disk) -> io::Result<()> {
        self.used.iter().try_for_each(|(slot, _)| {
            let file = File::options().write(true).open(slot_path(directory, *slot))?;
            disk.sync(&file)
        })
    }

    /// Begins the next segment in a spare slot. Its head is on disk when this returns.
    fn begin(&mut self, directory: &Path, disk: &dyn Disk) -> io::Result<Current> {
        let slot = match self.spare.pop() {
            Some(slot) => slot,
            None => {
                let slot = self.take_new_slot();
                create_slot(directory, slot)?;
                slot
            }
        };
        let segment = self.newest_segment + 1;
        let head = SegmentHead {
            number: segment,
            oldest_needed: self.used.front().map_or(segment, |(_, segment)| *segment),
            first_record: self.next_record,
            last_position: self.last_position,
        };
        let file = File::options().read(true).write(true).open(slot_path(directory, slot))?;
        disk.write(&file, &head.to_block())?;
        disk.sync(&file)?;
        self.newest_segment = segment;
        self.spare.append(&mut self.freed);
        Ok(Current { file: Arc::new(file), slot, segment })
    }

    /// A slot that is to be made, and slots that are to be removed.
    fn adjust_spares(&mut self) -> (Option<u64>, Vec<u64>) {
        let missing = self.spare.is_empty().then(|| self.take_new_slot());
        let kept = self.spare.len().min(SPARES_MAX);
        (missing, self.spare.split_off(kept))
    }

    fn take_new_slot(&mut self) -> u64 {
        self.next_slot += 1;
        self.next_slot - 1
    }
}

/// Makes an empty file whose name is on disk.
fn create_slot(directory: &Path, slot: u64) -> io::Result<File> {
    let file = private_file().create_new(true).open(slot_path(directory, slot))?;
    file.sync_all()?;
    File::open(directory)?.sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests;
