//! The journal: every commit, in order, on disk before it is answered.
//!
//! A commit is one record of the current segment, written and synced as a whole. When a memtable is
//! full, the committer begins the next segment together with the next memtable; once the full one
//! is in tables on disk, the segments before are not needed any more, and their files are used
//! again. Files are distinguished by what is in them and not by their names, so that nothing but
//! their content ever has to be synced.
//!
//! The head of the newest segment says which ones are needed. So a segment that has become
//! superfluous is left alone until a newer head, on disk, does not name it: only then is its file
//! spare.
//!
//! ```text
//! journal/
//!   0.journal   1.journal   …     a segment each, in no particular order; some are spare
//! ```
//!
//! # What a failure leaves
//!
//! A write for which there is no room leaves at most a part of a record, which recovery takes for
//! the end. The next record is written over it, so the journal continues when there is room again.
//! After a failed sync it is unknown what is on disk: the operating system may count the bytes as
//! written, return them to readers, and never write them. So nothing more is written, and the next
//! process that opens the journal writes what may be missing again.
//!
//! `segment` and `record` have the layouts, `recovery` how they are read, `chain` how segments
//! follow each other.

mod chain;
mod disk;
mod error;
mod record;
mod recovery;
mod segment;

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use monotable_storage::{Histogram, HistogramCounts, Key};
use monotable_tree::RemovedRange;

pub(crate) use disk::{Disk, LocalDisk};
pub(crate) use error::{JournalError, is_full};
pub(crate) use record::{JournalRecord, Write};

use crate::statistics::SYNC_NANOS;
use crate::timing::now;
use crate::{Durability, OpenError};
use chain::{Chain, Current, create_slot, write_head, write_whole};
use record::{BLOCK_BYTES, RecordBuffer, RecordHead};
use recovery::{Unsettled, list_slots, replay, slot_path};
use segment::{CLOSING_OFFSET, SegmentHead, closing_note, seed};

/// The open journal. The committer appends and begins segments, the background work makes and frees
/// files, and a thread of its own may sync.
pub(crate) struct Journal {
    directory: PathBuf,
    disk: Arc<dyn Disk>,
    durability: Durability,
    state: Mutex<State>,
    written_bytes: AtomicU64,
    sync_nanos: Histogram,
}

/// What reading a journal without opening it found.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The sequence number of the last commit.
    pub(crate) last_sequence_number: u64,
    /// Whether it was closed.
    pub(crate) was_closed: bool,
}

struct State {
    /// None until there was room to begin one after the journal was opened.
    current: Option<Current>,
    /// What was read and may not be on disk.
    unsettled: Option<Unsettled>,
    chain: Chain,
    buffer: RecordBuffer,
}

impl Journal {
    /// Makes a journal without records in a directory that is there.
    pub(crate) fn create(directory: &Path) -> Result<(), OpenError> {
        let head = SegmentHead {
            number: 1,
            oldest_needed: 1,
            first_record: 1,
            last_position: 0,
            last_sequence_number: 0,
            salt: RandomState::new().hash_one(directory),
        };
        let created = create_slot(directory, 0, &LocalDisk)
            .and_then(|()| write_head(&slot_path(directory, 0), head, &LocalDisk));
        created.map(drop).map_err(open_error(directory))
    }

    /// Reads a journal without changing anything. `read` is called with the bytes of each record.
    pub(crate) fn check(directory: &Path, read: &mut dyn FnMut(u64)) -> Result<Checked, OpenError> {
        let slots = list_slots(directory)?;
        let (chain, unsettled) = replay(directory, &slots, &mut |record, path| {
            read(record.head.segment_bytes());
            let malformed = record.writes().find_map(Result::err);
            malformed.map_or(Ok(()), |error| Err(OpenError::corrupt(path, error)))
        })?;
        let last_sequence_number = chain.last_sequence_number;
        Ok(Checked { last_sequence_number, was_closed: unsettled.is_none() })
    }

