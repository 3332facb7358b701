//! Reading the journal back.
//!
//! The newest segment says which earlier ones are needed. They must all be there, and their records
//! must follow each other by number: each segment but the newest was on disk before the next one
//! began. The newest one ends where a record is not whole, which is what a crash leaves of a commit
//! that were never acknowledged.
//!
//! # What is damage and not the end
//!
//! Opening a store without commits that were answered would lose them silently, so it is refused if
//! there is a trace of them:
//!
//! - A later record of the newest segment says that the broken one was on disk. With
//!   [`Durability::Sync`](crate::Durability::Sync) each says so of all before it.
//! - The newest segment has a closing note, which says how many records it has.
//! - A file without a readable head holds a record of a newer segment. A head is on disk before the
//!   first record behind it is written, so the head was there, and so were the records. The number
//!   of that segment is not known, but there are as many candidates as files without a head.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::chain::Chain;
use super::record::{BLOCK_BYTES, HEAD_BYTES, JournalRecord, RecordHead, is_whole};
use super::segment::{SegmentHead, read_closing_note, seed};
use crate::OpenError;

const EXTENSION: &str = "journal";
const READ_BYTES: usize = 256 << 10;

/// A file of the journal, and the segment in it.
#[derive(Debug)]
pub(super) struct Slot {
    /// The file's number, which says nothing about the segment.
    pub(super) number: u64,
    pub(super) path: PathBuf,
    /// None if the file holds no segment.
    pub(super) head: Option<SegmentHead>,
    /// If the store was closed with the segment: the number after its last record.
    pub(super) closed_before: Option<u64>,
}

/// What the newest segment holds that may be in the operating system's memory only, as offsets and
/// bytes.
#[derive(Debug)]
pub(super) struct Unsettled {
    pub(super) slot: u64,
    pub(super) parts: Vec<(u64, Vec<u8>)>,
}

/// What is done with each commit: the record, and the file that it was read from.
pub(super) type Each<'a> = dyn FnMut(&JournalRecord, &Path) -> Result<(), OpenError> + 'a;

/// The path of a slot.
pub(super) fn slot_path(directory: &Path, slot: u64) -> PathBuf {
    directory.join(format!("{slot}.{EXTENSION}"))
}

/// Finds the files of the journal.
pub(super) fn list_slots(directory: &Path) -> Result<Vec<Slot>, OpenError> {
    let mut slots = Vec::new();
    let entries = fs::read_dir(directory).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => OpenError::corrupt(directory, "it is missing"),
        _ => OpenError::io(directory)(error),
    });
    for entry in entries? {
        let path = entry.map_err(OpenError::io(directory))?.path();
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        let Some(number) = number.filter(|_| path.extension().is_some_and(|it| it == EXTENSION))
        else {
            continue;
        };
        let block = read_first_block(&path).map_err(OpenError::io(&path))?;
        let head = SegmentHead::read(&block);
        let closed_before = head.and_then(|head| read_closing_note(&block, head.seed()));
        slots.push(Slot { number, path, head, closed_before });
    }
    Ok(slots)
}

fn read_first_block(path: &Path) -> io::Result<Vec<u8>> {
    let mut block = Vec::with_capacity(BLOCK_BYTES);
    File::open(path)?.take(BLOCK_BYTES as u64).read_to_end(&mut block)?;
    Ok(block)
}

/// Reads all commits that are needed, oldest first, and tells what they come to, and what of it may
/// not be on disk.
pub(super) fn replay(
    directory: &Path,
    slots: &[Slot],
    each: &mut Each<'_>,
) -> Result<(Chain, Option<Unsettled>), OpenError> {
    let newest = slots.iter().filter_map(|slot| slot.head).max_by_key(|head| head.number);
    let newest =
        newest.ok_or_else(|| missing(directory, slots, "no head of a segment can be read"))?;
    let needed = needed_segments(directory, slots, newest)?;
    let mut chain = first_chain(slots, &needed, newest);
    let mut unsettled = None;
    let mut before: Option<&Slot> = None;
    for (slot, head) in &needed {
        if chain.next_record != head.first_record {
            return Err(damaged(&before.unwrap_or(slot).path, chain.next_record));
        }
        unsettled = replay_segment(slot, *head, &mut chain, each)?;
        before = Some(slot);
    }
    // The last one is the newest.
    if let Some(slot) = before.filter(|slot| slot.closed_before.is_some())
        && slot.closed_before != Some(chain.next_record)
    {
        return Err(damaged(&slot.path, chain.next_record));
    }
    refuse_lost_end(slots, newest, chain.next_record)?;
    Ok((chain, unsettled))
}

