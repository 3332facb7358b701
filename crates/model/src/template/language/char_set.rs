//! Sets of characters.

use std::iter::{Peekable, Skip};
use std::slice::Iter;
use std::sync::Arc;

/// A set of characters, as ranges in ascending order that do not touch.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CharSet {
    /// Shared, since automata hold the same set on many edges.
    ranges: Arc<[(char, char)]>,
}

impl CharSet {
    /// Every character.
    pub fn all() -> CharSet {
        CharSet { ranges: Arc::new([('\0', char::MAX)]) }
    }

    /// ASCII letters and digits.
    pub fn ascii_alphanumeric() -> CharSet {
        CharSet::from_ranges([('0', '9'), ('A', 'Z'), ('a', 'z')])
    }

    /// ASCII digits.
    pub fn digits() -> CharSet {
        CharSet::from_ranges([('0', '9')])
    }

    /// The characters of a text.
    pub fn of(text: &str) -> CharSet {
        CharSet::from_ranges(text.chars().map(|character| (character, character)))
    }

    /// The characters of some ranges, both ends included.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (char, char)>) -> CharSet {
        let mut ranges: Vec<(char, char)> =
            ranges.into_iter().filter(|(low, high)| low <= high).collect();
        ranges.sort_unstable();
        let mut joined: Vec<(char, char)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match joined.last_mut() {
                Some((_, end)) if next(*end).is_none_or(|after| low <= after) => {
                    *end = high.max(*end);
                }
                _ => joined.push((low, high)),
            }
        }
        CharSet { ranges: joined.into() }
    }

    /// The ranges, both ends included.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    /// Whether there is no character in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether a character is in it.
    pub fn contains(&self, character: char) -> bool {
        let place = self.ranges.partition_point(|(_, high)| *high < character);
        self.ranges.get(place).is_some_and(|(low, _)| *low <= character)
    }

    /// The characters of either.
    pub fn union(&self, other: &CharSet) -> CharSet {
        CharSet::from_ranges(self.ranges.iter().chain(other.ranges.iter()).copied())
    }

    /// The characters of both.
    pub fn intersection(&self, other: &CharSet) -> CharSet {
        let (mut mine, mut others) = (self.ranges_from(other), other.ranges_from(self));
        let mut ranges = Vec::new();
        while let (Some((low, high)), Some((from, to))) = (mine.peek(), others.peek()) {
            let (start, end) = (*low.max(from), *high.min(to));
            if start <= end {
                ranges.push((start, end));
            }
            // Whichever range ends first cannot meet any further one.
            if high < to {
                mine.next()
            } else {
                others.next()
            };
        }
        CharSet { ranges: ranges.into() }
    }

    /// The characters that are not in the other.
    pub fn difference(&self, other: &CharSet) -> CharSet {
        self.intersection(&other.complement())
    }

    /// The least character.
    pub fn first(&self) -> Option<char> {
        self.ranges.first().map(|(low, _)| *low)
    }

    /// The greatest character.
    pub fn last(&self) -> Option<char> {
        self.ranges.last().map(|(_, high)| *high)
    }

    /// A character that reads well in an example.
    pub(crate) fn sample(&self) -> Option<char> {
        let pleasant = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('!', '~')];
        let first = |range| self.intersection(&CharSet::from_ranges([range])).first();
        pleasant.into_iter().find_map(first).or_else(|| self.first())
    }

    /// The ranges from the first one on that can meet a range of the other.
    fn ranges_from(&self, other: &CharSet) -> Peekable<Skip<Iter<'_, (char, char)>>> {
        let start = other.first().unwrap_or(char::MAX);
        let skipped = self.ranges.partition_point(|(_, high)| *high < start);
        self.ranges.iter().skip(skipped).peekable()
    }

    fn complement(&self) -> CharSet {
        let mut gaps = Vec::with_capacity(self.ranges.len() + 1);
        let mut from = Some('\0');
        for (low, high) in self.ranges.iter() {
            if let (Some(from), Some(to)) = (from, previous(*low)) {
                gaps.push((from, to));
            }
            from = next(*high);
        }
        gaps.extend(from.map(|from| (from, char::MAX)));
        CharSet::from_ranges(gaps)
    }
}

/// The character after one, past the gap of the surrogates.
pub(crate) fn next(character: char) -> Option<char> {
    (character..=char::MAX).nth(1)
}

/// The character before one.
pub(crate) fn previous(character: char) -> Option<char> {
    ('\0'..character).next_back()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set() -> impl Strategy<Value = CharSet> {
        proptest::collection::vec(("[a-h]", "[a-h]"), 0..4).prop_map(|pairs| {
            let first = |text: &String| text.chars().next().unwrap();
            CharSet::from_ranges(pairs.iter().map(|(low, high)| (first(low), first(high))))
        })
    }

    #[test]
    fn the_surrogates_are_no_gap() {
        assert_eq!(next('\u{d7ff}'), Some('\u{e000}'));
        assert_eq!(CharSet::from_ranges([('a', '\u{d7ff}'), ('\u{e000}', 'ﬀ')]).ranges().len(), 1);
    }

    proptest! {
        #[test]
        fn operations_are_those_of_sets(a in set(), b in set()) {
            for character in 'a'..='i' {
                let (in_a, in_b) = (a.contains(character), b.contains(character));
                prop_assert_eq!(a.union(&b).contains(character), in_a || in_b);
                prop_assert_eq!(a.intersection(&b).contains(character), in_a && in_b);
                prop_assert_eq!(a.difference(&b).contains(character), in_a && !in_b);
            }
            prop_assert_eq!(a.union(&b), b.union(&a));
            prop_assert_eq!(a.sample().is_none(), a.is_empty());
        }
    }
}
