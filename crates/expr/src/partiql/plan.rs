//! Which keys a condition covers.
//!
//! A condition that fixes the partition key in every case becomes some reads, one for each
//! partition and range of sort keys; any other is a scan. Each alternative of the condition (each
//! side of an `OR`, each value of an `IN`) on key attributes is a branch:
//!
//! `pk IN ['a', 'b'] AND (sk = 1 OR sk > 5) AND x = 2` has four: `a` and `b`, with `= 1` and `> 5`.
//!
//! The reads of a plan find all items that satisfy the condition, and perhaps others: unless the
//! plan is exact, the whole condition must be checked on what they find.

use monotable_item::Value;
use thiserror::Error;

use super::range::{SortRange, can_both_hold, order_of_beginnings, tightest};
use crate::eval::order;
use crate::operation::Comparator;
use crate::{Condition, KeyComparison, Operand};

/// The most reads that a statement may need.
const READS_MAX: usize = 50;

/// The reads that find the items of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPlan {
    branches: Vec<Branch>,
}

/// One range of one partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRead {
    /// The partition key.
    pub partition: Value,
    /// The sort keys, if not all.
    pub sort: Option<SortRange>,
}

/// Why the keys that a condition covers cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlanError {
    /// The condition needs more reads than are allowed.
    #[error("condition comes to more than {READS_MAX} reads")]
    TooManyReads,
    /// Two alternatives of the condition cover the same keys.
    #[error("alternatives of the condition overlap")]
    Overlapping,
}

/// One alternative of a condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Branch {
    partition: Option<Value>,
    /// The comparisons of the sort key, all of which must hold.
    sort: Vec<KeyComparison>,
    /// The attributes of what else must hold.
    filtered: Vec<String>,
    /// Whether anything else must hold, perhaps without an attribute.
    is_filtered: bool,
    /// Whether the sort key must differ from something, which no range can express.
    negates_sort: bool,
    /// Whether the partition key would have to equal two values.
    is_contradictory: bool,
}

impl KeyPlan {
    /// Plans a condition on a table or index with this key; returns nothing if it is a scan.
    pub fn new(
        condition: &Condition,
        partition: &str,
        sort: Option<&str>,
    ) -> Result<Option<KeyPlan>, PlanError> {
        let key = KeyNames { partition, sort };
        if !key.pins_partition(condition) {
            return Ok(None);
        }
        Ok(Some(KeyPlan { branches: key.branches(condition)? }))
    }

    /// Returns the values that key attributes are compared with: first those of the partition key,
    /// then those of the sort key.
    pub fn values(&self) -> (Vec<&Value>, Vec<&Value>) {
        let partition = self.branches.iter().filter_map(|branch| branch.partition.as_ref());
        let sort = self.branches.iter().flat_map(|branch| &branch.sort).flat_map(compared);
        (partition.collect(), sort.collect())
    }

    /// Returns whether the reads find only items that satisfy the condition.
    pub fn is_exact(&self) -> bool {
        self.branches.iter().all(|branch| {
            let is_range = branch.sort.is_empty() || SortRange::of_all(&branch.sort).is_some();
            !branch.is_filtered && !branch.is_contradictory && is_range
        })
    }

    /// Returns the attributes outside the key that each alternative uses, in the order of the
    /// partitions. An alternative without any needs only the key.
    pub fn filtered(&self) -> Vec<&[String]> {
        let mut branches: Vec<&Branch> = self.branches.iter().collect();
        branches.sort_by(|first, second| order_of_partitions(first, second));
        branches.into_iter().map(|branch| branch.filtered.as_slice()).collect()
    }

    /// The reads, in the order of the keys.
    pub fn reads(&self) -> Result<Vec<KeyRead>, PlanError> {
        let branches = self.branches.iter().filter(|branch| !branch.is_contradictory);
        let mut branches: Vec<Ranged<'_>> = branches.map(Ranged::new).collect();
        branches.sort_by(|first, second| {
            let beginnings = || order_of_beginnings(first.range.as_ref(), second.range.as_ref());
            order_of_partitions(first.branch, second.branch).then_with(beginnings)
        });
        let mut reads = Vec::with_capacity(branches.len());
        let has_same = |first: &Ranged<'_>, second: &Ranged<'_>| {
            first.branch.partition == second.branch.partition
        };
        for partition in branches.chunk_by(has_same) {
            read_partition(partition, &mut reads)?;
        }
        Ok(reads)
    }
}

/// A branch with what follows from all its comparisons of the sort key.
struct Ranged<'b> {
    branch: &'b Branch,
    range: Option<SortRange>,
    /// The comparisons that decide whether another branch can cover the same sort key.
    tightest: Vec<&'b KeyComparison>,
}

