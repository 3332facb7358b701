//! A backfill that takes more than the table has to spare.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Billing, Table};

use crate::Subject;
use crate::amount::amount;
use crate::backfill::{Backfill, backfills};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "migration-capacity",
    Warning,
    Evolution,
    Model,
    "a backfill writes faster than the capacity that is left allows",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    backfills(subject.model).iter().flat_map(|backfill| judge(subject, backfill)).collect()
}

fn judge(subject: &Subject<'_>, backfill: &Backfill<'_>) -> Vec<Diagnostic> {
    let provisioned =
        subject.model.tables.iter().filter_map(|table| Some((table, write_units(table)?)));
    let found = provisioned.filter_map(|(table, capacity)| {
        let own = writes_of(subject, table, |name| is_part(backfill, name));
        let others = writes_of(subject, table, |name| !is_part(backfill, name));
        if own <= 0.0 || own + others <= capacity {
            return None;
        }
        let spare = (capacity - others).max(0.0);
        let message = format!(
            "the backfill writes {} units a second, and of the {} of {} others leave {}",
            amount(own),
            amount(capacity),
            table.name,
            amount(spare)
        );
        let suggestion = format!(
            "write no more than {} units a second, or raise write_units while it runs",
            amount(spare)
        );
        let place = Place::pattern(&backfill.pattern.name);
        Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
    });
    found.collect()
}

fn write_units(table: &Table) -> Option<f64> {
    match table.billing {
        Billing::Provisioned { write_units, .. } => Some(write_units as f64),
        Billing::OnDemand => None,
    }
}

fn is_part(backfill: &Backfill<'_>, pattern: &str) -> bool {
    pattern == backfill.pattern.name
        || backfill.pattern.steps.iter().any(|step| step.pattern == pattern)
}

/// The write units a second that some patterns take of a table.
fn writes_of(subject: &Subject<'_>, table: &Table, is_meant: impl Fn(&str) -> bool) -> f64 {
    let costs = subject.estimate.patterns.iter().filter(|cost| is_meant(&cost.name));
    let units =
        costs.filter_map(|cost| Some(cost.usage.get(&table.name)?.table.write * cost.rate?));
    units.sum()
}
