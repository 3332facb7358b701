//! The sketches of all vector indexes of a table.
//!
//! All versions of a table share them. A range is the prefix of an index, or of one of its
//! partitions, so at most one range contains a given key: the last one that does not come after it.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use monotable_storage::Key;

use super::entry::VectorEntry;
use super::schema::VectorIndexSchema;
use super::sketch_memory::SketchMemory;
use super::sketched_range::SketchedRange;
use crate::schema::IndexId;

/// The sketched ranges of a table.
#[derive(Debug, Default)]
pub(crate) struct Sketches {
    ranges: RwLock<BTreeMap<Key, RangeSketches>>,
}

/// What is sketched of one range.
#[derive(Debug)]
struct RangeSketches {
    index: IndexId,
    /// What searches use.
    current: Option<Arc<SketchedRange>>,
    /// What is being sketched.
    next: Option<Arc<SketchedRange>>,
}

impl RangeSketches {
    /// Returns whether it has not been given up for others.
    fn is_of_use(&self) -> bool {
        self.next.is_some() || self.current.as_ref().is_some_and(|range| range.is_complete())
    }
}

impl Sketches {
    /// Records a change of an entry that is about to be committed.
    pub(super) fn note(&self, old: Option<&VectorEntry>, new: &VectorEntry) {
        let ranges = self.read();
        let found = ranges.range::<Key, _>(..=&new.key).next_back();
        let found = found.filter(|(prefix, _)| new.key.starts_with(prefix));
        let Some((_, found)) = found else { return };
        found.current.iter().chain(&found.next).for_each(|range| range.note(old, new));
    }

    /// The range under this prefix, if it is sketched completely.
    pub(super) fn complete(&self, prefix: &[u8]) -> Option<Arc<SketchedRange>> {
        let current = self.read().get(prefix).and_then(|found| found.current.clone());
        current.filter(|range| range.is_complete())
    }

    /// Begins to sketch the range under this prefix, with about this many vectors, unless that is
    /// under way or no memory can be found for it. From now on, writes add to it.
    pub(super) fn begin(
        self: &Arc<Self>,
        index: &VectorIndexSchema,
        prefix: Key,
        vectors: usize,
        memory: &Arc<SketchMemory>,
    ) -> Option<Sketching> {
        if is_under_way(&self.read(), &prefix) {
            return None;
        }
        let range = SketchedRange::new(prefix.clone(), &index.definition, memory.clone());
        let (bytes, range) = (range.bytes_of(vectors), Arc::new(range));
        // Freeing what is given up for it takes a while, and no write should wait for that.
        if !memory.enter(&range, bytes) {
            return None;
        }
        let mut ranges = self.write();
        if is_under_way(&ranges, &prefix) {
            return None;
        }
        ranges.retain(|_, found| found.is_of_use());
        let empty = RangeSketches { index: index.id, current: None, next: None };
        ranges.entry(prefix).or_insert(empty).next = Some(range.clone());
        Some(Sketching { sketches: self.clone(), range })
    }

    /// Forgets the ranges of indexes that are no longer maintained.
    pub(crate) fn retain(&self, is_kept: impl Fn(IndexId) -> bool) {
        let mut ranges = self.write();
        ranges.retain(|_, found| {
            let is_kept = is_kept(found.index);
            if !is_kept {
                found.current.iter().chain(&found.next).for_each(|range| range.give_up());
            }
            is_kept
        });
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<Key, RangeSketches>> {
        self.ranges.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<Key, RangeSketches>> {
        self.ranges.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_under_way(ranges: &BTreeMap<Key, RangeSketches>, prefix: &Key) -> bool {
    ranges.get(prefix).is_some_and(|found| found.next.is_some())
}

/// A range that is being sketched. One that is dropped before it is complete is given up.
#[derive(Debug)]
pub(super) struct Sketching {
    sketches: Arc<Sketches>,
    range: Arc<SketchedRange>,
}

impl Sketching {
    pub(super) fn range(&self) -> &SketchedRange {
        &self.range
    }

    /// Completes the range: from now on searches use it instead of the one before.
    pub(super) fn finish(self) {
        let mut ranges = self.sketches.write();
        let Some(found) = self.own_range(&mut ranges) else { return };
        self.range.complete();
        let before = std::mem::replace(&mut found.current, found.next.take());
        before.iter().for_each(|range| range.give_up());
    }

    fn own_range<'r>(
        &self,
        ranges: &'r mut BTreeMap<Key, RangeSketches>,
    ) -> Option<&'r mut RangeSketches> {
        let found = ranges.get_mut(self.range.prefix())?;
        let is_own = found.next.as_ref().is_some_and(|next| Arc::ptr_eq(next, &self.range));
        is_own.then_some(found)
    }
}

impl Drop for Sketching {
    fn drop(&mut self) {
        let mut ranges = self.sketches.write();
        if let Some(found) = self.own_range(&mut ranges) {
            found.next = None;
            self.range.give_up();
        }
    }
}
