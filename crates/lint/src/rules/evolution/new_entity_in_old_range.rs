//! A new entity whose items an old query returns.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::leak::leaks;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "new-entity-in-old-range",
    Warning,
    Evolution,
    Evidence,
    "items of a new entity lie in the range that an existing query reads",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let Some(before) = subject.before else { return Vec::new() };
    let new = leaks(subject).into_iter().filter(|leak| {
        before.pattern(&leak.query.pattern.name).is_some() && before.entity(leak.entity).is_none()
    });
    let found = new.map(|leak| {
        let message = format!(
            "\"{}\" has been there before {}, whose items it will return: code that reads the \
             answer does not know them",
            leak.query.pattern.name, leak.entity
        );
        let suggestion = format!(
            "let the sort key of {} begin so that it lies outside of the range",
            leak.entity
        );
        Diagnostic::warning(RULE.code, Place::entity(leak.entity), message)
            .with_suggestion(suggestion)
    });
    found.collect()
}
