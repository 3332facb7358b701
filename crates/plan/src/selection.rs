//! The condition on the sort key: the simplest of those that return the fewest other entities.

use super::colocated_entity::{ColocatedEntity, QueriedPartition};
use super::interval::{Interval, Share, same_limit};
use super::key_text::KeyText;
use super::sort_condition::SortCondition;

/// What is wanted of one entity.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    /// Where the wanted items lie.
    pub(super) interval: Interval,
    /// Where they can lie at most, by what is declared about their attributes.
    pub(super) extent: Interval,
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

/// The other entities of the partition.
#[derive(Debug)]
pub(super) struct Others<'a, 'm> {
    pub(super) queried: &'a QueriedPartition<'a>,
    pub(super) colocated: &'a [ColocatedEntity<'m>],
}

impl Others<'_, '_> {
    fn shares(&self, interval: &Interval) -> Vec<Share> {
        self.colocated.iter().map(|other| self.queried.share(other, interval)).collect()
    }
}

/// Chooses the condition for these claims beside other entities. Conditions that end at another
/// entity are tried only if something leaks: they read less well than what the wanted keys
/// themselves give.
pub(super) fn select(claims: &[Claim], others: &Others<'_, '_>) -> Selection {
    let cover = cover(claims);
    match best(&options(claims, &cover), claims, others) {
        Some(best) if best.leaking() == 0 => best,
        first => {
            let cut = best(&cuts(claims, &cover, others.colocated), claims, others);
            let least = first.into_iter().chain(cut).min_by_key(Selection::rank);
            least.unwrap_or_else(|| whole(claims, others))
        }
    }
}

fn best(options: &[Interval], claims: &[Claim], others: &Others<'_, '_>) -> Option<Selection> {
    let selections = options.iter().filter_map(|interval| judge(interval, claims, others));
    selections.min_by_key(Selection::rank)
}

/// The smallest interval with all that is wanted.
fn cover(claims: &[Claim]) -> Interval {
    let mut intervals = claims.iter().map(|claim| &claim.interval);
    let first = intervals.next().cloned().unwrap_or_default();
    intervals.fold(first, |cover, interval| cover.cover(interval))
}

/// The intervals that cover all claims, simplest first.
fn options(claims: &[Claim], cover: &Interval) -> Vec<Interval> {
    if cover.single().is_some() {
        return vec![cover.clone()];
    }
    let lower = Interval { lower: cover.lower.clone(), upper: None };
    let upper = Interval { lower: None, upper: cover.upper.clone() };
    vec![Interval::everything(), common(claims), lower, upper, cover.clone()]
}

/// All that begins with what all wanted keys begin with.
fn common(claims: &[Claim]) -> Interval {
    let texts = claims.iter().map(|claim| claim.interval.beginning_of_all());
    let texts = texts.collect::<Option<Vec<_>>>().unwrap_or_default();
    let shared = texts.into_iter().reduce(|a, b| a.common_beginning(&b));
    shared.map_or_else(Interval::everything, Interval::beginning)
}

/// Intervals around all that can be wanted, that begin where another entity ends or end where one
/// begins:
/// `SK > V0` for the versions beside their pointer.
fn cuts(claims: &[Claim], cover: &Interval, colocated: &[ColocatedEntity<'_>]) -> Vec<Interval> {
    let before = colocated.iter().filter_map(|other| other.interval.upper.as_ref());
    let after = colocated.iter().filter_map(|other| other.interval.lower.as_ref());
    let mut lowers = vec![None, cover.lower.clone()];
    lowers.extend(before.map(|limit| Some(limit.opposite())));
    let mut uppers = vec![None, cover.upper.clone()];
    uppers.extend(after.map(|limit| Some(limit.opposite())));
    let pairs = lowers.iter().flat_map(|lower| {
        uppers.iter().map(move |upper| Interval { lower: lower.clone(), upper: upper.clone() })
    });
    let covers = |interval: &Interval| {
        claims.iter().all(|claim| claim.extent.share_in(interval) == Share::All)
    };
    pairs.filter(covers).collect()
}

fn whole(claims: &[Claim], others: &Others<'_, '_>) -> Selection {
    let interval = Interval::everything();
    Selection {
        exact: claims.iter().map(|claim| claim.is_exact_in(&interval)).collect(),
        leaks: others.shares(&interval),
        condition: None,
    }
}

fn judge(interval: &Interval, claims: &[Claim], others: &Others<'_, '_>) -> Option<Selection> {
    if *interval == Interval::everything() {
        return Some(whole(claims, others));
    }
    Some(Selection {
        condition: Some(SortCondition::of_interval(interval)?),
        exact: claims.iter().map(|claim| claim.is_exact_in(interval)).collect(),
        leaks: others.shares(interval),
    })
}

impl Selection {
    /// How many other entities are returned, wholly or in part.
    fn leaking(&self) -> usize {
        self.leaks.iter().filter(|share| **share != Share::None).count()
    }

    fn rank(&self) -> (usize, usize, usize) {
        let inexact = self.exact.iter().filter(|exact| !**exact).count();
        (inexact, self.leaking(), self.condition.as_ref().map_or(0, SortCondition::complexity))
    }
}

impl Claim {
    /// Returns whether the entity's items in an interval are the wanted ones and no others.
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
