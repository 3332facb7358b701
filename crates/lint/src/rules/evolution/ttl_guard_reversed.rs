//! A guard that keeps what has expired and drops what has not.

use monotable_expr::Comparator;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Pattern, RangeComparison};

use crate::Subject;
use crate::comparison::comparisons;
use crate::expiry::expiry;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "ttl-guard-reversed",
    Error,
    Evolution,
    Model,
    "a filter on the time to live keeps what has expired",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.patterns.iter().filter_map(|pattern| judge(subject, pattern)).collect()
}

fn judge(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let entities = pattern.entities.iter().filter_map(|name| subject.model.entity(name));
    let attribute = entities.into_iter().find_map(|entity| expiry(subject.model, entity))?;
    let member = reversed_member(pattern, attribute)?;
    let name = &attribute.name;
    let message =
        format!("the {member} returns items whose {name} has passed, and drops those that live");
    let guard = if attribute.required {
        format!("{member} = \"{name} > :now\"")
    } else {
        format!("{member} = \"attribute_not_exists({name}) OR {name} > :now\"")
    };
    let place = Place::pattern(&pattern.name).member(member);
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(guard))
}

fn reversed_member(pattern: &Pattern, attribute: &Attribute) -> Option<&'static str> {
    let reverses = |comparator| matches!(comparator, Comparator::Less | Comparator::LessOrEqual);
    let filters = pattern.filter.as_ref().map(comparisons).unwrap_or_default();
    let of_ttl =
        filters.iter().filter(|one| one.attribute == attribute.item_name() && !one.is_nested);
    let (low, high): (Vec<_>, Vec<_>) = of_ttl.partition(|one| reverses(one.comparator));
    // Between two moments is a period, and no guard.
    if !low.is_empty() && high.is_empty() {
        return Some("filter");
    }
    let range = pattern.range.as_ref().filter(|range| range.attribute == attribute.name)?;
    matches!(range.comparison, RangeComparison::Less(_) | RangeComparison::LessOrEqual(_))
        .then_some("range")
}
