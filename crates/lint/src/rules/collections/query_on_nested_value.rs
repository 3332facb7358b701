//! A pattern that looks for items by what lies inside a map or list.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern, Source};
use monotable_plan::Reason;

use crate::Subject;
use crate::comparison::comparisons;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "query-on-nested-value",
    Error,
    Collections,
    Model,
    "a pattern looks for items by a value inside a map or list, which no key can hold",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, plan) in subject.planned() {
        let reasons = plan.unserved.iter().filter(|unserved| unserved.pattern == pattern.name);
        let reasons =
            reasons.flat_map(|unserved| &unserved.rejections).flat_map(|one| &one.reasons);
        let embedded = reasons.filter_map(|reason| match reason {
            Reason::Embedded { entity } => Some(entity),
            _ => None,
        });
        found.extend(embedded.take(1).map(|entity| of_embedded(subject, pattern, entity)));
        found.extend(nested_filter(pattern));
    }
    found
}

fn of_embedded(subject: &Subject<'_>, pattern: &Pattern, entity: &str) -> Diagnostic {
    let inside = subject.model.entity(entity).and_then(|entity| entity.embedded_in.first());
    let inside =
        inside.map_or(String::new(), |place| format!(" ({}.{})", place.entity, place.attribute));
    let message = format!("{entity} is inside other items{inside}, and has no key to be found by");
    let suggestion =
        format!("make {entity} an item of its own, in the partition of what it belongs to");
    Diagnostic::error(RULE.code, Place::pattern(&pattern.name), message).with_suggestion(suggestion)
}

fn nested_filter(pattern: &Pattern) -> Option<Diagnostic> {
    if !matches!(pattern.operation, Operation::Query | Operation::Scan) {
        return None;
    }
    let filter = pattern.filter.as_ref()?;
    let comparisons = comparisons(filter);
    let nested = comparisons.iter().find(|comparison| {
        comparison.is_nested && matches!(comparison.value, Some(Source::Parameter(_)))
    })?;
    let message = format!(
        "the pattern looks for a value inside {}, which no index can hold: all is read and \
         filtered",
        nested.attribute
    );
    let suggestion =
        "store the value a second time as an attribute of the item, and put that into a key";
    let place = Place::pattern(&pattern.name).member("filter");
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}
