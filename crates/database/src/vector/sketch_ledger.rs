//! Which ranges are sketched, and which are evicted in favour of others.
//!
//! Sketches that are not searched are given up when another range needs their memory, the least
//! recently searched first. For that a range has to be searched twice while the ranges that it
//! would evict are not searched at all: ranges that are searched in turn and do not all fit would
//! otherwise be sketched again and again, and none of them in time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use monotable_storage::Key;

use super::sketched_range::SketchedRange;

/// How many ranges without memory are remembered. When there are more, all are forgotten, which
/// costs each of them one more search.
const WANTED_MAX: usize = 1024;

/// The sketched ranges of all tables. Time is counted in searches.
#[derive(Debug, Default)]
pub(super) struct SketchLedger(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    ranges: Vec<Weak<SketchedRange>>,
    /// When ranges without memory were last searched.
    wanted: HashMap<Key, u64>,
}

impl SketchLedger {
    /// Adds a range.
    pub(super) fn add(&self, range: &Arc<SketchedRange>) {
        let mut entries = self.lock();
        entries.ranges.retain(|range| range.strong_count() > 0);
        entries.ranges.push(Arc::downgrade(range));
        entries.wanted.remove(range.prefix());
    }

    /// Gives up ranges of at least this many bytes in favour of one that is being searched; returns
    /// how many, or none if not enough can be spared.
    pub(super) fn make_way(&self, prefix: &Key, bytes: usize, now: u64) -> Option<u64> {
        let mut entries = self.lock();
        if entries.wanted.len() >= WANTED_MAX {
            entries.wanted.clear();
        }
        let searched_before = entries.wanted.insert(prefix.clone(), now)?;
        let ranges = entries.ranges.iter().filter_map(Weak::upgrade);
        let mut idle: Vec<_> =
            ranges.filter(|range| range.is_idle_since(searched_before)).collect();
        idle.sort_by_key(|range| range.last_searched());
        let (mut spared, mut count) = (0_usize, 0);
        while spared < bytes {
            spared = spared.saturating_add(idle.get(count)?.bytes());
            count += 1;
        }
        drop(entries);
        idle.iter().take(count).for_each(|range| range.give_up());
        Some(count as u64)
    }

    /// How many ranges are sketched completely.
    pub(super) fn complete_ranges(&self) -> usize {
        let ranges = self.lock().ranges.clone();
        ranges.iter().filter_map(Weak::upgrade).filter(|range| range.is_complete()).count()
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
