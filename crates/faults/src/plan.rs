//! The faults that are in force, and which of them happen.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::draw::Draw;
use crate::error::FaultError;
use crate::fault::{Fault, FaultKind};
use crate::selection::FaultyCall;

/// How many faults there can be: every call looks at all of them.
pub(crate) const FAULTS_MAX: usize = 100;

/// The faults that are in force. Whoever changes them makes another plan, whose calls are counted
/// from the beginning.
#[derive(Debug, Default)]
pub struct FaultPlan {
    seed: u64,
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    fault: Fault,
    /// How many calls it has matched.
    matched: AtomicU64,
    /// How many of them it has hit.
    hit: AtomicU64,
}

/// A fault that happens to a call.
#[derive(Debug)]
pub struct Hit<'p> {
    /// What happens.
    pub kind: &'p FaultKind,
    /// What else is random about it.
    pub draw: Draw,
    /// The positions of the items that it happens to; none if it is about the call as a whole.
    pub items: Vec<usize>,
}

/// What became of a fault so far.
#[derive(Debug)]
pub struct FaultReport<'p> {
    /// The fault.
    pub fault: &'p Fault,
    /// How many calls it has matched, before its rate and its numbers were looked at.
    pub matched: u64,
    /// How many of them it has hit.
    pub hit: u64,
}

impl FaultPlan {
    /// A plan of these faults, whose decisions are drawn from a seed.
    pub fn new(seed: u64, faults: Vec<Fault>) -> Result<FaultPlan, FaultError> {
        if faults.len() > FAULTS_MAX {
            return Err(FaultError::TooMany { max: FAULTS_MAX });
        }
        Ok(FaultPlan { seed, rules: faults.into_iter().map(Rule::new).collect() })
    }

    /// A plan of the same faults and one more. The calls that they have matched so far count on.
    pub fn with(&self, fault: Fault) -> Result<FaultPlan, FaultError> {
        if self.rules.len() >= FAULTS_MAX {
            return Err(FaultError::TooMany { max: FAULTS_MAX });
        }
        let known = self.rules.iter().map(Rule::counted_on);
        Ok(FaultPlan { seed: self.seed, rules: known.chain([Rule::new(fault)]).collect() })
    }

    /// Whether nothing goes wrong.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What decisions are drawn from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The faults, and what became of them.
    pub fn reports(&self) -> impl Iterator<Item = FaultReport<'_>> {
        self.rules.iter().map(|rule| FaultReport {
            fault: &rule.fault,
            matched: rule.matched.load(Ordering::Relaxed),
            hit: rule.hit.load(Ordering::Relaxed),
        })
    }

    /// The greatest age of what reads are answered with, if any are answered with something old.
    pub fn age_max(&self) -> Option<Duration> {
        let age = |rule: &Rule| match rule.fault.kind {
            FaultKind::Stale(age) | FaultKind::IndexLag(age) => Some(age),
            FaultKind::Throttle(_)
            | FaultKind::Conflict
            | FaultKind::InProgress
            | FaultKind::Unprocessed(_)
            | FaultKind::Delay(_)
            | FaultKind::ServerError(_)
            | FaultKind::Drop(_) => None,
        };
        self.rules.iter().filter_map(age).max()
    }

    /// Decides which faults happen to a call, and counts it.
    pub fn decide(&self, call: &FaultyCall<'_>) -> Vec<Hit<'_>> {
        let rules = self.rules.iter().zip(0..);
        rules.filter_map(|(rule, position)| rule.decide(self.seed, position, call)).collect()
    }
}

impl Rule {
    fn new(fault: Fault) -> Rule {
        Rule { fault, matched: AtomicU64::new(0), hit: AtomicU64::new(0) }
    }

    /// The same rule in another plan.
    fn counted_on(&self) -> Rule {
        Rule {
            fault: self.fault.clone(),
            matched: AtomicU64::new(self.matched.load(Ordering::Relaxed)),
            hit: AtomicU64::new(self.hit.load(Ordering::Relaxed)),
        }
    }

