//! Reading the journal back.
//!
//! The newest segment says which earlier ones are needed. They must all be there, and their records must follow each
//! other by number: each segment but the newest was on disk before the next one began. The newest one ends where
//! a record is not whole, which is what a crash leaves of a commit that nobody was told of. If a later record there says that
//! everything before it was on disk, then it is not the end but damage, and the store is refused: opening it would lose
//! commits that were answered.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::Chain;
use super::record::{BLOCK_BYTES, HEAD_BYTES, Record, RecordHead, is_whole};
use super::segment::SegmentHead;
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
}

/// The path of a slot.
pub(super) fn slot_path(directory: &Path, slot: u64) -> PathBuf {
    directory.join(format!("{slot}.{EXTENSION}"))
}

/// Finds the files of the journal.
pub(super) fn list_slots(directory: &Path) -> Result<Vec<Slot>, OpenError> {
    let mut slots = Vec::new();
    for entry in fs::read_dir(directory).map_err(OpenError::io(directory))? {
        let path = entry.map_err(OpenError::io(directory))?.path();
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        let Some(number) = number.filter(|_| path.extension().is_some_and(|it| it == EXTENSION))
        else {
            continue;
        };
        let head = read_head(&path).map_err(OpenError::io(&path))?;
        slots.push(Slot { number, path, head });
    }
    Ok(slots)
}

fn read_head(path: &Path) -> io::Result<Option<SegmentHead>> {
    let mut block = Vec::with_capacity(BLOCK_BYTES);
    File::open(path)?.take(BLOCK_BYTES as u64).read_to_end(&mut block)?;
    Ok(SegmentHead::read(&block))
}

/// Reads all records that are needed, oldest first, and tells what they come to.
pub(super) fn replay(
    directory: &Path,
    slots: &[Slot],
    each: &mut dyn FnMut(&Record) -> Result<(), OpenError>,
) -> Result<Chain, OpenError> {
    let newest = slots.iter().filter_map(|slot| slot.head).max_by_key(|head| head.number);
    let newest = newest.ok_or_else(|| OpenError::corrupt(directory, "its journal is missing"))?;
    let needed = needed_segments(directory, slots, newest)?;
    let oldest = needed.first().map_or(newest, |(_, head)| *head);
    let is_needed = |number| needed.iter().any(|(slot, _)| slot.number == number);
    let numbers = || slots.iter().map(|slot| slot.number);
    let mut chain = Chain {
        used: VecDeque::new(),
        freed: Vec::new(),
        spare: numbers().filter(|number| !is_needed(*number)).collect(),
        next_slot: numbers().max().map_or(0, |newest| newest + 1),
        newest_segment: newest.number,
        next_record: oldest.first_record,
        last_position: oldest.last_position,
    };
    for (slot, head) in &needed {
        replay_segment(slot, *head, &mut chain, each)?;
    }
    refuse_lost_end(slots, newest, chain.next_record)?;
    Ok(chain)
}

/// The segments that the newest one names, oldest first.
fn needed_segments<'a>(
    directory: &Path,
    slots: &'a [Slot],
    newest: SegmentHead,
) -> Result<Vec<(&'a Slot, SegmentHead)>, OpenError> {
    let find = |number| {
        let mut heads = slots.iter().filter_map(|slot| Some((slot, slot.head?)));
        heads.find(|(_, head)| head.number == number).ok_or_else(|| {
            OpenError::corrupt(directory, format!("segment {number} of its journal is missing"))
        })
    };
    (newest.oldest_needed..=newest.number).map(find).collect()
}

fn replay_segment(
    slot: &Slot,
    head: SegmentHead,
    chain: &mut Chain,
    each: &mut dyn FnMut(&Record) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    if chain.next_record != head.first_record {
        return Err(damaged(&slot.path, chain.next_record));
    }
    let reader = SegmentReader::open(&slot.path, head.number);
    let mut reader = reader.map_err(OpenError::io(&slot.path))?;
    while let Some(record) = reader.next(chain.next_record).map_err(OpenError::io(&slot.path))? {
        each(&record)?;
        chain.next_record += 1;
        chain.last_position = record.head.last_position;
    }
    // The segments that a head names follow each other, so one without records is given up only at the beginning.
    match chain.next_record == head.first_record && chain.used.is_empty() {
        true => chain.freed.push(slot.number),
        false => chain.used.push_back((slot.number, head.number)),
    }
    Ok(())
}

/// Refuses a journal whose end was on disk once and cannot be read now: of the newest segment, or of one
/// after it whose head cannot be read.
fn refuse_lost_end(slots: &[Slot], newest: SegmentHead, next_record: u64) -> Result<(), OpenError> {
    for slot in slots {
        let segment = match slot.head {
            Some(head) if head.number == newest.number => newest.number,
            None => newest.number + 1,
            Some(_) => continue,
        };
        let later = SegmentReader::open(&slot.path, segment)
            .and_then(|mut reader| reader.has_later(next_record));
        if later.map_err(OpenError::io(&slot.path))? {
            return Err(damaged(&slot.path, next_record));
        }
    }
    Ok(())
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
    segment: u64,
    /// Where the next record begins.
    offset: u64,
}

impl SegmentReader {
    fn open(path: &Path, segment: u64) -> io::Result<SegmentReader> {
        let file = File::open(path)?;
        let file_bytes = file.metadata()?.len();
        let file = BufReader::with_capacity(READ_BYTES, file);
        Ok(SegmentReader { file, at: 0, file_bytes, segment, offset: BLOCK_BYTES as u64 })
    }

    /// The record with this number, if it follows.
    fn next(&mut self, number: u64) -> io::Result<Option<Record>> {
        let record = self.record_at(self.offset, |head| head.number == number)?;
        if let Some(record) = &record {
            self.offset += record.head.segment_bytes();
        }
        Ok(record)
    }

    /// Whether a record says that the one with this number, which is not to be read, was on disk.
    fn has_later(&mut self, number: u64) -> io::Result<bool> {
        let blocks = self.file_bytes / BLOCK_BYTES as u64;
        let is_later = |head: &RecordHead| {
            head.is_after_sync && (number + 1..=number + blocks).contains(&head.number)
        };
        for offset in (self.offset..self.file_bytes).step_by(BLOCK_BYTES) {
            if self.record_at(offset, is_later)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The record that begins at an offset, if there is a whole one that is asked for.
    fn record_at(
        &mut self,
        offset: u64,
        is_asked_for: impl FnOnce(&RecordHead) -> bool,
    ) -> io::Result<Option<Record>> {
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
        Ok(is_whole(&bytes, self.segment).then(|| Record::new(head, bytes)))
    }
}
