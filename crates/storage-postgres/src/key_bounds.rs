//! Ranges of keys as they are sent to the database: from a key, inclusive, up to another,
//! exclusive.

use std::ops::Bound;

use monotable_storage::{Direction, Key, KeyRange, RESERVED};

/// A half-open range that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyBounds {
    pub(crate) from: Key,
    pub(crate) to: Key,
}

impl KeyBounds {
    /// Returns the bounds of a range, unless no key fits into it.
    pub(crate) fn of(range: &KeyRange) -> Option<KeyBounds> {
        let from = match range.start() {
            Bound::Included(key) => key.to_vec(),
            Bound::Excluded(key) => next(key),
            Bound::Unbounded => Key::new(),
        };
        let to = match range.end() {
            Bound::Included(key) => next(key),
            Bound::Excluded(key) => key.to_vec(),
            Bound::Unbounded => vec![RESERVED],
        };
        KeyBounds { from, to }.if_room()
    }

    /// Returns the rest of the range after `last` was visited.
    pub(crate) fn after(mut self, last: Key, direction: Direction) -> Option<KeyBounds> {
        match direction {
            Direction::Forward => self.from = next(&last),
            Direction::Backward => self.to = last,
        }
        self.if_room()
    }

    fn if_room(self) -> Option<KeyBounds> {
        (self.from < self.to).then_some(self)
    }
}

/// The smallest key above `key`.
pub(crate) fn next(key: &[u8]) -> Key {
    let mut next = key.to_vec();
    next.push(0);
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(bounds: &KeyBounds, key: &[u8]) -> bool {
        bounds.from.as_slice() <= key && key < bounds.to.as_slice()
    }

    fn bounds(start: Bound<&str>, end: Bound<&str>) -> Option<KeyBounds> {
        let owned = |bound: Bound<&str>| bound.map(|key| key.as_bytes().to_vec());
        KeyBounds::of(&KeyRange::new(owned(start), owned(end)))
    }

    #[test]
    fn bounds_hold_what_their_range_holds() {
        use Bound::{Excluded, Included, Unbounded};
        let keys = ["a", "a\0", "b", "b\0", "c"];
        let ends = |key| [Included(key), Excluded(key), Unbounded];
        for (start, end) in
            ends("a").into_iter().flat_map(|start| ends("b").map(|end| (start, end)))
        {
            let owned = |bound: Bound<&str>| bound.map(|key| key.as_bytes().to_vec());
            let range = KeyRange::new(owned(start), owned(end));
            for key in keys {
                let is_in = bounds(start, end).is_some_and(|found| has(&found, key.as_bytes()));
                assert_eq!(is_in, range.contains(key.as_bytes()), "{range:?} {key}");
            }
        }
        assert_eq!(bounds(Included("b"), Excluded("b")), None);
        assert_eq!(bounds(Excluded("b"), Included("a")), None);
    }

    #[test]
    fn what_was_visited_is_left_out_of_the_rest() {
        let all = || bounds(Bound::Included("a"), Bound::Included("c")).unwrap();
        let rest = all().after(b"b".to_vec(), Direction::Forward).unwrap();
        assert!(!has(&rest, b"b") && has(&rest, b"c"));
        let rest = all().after(b"b".to_vec(), Direction::Backward).unwrap();
        assert!(!has(&rest, b"b") && has(&rest, b"a"));
        assert_eq!(all().after(b"a".to_vec(), Direction::Backward), None);
    }
}
