//! Counting by reading.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern};

use crate::Subject;
use crate::amount::amount;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "count-by-query",
    Warning,
    Collections,
    Model,
    "a pattern counts items by reading all of them",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let reads = subject.model.patterns.iter().filter(|pattern| {
        matches!(pattern.operation, Operation::Query | Operation::Scan) && counts(pattern)
    });
    reads.map(|pattern| finding(subject, pattern)).collect()
}

/// Whether the name says that something is counted.
fn counts(pattern: &Pattern) -> bool {
    let name = pattern.name.to_lowercase();
    let begins = ["count ", "number of ", "how many ", "total number of "];
    begins.iter().any(|beginning| name.starts_with(beginning)) || name.ends_with(" count")
}

fn finding(subject: &Subject<'_>, pattern: &Pattern) -> Diagnostic {
    let cost = subject.estimate.patterns.iter().find(|cost| cost.name == pattern.name);
    let units = cost.map_or(0.0, |cost| cost.usage.values().map(|usage| usage.total().read).sum());
    let what = pattern.entities.join(" and ");
    let message = format!(
        "each count reads all of {what} again: {} read units, and more as there are more",
        amount(units)
    );
    let suggestion = format!(
        "keep the number on the parent, and change it in the transaction that puts or deletes \
         {what}"
    );
    Diagnostic::warning(RULE.code, Place::pattern(&pattern.name), message)
        .with_suggestion(suggestion)
}
