//! The sketches of the entries under one key prefix: of an index, or of one of its partitions.
//!
//! They are a superset of what the store holds. A write adds the sketch of its entry before it
//! commits, whether or not the commit succeeds, and nothing is ever removed: a sketch only tells
//! which entries to read from the store. So a search that lists the sketches after it took its
//! snapshot covers everything in the snapshot. Overwritten and deleted entries wear a range out;
//! then it is sketched again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use monotable_item::Value;
use monotable_item::stored::ItemView;
use monotable_storage::Key;
use xxhash_rust::xxh3::xxh3_64;

use super::entry::VectorEntry;
use super::schema::{Distance, VectorIndexDefinition};
use super::segment::{NewSketch, SEGMENT_VECTORS, Segment, sketch_bytes};
use super::sketch::sketch;
use super::sketch_memory::SketchMemory;
use crate::key_value::{KeySource, KeyValue, of_value};
use crate::keyspace::vector_entry;

/// How many sketches may be added to a range before it is worn out, at least.
const SPARE_VECTORS_MIN: usize = 8 * SEGMENT_VECTORS;
/// The approximate length of an entry's key without the common prefix of its range.
const KEY_BYTES: usize = 48;

/// Sketches of a range of entries.
#[derive(Debug)]
pub(crate) struct SketchedRange {
    prefix: Key,
    distance: Distance,
    dimensions: u32,
    filters: Vec<String>,
    memory: Arc<SketchMemory>,
    /// When it was last searched, as a number of searches.
    last_searched: AtomicU64,
    /// None once the range was given up.
    held: Mutex<Option<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    full: Vec<Arc<Segment>>,
    open: Segment,
    bytes: usize,
    /// How many there were when the range was complete.
    complete: Option<usize>,
}

/// The sketches of a range at one moment.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) segments: Vec<Arc<Segment>>,
    pub(super) vectors: usize,
    pub(super) is_worn: bool,
}

impl SketchedRange {
    pub(super) fn new(
        prefix: Key,
        definition: &VectorIndexDefinition,
        memory: Arc<SketchMemory>,
    ) -> SketchedRange {
        SketchedRange {
            prefix,
            distance: definition.distance,
            dimensions: definition.dimensions,
            filters: definition.filters().map(|attribute| attribute.name.clone()).collect(),
            last_searched: AtomicU64::new(memory.now()),
            memory,
            held: Mutex::new(Some(Held::default())),
        }
    }

    /// What all keys begin with.
    pub(super) fn prefix(&self) -> &Key {
        &self.prefix
    }

    /// Estimates how much memory this many vectors take.
    pub(super) fn bytes_of(&self, vectors: usize) -> usize {
        let segments = vectors.div_ceil(SEGMENT_VECTORS).saturating_mul(self.segment_bytes());
        segments.saturating_add(vectors.saturating_mul(KEY_BYTES))
    }

    /// How much memory a segment takes without the keys.
    fn segment_bytes(&self) -> usize {
        SEGMENT_VECTORS * sketch_bytes(self.dimensions as usize, self.filters.len())
    }

    /// Records a change of an entry that is about to be committed, unless its sketch stays the
    /// same.
    pub(super) fn note(&self, old: Option<&VectorEntry>, new: &VectorEntry) {
        let old = old.filter(|old| old.key == new.key);
        if old.is_some_and(|old| self.looks_alike(&old.value, &new.value)) {
            return;
        }
        self.add(&new.key, &new.value);
    }

    fn looks_alike(&self, old: &Bytes, new: &Bytes) -> bool {
        let split = |value| vector_entry::split_value(self.dimensions, value);
        let (Some(old), Some(new)) = (split(old), split(new)) else { return false };
        old.0 == new.0 && self.marks(old.1) == self.marks(new.1)
    }

