//! What was written lately, in memory, in the order of its keys.
//!
//! One thread writes while any number read. All versions of a key are kept until the memtable is
//! written out as a table, and each reader sees those that are older than its instant.

use std::borrow::Borrow;
use std::cmp::Ordering as Order;
use std::ops::Bound;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use crossbeam_skiplist::SkipMap;
use crossbeam_skiplist::map::Entry;

use crate::Found;

/// What an entry takes besides its key and its value.
const ENTRY_BYTES: usize = 96;

/// See the module.
#[derive(Default)]
pub struct Memtable {
    entries: SkipMap<Version, Option<Bytes>>,
    bytes: AtomicU64,
    first_number: AtomicU64,
    last_number: AtomicU64,
}

/// One version of a key. The newest of a key comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    key: Vec<u8>,
    number: std::cmp::Reverse<u64>,
}

impl Memtable {
    /// Adds what the commit `number` does to a key; no value is a deletion. Only one thread may do
    /// so.
    pub fn insert(&self, key: Vec<u8>, value: Option<Bytes>, number: u64) {
        let bytes = key.len() + value.as_ref().map_or(0, Bytes::len) + ENTRY_BYTES;
        if self.entries.is_empty() {
            self.first_number.store(number, Ordering::Release);
        }
        self.last_number.store(number, Ordering::Release);
        self.entries.insert(Version { key, number: std::cmp::Reverse(number) }, value);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// About how much memory it takes.
    pub fn size_bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The first commit that is in it, if there is any.
    pub(crate) fn first_number(&self) -> Option<u64> {
        (!self.is_empty()).then(|| self.first_number.load(Ordering::Acquire))
    }

    /// The last commit that is in it, 0 if there is none.
    pub fn last_number(&self) -> u64 {
        self.last_number.load(Ordering::Acquire)
    }

    /// The newest version of a key below an instant.
    pub fn get(&self, key: &[u8], instant: u64) -> Option<Found> {
        let probe = Probe { key, number: instant.saturating_sub(1) };
        let entry = self.entries.lower_bound(Bound::Included(&probe as &dyn AsVersion))?;
        (entry.key().key == key)
            .then(|| Found { number: entry.key().number.0, value: entry.value().clone() })
    }

    /// Walks upwards from a bound.
    pub(crate) fn forward(&self, start: Bound<&[u8]>, instant: u64) -> MemtableCursor<'_> {
        let entry = match start {
            Bound::Unbounded => self.entries.front(),
            Bound::Included(key) => self.lower(Bound::Included(&Probe { key, number: u64::MAX })),
            Bound::Excluded(key) => self.lower(Bound::Excluded(&Probe { key, number: 0 })),
        };
        let mut cursor = MemtableCursor { entry, instant };
        cursor.settle_forward();
        cursor
    }

    /// Walks downwards from a bound.
    pub(crate) fn backward(&self, end: Bound<&[u8]>, instant: u64) -> MemtableCursor<'_> {
        let entry = match end {
            Bound::Unbounded => self.entries.back(),
            Bound::Included(key) => self.upper(Bound::Included(&Probe { key, number: 0 })),
            Bound::Excluded(key) => self.upper(Bound::Excluded(&Probe { key, number: u64::MAX })),
        };
        let mut cursor = MemtableCursor { entry, instant };
        cursor.settle_backward();
        cursor
    }

    fn lower(&self, bound: Bound<&Probe<'_>>) -> Option<MemtableEntry<'_>> {
        self.entries.lower_bound(bound.map(|probe| probe as &dyn AsVersion))
    }

    fn upper(&self, bound: Bound<&Probe<'_>>) -> Option<MemtableEntry<'_>> {
        self.entries.upper_bound(bound.map(|probe| probe as &dyn AsVersion))
    }
}

impl std::fmt::Debug for Memtable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memtable").field("bytes", &self.size_bytes()).finish_non_exhaustive()
    }
}

type MemtableEntry<'a> = Entry<'a, Version, Option<Bytes>>;

/// A place in a memtable: the newest visible version of a key.
pub(crate) struct MemtableCursor<'a> {
    entry: Option<MemtableEntry<'a>>,
    instant: u64,
}