    /// Opens a journal, gives all commits that it holds to `each`, and begins a segment for the
    /// next ones if there is room.
    pub(crate) fn open(
        directory: &Path,
        durability: Durability,
        disk: Arc<dyn Disk>,
        each: &mut dyn FnMut(&JournalRecord) -> Result<(), OpenError>,
    ) -> Result<Journal, OpenError> {
        let slots = list_slots(directory)?;
        let (chain, unsettled) = replay(directory, &slots, &mut |record, _| each(record))?;
        let state = State { current: None, unsettled, chain, buffer: RecordBuffer::default() };
        let (directory, state) = (directory.to_owned(), Mutex::new(state));
        let journal = Journal {
            directory,
            disk,
            durability,
            state,
            written_bytes: AtomicU64::new(0),
            sync_nanos: Histogram::new(SYNC_NANOS),
        };
        let begun = journal.lock().writable(&journal.directory, &*journal.disk).map(drop);
        match begun {
            // What was read can be shown; the first write tries again.
            Ok(()) | Err(JournalError::Full(_)) => Ok(journal),
            Err(error) => Err(open_error(&journal.directory)(error)),
        }
    }

    /// The position of the last append that was committed.
    pub(crate) fn last_position(&self) -> u64 {
        self.lock().chain.last_position
    }

    /// The sequence number of the last commit.
    pub(crate) fn last_sequence_number(&self) -> u64 {
        self.lock().chain.last_sequence_number
    }

    /// How many segments are needed, with the current one.
    pub(crate) fn segment_count(&self) -> usize {
        self.lock().chain.used.len() + 1
    }

    /// Returns whether there was room to begin a segment since the journal was opened.
    pub(crate) fn has_begun(&self) -> bool {
        self.lock().current.is_some()
    }

    /// Writes a commit so that it is as durable as its answer will say.
    pub(crate) fn append(
        &self,
        removed: &[RemovedRange],
        writes: &[(Key, Option<Bytes>)],
        sequence_number: u64,
        last_position: u64,
    ) -> Result<(), JournalError> {
        let mut guard = self.lock();
        let (current, chain, buffer) = guard.writable(&self.directory, &*self.disk)?;
        buffer.clear();
        removed.iter().for_each(|range| buffer.push_range(range));
        for (key, value) in writes {
            buffer.push(key, value.as_deref());
        }
        let bytes = buffer.finish(seed(chain.salt, current.segment), |writes_bytes| RecordHead {
            writes_bytes,
            number: chain.next_record,
            sequence_number,
            last_position,
            on_disk_below: chain.on_disk_below,
        });
        write_whole(&*self.disk, &current.file, bytes, current.offset)?;
        if self.durability == Durability::Sync {
            self.sync_file(&current.file)?;
            chain.on_disk_below = chain.next_record + 1;
        }
        current.offset += bytes.len() as u64;
        self.written_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        chain.next_record += 1;
        chain.last_position = last_position;
        chain.last_sequence_number = sequence_number;
        Ok(())
    }

    /// Brings everything written so far to disk.
    pub(crate) fn sync(&self) -> Result<(), JournalError> {
        let (file, next_record) = {
            let state = self.lock();
            let Some(current) = &state.current else { return Ok(()) };
            (current.file.clone(), state.chain.next_record)
        };
        self.sync_file(&file)?;
        let chain = &mut self.lock().chain;
        chain.on_disk_below = chain.on_disk_below.max(next_record);
        Ok(())
    }

    /// Brings everything to disk and says so. Nothing may be written after this.
    ///
    /// If there is no room to say so, the next opening finds the journal as if the process had been
    /// killed.
    pub(crate) fn close(&self) -> Result<(), JournalError> {
        self.sync()?;
        let guard = self.lock();
        // Without one, nothing was written since the journal was opened.
        let Some(current) = &guard.current else { return Ok(()) };
        let note = closing_note(seed(guard.chain.salt, current.segment), guard.chain.next_record);
        match self.disk.write(&current.file, &note, CLOSING_OFFSET as u64) {
            Err(error) if is_full(&error) => return Ok(()),
            written => written.map_err(JournalError::Failed)?,
        }
        self.disk.sync(&current.file).map_err(JournalError::Failed)
    }

    /// Begins a segment, and returns its number: the segments before it hold what was written so
    /// far.
    pub(crate) fn begin_segment(&self) -> Result<u64, JournalError> {
        let mut guard = self.lock();
        let (current, chain, _) = guard.writable(&self.directory, &*self.disk)?;
        // Recovery takes for granted that only the newest segment can end early.
        self.sync_file(&current.file)?;
        chain.on_disk_below = chain.next_record;
        chain.begin_after(current, &self.directory, &*self.disk)?;
        Ok(current.segment)
    }