/// The segments that the newest one names, oldest first.
fn needed_segments<'a>(
    directory: &Path,
    slots: &'a [Slot],
    newest: SegmentHead,
) -> Result<Vec<(&'a Slot, SegmentHead)>, OpenError> {
    let find = |number| {
        let mut heads = slots.iter().filter_map(|slot| Some((slot, slot.head?)));
        heads
            .find(|(_, head)| head.number == number)
            .ok_or_else(|| missing(directory, slots, &format!("segment {number} is missing")))
    };
    (newest.oldest_needed..=newest.number).map(find).collect()
}

/// What is known before the first record is read.
fn first_chain(slots: &[Slot], needed: &[(&Slot, SegmentHead)], newest: SegmentHead) -> Chain {
    let oldest = needed.first().map_or(newest, |(_, head)| *head);
    let is_needed = |number| needed.iter().any(|(slot, _)| slot.number == number);
    let numbers = || slots.iter().map(|slot| slot.number);
    Chain {
        used: VecDeque::new(),
        freed: Vec::new(),
        spare: numbers().filter(|number| !is_needed(*number)).collect(),
        next_slot: numbers().max().map_or(0, |newest| newest + 1),
        newest_segment: newest.number,
        next_record: oldest.first_record,
        last_position: oldest.last_position,
        last_sequence_number: newest.last_sequence_number,
        on_disk_below: oldest.first_record,
        salt: newest.salt,
    }
}

/// Reads the records of a segment, and returns what may not be on disk if this is the newest one.
fn replay_segment(
    slot: &Slot,
    head: SegmentHead,
    chain: &mut Chain,
    each: &mut Each<'_>,
) -> Result<Option<Unsettled>, OpenError> {
    let mut reader =
        SegmentReader::open(&slot.path, head.seed()).map_err(OpenError::io(&slot.path))?;
    // The records after the last sync that is known to have succeeded.
    let mut doubtful = VecDeque::<(u64, u64, Vec<u8>)>::new();
    loop {
        let offset = reader.offset;
        let record = reader.next(chain.next_record).map_err(OpenError::io(&slot.path))?;
        let Some(record) = record else { break };
        let record_head = record.head;
        chain.next_record += 1;
        chain.last_position = record_head.last_position;
        chain.last_sequence_number = chain.last_sequence_number.max(record_head.sequence_number);
        each(&record, &slot.path)?;
        while doubtful.pop_front_if(|(number, ..)| *number < record_head.on_disk_below).is_some() {}
        doubtful.push_back((record_head.number, offset, record.into_bytes()));
    }
    // The segments that a head names follow each other, so one without records is given up only at
    // the beginning.
    if chain.next_record == head.first_record && chain.used.is_empty() {
        chain.freed.push(slot.number)
    } else {
        chain.used.push_back((slot.number, head.number))
    }
    let parts = doubtful.into_iter().map(|(_, offset, bytes)| (offset, bytes));
    let parts = [(0, head.to_block())].into_iter().chain(parts).collect();
    // A closing note was written after everything else was on disk, and is not missed itself.
    Ok(slot.closed_before.is_none().then_some(Unsettled { slot: slot.number, parts }))
}