impl<'b> Ranged<'b> {
    fn new(branch: &'b Branch) -> Ranged<'b> {
        Ranged { branch, range: branch.range(), tightest: tightest(&branch.sort) }
    }

    /// Returns whether both can cover the same sort key.
    fn overlaps(&self, other: &Ranged<'_>) -> bool {
        let is_disjoint = |first: &KeyComparison| {
            other.tightest.iter().any(|second| !can_both_hold(first, second))
        };
        !self.tightest.iter().any(|first| is_disjoint(first))
    }
}

/// Adds the reads of the branches of one partition. Where a range overlaps with a branch that
/// contains a negation, the whole partition is read once.
fn read_partition(branches: &[Ranged<'_>], reads: &mut Vec<KeyRead>) -> Result<(), PlanError> {
    let mut is_whole = false;
    for (position, second) in branches.iter().enumerate() {
        for first in branches.iter().take(position) {
            if first.overlaps(second) {
                if !first.branch.negates_sort && !second.branch.negates_sort {
                    return Err(PlanError::Overlapping);
                }
                is_whole = true;
            }
        }
    }
    let partition = branches.first().and_then(|first| first.branch.partition.clone());
    let Some(partition) = partition else { return Ok(()) };
    if is_whole {
        reads.push(KeyRead { partition, sort: None });
        return Ok(());
    }
    for Ranged { range, .. } in branches {
        reads.push(KeyRead { partition: partition.clone(), sort: range.clone() });
    }
    Ok(())
}

impl Branch {
    /// Returns a range that contains all sort keys asked for, and others only beside a prefix or
    /// where none can exist.
    fn range(&self) -> Option<SortRange> {
        let narrowness = |comparison: &&KeyComparison| match comparison {
            KeyComparison::Equal(_) => 0,
            KeyComparison::Between(..) => 1,
            KeyComparison::BeginsWith(_) => 2,
            _ => 3,
        };
        let narrowest = || self.sort.iter().min_by_key(narrowness).cloned();
        SortRange::of_all(&self.sort).or_else(|| narrowest().map(SortRange::Comparison))
    }

    /// Extends this branch by the requirements of another one.
    fn add(&mut self, other: Branch) {
        self.is_contradictory |= other.is_contradictory
            || matches!((&self.partition, &other.partition),
                (Some(own), Some(value)) if own != value);
        self.partition = self.partition.take().or(other.partition);
        self.sort.extend(other.sort);
        self.filtered.extend(other.filtered);
        self.is_filtered |= other.is_filtered;
        self.negates_sort |= other.negates_sort;
    }
}

fn order_of_partitions(first: &Branch, second: &Branch) -> std::cmp::Ordering {
    let both = first.partition.as_ref().zip(second.partition.as_ref());
    let ordered = both.and_then(|(first, second)| order(first, second));
    ordered.unwrap_or(std::cmp::Ordering::Equal)
}

fn compared(comparison: &KeyComparison) -> impl Iterator<Item = &Value> {
    let values = match comparison {
        KeyComparison::Equal(value)
        | KeyComparison::Less(value)
        | KeyComparison::LessOrEqual(value)
        | KeyComparison::Greater(value)
        | KeyComparison::GreaterOrEqual(value)
        | KeyComparison::BeginsWith(value) => [Some(value), None],
        KeyComparison::Between(lower, upper) => [Some(lower), Some(upper)],
        KeyComparison::NotIndexable => [None, None],
    };
    values.into_iter().flatten()
}

/// The key of what is read.
#[derive(Clone, Copy)]
struct KeyNames<'k> {
    partition: &'k str,
    sort: Option<&'k str>,
}

impl KeyNames<'_> {
    /// Returns whether a condition fixes the partition key in every case.
    fn pins_partition(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(left, right) => self.pins_partition(left) || self.pins_partition(right),
            Condition::Or(left, right) => self.pins_partition(left) && self.pins_partition(right),
            other => self.partition_values(other).is_some(),
        }
    }

    fn branches(&self, condition: &Condition) -> Result<Vec<Branch>, PlanError> {
        let branches = match condition {
            Condition::And(..) => self.conjunction(condition)?,
            Condition::Or(left, right) if self.asks_for_key(condition) => {
                let mut branches = self.branches(left)?;
                branches.extend(self.branches(right)?);
                branches
            }
            other => self.leaf(other),
        };
        check_count(branches.len())?;
        Ok(branches)
    }

    /// Returns the branches of conditions that must all hold. Those with one branch come first, so
    /// that they are merged once and not for each alternative of the others.
    fn conjunction(&self, condition: &Condition) -> Result<Vec<Branch>, PlanError> {
        let mut common = Branch::default();
        let mut alternatives = Vec::new();
        for conjunct in conjuncts(condition) {
            let mut branches = self.branches(conjunct)?;
            match (branches.len(), branches.pop()) {
                (1, Some(only)) => common.add(only),
                (_, last) => {
                    branches.extend(last);
                    alternatives.push(branches);
                }
            }
        }
        let mut branches = vec![common];
        for alternative in alternatives {
            check_count(branches.len().saturating_mul(alternative.len()))?;
            let joined = |left: &Branch, right: &Branch| {
                let mut branch = left.clone();
                branch.add(right.clone());
                branch
            };
            let each = branches
                .iter()
                .flat_map(|left| alternative.iter().map(move |right| joined(left, right)));
            branches = each.collect();
        }
        Ok(branches)
    }

    fn leaf(&self, condition: &Condition) -> Vec<Branch> {
        if let Some(values) = self.partition_values(condition) {
            let branch = |value| Branch { partition: Some(value), ..Branch::default() };
            return values.into_iter().map(branch).collect();
        }
        if let Some(comparisons) = self.sort_comparisons(condition) {
            let branch = |comparison| Branch { sort: vec![comparison], ..Branch::default() };
            return comparisons.into_iter().map(branch).collect();
        }
        let roots = condition.roots();
        let negates_sort = self.sort.is_some_and(|sort| roots.contains(sort));
        let is_key = |root: &&str| *root == self.partition || Some(*root) == self.sort;
        let filtered = condition.paths().into_iter().map(|path| path.root.as_str());
        let filtered = filtered.filter(|root| !is_key(root)).map(str::to_owned).collect();
        vec![Branch { filtered, is_filtered: true, negates_sort, ..Branch::default() }]
    }

    /// Returns whether a part of a condition restricts the key.
    fn asks_for_key(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.asks_for_key(left) || self.asks_for_key(right)
            }
            other => {
                self.partition_values(other).is_some() || self.sort_comparisons(other).is_some()
            }
        }
    }

    /// Returns the values of the partition key that a condition allows, if it names them.
    fn partition_values(&self, condition: &Condition) -> Option<Vec<Value>> {
        let comparisons = comparisons_of(condition, self.partition)?;
        let values = comparisons.into_iter().map(|comparison| match comparison {
            KeyComparison::Equal(value) => Some(value),
            _ => None,
        });
        values.collect()
    }

    fn sort_comparisons(&self, condition: &Condition) -> Option<Vec<KeyComparison>> {
        comparisons_of(condition, self.sort?)
    }
}

