//! What a run was, as a table.

use std::collections::BTreeMap;

use crate::fault::Fault;
use crate::round::Outcome;

/// One line per kind of fault.
pub(crate) fn text(outcomes: &[Outcome]) -> String {
    let mut kinds: BTreeMap<Fault, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        kinds.entry(outcome.fault).or_default().push(outcome);
    }
    let mut text = format!(
        "{:<34}{:>7}{:>12}{:>12}{:>24}\n",
        "fault", "rounds", "operations", "no answer", "without writes, seconds"
    );
    text += &format!("{:<34}{:>31}{:>12}{:>12}\n", "", "", "median", "longest");
    for (fault, outcomes) in &kinds {
        text += &line(&fault.to_string(), outcomes);
    }
    text + &line("all", &outcomes.iter().collect::<Vec<_>>())
}

fn line(name: &str, outcomes: &[&Outcome]) -> String {
    let sum = |count: fn(&Outcome) -> usize| outcomes.iter().map(|it| count(it)).sum::<usize>();
    let mut gaps: Vec<u64> = outcomes.iter().map(|it| it.longest_gap_micros).collect();
    gaps.sort_unstable();
    let seconds = |gap: Option<&u64>| *gap.unwrap_or(&0) as f64 / 1e6;
    format!(
        "{name:<34}{:>7}{:>12}{:>12}{:>12.2}{:>12.2}\n",
        outcomes.len(),
        sum(|it| it.operations),
        sum(|it| it.unanswered),
        seconds(gaps.get(gaps.len() / 2)),
        seconds(gaps.last()),
    )
}