/// Refuses a journal whose end was on disk once and cannot be read now.
fn refuse_lost_end(slots: &[Slot], newest: SegmentHead, next_record: u64) -> Result<(), OpenError> {
    let headless = slots.iter().filter(|slot| slot.head.is_none()).count() as u64;
    for slot in slots {
        let has_lost = match slot.head {
            Some(head) if head.number == newest.number => {
                has_record(slot, head.seed(), next_record, |head| head.on_disk_below > next_record)
            }
            None => (1..=headless).try_fold(false, |has_lost, later| {
                let seed = seed(newest.salt, newest.number + later);
                Ok(has_lost || has_record(slot, seed, next_record, |_| true)?)
            }),
            Some(_) => continue,
        };
        if has_lost.map_err(OpenError::io(&slot.path))? {
            return Err(damaged(&slot.path, next_record));
        }
    }
    Ok(())
}

/// Returns whether a slot has a record that is sought, with this number or one that can follow it
/// in the same file.
fn has_record(
    slot: &Slot,
    seed: u64,
    number: u64,
    is_sought: impl Fn(&RecordHead) -> bool,
) -> io::Result<bool> {
    let mut reader = SegmentReader::open(&slot.path, seed)?;
    let numbers = number..=number + reader.file_bytes / BLOCK_BYTES as u64;
    reader.has(|head| numbers.contains(&head.number) && is_sought(head))
}

/// Something that must be there is not. A file without a readable head is the likely place.
fn missing(directory: &Path, slots: &[Slot], what: &str) -> OpenError {
    let headless = slots.iter().find(|slot| slot.head.is_none());
    let path = headless.map_or(directory, |slot| &slot.path);
    OpenError::corrupt(path, what)
}

fn damaged(path: &Path, record: u64) -> OpenError {
    OpenError::corrupt(path, format!("record {record} was written and cannot be read"))
}

/// Reads the records of one segment.
struct SegmentReader {
    file: BufReader<File>,
    /// Where the file is read next.
    at: u64,
    file_bytes: u64,
    seed: u64,
    /// Where the next record begins.
    offset: u64,
}

impl SegmentReader {
    fn open(path: &Path, seed: u64) -> io::Result<SegmentReader> {
        let file = File::open(path)?;
        let file_bytes = file.metadata()?.len();
        let file = BufReader::with_capacity(READ_BYTES, file);
        Ok(SegmentReader { file, at: 0, file_bytes, seed, offset: BLOCK_BYTES as u64 })
    }

    /// The record with this number, if it follows.
    fn next(&mut self, number: u64) -> io::Result<Option<JournalRecord>> {
        let record = self.record_at(self.offset, |head| head.number == number)?;
        if let Some(record) = &record {
            self.offset += record.head.segment_bytes();
        }
        Ok(record)
    }

    /// Returns whether any block begins a record that is sought.
    fn has(&mut self, is_sought: impl Fn(&RecordHead) -> bool) -> io::Result<bool> {
        for offset in (self.offset..self.file_bytes).step_by(BLOCK_BYTES) {
            if self.record_at(offset, &is_sought)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The record that begins at an offset, if it is complete and wanted.
    fn record_at(
        &mut self,
        offset: u64,
        is_asked_for: impl FnOnce(&RecordHead) -> bool,
    ) -> io::Result<Option<JournalRecord>> {
        if offset + HEAD_BYTES as u64 > self.file_bytes {
            return Ok(None);
        }
        self.file.seek_relative(offset.wrapping_sub(self.at).cast_signed())?;
        let mut bytes = vec![0; HEAD_BYTES];
        self.file.read_exact(&mut bytes)?;
        self.at = offset + HEAD_BYTES as u64;
        let head = bytes.first_chunk().map(RecordHead::read).filter(is_asked_for);
        let Some(head) =
            head.filter(|head| self.at + u64::from(head.writes_bytes) <= self.file_bytes)
        else {
            return Ok(None);
        };
        bytes.resize(HEAD_BYTES + head.writes_bytes as usize, 0);
        self.file.read_exact(bytes.get_mut(HEAD_BYTES..).unwrap_or_default())?;
        self.at += u64::from(head.writes_bytes);
        Ok(is_whole(&bytes, self.seed).then(|| JournalRecord::new(head, bytes)))
    }
}