    fn decide(&self, seed: u64, position: u64, call: &FaultyCall<'_>) -> Option<Hit<'_>> {
        let Fault { kind, selection } = &self.fault;
        let items = selection.matching(kind, call)?;
        let number = self.matched.fetch_add(1, Ordering::Relaxed);
        let is_counted_out = selection.first.is_some_and(|first| number >= first)
            || selection.every.is_some_and(|every| !(number + 1).is_multiple_of(every));
        let draw = Draw::new(seed, position, number);
        if is_counted_out || draw.unit() >= selection.rate {
            return None;
        }
        self.hit.fetch_add(1, Ordering::Relaxed);
        Some(Hit { kind, draw, items })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::CalledItem;

    fn plan(seed: u64, lines: &[&str]) -> FaultPlan {
        let faults = lines.iter().map(|line| line.parse().unwrap()).collect();
        FaultPlan::new(seed, faults).unwrap()
    }

    fn item(table: &'static str, key: &str) -> CalledItem<'static> {
        CalledItem {
            table: table.into(),
            index: None,
            is_of_global_index: false,
            key: Some(key.to_owned()),
            may_be_stale: false,
        }
    }

    fn call(operation: &'static str, items: &[CalledItem<'static>]) -> FaultyCall<'static> {
        FaultyCall { operation, items: items.to_vec() }
    }

    /// For each of some calls, whether the only fault of the plan hits it.
    fn hits(plan: &FaultPlan, calls: &[FaultyCall<'_>]) -> Vec<bool> {
        calls.iter().map(|call| !plan.decide(call).is_empty()).collect()
    }

    fn puts(count: usize) -> Vec<FaultyCall<'static>> {
        vec![call("PutItem", &[item("Orders", "a")]); count]
    }

    #[test]
    fn the_same_seed_and_calls_give_the_same_decisions() {
        let line = ["throttle rate=0.3"];
        let first = hits(&plan(7, &line), &puts(200));
        assert_eq!(first, hits(&plan(7, &line), &puts(200)));
        assert_ne!(first, hits(&plan(8, &line), &puts(200)));
        assert!((40..80).contains(&first.iter().filter(|hit| **hit).count()));
    }

    #[test]
    fn calls_that_a_fault_does_not_match_do_not_move_its_decisions() {
        let line = ["throttle rate=0.3 table=Orders"];
        let other = call("PutItem", &[item("Other", "a")]);
        let mixed = plan(7, &line);
        let decisions: Vec<bool> = puts(50)
            .iter()
            .map(|put| {
                assert!(mixed.decide(&other).is_empty());
                !mixed.decide(put).is_empty()
            })
            .collect();
        assert_eq!(decisions, hits(&plan(7, &line), &puts(50)));
    }

    #[test]
    fn the_first_calls_and_every_third_are_counted() {
        let first = hits(&plan(0, &["error first=2"]), &puts(4));
        assert_eq!(first, [true, true, false, false]);
        let third = hits(&plan(0, &["error every=3"]), &puts(6));
        assert_eq!(third, [false, false, true, false, false, true]);
    }

    #[test]
    fn a_fault_that_is_over_stays_so_when_another_comes() {
        let first = plan(0, &["error first=1"]);
        assert_eq!(hits(&first, &puts(2)), [true, false]);
        let both = first.with("error every=2 table=Other".parse().unwrap()).unwrap();
        assert_eq!(hits(&both, &puts(2)), [false, false]);
        let counts: Vec<_> = both.reports().map(|report| (report.matched, report.hit)).collect();
        assert_eq!(counts, [(4, 1), (0, 0)]);
    }

    #[test]
    fn a_plan_takes_no_more_faults_than_it_may_have() {
        let full = plan(0, &["error"; FAULTS_MAX]);
        let refused = full.with("error".parse().unwrap()).unwrap_err();
        assert_eq!(refused, FaultError::TooMany { max: FAULTS_MAX });
    }

    #[test]
    fn tables_operations_and_keys_are_selected() {
        let by = |line: &str, call: &FaultyCall<'_>| !plan(0, &[line]).decide(call).is_empty();
        let put = call("PutItem", &[item("Orders", "user#1")]);
        assert!(by("throttle table=Orders", &put) && !by("throttle table=Other", &put));
        assert!(by("throttle operation=GetItem,PutItem", &put));
        assert!(!by("throttle operation=GetItem", &put));
        assert!(by("throttle key=user#1", &put) && !by("throttle key=user#", &put));
        assert!(by("throttle key-prefix=user#", &put) && !by("throttle key-prefix=order#", &put));
        assert!(!by("throttle index=ByDate", &put));
    }

    #[test]
    fn only_the_members_that_are_selected_are_hit() {
        let batch = call("BatchWriteItem", &[item("A", "x"), item("B", "x"), item("A", "y")]);
        let plan = plan(0, &["throttle table=A"]);
        let items: Vec<Vec<usize>> = plan.decide(&batch).into_iter().map(|hit| hit.items).collect();
        assert_eq!(items, [vec![0, 2]]);
    }

    #[test]
    fn a_kind_hits_only_the_operations_that_can_fail_so() {
        let by = |line: &str, operation: &'static str| {
            let mut item = item("A", "x");
            (item.may_be_stale, item.is_of_global_index) = (true, true);
            !plan(0, &[line]).decide(&call(operation, &[item])).is_empty()
        };
        assert!(by("unprocessed share=1", "BatchGetItem") && !by("unprocessed share=1", "GetItem"));
        assert!(by("in-progress", "TransactWriteItems") && !by("in-progress", "TransactGetItems"));
        assert!(by("conflict", "PutItem") && !by("conflict", "Query"));
        assert!(by("stale age=1s", "GetItem") && !by("stale age=1s", "TransactGetItems"));
        assert!(by("index-lag age=1s", "Query") && !by("index-lag age=1s", "GetItem"));
        assert!(by("delay time=1s", "CreateTable") && by("drop", "ListTables"));
        assert!(
            !by("throttle", "CreateTable") && by("throttle operation=CreateTable", "CreateTable")
        );
    }

    #[test]
    fn consistent_reads_are_never_stale() {
        let consistent = call("GetItem", &[item("A", "x")]);
        assert!(plan(0, &["stale age=1s"]).decide(&consistent).is_empty());
    }

    #[test]
    fn reports_count_matches_and_hits() {
        let plan = plan(0, &["error every=2", "stale age=3s", "index-lag age=5s"]);
        puts(5).iter().for_each(|put| drop(plan.decide(put)));
        let counts: Vec<_> = plan.reports().map(|report| (report.matched, report.hit)).collect();
        assert_eq!(counts, [(5, 2), (0, 0), (0, 0)]);
        assert_eq!(plan.age_max(), Some(Duration::from_secs(5)));
    }
}