    /// Adds the sketch of an entry. Corrupt entries are detected elsewhere.
    pub(super) fn add(&self, key: &[u8], value: &[u8]) {
        let Some(key) = key.strip_prefix(self.prefix.as_slice()) else { return };
        let Some((vector, attributes)) = vector_entry::split_value(self.dimensions, value) else {
            return;
        };
        let mut codes = Vec::with_capacity(self.dimensions as usize);
        let form = sketch(self.distance, vector, &mut codes);
        let marks = self.marks(attributes);
        let mut held = self.lock();
        let Some(some) = held.as_mut() else { return };
        let is_held = self.make_room(some, key.len());
        if is_held {
            some.open.push(&NewSketch { codes: &codes, form, marks: &marks, key });
        } else {
            drop(held);
            self.give_up();
        }
    }

    /// Makes room for another sketch; returns whether there is memory for it.
    fn make_room(&self, held: &mut Held, key_bytes: usize) -> bool {
        let (dimensions, filters) = (self.dimensions as usize, self.filters.len());
        let needs_segment = held.open.is_full() || held.bytes == 0;
        let segment_bytes = if needs_segment { self.segment_bytes() } else { 0 };
        if !self.memory.take(segment_bytes + key_bytes) {
            return false;
        }
        held.bytes += segment_bytes + key_bytes;
        if needs_segment {
            let full = std::mem::replace(&mut held.open, Segment::with_room(dimensions, filters));
            if full.is_full() {
                held.full.push(Arc::new(full));
            }
        }
        true
    }

    fn marks(&self, attributes: &[u8]) -> Vec<u32> {
        let item = ItemView::new(attributes).ok();
        let mark_of = |name: &String| item.as_ref().and_then(|item| item.key_value(name)).map(mark);
        self.filters.iter().map(|name| mark_of(name).unwrap_or(0)).collect()
    }

    /// The marks that filters ask for: which of a vector's, and the value.
    pub(super) fn wanted_marks(&self, filters: &[(String, Value)]) -> Vec<(usize, u32)> {
        let wanted = filters.iter().filter_map(|(name, value)| {
            let place = self.filters.iter().position(|filter| filter == name)?;
            Some((place, mark(of_value(value))))
        });
        wanted.collect()
    }

    /// Marks the range as complete: all entries of the store are sketched.
    pub(super) fn complete(&self) {
        if let Some(held) = self.lock().as_mut() {
            held.complete = Some(held.vectors());
        }
    }

    /// Returns whether all entries are sketched.
    pub(super) fn is_complete(&self) -> bool {
        self.lock().as_ref().is_some_and(|held| held.complete.is_some())
    }

    /// When it was last searched, or begun, as a number of searches.
    pub(super) fn last_searched(&self) -> u64 {
        self.last_searched.load(Ordering::Relaxed)
    }

    /// Notes that it is searched.
    pub(super) fn note_search(&self, now: u64) {
        self.last_searched.fetch_max(now, Ordering::Relaxed);
    }

    /// Returns whether it is complete and was not searched since a moment.
    pub(super) fn is_idle_since(&self, moment: u64) -> bool {
        self.last_searched() < moment && self.is_complete()
    }

