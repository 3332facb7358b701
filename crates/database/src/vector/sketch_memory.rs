//! How much memory sketches take, and how often they helped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::sketch_ledger::SketchLedger;
use super::sketched_range::SketchedRange;

/// How vectors are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorOptions {
    /// How much memory sketches of vectors may take. With none, searches compare all vectors in the
    /// store.
    pub sketch_bytes_max: usize,
    /// From how many vectors on they are sketched. Fewer are compared just as fast without.
    pub sketched_vectors_min: usize,
}

impl Default for VectorOptions {
    fn default() -> VectorOptions {
        VectorOptions { sketch_bytes_max: 1 << 30, sketched_vectors_min: 4096 }
    }
}

/// How vectors were searched so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VectorStatistics {
    /// What sketches take of memory.
    pub sketch_bytes: usize,
    /// What they may take.
    pub sketch_bytes_max: usize,
    /// How many ranges of vectors are sketched.
    pub sketched_ranges: usize,
    /// How many ranges were given up for others.
    pub evicted_ranges: u64,
    /// How many searches scanned sketches first.
    pub sketched_searches: u64,
    /// How many searches compared all vectors.
    pub full_searches: u64,
}

/// The memory of all sketches of a database.
#[derive(Debug)]
pub(crate) struct SketchMemory {
    bytes_max: usize,
    bytes: AtomicUsize,
    ledger: SketchLedger,
    sketched_searches: AtomicU64,
    full_searches: AtomicU64,
    evicted_ranges: AtomicU64,
}

impl SketchMemory {
    pub(crate) fn new(options: &VectorOptions) -> SketchMemory {
        SketchMemory {
            bytes_max: options.sketch_bytes_max,
            bytes: AtomicUsize::new(0),
            ledger: SketchLedger::default(),
            sketched_searches: AtomicU64::new(0),
            full_searches: AtomicU64::new(0),
            evicted_ranges: AtomicU64::new(0),
        }
    }

    /// Reserves this much memory; returns whether it was available.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let add = |taken: usize| taken.checked_add(bytes).filter(|sum| *sum <= self.bytes_max);
        self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok()
    }

    pub(super) fn give_back(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns whether this much memory is available at the moment.
    fn has_room(&self, bytes: usize) -> bool {
        self.bytes.load(Ordering::Relaxed).saturating_add(bytes) <= self.bytes_max
    }

    /// Registers a range of about this many bytes, if there is memory for it or other ranges can be
    /// given up. Returns whether sketching may begin.
    pub(super) fn enter(&self, range: &Arc<SketchedRange>, bytes: usize) -> bool {
        if bytes > self.bytes_max || !(self.has_room(bytes) || self.make_way(range, bytes)) {
            return false;
        }
        self.ledger.add(range);
        true
    }

    fn make_way(&self, range: &SketchedRange, bytes: usize) -> bool {
        let free_bytes = self.bytes_max.saturating_sub(self.bytes.load(Ordering::Relaxed));
        let lacking_bytes = bytes.saturating_sub(free_bytes);
        let Some(count) = self.ledger.make_way(range.prefix(), lacking_bytes, self.now()) else {
            return false;
        };
        self.evicted_ranges.fetch_add(count, Ordering::Relaxed);
        true
    }

    /// The number of searches so far, which orders them.
    pub(super) fn now(&self) -> u64 {
        let count = |searches: &AtomicU64| searches.load(Ordering::Relaxed);
        count(&self.sketched_searches) + count(&self.full_searches)
    }

    pub(super) fn count_sketched(&self, range: &SketchedRange) {
        self.sketched_searches.fetch_add(1, Ordering::Relaxed);
        range.note_search(self.now());
    }

    pub(super) fn count_full(&self) {
        self.full_searches.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn statistics(&self) -> VectorStatistics {
        VectorStatistics {
            sketch_bytes: self.bytes.load(Ordering::Relaxed),
            sketch_bytes_max: self.bytes_max,
            sketched_ranges: self.ledger.complete_ranges(),
            evicted_ranges: self.evicted_ranges.load(Ordering::Relaxed),
            sketched_searches: self.sketched_searches.load(Ordering::Relaxed),
            full_searches: self.full_searches.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is() {
        let options = VectorOptions { sketch_bytes_max: 100, ..VectorOptions::default() };
        let memory = SketchMemory::new(&options);
        assert!(memory.take(60) && !memory.take(41) && memory.take(40) && !memory.take(1));
        memory.give_back(60);
        assert!(memory.has_room(60) && !memory.has_room(61));
        assert!(!memory.take(usize::MAX));
        assert_eq!(memory.statistics().sketch_bytes, 40);
    }
}
