//! The condition on the sort key: the simplest of those that return the fewest other entities.

use super::interval::{Interval, Share, same_limit};
use super::key_text::KeyText;
use super::sort_condition::SortCondition;

/// What is wanted of one entity.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    /// Where the wanted items lie.
    pub(super) interval: Interval,
    /// Where all its items of the partition lie.
    pub(super) base: Interval,
    /// What all keys with the known values begin with, see `SortKey`.
    pub(super) core: KeyText,
    /// Whether the wanted items are a range, and not all that begin with a text.
    pub(super) is_range: bool,
}

/// A condition, and what it does.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    /// The condition; nothing if the whole partition is returned.
    pub(super) condition: Option<SortCondition>,
    /// For each claim, whether nothing else of its entity is returned.
    pub(super) exact: Vec<bool>,
    /// For each other entity, how much of it is returned.
    pub(super) leaks: Vec<Share>,
}

/// Chooses the condition for these claims beside these other intervals.
pub(super) fn select(claims: &[Claim], others: &[Interval]) -> Selection {
    let options = options(claims);
    let selections = options.iter().filter_map(|interval| judge(interval, claims, others));
    let best = selections.min_by_key(Selection::rank);
    best.unwrap_or_else(|| whole(claims, others))
}

/// The intervals that cover all claims, simplest first.
fn options(claims: &[Claim]) -> Vec<Interval> {
    let mut intervals = claims.iter().map(|claim| &claim.interval);
    let first = intervals.next().cloned().unwrap_or_default();
    let cover = intervals.fold(first, |cover, interval| cover.cover(interval));
    if cover.single().is_some() {
        return vec![cover];
    }
    let lower = Interval { lower: cover.lower.clone(), upper: None };
    let upper = Interval { lower: None, upper: cover.upper.clone() };
    vec![Interval::everything(), common(claims), lower, upper, cover]
}

/// All that begins with what all wanted keys begin with.
fn common(claims: &[Claim]) -> Interval {
    let text = |claim: &Claim| {
        let (lower, upper) = (claim.interval.lower.as_ref()?, claim.interval.upper.as_ref()?);
        Some(lower.text.common_beginning(&upper.text))
    };
    let texts = claims.iter().map(text).collect::<Option<Vec<_>>>().unwrap_or_default();
    let mut texts = texts.into_iter();
    let first = texts.next();
    let shared = first.map(|first| texts.fold(first, |a, b| a.common_beginning(&b)));
    shared.map_or_else(Interval::everything, Interval::beginning)
}

fn whole(claims: &[Claim], others: &[Interval]) -> Selection {
    let interval = Interval::everything();
    Selection {
        exact: claims.iter().map(|claim| claim.is_exact_in(&interval)).collect(),
        leaks: others.iter().map(|other| other.share_in(&interval)).collect(),
        condition: None,
    }
}

fn judge(interval: &Interval, claims: &[Claim], others: &[Interval]) -> Option<Selection> {
    if *interval == Interval::everything() {
        return Some(whole(claims, others));
    }
    Some(Selection {
        condition: Some(SortCondition::of_interval(interval)?),
        exact: claims.iter().map(|claim| claim.is_exact_in(interval)).collect(),
        leaks: others.iter().map(|other| other.share_in(interval)).collect(),
    })
}

impl Selection {
    fn rank(&self) -> (usize, usize, usize) {
        let inexact = self.exact.iter().filter(|exact| !**exact).count();
        let leaking = self.leaks.iter().filter(|share| **share != Share::None).count();
        (inexact, leaking, self.condition.as_ref().map_or(0, SortCondition::complexity))
    }
}

impl Claim {
    /// Whether the entity's items in an interval are the wanted ones and no others.
    fn is_exact_in(&self, interval: &Interval) -> bool {
        let lower = same_limit(self.interval.lower.as_ref(), self.base.lower.as_ref())
            || same_limit(self.interval.lower.as_ref(), interval.lower.as_ref());
        let upper = same_limit(self.interval.upper.as_ref(), self.base.upper.as_ref())
            || same_limit(self.interval.upper.as_ref(), interval.upper.as_ref());
        let within_core =
            || interval.share_in(&Interval::beginning(self.core.clone())) == Share::All;
        lower && upper || !self.is_range && !self.core.is_empty() && within_core()
    }
}
