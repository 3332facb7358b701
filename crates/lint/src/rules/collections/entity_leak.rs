//! A query that returns entities which it does not want.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::leak::{Leak, leaks};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "entity-leak",
    Warning,
    Collections,
    Model,
    "the range that a query reads holds entities which it does not want",
    check
);

/// What outnumbers the wanted items by far is the business of `child-flood`.
fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let few = leaks(subject).into_iter().filter(|leak| !leak.is_flood(subject));
    few.map(|leak| finding(subject, &leak)).collect()
}

fn finding(subject: &Subject<'_>, leak: &Leak<'_>) -> Diagnostic {
    let pattern = leak.query.pattern;
    let message = format!(
        "the key range of the query holds {} as well as {}",
        leak.entity,
        pattern.entities.join(" and ")
    );
    let variant = subject.model.entity(leak.entity).and_then(|entity| entity.variant_of.as_ref());
    let suggestion = match variant.filter(|base| pattern.entities.contains(base)) {
        Some(_) => format!("add {} to returns if it is wanted as well", leak.entity),
        None => {
            format!("let the sort key of {} begin otherwise, or add it to returns", leak.entity)
        }
    };
    Diagnostic::warning(RULE.code, Place::pattern(&pattern.name), message)
        .with_suggestion(suggestion)
}
