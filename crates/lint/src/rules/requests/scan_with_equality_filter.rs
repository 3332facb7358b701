//! A scan that looks for one value.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern, Purpose};

use crate::Subject;
use crate::condition_shape::{condition_of, conjuncts, equality};
use crate::request_part::{ExpressionMember, PartKind, RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "scan-with-equality-filter",
    Error,
    Requests,
    Model,
    "a scan filters by one value of an attribute, which an index would answer",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().filter_map(declared);
    declared.chain(request_parts(subject).iter().filter_map(recorded)).collect()
}

fn declared(pattern: &Pattern) -> Option<Diagnostic> {
    if pattern.operation != Operation::Scan || pattern.purpose != Purpose::User {
        return None;
    }
    let place = Place::pattern(&pattern.name);
    if let Some(known) = pattern.by.first() {
        return Some(found(place.member("by"), &known.attribute));
    }
    let condition = condition_of(pattern.filter.as_ref()?)?;
    let path = conjuncts(&condition).into_iter().find_map(equality)?;
    Some(found(place.member("filter"), &path.root))
}

/// A scan of one of several segments is a job, which filters by the type of the items that it is
/// about.
fn recorded(part: &RequestPart<'_>) -> Option<Diagnostic> {
    if part.kind != PartKind::Scan || part.body.member("TotalSegments").is_some() {
        return None;
    }
    let condition = part.condition(ExpressionMember::Filter)?;
    let path = conjuncts(&condition).into_iter().find_map(equality)?;
    Some(found(part.place.member("FilterExpression"), &path.root))
}

fn found(place: Place, attribute: &str) -> Diagnostic {
    let message = format!("everything is read to find the items of one {attribute}");
    let suggestion =
        format!("make {attribute} a partition key, of an index if need be, and query it");
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}
