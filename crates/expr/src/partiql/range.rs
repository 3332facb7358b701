//! Ranges of sort keys, as conditions ask for them.

use std::cmp::Ordering;
use std::ops::Bound;

use monotable_item::{Value, value_size_bytes};

use crate::KeyComparison;
use crate::eval::order;

/// Returns whether some key can satisfy both comparisons.
pub(super) fn can_both_hold(first: &KeyComparison, second: &KeyComparison) -> bool {
    is_below(lower(first), upper(second)) && is_below(lower(second), upper(first))
}

/// Keeps those comparisons that decide whether a key that satisfies all of them can also satisfy
/// others: the latest start, the earliest end, the longest prefix, and a prefix that contradicts
/// it. There may be hundreds, most of them common to all alternatives of a condition.
pub(super) fn tightest(comparisons: &[KeyComparison]) -> Vec<&KeyComparison> {
    let by_beginning = |a: &&KeyComparison, b: &&KeyComparison| order_of_lowers(lower(a), lower(b));
    let by_end = |a: &&KeyComparison, b: &&KeyComparison| order_of_uppers(upper(a), upper(b));
    let prefixes = comparisons.iter().filter_map(|comparison| match comparison {
        KeyComparison::BeginsWith(prefix) => Some((comparison, prefix)),
        _ => None,
    });
    let longest = prefixes.clone().max_by_key(|(_, prefix)| value_size_bytes(prefix));
    let other = longest.and_then(|(_, longest)| {
        prefixes.clone().find(|(_, prefix)| !begins_with(longest, prefix))
    });
    let ends = [comparisons.iter().max_by(by_beginning), comparisons.iter().min_by(by_end)];
    let prefixes = [longest, other].into_iter().flatten().map(|(comparison, _)| comparison);
    ends.into_iter().flatten().chain(prefixes).collect()
}

/// The sort keys that a read covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortRange {
    /// Those for which a comparison holds.
    Comparison(KeyComparison),
    /// Those between two values, at least one of which is excluded.
    Within {
        /// Where they begin.
        lower: Bound<Value>,
        /// Where they end.
        upper: Bound<Value>,
    },
}

impl SortRange {
    /// Returns the sort key if exactly one is asked for.
    pub fn only(&self) -> Option<&Value> {
        match self {
            SortRange::Comparison(KeyComparison::Equal(value)) => Some(value),
            SortRange::Comparison(_) | SortRange::Within { .. } => None,
        }
    }

    /// Returns exactly the sort keys that satisfy all comparisons, if they form a range and can
    /// exist. A prefix forms one only if it is alone.
    pub(super) fn of_all(comparisons: &[KeyComparison]) -> Option<SortRange> {
        match comparisons {
            [] => return None,
            [only] => return Some(SortRange::Comparison(only.clone())),
            _ => {}
        }
        let (mut from, mut to) = (Lower::Open, Upper::Open);
        for comparison in comparisons {
            from = later(from, lower(comparison))?;
            to = earlier(to, upper(comparison))?;
        }
        if !is_below(from, to) {
            return None;
        }
        // A key is looked up only if an equality names it.
        let equality = comparisons.iter().find(|it| matches!(it, KeyComparison::Equal(_)));
        Some(equality.map_or_else(|| between(from, to), |it| SortRange::Comparison(it.clone())))
    }

    fn lower(&self) -> Lower<'_> {
        match self {
            SortRange::Comparison(comparison) => lower(comparison),
            SortRange::Within { lower: Bound::Included(value), .. } => Lower::At(value),
            SortRange::Within { lower: Bound::Excluded(value), .. } => Lower::After(value),
            SortRange::Within { lower: Bound::Unbounded, .. } => Lower::Open,
        }
    }
}

/// Orders the starts of two ranges. A range without a start comes first.
pub(super) fn order_of_beginnings(
    first: Option<&SortRange>,
    second: Option<&SortRange>,
) -> Ordering {
    let beginning = SortRange::lower;
    order_of_lowers(first.map_or(Lower::Open, beginning), second.map_or(Lower::Open, beginning))
}

