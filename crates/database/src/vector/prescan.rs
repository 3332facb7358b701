//! Finding the nearest vectors by their sketches.
//!
//! A pass over the sketches of a range keeps those entries that may be among the nearest, by the
//! bounds of their ranks. These are then read from the snapshot, the most likely ones first, until
//! what was found is nearer than anything left can be. So the result is that of a pass over all
//! entries: sketches of entries that the snapshot lacks, or holds with another vector, cost a read
//! and change nothing.
//!
//! If too many entries may be near enough, or too few of them are in the snapshot, there is no
//! result, and the search falls back to a pass over all entries.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use monotable_storage::{Key, Snapshot};

use super::nearest::Nearest;
use super::schema::VectorIndexSchema;
use super::search::VectorSearch;
use super::segment::Segment;
use super::sketch::{Bounds, Probe, Reach};
use super::sketched_range::{Listing, SketchedRange};
use crate::error::ReadError;

/// How many segments are scanned before other tasks get a turn.
const PIECE_SEGMENTS: usize = 4;
/// How many entries are read at once.
const READ_ENTRIES: usize = 32;
/// How many entries may be near enough by their sketches. It bounds the memory of a search.
const CANDIDATES_MAX: usize = 1 << 16;
/// Passing over all entries is faster than reading candidates one by one if they are more than one
/// in this many.
const READ_PART: usize = 8;
/// This many entries are always read one by one.
const READ_ENTRIES_MIN: usize = 512;
/// How many sketches, beyond the number wanted, may belong to entries that were removed.
const GONE_MAX: usize = 16;

/// The outcome of a search by sketches.
pub(super) struct Prescanned<'s> {
    /// The nearest, if they could be found.
    pub(super) nearest: Option<Nearest<'s>>,
    /// Whether the range should be sketched again.
    pub(super) is_worn: bool,
    /// How many sketches it has.
    pub(super) vectors: usize,
}

/// Finds the nearest entries of a range that was sketched before the snapshot was taken.
pub(super) async fn nearest<'s, S: Snapshot>(
    snapshot: &S,
    index: &'s VectorIndexSchema,
    search: &'s VectorSearch,
    range: &SketchedRange,
) -> Result<Prescanned<'s>, ReadError> {
    let Some(listing) = range.list() else {
        return Ok(Prescanned { nearest: None, is_worn: false, vectors: 0 });
    };
    let (is_worn, vectors) = (listing.is_worn, listing.vectors);
    let Some(probe) = Probe::new(index.definition.distance, &search.vector) else {
        return Ok(Prescanned { nearest: None, is_worn, vectors });
    };
    let mut prescan = Prescan::new(probe, search, range);
    for (segment, number) in listing.segments.iter().zip(0..) {
        if number % PIECE_SEGMENTS == PIECE_SEGMENTS - 1 {
            tokio::task::yield_now().await;
        }
        prescan.look_at(&listing, number, segment);
        if prescan.candidates.len() > CANDIDATES_MAX && prescan.drop_far() > CANDIDATES_MAX / 2 {
            break;
        }
    }
    let nearest = if prescan.drop_far() > CANDIDATES_MAX / 2 {
        None
    } else {
        prescan.read(snapshot, index, search, range, &listing).await?
    };
    Ok(Prescanned { nearest, is_worn, vectors })
}

/// A pass over the sketches of a range.
struct Prescan {
    probe: Probe,
    /// The marks that filters ask for.
    marks: Vec<(usize, u32)>,
    /// How many upper bounds are kept: those of the number of entries wanted, and a few more.
    bounds_max: usize,
    /// The least upper bounds, the greatest on top. No two belong to the same entry.
    bounds: BinaryHeap<UpperBound>,
    /// The rank beyond which nothing is near enough.
    limit: f32,
    reach: Reach,
    candidates: Vec<Candidate>,
}

impl Prescan {
    fn new(probe: Probe, search: &VectorSearch, range: &SketchedRange) -> Prescan {
        let reach = probe.reach(f32::MAX);
        Prescan {
            probe,
            marks: range.wanted_marks(&search.filters),
            bounds_max: search.limit * 2 + GONE_MAX,
            bounds: BinaryHeap::new(),
            limit: f32::INFINITY,
            reach,
            candidates: Vec::new(),
        }
    }

