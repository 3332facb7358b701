//! Ranges of keys that were removed as a whole.
//!
//! A removed range hides everything in it that is older. Nothing is written for the single entries:
//! they go when the tables that hold them are rewritten, or with those tables if all of a table is
//! hidden. Once no table and no memtable has anything that a range hides, the range itself is
//! forgotten.

use std::ops::Bound;

/// The removed ranges of a state, which do not overlap: where two do, the later one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedRanges {
    /// In the order of their keys.
    ranges: Vec<RemovedRange>,
    /// The commit of the newest range that there has ever been.
    newest: u64,
}

/// One range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedRange {
    /// The first key.
    pub start: Vec<u8>,
    /// The first key behind it; none if it has no end.
    pub end: Option<Vec<u8>>,
    /// The commit that removed it. What that commit itself wrote stays.
    pub number: u64,
}

impl RemovedRange {
    /// The range between two bounds.
    pub fn new(start: Bound<&[u8]>, end: Bound<&[u8]>, number: u64) -> RemovedRange {
        let start = match start {
            Bound::Unbounded => Vec::new(),
            Bound::Included(key) => key.to_vec(),
            Bound::Excluded(key) => after(key),
        };
        let end = match end {
            Bound::Unbounded => None,
            Bound::Included(key) => Some(after(key)),
            Bound::Excluded(key) => Some(key.to_vec()),
        };
        RemovedRange { start, end, number }
    }

    fn is_empty(&self) -> bool {
        self.end.as_ref().is_some_and(|end| *end <= self.start)
    }

    fn contains(&self, key: &[u8]) -> bool {
        *self.start <= *key && self.ends_behind(key)
    }

    fn ends_behind(&self, key: &[u8]) -> bool {
        self.end.as_deref().is_none_or(|end| key < end)
    }

    /// Returns whether any key from `first` to `last` lies in it.
    pub(crate) fn overlaps(&self, first: &[u8], last: &[u8]) -> bool {
        *self.start <= *last && self.ends_behind(first)
    }

    /// Returns whether all keys from `first` to `last` lie in it.
    pub(crate) fn covers(&self, first: &[u8], last: &[u8]) -> bool {
        *self.start <= *first && self.ends_behind(last)
    }
}

/// The first key behind a key.
fn after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

impl RemovedRanges {
    pub(crate) fn from_parts(ranges: Vec<RemovedRange>, newest: u64) -> RemovedRanges {
        RemovedRanges { ranges, newest }
    }

    /// The ranges in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = &RemovedRange> {
        self.ranges.iter()
    }

    /// The commit of the newest range that there has ever been.
    pub(crate) fn newest(&self) -> u64 {
        self.newest
    }

    /// Returns whether an entry that the commit `number` wrote was removed.
    pub(crate) fn hides(&self, key: &[u8], number: u64) -> bool {
        if self.ranges.is_empty() {
            return false;
        }
        let behind = self.ranges.partition_point(|range| *range.start <= *key);
        let range = behind.checked_sub(1).and_then(|place| self.ranges.get(place));
        range.is_some_and(|range| number < range.number && range.contains(key))
    }

    /// The same ranges and one more, which is newer than all of them. Adding a range again changes
    /// nothing.
    pub(crate) fn with(&self, added: RemovedRange) -> RemovedRanges {
        let newest = self.newest.max(added.number);
        if added.is_empty() || self.ranges.contains(&added) {
            return RemovedRanges { ranges: self.ranges.clone(), newest };
        }
        let mut ranges = Vec::with_capacity(self.ranges.len() + 2);
        for range in &self.ranges {
            let before = added.start.clone().min(range.end.clone().unwrap_or(added.start.clone()));
            let left = RemovedRange { end: Some(before), ..range.clone() };
            ranges.extend(Some(left).filter(|left| !left.is_empty()));
            let right = added
                .end
                .clone()
                .map(|end| RemovedRange { start: end.max(range.start.clone()), ..range.clone() });
            ranges.extend(right.filter(|right| !right.is_empty()));
        }
        ranges.push(added);
        ranges.sort_by(|one, other| one.start.cmp(&other.start));
        RemovedRanges { ranges, newest }
    }

    /// The same ranges without those that are no longer needed.
    pub(crate) fn without(&self, forgotten: &[RemovedRange]) -> RemovedRanges {
        let ranges = self.ranges.iter().filter(|range| !forgotten.contains(range));
        RemovedRanges { ranges: ranges.cloned().collect(), newest: self.newest }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn range(start: u8, end: Option<u8>, number: u64) -> RemovedRange {
        RemovedRange { start: vec![start], end: end.map(|end| vec![end]), number }
    }

    proptest! {
        #[test]
        fn the_newest_range_that_has_a_key_counts(
            ranges in vec((0..12_u8, proptest::option::of(0..12_u8)), 0..8),
        ) {
            let mut removed = RemovedRanges::default();
            let ranges: Vec<_> = ranges.iter().enumerate()
                .map(|(place, (start, end))| range(*start, *end, place as u64 + 1)).collect();
            for range in &ranges {
                removed = removed.with(range.clone());
                prop_assert_eq!(&removed.with(range.clone()), &removed);
            }
            for key in 0..14_u8 {
                let newest = ranges.iter().rev().find(|range| range.contains(&[key]));
                for number in 0..10 {
                    let expected = newest.is_some_and(|range| number < range.number);
                    prop_assert_eq!(removed.hides(&[key], number), expected, "{} at {}", key,
                        number);
                }
            }
            let is_apart = |one: &RemovedRange, other: &RemovedRange| {
                one.end.as_ref().is_some_and(|end| *end <= other.start)
            };
            prop_assert!(removed.ranges.is_sorted_by(is_apart));
        }
    }

    #[test]
    fn bounds_become_a_first_key_and_an_end() {
        let made = RemovedRange::new(Bound::Excluded(b"a"), Bound::Included(b"c"), 1);
        assert_eq!((made.start.as_slice(), made.end.as_deref()), (&b"a\0"[..], Some(&b"c\0"[..])));
        assert!(!made.contains(b"a") && made.contains(b"b") && made.contains(b"c"));
        assert!(!made.contains(b"c\0"));
        assert!(made.covers(b"b", b"c") && !made.covers(b"a", b"c") && made.overlaps(b"a", b"b"));
    }

    #[test]
    fn a_log_that_is_trimmed_again_and_again_has_one_range() {
        let mut removed = RemovedRanges::default();
        for number in 1..=20 {
            removed = removed.with(range(1, Some(1 + number), number.into()));
        }
        assert_eq!(removed.ranges, [range(1, Some(21), 20)]);
        let forgotten = removed.ranges.clone();
        let removed = removed.without(&forgotten);
        assert_eq!((removed.ranges.len(), removed.newest()), (0, 20));
    }
}
