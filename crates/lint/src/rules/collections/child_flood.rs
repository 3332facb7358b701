//! Many items between those that are wanted.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::amount::amount;
use crate::leak::leaks;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "child-flood",
    Warning,
    Collections,
    Model,
    "the items that a query wants lie among many more that it does not",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let floods = leaks(subject).into_iter().filter(|leak| leak.is_flood(subject));
    let found = floods.map(|leak| {
        let pattern = leak.query.pattern;
        let message = format!(
            "among {} lie {} times as many of {}, which the query reads and pays for",
            pattern.entities.join(" and "),
            amount(leak.ratio.unwrap_or_default()),
            leak.entity
        );
        let suggestion = format!(
            "move {} into a partition of its own, or list the others from an index",
            leak.entity
        );
        Diagnostic::warning(RULE.code, Place::pattern(&pattern.name), message)
            .with_suggestion(suggestion)
    });
    found.collect()
}
