//! Reading what has expired and is still there.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, IndexProjection, Operation, Pattern};

use crate::Subject;
use crate::expiry::expiry;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "ttl-without-read-guard",
    Warning,
    Evolution,
    Model,
    "items that expire are read without leaving out those that have",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let reads = subject.model.patterns.iter().filter(|pattern| {
        matches!(
            pattern.operation,
            Operation::Get
                | Operation::Query
                | Operation::Scan
                | Operation::BatchGet
                | Operation::TransactGet
        )
    });
    reads.filter_map(|pattern| judge(subject, pattern)).collect()
}

fn judge(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let entities = pattern.entities.iter().filter_map(|name| subject.model.entity(name));
    let (entity, attribute) =
        entities.into_iter().find_map(|entity| Some((entity, expiry(subject.model, entity)?)))?;
    if is_guarded(pattern, attribute) {
        return None;
    }
    let message = format!(
        "{} expires by {}, and an item is deleted up to days after: the pattern returns it until \
         then",
        entity.name, attribute.name
    );
    let suggestion = match lacking_index(subject, pattern, attribute) {
        Some(index) => {
            format!("add {} to the projection of {index}, and filter by it", attribute.name)
        }
        None => guard(pattern, attribute),
    };
    let place = Place::pattern(&pattern.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// The index that the pattern reads, if it does not hold the attribute.
fn lacking_index<'s>(
    subject: &'s Subject<'_>,
    pattern: &Pattern,
    attribute: &Attribute,
) -> Option<&'s str> {
    let plan = subject.plans.iter().find(|plan| plan.pattern == pattern.name)?;
    let target = &plan.steps.first()?.target;
    let index = subject.model.table(&target.table)?.index(target.index.as_deref()?)?;
    let is_held = match &index.projection {
        IndexProjection::All => true,
        IndexProjection::KeysOnly => false,
        IndexProjection::Include(names) => names.iter().any(|name| name == attribute.item_name()),
    };
    (!is_held).then_some(index.name.as_str())
}

/// The filter, or what to do where there can be none.
fn guard(pattern: &Pattern, attribute: &Attribute) -> String {
    let name = &attribute.name;
    match (pattern.operation, attribute.required) {
        (Operation::Query | Operation::Scan, true) => format!("filter = \"{name} > :now\""),
        (Operation::Query | Operation::Scan, false) => {
            format!("filter = \"attribute_not_exists({name}) OR {name} > :now\"")
        }
        _ => format!(
            "read it with a query and filter = \"{name} > :now\", or check {name} after reading \
             and say so with allow"
        ),
    }
}

fn is_guarded(pattern: &Pattern, attribute: &Attribute) -> bool {
    let in_filter =
        pattern.filter.as_ref().is_some_and(|filter| filter.attributes.contains(&attribute.name));
    let in_range = pattern.range.as_ref().is_some_and(|range| range.attribute == attribute.name);
    in_filter || in_range
}
