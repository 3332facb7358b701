//! The segments of a journal: which ones are needed, which files can be used again, and how the
//! next one begins.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use super::disk::Disk;
use super::error::{JournalError, is_full};
use super::record::BLOCK_BYTES;
use super::recovery::slot_path;
use super::segment::SegmentHead;

/// How many files are kept for later segments.
const SPARES_MAX: usize = 2;

/// The segment that records go to.
pub(super) struct Current {
    pub(super) file: Arc<File>,
    pub(super) slot: u64,
    pub(super) segment: u64,
    /// Where the next record begins.
    pub(super) offset: u64,
}

/// The segments before the current one, and what the next head will say.
#[derive(Debug)]
pub(super) struct Chain {
    /// Segments that are needed, as slot and segment, oldest first.
    pub(super) used: VecDeque<(u64, u64)>,
    /// Slots that are not needed, but named by the newest head.
    pub(super) freed: Vec<u64>,
    /// Slots that can be overwritten.
    pub(super) spare: Vec<u64>,
    pub(super) next_slot: u64,
    pub(super) newest_segment: u64,
    pub(super) next_record: u64,
    pub(super) last_position: u64,
    pub(super) last_sequence_number: u64,
    /// All records with a lower number are on disk.
    pub(super) on_disk_below: u64,
    pub(super) salt: u64,
}

impl Chain {
    /// Begins the next segment in a spare slot. Its head is on disk when this returns.
    pub(super) fn begin(
        &mut self,
        directory: &Path,
        disk: &dyn Disk,
    ) -> Result<Current, JournalError> {
        let slot = match self.spare.pop() {
            Some(slot) => slot,
            None => {
                let slot = self.take_new_slot();
                create_slot(directory, slot, disk)?;
                slot
            }
        };
        let head = self.next_head();
        match write_head(&slot_path(directory, slot), head, disk) {
            Ok(file) => {
                self.newest_segment = head.number;
                self.spare.append(&mut self.freed);
                let (file, offset) = (Arc::new(file), BLOCK_BYTES as u64);
                Ok(Current { file, slot, segment: head.number, offset })
            }
            Err(error) => {
                self.spare.push(slot);
                Err(error)
            }
        }
    }

    /// Begins the next segment after this one, which is needed.
    pub(super) fn begin_after(
        &mut self,
        current: &mut Current,
        directory: &Path,
        disk: &dyn Disk,
    ) -> Result<(), JournalError> {
        self.used.push_back((current.slot, current.segment));
        match self.begin(directory, disk) {
            Ok(next) => {
                *current = next;
                Ok(())
            }
            Err(error) => {
                self.used.pop_back();
                Err(error)
            }
        }
    }

    /// Begins the next segment in place of this one and all before it, which are not needed.
    pub(super) fn begin_instead(
        &mut self,
        current: &mut Current,
        directory: &Path,
        disk: &dyn Disk,
    ) -> Result<(), JournalError> {
        let used = std::mem::take(&mut self.used);
        match self.begin(directory, disk) {
            Ok(next) => {
                let replaced = std::mem::replace(current, next);
                self.spare.extend(used.into_iter().map(|(slot, _)| slot).chain([replaced.slot]));
                Ok(())
            }
            Err(error) => {
                self.used = used;
                Err(error)
            }
        }
    }

    fn next_head(&self) -> SegmentHead {
        let number = self.newest_segment + 1;
        SegmentHead {
            number,
            oldest_needed: self.used.front().map_or(number, |(_, segment)| *segment),
            first_record: self.next_record,
            last_position: self.last_position,
            last_sequence_number: self.last_sequence_number,
            salt: self.salt,
        }
    }

    /// A slot that is to be made, and slots that are to be removed.
    pub(super) fn adjust_spares(&mut self) -> (Option<u64>, Vec<u64>) {
        let missing = self.spare.is_empty().then(|| self.take_new_slot());
        let kept = self.spare.len().min(SPARES_MAX);
        (missing, self.spare.split_off(kept))
    }

    fn take_new_slot(&mut self) -> u64 {
        self.next_slot += 1;
        self.next_slot - 1
    }
}

/// Writes the head of a segment, so that it is on disk.
pub(super) fn write_head(
    path: &Path,
    head: SegmentHead,
    disk: &dyn Disk,
) -> Result<File, JournalError> {
    let file = File::options().read(true).write(true).open(path).map_err(JournalError::Failed)?;
    write_whole(disk, &file, &head.to_block(), 0)?;
    disk.sync(&file).map_err(JournalError::Failed)?;
    Ok(file)
}

/// Makes a file whose name is on disk. Its first block has a place on the disk, so that a segment
/// can begin when the disk is full.
pub(super) fn create_slot(
    directory: &Path,
    slot: u64,
    disk: &dyn Disk,
) -> Result<(), JournalError> {
    let path = slot_path(directory, slot);
    let create = || {
        let file = disk.create(&path)?;
        disk.write(&file, &[0; BLOCK_BYTES], 0)?;
        disk.sync(&file)?;
        File::open(directory)?.sync_all()
    };
    create().map_err(|error| {
        // Half a file is of no use. If it cannot be removed, it is found as a spare one by the next
        // opening.
        let _ = fs::remove_file(&path);
        JournalError::unnoticed(error)
    })
}

/// Writes all of the bytes or, if there is no room, nothing that recovery would take notice of.
pub(super) fn write_whole(
    disk: &dyn Disk,
    file: &File,
    bytes: &[u8],
    offset: u64,
) -> Result<(), JournalError> {
    disk.write(file, bytes, offset).map_err(|error| {
        if is_full(&error) && is_missing(file, bytes, offset).unwrap_or(false) {
            JournalError::Full(error)
        } else {
            JournalError::Failed(error)
        }
    })
}

/// Returns whether a part that means something is not there. What fills the last block means
/// nothing.
fn is_missing(file: &File, bytes: &[u8], offset: u64) -> io::Result<bool> {
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let wanted = bytes.get(..length).unwrap_or_default();
    let mut there = vec![0; length];
    match file.read_exact_at(&mut there, offset) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(true),
        read => read.map(|()| there != wanted),
    }
}