/// Splits a condition into those that must all hold.
pub(super) fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    let mut conjuncts = Vec::new();
    collect_conjuncts(condition, &mut conjuncts);
    conjuncts
}

fn collect_conjuncts<'c>(condition: &'c Condition, conjuncts: &mut Vec<&'c Condition>) {
    match condition {
        Condition::And(left, right) => {
            collect_conjuncts(left, conjuncts);
            collect_conjuncts(right, conjuncts);
        }
        other => conjuncts.push(other),
    }
}

fn check_count(count: usize) -> Result<(), PlanError> {
    if count > READS_MAX { Err(PlanError::TooManyReads) } else { Ok(()) }
}

/// Returns the alternatives that a condition demands of an attribute, if keys can be read by them.
pub(super) fn comparisons_of(condition: &Condition, attribute: &str) -> Option<Vec<KeyComparison>> {
    let is_asked = |operand: &Operand| {
        matches!(operand, Operand::Path(path) if path.is_attribute()
            && path.root == attribute)
    };
    match condition {
        Condition::Compare { comparator, left, right } if is_asked(left) => {
            Some(vec![comparison(*comparator, value(right)?)?])
        }
        Condition::Compare { comparator, left, right } if is_asked(right) => {
            Some(vec![comparison(comparator.flipped(), value(left)?)?])
        }
        Condition::In { operand, candidates } if is_asked(operand) => {
            candidates.iter().map(|value_of| value(value_of).map(KeyComparison::Equal)).collect()
        }
        Condition::Between { operand, lower, upper } if is_asked(operand) => {
            Some(vec![KeyComparison::Between(value(lower)?, value(upper)?)])
        }
        Condition::BeginsWith { operand, prefix } if is_asked(operand) => {
            Some(vec![KeyComparison::BeginsWith(value(prefix)?)])
        }
        _ => None,
    }
}

fn comparison(comparator: Comparator, value: Value) -> Option<KeyComparison> {
    match comparator {
        Comparator::Equal => Some(KeyComparison::Equal(value)),
        Comparator::NotEqual => None,
        Comparator::Less => Some(KeyComparison::Less(value)),
        Comparator::LessOrEqual => Some(KeyComparison::LessOrEqual(value)),
        Comparator::Greater => Some(KeyComparison::Greater(value)),
        Comparator::GreaterOrEqual => Some(KeyComparison::GreaterOrEqual(value)),
    }
}

fn value(operand: &Operand) -> Option<Value> {
    match operand {
        Operand::Value(value) => Some(Value::clone(value)),
        Operand::Path(_) | Operand::Size(_) | Operand::Condition(_) => None,
    }
}