impl MemtableCursor<'_> {
    pub(crate) fn key(&self) -> Option<&[u8]> {
        self.entry.as_ref().map(|entry| entry.key().key.as_slice())
    }

    pub(crate) fn number(&self) -> u64 {
        self.entry.as_ref().map_or(0, |entry| entry.key().number.0)
    }

    pub(crate) fn value(&self) -> Option<Bytes> {
        self.entry.as_ref().and_then(|entry| entry.value().clone())
    }

    pub(crate) fn is_deletion(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| entry.value().is_none())
    }

    /// Moves to the next key.
    pub(crate) fn step_forward(&mut self) {
        let Some(mut entry) = self.entry.take() else { return };
        loop {
            let Some(next) = entry.next() else { return };
            let is_other = next.key().key != entry.key().key;
            entry = next;
            if is_other {
                break;
            }
        }
        self.entry = Some(entry);
        self.settle_forward();
    }

    /// Moves to the key before.
    pub(crate) fn step_backward(&mut self) {
        let Some(mut entry) = self.entry.take() else { return };
        loop {
            let Some(previous) = entry.prev() else { return };
            let is_other = previous.key().key != entry.key().key;
            entry = previous;
            if is_other {
                break;
            }
        }
        self.entry = Some(entry);
        self.settle_backward();
    }

    /// Passes over versions that are too new. The first that is not is the newest visible one of
    /// its key.
    fn settle_forward(&mut self) {
        while let Some(entry) = &self.entry
            && entry.key().number.0 >= self.instant
        {
            self.entry = entry.next();
        }
    }

    /// From the oldest version of a key to its newest visible one, or to a key that has one.
    fn settle_backward(&mut self) {
        let mut visible: Option<MemtableEntry<'_>> = None;
        let mut next = self.entry.take();
        while let Some(entry) = next {
            let is_same = visible.as_ref().is_none_or(|it| it.key().key == entry.key().key);
            if !is_same {
                break;
            }
            next = entry.prev();
            if entry.key().number.0 < self.instant {
                visible = Some(entry);
            }
        }
        self.entry = visible;
    }
}

/// A version that is looked for, without a copy of its key.
struct Probe<'a> {
    key: &'a [u8],
    number: u64,
}

/// What versions are compared by.
trait AsVersion {
    fn key(&self) -> &[u8];
    fn number(&self) -> u64;
}

impl AsVersion for Version {
    fn key(&self) -> &[u8] {
        &self.key
    }

    fn number(&self) -> u64 {
        self.number.0
    }
}

impl AsVersion for Probe<'_> {
    fn key(&self) -> &[u8] {
        self.key
    }

    fn number(&self) -> u64 {
        self.number
    }
}

impl<'a> Borrow<dyn AsVersion + 'a> for Version {
    fn borrow(&self) -> &(dyn AsVersion + 'a) {
        self
    }
}

impl Ord for dyn AsVersion + '_ {
    fn cmp(&self, other: &Self) -> Order {
        self.key().cmp(other.key()).then_with(|| other.number().cmp(&self.number()))
    }
}

impl PartialOrd for dyn AsVersion + '_ {
    fn partial_cmp(&self, other: &Self) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl PartialEq for dyn AsVersion + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for dyn AsVersion + '_ {}

#[cfg(test)]
mod tests {
    use super::*;

    fn memtable() -> Memtable {
        let memtable = Memtable::default();
        for (number, (key, value)) in
            [("b", Some("1")), ("a", Some("2")), ("b", None), ("c", Some("4"))].iter().enumerate()
        {
            let value = value.map(Bytes::from);
            memtable.insert(key.as_bytes().to_vec(), value, number as u64 + 1);
        }
        memtable
    }

    fn value(memtable: &Memtable, key: &str, instant: u64) -> Option<Option<String>> {
        let found = memtable.get(key.as_bytes(), instant)?;
        Some(found.value.map(|value| String::from_utf8(value.to_vec()).unwrap()))
    }

    #[test]
    fn a_reader_sees_what_was_there_at_its_instant() {
        let memtable = memtable();
        assert_eq!(value(&memtable, "b", 1), None);
        assert_eq!(value(&memtable, "b", 2), Some(Some("1".to_owned())));
        assert_eq!(value(&memtable, "b", 4), Some(None));
        assert_eq!(value(&memtable, "b", u64::MAX), Some(None));
        assert_eq!(value(&memtable, "bb", u64::MAX), None);
    }

    #[test]
    fn cursors_meet_each_key_once_in_both_directions() {
        let memtable = memtable();
        for (instant, expected) in [(1, ""), (3, "a2 b1"), (4, "a2 b3"), (9, "a2 b3 c4")] {
            let mut forward = Vec::new();
            let mut cursor = memtable.forward(Bound::Unbounded, instant);
            while let Some(key) = cursor.key() {
                forward.push(format!("{}{}", String::from_utf8_lossy(key), cursor.number()));
                cursor.step_forward();
            }
            let mut backward = Vec::new();
            let mut cursor = memtable.backward(Bound::Unbounded, instant);
            while let Some(key) = cursor.key() {
                backward.push(format!("{}{}", String::from_utf8_lossy(key), cursor.number()));
                cursor.step_backward();
            }
            backward.reverse();
            assert_eq!(forward.join(" "), expected);
            assert_eq!(backward, forward);
        }
    }

    #[test]
    fn bounds_are_kept() {
        let memtable = memtable();
        let key = |cursor: MemtableCursor<'_>| cursor.key().map(<[u8]>::to_vec);
        assert_eq!(key(memtable.forward(Bound::Included(b"b"), 9)), Some(b"b".to_vec()));
        assert_eq!(key(memtable.forward(Bound::Excluded(b"b"), 9)), Some(b"c".to_vec()));
        assert_eq!(key(memtable.backward(Bound::Included(b"b"), 9)), Some(b"b".to_vec()));
        assert_eq!(key(memtable.backward(Bound::Excluded(b"b"), 9)), Some(b"a".to_vec()));
        assert_eq!(key(memtable.backward(Bound::Excluded(b"a"), 9)), None);
    }
}
