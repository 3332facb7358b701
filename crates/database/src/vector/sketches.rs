//! What is sketched of the vector indexes of a table.
//!
//! All versions of a table share it. A place is the prefix of an index, or of one of its
//! partitions: so of all places, one at most holds a key, the last that does not come after it.

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
    places: RwLock<BTreeMap<Key, Place>>,
}

#[derive(Debug)]
struct Place {
    index: IndexId,
    /// What searches go by.
    current: Option<Arc<SketchedRange>>,
    /// What is being sketched.
    next: Option<Arc<SketchedRange>>,
}

impl Place {
    /// Whether it has not been given up for others.
    fn is_of_use(&self) -> bool {
        self.next.is_some() || self.current.as_ref().is_some_and(|range| range.is_complete())
    }
}

impl Sketches {
    /// Takes note of a change of an entry that is about to be committed.
    pub(super) fn note(&self, old: Option<&VectorEntry>, new: &VectorEntry) {
        let places = self.read();
        let place = places.range::<Key, _>(..=&new.key).next_back();
        let place = place.filter(|(prefix, _)| new.key.starts_with(prefix));
        let Some((_, place)) = place else { return };
        place.current.iter().chain(&place.next).for_each(|range| range.note(old, new));
    }

    /// The range under this prefix, if it is sketched completely.
    pub(super) fn complete(&self, prefix: &[u8]) -> Option<Arc<SketchedRange>> {
        let current = self.read().get(prefix).and_then(|place| place.current.clone());
        current.filter(|range| range.is_complete())
    }

    /// Begins to sketch the range under this prefix with about so many vectors, unless somebody
    /// does already or no memory can be had for it. Writes add to it from now on.
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
        // What is given up for it takes a while to be freed, and no write should wait for that.
        if !memory.enter(&range, bytes) {
            return None;
        }
        let mut places = self.write();
        if is_under_way(&places, &prefix) {
            return None;
        }
        places.retain(|_, place| place.is_of_use());
        let empty = Place { index: index.id, current: None, next: None };
        places.entry(prefix).or_insert(empty).next = Some(range.clone());
        Some(Sketching { sketches: self.clone(), range })
    }

    /// Forgets the ranges of indexes that are not kept.
    pub(crate) fn retain(&self, is_kept: impl Fn(IndexId) -> bool) {
        let mut places = self.write();
        places.retain(|_, place| {
            let is_kept = is_kept(place.index);
            if !is_kept {
                place.current.iter().chain(&place.next).for_each(|range| range.give_up());
            }
            is_kept
        });
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<Key, Place>> {
        self.places.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<Key, Place>> {
        self.places.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_under_way(places: &BTreeMap<Key, Place>, prefix: &Key) -> bool {
    places.get(prefix).is_some_and(|place| place.next.is_some())
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

    /// All entries are sketched: searches go by this range from now on, and by the one before no
    /// more.
    pub(super) fn finish(self) {
        let mut places = self.sketches.write();
        let Some(place) = self.own_place(&mut places) else { return };
        self.range.complete();
        let before = std::mem::replace(&mut place.current, place.next.take());
        before.iter().for_each(|range| range.give_up());
    }

    fn own_place<'p>(&self, places: &'p mut BTreeMap<Key, Place>) -> Option<&'p mut Place> {
        let place = places.get_mut(self.range.prefix())?;
        let is_own = place.next.as_ref().is_some_and(|next| Arc::ptr_eq(next, &self.range));
        is_own.then_some(place)
    }
}

impl Drop for Sketching {
    fn drop(&mut self) {
        let mut places = self.sketches.write();
        if let Some(place) = self.own_place(&mut places) {
            place.next = None;
            self.range.give_up();
        }
    }
}
