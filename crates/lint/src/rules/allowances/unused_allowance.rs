//! An allowance that accepts no finding.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::rule::{Rule, Unused, rule};

pub(super) const RULE: Rule = rule!(
    "unused-allowance",
    Warning,
    Allowances,
    Model,
    "an allowance accepts no finding",
    Allowances(check)
);

fn check(unused: &[Unused<'_>]) -> Vec<Diagnostic> {
    unused.iter().map(finding).collect()
}

fn finding(Unused { index, allowance }: &Unused<'_>) -> Diagnostic {
    let place = Place::root().member("allow").index(*index);
    let message = match &allowance.at {
        Some(at) => format!("{} finds nothing at {at}", allowance.rule),
        None => format!("{} finds nothing in this model", allowance.rule),
    };
    Diagnostic::warning(RULE.code, place, message).with_suggestion("take the allowance out")
}