    fn look_at(&mut self, listing: &Listing, segment_number: usize, segment: &Segment) {
        for ((form, codes), slot) in segment.sketches().zip(0..) {
            if !self.passes(segment.marks(slot)) {
                continue;
            }
            let Some(bounds) = self.probe.bounds(form, codes, self.reach) else { continue };
            if bounds.lower <= self.limit {
                let location = SketchLocation { segment: segment_number, slot };
                self.candidates.push(Candidate { lower: bounds.lower, location });
                self.tighten(listing, bounds, location);
            }
        }
    }

    fn passes(&self, marks: &[u32]) -> bool {
        self.marks.iter().all(|(number, wanted)| marks.get(*number) == Some(wanted))
    }

    /// Lowers the limit if enough other entries are certainly nearer.
    fn tighten(&mut self, listing: &Listing, bounds: Bounds, location: SketchLocation) {
        if bounds.upper >= self.limit {
            return;
        }
        let key = listing.key(location);
        if self.bounds.iter().any(|other| listing.key(other.location) == key) {
            return;
        }
        self.bounds.push(UpperBound { upper: bounds.upper, location });
        if self.bounds.len() > self.bounds_max {
            self.bounds.pop();
        }
        if self.bounds.len() == self.bounds_max {
            self.limit = self.bounds.peek().map_or(f32::INFINITY, |greatest| greatest.upper);
            self.reach = self.probe.reach(self.limit);
        }
    }

    /// Drops what is beyond the current limit, and returns how many are left.
    fn drop_far(&mut self) -> usize {
        let limit = self.limit;
        self.candidates.retain(|candidate| candidate.lower <= limit);
        self.candidates.len()
    }

    /// Reads the candidates, the most likely first, until the nearest are found.
    async fn read<'s, S: Snapshot>(
        mut self,
        snapshot: &S,
        index: &'s VectorIndexSchema,
        search: &'s VectorSearch,
        range: &SketchedRange,
        listing: &Listing,
    ) -> Result<Option<Nearest<'s>>, ReadError> {
        let mut nearest = Nearest::new(&index.definition, search);
        self.candidates.sort_unstable_by(|left, right| left.lower.total_cmp(&right.lower));
        let read_max = (listing.vectors / READ_PART).max(READ_ENTRIES_MIN);
        let mut seen: HashSet<Key> = HashSet::new();
        for candidates in self.candidates.chunks(READ_ENTRIES) {
            let least = candidates.first().map_or(f32::INFINITY, |first| first.lower);
            if nearest.farthest().is_some_and(|farthest| farthest < least) {
                return Ok(Some(nearest));
            }
            if seen.len() > read_max {
                return Ok(None);
            }
            let whole = |location| [range.prefix(), listing.key(location)].concat();
            let keys = candidates.iter().map(|candidate| whole(candidate.location));
            let keys: Vec<Key> = keys.filter(|key| seen.insert(key.clone())).collect();
            let values = snapshot.get_many(&keys).await?;
            for (key, value) in keys.iter().zip(values) {
                value.map_or(Ok(()), |value| nearest.take(key, value))?;
            }
            tokio::task::yield_now().await;
        }
        // What was left out is beyond the limit, or does not exist.
        let is_found = nearest.farthest().is_some_and(|farthest| farthest <= self.limit);
        Ok((is_found || self.limit == f32::INFINITY).then_some(nearest))
    }
}

impl Listing {
    fn key(&self, location: SketchLocation) -> &[u8] {
        self.segments.get(location.segment).map_or(&[], |segment| segment.key(location.slot))
    }
}

/// Where a sketch lies.
#[derive(Debug, Clone, Copy)]
struct SketchLocation {
    segment: usize,
    slot: usize,
}

/// An entry that may be near enough.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    lower: f32,
    location: SketchLocation,
}

/// What the rank of an entry is at most.
#[derive(Debug, Clone, Copy)]
struct UpperBound {
    upper: f32,
    location: SketchLocation,
}

impl Ord for UpperBound {
    fn cmp(&self, other: &UpperBound) -> Ordering {
        self.upper.total_cmp(&other.upper)
    }
}

impl PartialOrd for UpperBound {
    fn partial_cmp(&self, other: &UpperBound) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for UpperBound {
    fn eq(&self, other: &UpperBound) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for UpperBound {}