fn order_of_lowers(first: Lower<'_>, second: Lower<'_>) -> Ordering {
    let parts = |lower| match lower {
        Lower::Open => None,
        Lower::At(value) => Some((value, false)),
        Lower::After(value) => Some((value, true)),
    };
    match (parts(first), parts(second)) {
        (None, other) => other.map_or(Ordering::Equal, |_| Ordering::Less),
        (Some(_), None) => Ordering::Greater,
        (Some((first, first_is_out)), Some((second, second_is_out))) => {
            let ordered = order(first, second).unwrap_or(Ordering::Equal);
            ordered.then(first_is_out.cmp(&second_is_out))
        }
    }
}

/// Orders two ends. A prefix counts as having no end.
fn order_of_uppers(first: Upper<'_>, second: Upper<'_>) -> Ordering {
    let parts = |upper| match upper {
        Upper::Open | Upper::Prefix(_) => None,
        Upper::At(value) => Some((value, true)),
        Upper::Before(value) => Some((value, false)),
    };
    match (parts(first), parts(second)) {
        (None, other) => other.map_or(Ordering::Equal, |_| Ordering::Greater),
        (Some(_), None) => Ordering::Less,
        (Some((first, first_is_in)), Some((second, second_is_in))) => {
            let ordered = order(first, second).unwrap_or(Ordering::Equal);
            ordered.then(first_is_in.cmp(&second_is_in))
        }
    }
}

#[derive(Clone, Copy)]
enum Lower<'v> {
    Open,
    At(&'v Value),
    After(&'v Value),
}

#[derive(Clone, Copy)]
enum Upper<'v> {
    Open,
    At(&'v Value),
    Before(&'v Value),
    /// Everything that begins with the value.
    Prefix(&'v Value),
}

fn lower(comparison: &KeyComparison) -> Lower<'_> {
    match comparison {
        KeyComparison::Equal(value)
        | KeyComparison::GreaterOrEqual(value)
        | KeyComparison::Between(value, _)
        | KeyComparison::BeginsWith(value) => Lower::At(value),
        KeyComparison::Greater(value) => Lower::After(value),
        KeyComparison::Less(_) | KeyComparison::LessOrEqual(_) | KeyComparison::NotIndexable => {
            Lower::Open
        }
    }
}

fn upper(comparison: &KeyComparison) -> Upper<'_> {
    match comparison {
        KeyComparison::Equal(value)
        | KeyComparison::LessOrEqual(value)
        | KeyComparison::Between(_, value) => Upper::At(value),
        KeyComparison::Less(value) => Upper::Before(value),
        KeyComparison::BeginsWith(value) => Upper::Prefix(value),
        KeyComparison::Greater(_)
        | KeyComparison::GreaterOrEqual(_)
        | KeyComparison::NotIndexable => Upper::Open,
    }
}

/// Returns the later of two starts, if they are comparable.
fn later<'v>(first: Lower<'v>, second: Lower<'v>) -> Option<Lower<'v>> {
    let (own, other) = match (first, second) {
        (Lower::Open, other) | (other, Lower::Open) => return Some(other),
        (Lower::At(own) | Lower::After(own), Lower::At(other) | Lower::After(other)) => {
            (own, other)
        }
    };
    Some(match order(own, other)? {
        Ordering::Less => second,
        Ordering::Greater => first,
        Ordering::Equal if matches!(first, Lower::After(_)) => first,
        Ordering::Equal => second,
    })
}

/// Returns the earlier of two ends, if they are comparable.
fn earlier<'v>(first: Upper<'v>, second: Upper<'v>) -> Option<Upper<'v>> {
    let (own, other) = match (first, second) {
        (Upper::Prefix(_), _) | (_, Upper::Prefix(_)) => return None,
        (Upper::Open, other) | (other, Upper::Open) => return Some(other),
        (Upper::At(own) | Upper::Before(own), Upper::At(other) | Upper::Before(other)) => {
            (own, other)
        }
    };
    Some(match order(own, other)? {
        Ordering::Less => first,
        Ordering::Greater => second,
        Ordering::Equal if matches!(first, Upper::Before(_)) => first,
        Ordering::Equal => second,
    })
}

/// Builds the range between two ends, as a single comparison where possible.
fn between(lower: Lower<'_>, upper: Upper<'_>) -> SortRange {
    SortRange::Comparison(match (lower, upper) {
        (Lower::At(from), Upper::At(to)) => KeyComparison::Between(from.clone(), to.clone()),
        (Lower::At(from), Upper::Open) => KeyComparison::GreaterOrEqual(from.clone()),
        (Lower::After(from), Upper::Open) => KeyComparison::Greater(from.clone()),
        (Lower::Open, Upper::At(to)) => KeyComparison::LessOrEqual(to.clone()),
        (Lower::Open, Upper::Before(to)) => KeyComparison::Less(to.clone()),
        (lower, upper) => {
            return SortRange::Within { lower: lower.bound(), upper: upper.bound() };
        }
    })
}

impl Lower<'_> {
    fn bound(self) -> Bound<Value> {
        match self {
            Lower::Open => Bound::Unbounded,
            Lower::At(value) => Bound::Included(value.clone()),
            Lower::After(value) => Bound::Excluded(value.clone()),
        }
    }
}