    /// Begins a segment that needs no earlier one, because all of them are in tables on disk.
    pub(crate) fn begin_anew(&self) -> Result<(), JournalError> {
        let mut guard = self.lock();
        let (current, chain, _) = guard.writable(&self.directory, &*self.disk)?;
        chain.begin_instead(current, &self.directory, &*self.disk)
    }

    /// Releases the segments before this one, which are in tables on disk.
    pub(crate) fn free_before(&self, segment: u64) {
        let mut guard = self.lock();
        let Chain { used, freed, .. } = &mut guard.chain;
        while let Some((slot, _)) = used.pop_front_if(|(_, used)| *used < segment) {
            freed.push(slot);
        }
    }

    /// Makes sure that a segment can begin without making a file, and removes files that are too
    /// many.
    pub(crate) fn prepare_segment(&self) -> Result<(), JournalError> {
        let (missing, superfluous) = self.lock().chain.adjust_spares();
        if let Some(slot) = missing {
            create_slot(&self.directory, slot, &*self.disk)?;
            self.lock().chain.spare.push(slot);
        }
        superfluous
            .into_iter()
            .try_for_each(|slot| fs::remove_file(slot_path(&self.directory, slot)))
            .map_err(JournalError::Failed)
    }

    /// Finds out whether there is room for a small record.
    pub(crate) fn find_room(&self) -> Result<(), JournalError> {
        let mut guard = self.lock();
        let (current, ..) = guard.writable(&self.directory, &*self.disk)?;
        // Where the next record begins, zeros are the end of the segment, as what is there now.
        let written = self.disk.write(&current.file, &[0; BLOCK_BYTES], current.offset);
        written.map_err(JournalError::unnoticed)
    }

    /// The bytes that may still be written to the disk.
    pub(crate) fn free_bytes(&self) -> io::Result<u64> {
        self.disk.free_bytes(&self.directory)
    }

    /// The bytes of its files.
    pub(crate) fn disk_bytes(&self) -> u64 {
        let files = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
    }

    /// The bytes of all records written since it was opened.
    pub(crate) fn written_bytes(&self) -> u64 {
        self.written_bytes.load(Ordering::Relaxed)
    }

    /// How long syncs of records took.
    pub(crate) fn sync_nanos(&self) -> HistogramCounts {
        self.sync_nanos.counts()
    }

    /// Brings what was written to disk, and counts how long that takes.
    fn sync_file(&self, file: &File) -> Result<(), JournalError> {
        let start = now();
        self.disk.sync(file).map_err(JournalError::Failed)?;
        let nanos = start.elapsed().as_nanos();
        self.sync_nanos.count(u64::try_from(nanos).unwrap_or(u64::MAX));
        Ok(())
    }

    /// A commit that failed is the last one, so what a panicking thread left does no harm.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What records are written with. The first time, what was read is brought to disk and a
    /// segment begins behind it.
    fn writable(
        &mut self,
        directory: &Path,
        disk: &dyn Disk,
    ) -> Result<(&mut Current, &mut Chain, &mut RecordBuffer), JournalError> {
        let State { current, unsettled, chain, buffer } = self;
        let current = match current {
            Some(current) => current,
            none => {
                if let Some(read) = unsettled {
                    read.write_again(directory, disk)?;
                }
                *unsettled = None;
                chain.on_disk_below = chain.next_record;
                // What lies behind the last record of the newest segment stays out of the way of
                // the next ones.
                none.insert(chain.begin(directory, disk)?)
            }
        };
        Ok((current, chain, buffer))
    }
}

impl Unsettled {
    /// Writes again what was read. A sync alone would not do: after one that failed, the operating
    /// system may count the bytes as written, and the next sync does nothing and succeeds.
    fn write_again(&self, directory: &Path, disk: &dyn Disk) -> Result<(), JournalError> {
        let path = slot_path(directory, self.slot);
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(JournalError::Failed)?;
        for (offset, bytes) in &self.parts {
            // The same bytes are there, so it does no harm if this is done by half.
            disk.write(&file, bytes, *offset).map_err(JournalError::unnoticed)?;
        }
        disk.sync(&file).map_err(JournalError::Failed)?;
        let directory = File::open(directory).and_then(|directory| directory.sync_all());
        directory.map_err(JournalError::Failed)
    }
}

fn open_error(directory: &Path) -> impl FnOnce(JournalError) -> OpenError + '_ {
    move |error| match error {
        JournalError::Full(source) | JournalError::Failed(source) => {
            OpenError::Io { path: directory.to_owned(), source }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