    /// How much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.lock().as_ref().map_or(0, |held| held.bytes)
    }

    /// What is sketched, unless the range was given up or is not complete.
    pub(super) fn list(&self) -> Option<Listing> {
        let held = self.lock();
        let held = held.as_ref()?;
        let (vectors, complete) = (held.vectors(), held.complete?);
        let mut segments = held.full.clone();
        segments.push(Arc::new(held.open.clone()));
        let spare = (complete / 2).max(SPARE_VECTORS_MIN);
        Some(Listing { segments, vectors, is_worn: vectors > complete + spare })
    }

    /// Gives the range up, so that it is not searched any more.
    pub(super) fn give_up(&self) {
        // Freed after the lock is released, since writes wait for it.
        let held = self.lock().take();
        if let Some(held) = held {
            self.memory.give_back(held.bytes);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SketchedRange {
    fn drop(&mut self) {
        self.give_up();
    }
}

impl Held {
    fn vectors(&self) -> usize {
        self.full.len() * SEGMENT_VECTORS + self.open.len()
    }
}

/// The mark of a value: equal values have equal marks.
fn mark(value: KeyValue<'_>) -> u32 {
    let mut bytes = Vec::new();
    value.encode(&mut bytes);
    xxh3_64(&bytes) as u32
}

#[cfg(test)]
mod tests {
    use monotable_item::key_encoding::KeyType;
    use monotable_item::{Item, stored};

    use super::super::sketch_memory::VectorOptions;
    use super::*;
    use crate::schema::{IndexProjection, KeyAttribute, SearchAttribute, SearchRole};

    fn range(bytes_max: usize) -> (SketchedRange, Arc<SketchMemory>) {
        let options = VectorOptions { sketch_bytes_max: bytes_max, ..VectorOptions::default() };
        let memory = Arc::new(SketchMemory::new(&options));
        let attribute = KeyAttribute { name: "kind".to_owned(), kind: KeyType::String };
        let definition = VectorIndexDefinition {
            name: "near".to_owned(),
            attribute: "v".to_owned(),
            dimensions: 2,
            distance: Distance::Euclidean,
            search: vec![SearchAttribute { role: SearchRole::Filter, attribute }],
            projected: IndexProjection::KeysOnly,
        };
        (SketchedRange::new(b"p".to_vec(), &definition, memory.clone()), memory)
    }

    fn entry(key: &str, vector: [f32; 2], kind: &str) -> VectorEntry {
        let attributes = stored::encode(&Item::from([("kind".to_owned(), Value::from(kind))]));
        let value = vector_entry::encode_value(&vector, &attributes).into();
        VectorEntry { key: format!("p{key}").into_bytes(), value, size_bytes: 0 }
    }

    #[test]
    fn only_what_looks_different_is_noted() {
        let (range, _) = range(1 << 20);
        let first = entry("a", [1.0, 0.0], "x");
        range.note(None, &first);
        range.note(Some(&first), &entry("a", [1.0, 0.0], "x"));
        range.complete();
        assert_eq!(range.list().unwrap().vectors, 1);
        range.note(Some(&first), &entry("a", [1.0, 0.0], "y"));
        range.note(Some(&first), &entry("a", [0.0, 1.0], "x"));
        range.note(Some(&first), &entry("b", [1.0, 0.0], "x"));
        assert_eq!(range.list().unwrap().vectors, 4);
    }

    #[test]
    fn a_range_wears_out_by_what_is_added_to_it() {
        let (range, _) = range(1 << 26);
        let entry = entry("a", [1.0, 0.0], "x");
        (0..SPARE_VECTORS_MIN).for_each(|_| range.add(&entry.key, &entry.value));
        assert!(range.list().is_none(), "it is not complete");
        range.complete();
        (0..SPARE_VECTORS_MIN).for_each(|_| range.add(&entry.key, &entry.value));
        assert!(!range.list().unwrap().is_worn);
        range.add(&entry.key, &entry.value);
        let listing = range.list().unwrap();
        assert!(listing.is_worn);
        let listed: usize = listing.segments.iter().map(|segment| segment.len()).sum();
        assert_eq!((listing.vectors, listed), (2 * SPARE_VECTORS_MIN + 1, listing.vectors));
    }

    #[test]
    fn a_range_that_outgrows_its_memory_is_given_up() {
        let bytes_max = 2 * range(0).0.segment_bytes() + 4096;
        let (range, memory) = range(bytes_max);
        let entry = entry("a", [1.0, 0.0], "x");
        (0..2 * SEGMENT_VECTORS).for_each(|_| range.add(&entry.key, &entry.value));
        range.complete();
        assert!(range.is_complete() && memory.statistics().sketch_bytes <= bytes_max);
        range.add(&entry.key, &entry.value);
        assert!(!range.is_complete() && range.list().is_none());
        assert_eq!(memory.statistics().sketch_bytes, 0);
    }
}
