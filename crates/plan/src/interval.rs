//! Intervals of sort keys, and how they lie to each other.

use std::cmp::Ordering;

use super::key_text::KeyText;
use super::order::Relation;

/// The sort keys between two limits. A limit that is missing is the end of the partition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interval {
    /// Where it begins.
    pub lower: Option<Limit>,
    /// Where it ends.
    pub upper: Option<Limit>,
}

/// An end of an interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The text at the end.
    pub text: KeyText,
    /// Where the end lies relative to the text.
    pub edge: Edge,
    /// Whether a key that lies at the end is inside.
    pub closure: Closure,
}

/// Where an end lies relative to its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// At the text itself.
    At,
    /// After all keys that begin with the text.
    AfterAll,
}

/// Whether a key that lies at an end is inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closure {
    /// It is.
    Included,
    /// It is not, and keys of any length may lie near.
    Excluded,
    /// It is not, and all keys near it have the same length.
    ExcludedAtWidth,
    /// No key lies there.
    Vacant,
}

/// How much of one interval lies in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// Nothing.
    None,
    /// Some, or it depends on the values.
    Some,
    /// Everything.
    All,
}

impl Limit {
    pub(super) fn at(text: KeyText, closure: Closure) -> Limit {
        Limit { text, edge: Edge::At, closure }
    }

    pub(super) fn after_all(text: KeyText) -> Limit {
        Limit { text, edge: Edge::AfterAll, closure: Closure::Vacant }
    }

    /// The order of two limits, if it is decided.
    fn compare(&self, other: &Limit) -> Option<Ordering> {
        match self.text.relation(&other.text) {
            Relation::Before => Some(Ordering::Less),
            Relation::After => Some(Ordering::Greater),
            Relation::Same => Some(self.edge.rank().cmp(&other.edge.rank())),
            Relation::Beginning => Some(match self.edge {
                Edge::At => Ordering::Less,
                Edge::AfterAll => Ordering::Greater,
            }),
            Relation::Continuation => Some(match other.edge {
                Edge::At => Ordering::Greater,
                Edge::AfterAll => Ordering::Less,
            }),
            Relation::Undecided => None,
        }
    }

    /// The end of what lies on the other side of this one.
    pub(super) fn opposite(&self) -> Limit {
        let closure = match (self.edge, self.closure) {
            (Edge::AfterAll, _) => Closure::Vacant,
            (Edge::At, Closure::Included) => Closure::Excluded,
            (Edge::At, Closure::Excluded | Closure::ExcludedAtWidth | Closure::Vacant) => {
                Closure::Included
            }
        };
        Limit { text: self.text.clone(), edge: self.edge, closure }
    }

    fn includes(&self) -> bool {
        match self.closure {
            Closure::Included => true,
            Closure::Excluded | Closure::ExcludedAtWidth | Closure::Vacant => false,
        }
    }
}

impl Edge {
    fn rank(self) -> usize {
        match self {
            Edge::At => 0,
            Edge::AfterAll => 1,
        }
    }
}

impl Interval {
    /// The whole partition.
    pub(super) fn everything() -> Interval {
        Interval::default()
    }

    /// One key.
    pub(super) fn exactly(text: KeyText) -> Interval {
        let limit = Limit::at(text, Closure::Included);
        Interval { lower: Some(limit.clone()), upper: Some(limit) }
    }

    /// All keys that begin with a text.
    pub(super) fn beginning(text: KeyText) -> Interval {
        if text.is_empty() {
            return Interval::everything();
        }
        let lower = Limit::at(text.clone(), Closure::Included);
        Interval { lower: Some(lower), upper: Some(Limit::after_all(text)) }
    }

    /// The key, if the interval is only one.
    pub(super) fn single(&self) -> Option<&KeyText> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        let is_key = |limit: &Limit| (limit.edge, limit.closure) == (Edge::At, Closure::Included);
        let is_single = is_key(lower) && is_key(upper) && lower.text == upper.text;
        is_single.then_some(&lower.text)
    }

    /// The text that all keys begin with, if the interval is all such keys.
    pub(super) fn prefix(&self) -> Option<&KeyText> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        let is_prefix = (lower.edge, lower.closure) == (Edge::At, Closure::Included)
            && upper.edge == Edge::AfterAll
            && lower.text.relation(&upper.text) == Relation::Same;
        is_prefix.then_some(&lower.text)
    }

    /// What all keys begin with; empty if nothing is common to them.
    pub(super) fn beginning_of_all(&self) -> Option<KeyText> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        Some(match self.prefix() {
            Some(text) => text.clone(),
            None => lower.text.common_beginning(&upper.text),
        })
    }

    /// How much of this interval lies in another.
    pub(super) fn share_in(&self, outer: &Interval) -> Share {
        if lies_before(self.upper.as_ref(), outer.lower.as_ref())
            || lies_before(outer.upper.as_ref(), self.lower.as_ref())
        {
            return Share::None;
        }
        let from = begins_within(self.lower.as_ref(), outer.lower.as_ref(), Ordering::Less);
        let to = begins_within(self.upper.as_ref(), outer.upper.as_ref(), Ordering::Greater);
        if from && to { Share::All } else { Share::Some }
    }

    /// The smallest interval that covers both. An end whose place is undecided is left open.
    pub(super) fn cover(&self, other: &Interval) -> Interval {
        Interval {
            lower: outermost(self.lower.as_ref(), other.lower.as_ref(), Ordering::Less),
            upper: outermost(self.upper.as_ref(), other.upper.as_ref(), Ordering::Greater),
        }
    }
}

/// Returns whether an upper end lies before a lower end, so that no key is between.
fn lies_before(upper: Option<&Limit>, lower: Option<&Limit>) -> bool {
    let (Some(upper), Some(lower)) = (upper, lower) else { return false };
    match upper.compare(lower) {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => !(upper.includes() && lower.includes()),
        Some(Ordering::Greater) | None => false,
    }
}

/// Returns whether an inner end is no further out than an outer one.
fn begins_within(inner: Option<&Limit>, outer: Option<&Limit>, outward: Ordering) -> bool {
    let Some(outer) = outer else { return true };
    let Some(inner) = inner else { return false };
    match outer.compare(inner) {
        Some(Ordering::Equal) => outer.includes() || !inner.includes(),
        decided => decided == Some(outward),
    }
}

fn outermost(a: Option<&Limit>, b: Option<&Limit>, outward: Ordering) -> Option<Limit> {
    let (a, b) = (a?, b?);
    match a.compare(b)? {
        Ordering::Equal => Some(if a.includes() { a.clone() } else { b.clone() }),
        order if order == outward => Some(a.clone()),
        _ => Some(b.clone()),
    }
}

/// Returns whether two limits are the same, or both missing.
pub(super) fn same_limit(a: Option<&Limit>, b: Option<&Limit>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.compare(b) == Some(Ordering::Equal) && a.includes() == b.includes(),
        (Some(_), None) | (None, Some(_)) => false,
    }
}
