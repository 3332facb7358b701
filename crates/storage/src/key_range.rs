//! Ranges of keys.

use std::ops::{Bound, RangeBounds};

use crate::Key;

/// A contiguous range of keys; either end may be inclusive, exclusive or open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    start: Bound<Key>,
    end: Bound<Key>,
}

impl KeyRange {
    /// The keys between two bounds.
    pub fn new(start: Bound<Key>, end: Bound<Key>) -> KeyRange {
        KeyRange { start, end }
    }

    /// Every key.
    pub fn all() -> KeyRange {
        KeyRange::new(Bound::Unbounded, Bound::Unbounded)
    }

    /// The keys that begin with `prefix`.
    pub fn prefix(prefix: &[u8]) -> KeyRange {
        let end = prefix_end(prefix).map_or(Bound::Unbounded, Bound::Excluded);
        KeyRange::new(Bound::Included(prefix.to_vec()), end)
    }

    /// The keys from `start` up to but not including `end`.
    pub fn half_open(start: Key, end: Key) -> KeyRange {
        KeyRange::new(Bound::Included(start), Bound::Excluded(end))
    }

    /// Where the range starts.
    pub fn start(&self) -> Bound<&[u8]> {
        self.start.as_ref().map(Vec::as_slice)
    }

    /// Where the range ends.
    pub fn end(&self) -> Bound<&[u8]> {
        self.end.as_ref().map(Vec::as_slice)
    }

    /// Returns whether `key` lies in the range.
    pub fn contains(&self, key: &[u8]) -> bool {
        RangeBounds::<[u8]>::contains(&(self.start(), self.end()), key)
    }

    /// Returns whether the bounds leave no room for any key, because they meet or lie the wrong way
    /// round.
    ///
    /// Ordered maps panic on some of these ranges, so engines ask this first.
    pub fn is_empty(&self) -> bool {
        match (&self.start, &self.end) {
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
            (Bound::Included(start), Bound::Included(end)) => start > end,
            (Bound::Included(start) | Bound::Excluded(start), Bound::Excluded(end))
            | (Bound::Excluded(start), Bound::Included(end)) => start >= end,
        }
    }
}

/// The smallest key above every key that begins with `prefix`, if there is one.
fn prefix_end(prefix: &[u8]) -> Option<Key> {
    let last = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut end = prefix.get(..=last)?.to_vec();
    *end.last_mut()? += 1;
    Some(end)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Few distinct bytes, the extremes among them, so that prefixes are common.
    fn key() -> impl Strategy<Value = Key> {
        vec(prop_oneof![Just(0), Just(1), Just(254), Just(255)], 0..5)
    }

    proptest! {
        #[test]
        fn a_prefix_range_holds_exactly_the_keys_that_begin_with_it(prefix in key(), key in key()) {
            prop_assert_eq!(KeyRange::prefix(&prefix).contains(&key), key.starts_with(&prefix));
        }

        #[test]
        fn an_empty_range_contains_no_key(start in key(), end in key(), key in key()) {
            for range in [
                KeyRange::half_open(start.clone(), end.clone()),
                KeyRange::new(Bound::Excluded(start.clone()), Bound::Excluded(end.clone())),
                KeyRange::new(Bound::Excluded(start.clone()), Bound::Included(end.clone())),
                KeyRange::new(Bound::Included(start.clone()), Bound::Included(end.clone())),
            ] {
                prop_assert!(!range.is_empty() || !range.contains(&key));
            }
        }
    }

    #[test]
    fn a_range_whose_bounds_meet_is_empty_unless_both_are_inclusive() {
        let key = b"k".to_vec();
        assert!(KeyRange::half_open(key.clone(), key.clone()).is_empty());
        let point = KeyRange::new(Bound::Included(key.clone()), Bound::Included(key.clone()));
        assert!(!point.is_empty() && point.contains(&key));
    }
}
