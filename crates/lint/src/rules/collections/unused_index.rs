//! An index that no pattern reads.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Index, Operation, Table};

use crate::Subject;
use crate::amount::amount;
use crate::key_site::route_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unused-index",
    Warning,
    Collections,
    Model,
    "an index is read by no access pattern",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let reads =
        |operation| matches!(operation, Operation::Get | Operation::Query | Operation::Scan);
    if !subject.model.patterns.iter().any(|pattern| reads(pattern.operation)) {
        return Vec::new();
    }
    let indexes = subject
        .model
        .tables
        .iter()
        .flat_map(|table| table.indexes.iter().map(move |index| (table, index)));
    let unused = indexes.filter(|(table, index)| !is_used(subject, table, index));
    unused.map(|(table, index)| finding(subject, table, index)).collect()
}

fn is_used(subject: &Subject<'_>, table: &Table, index: &Index) -> bool {
    let mut steps = subject.plans.iter().flat_map(|plan| &plan.steps);
    steps.any(|step| {
        step.target.table == table.name && step.target.index.as_ref() == Some(&index.name)
    })
}

fn finding(subject: &Subject<'_>, table: &Table, index: &Index) -> Diagnostic {
    let costs = subject.estimate.tables.iter().filter(|cost| cost.name == table.name);
    let arm = costs.flat_map(|cost| &cost.arms).find(|arm| arm.index.as_ref() == Some(&index.name));
    let month = arm.map_or(0.0, |arm| arm.storage + arm.writes.unwrap_or(0.0));
    let cost = if month >= 0.01 {
        format!(", which costs ${} a month", amount(month))
    } else {
        String::new()
    };
    let message = format!("no access pattern reads {}{cost}", index.name);
    let suggestion = format!(
        "drop {} and the keys that entities have in it, or add the pattern that it is for",
        index.name
    );
    Diagnostic::warning(RULE.code, route_place(table, Some(index)), message)
        .with_suggestion(suggestion)
}
