//! What sketches take of memory, and how often they were of use.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How vectors are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorOptions {
    /// How much memory sketches of vectors may take. Without any, searches compare all vectors in
    /// the store.
    pub sketch_bytes_max: usize,
    /// From how many vectors on they are sketched. Fewer are compared as fast without.
    pub sketched_vectors_min: usize,
}

impl Default for VectorOptions {
    fn default() -> VectorOptions {
        VectorOptions { sketch_bytes_max: 1 << 30, sketched_vectors_min: 4096 }
    }
}

/// How vectors were searched so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorStatistics {
    /// What sketches take of memory.
    pub sketch_bytes: usize,
    /// How many searches looked at sketches first.
    pub sketched_searches: u64,
    /// How many searches compared all vectors.
    pub full_searches: u64,
}

/// The memory of all sketches of a database.
#[derive(Debug)]
pub(crate) struct SketchMemory {
    bytes_max: usize,
    bytes: AtomicUsize,
    sketched_searches: AtomicU64,
    full_searches: AtomicU64,
}

impl SketchMemory {
    pub(crate) fn new(options: &VectorOptions) -> SketchMemory {
        SketchMemory {
            bytes_max: options.sketch_bytes_max,
            bytes: AtomicUsize::new(0),
            sketched_searches: AtomicU64::new(0),
            full_searches: AtomicU64::new(0),
        }
    }

    /// Takes so much memory; returns whether it is there.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let add = |taken: usize| taken.checked_add(bytes).filter(|sum| *sum <= self.bytes_max);
        self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok()
    }

    pub(super) fn give_back(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether there is so much memory at this moment.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        self.bytes.load(Ordering::Relaxed).saturating_add(bytes) <= self.bytes_max
    }

    pub(super) fn count_sketched(&self) {
        self.sketched_searches.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_full(&self) {
        self.full_searches.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn statistics(&self) -> VectorStatistics {
        VectorStatistics {
            sketch_bytes: self.bytes.load(Ordering::Relaxed),
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