impl Upper<'_> {
    fn bound(self) -> Bound<Value> {
        match self {
            // There is no last key with a given prefix.
            Upper::Open | Upper::Prefix(_) => Bound::Unbounded,
            Upper::At(value) => Bound::Included(value.clone()),
            Upper::Before(value) => Bound::Excluded(value.clone()),
        }
    }
}

fn is_below(lower: Lower<'_>, upper: Upper<'_>) -> bool {
    let (from, from_included) = match lower {
        Lower::Open => return true,
        Lower::At(value) => (value, true),
        Lower::After(value) => (value, false),
    };
    match upper {
        Upper::Open => true,
        Upper::At(to) if from_included => order(from, to).is_some_and(Ordering::is_le),
        Upper::At(to) | Upper::Before(to) => order(from, to).is_some_and(Ordering::is_lt),
        Upper::Prefix(prefix) => {
            order(from, prefix).is_some_and(Ordering::is_le) || begins_with(from, prefix)
        }
    }
}

fn begins_with(value: &Value, prefix: &Value) -> bool {
    match (value, prefix) {
        (Value::String(value), Value::String(prefix)) => value.starts_with(prefix.as_str()),
        (Value::Binary(value), Value::Binary(prefix)) => value.starts_with(prefix),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn text() -> impl Strategy<Value = Value> {
        "[ab]{1,3}".prop_map(|text| Value::from(text.as_str()))
    }

    fn comparison() -> impl Strategy<Value = KeyComparison> {
        prop_oneof![
            text().prop_map(KeyComparison::Equal),
            text().prop_map(KeyComparison::Less),
            text().prop_map(KeyComparison::LessOrEqual),
            text().prop_map(KeyComparison::Greater),
            text().prop_map(KeyComparison::GreaterOrEqual),
            (text(), text()).prop_map(|(lower, upper)| KeyComparison::Between(lower, upper)),
            text().prop_map(KeyComparison::BeginsWith),
        ]
    }

    fn holds(comparison: &KeyComparison, value: &Value) -> bool {
        let key = KeyComparison::Equal(value.clone());
        can_both_hold(comparison, &key)
    }

    fn are_disjoint<'c>(
        first: impl IntoIterator<Item = &'c KeyComparison>,
        second: &[&KeyComparison],
    ) -> bool {
        let clashes = |own: &KeyComparison| second.iter().any(|other| !can_both_hold(own, other));
        first.into_iter().any(clashes)
    }

    proptest! {
        #[test]
        fn the_tightest_comparisons_tell_what_all_tell(
            first in vec(comparison(), 1..6),
            second in vec(comparison(), 1..6),
        ) {
            let all: Vec<&KeyComparison> = second.iter().collect();
            prop_assert_eq!(
                are_disjoint(tightest(&first), &tightest(&second)),
                are_disjoint(&first, &all)
            );
        }

        #[test]
        fn a_range_has_just_the_keys_that_meet_all_comparisons(
            comparisons in vec(comparison(), 1..5),
            key in text(),
        ) {
            let meets_all = comparisons.iter().all(|comparison| holds(comparison, &key));
            let in_range = match SortRange::of_all(&comparisons) {
                // No range, or no key at all.
                None => return Ok(()),
                Some(SortRange::Comparison(comparison)) => holds(&comparison, &key),
                Some(range @ SortRange::Within { .. }) => {
                    let SortRange::Within { upper, .. } = &range else { unreachable!() };
                    let upper = match upper {
                        Bound::Included(value) => Upper::At(value),
                        Bound::Excluded(value) => Upper::Before(value),
                        Bound::Unbounded => Upper::Open,
                    };
                    is_below(range.lower(), Upper::At(&key)) && is_below(Lower::At(&key), upper)
                }
            };
            prop_assert_eq!(in_range, meets_all);
        }
    }
}
