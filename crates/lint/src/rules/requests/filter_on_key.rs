//! A filter on a key of what is queried.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_plan::{Plan, Reason};

use crate::Subject;
use crate::request_part::{ExpressionMember, PartKind, RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "filter-on-key",
    Error,
    Requests,
    Evidence,
    "the filter of a query names a key of what is queried",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter(|(pattern, _)| pattern.filter.is_some());
    let declared = declared.filter_map(|(_, plan)| declared_on(plan));
    declared.chain(request_parts(subject).iter().filter_map(recorded)).collect()
}

/// The key that alone keeps a candidate from serving the pattern.
fn declared_on(plan: &Plan) -> Option<Diagnostic> {
    let own = plan.unserved.iter().filter(|unserved| unserved.pattern == plan.pattern);
    let mut rejections = own.flat_map(|unserved| &unserved.rejections);
    let attribute = rejections.find_map(|rejection| match rejection.reasons.as_slice() {
        [Reason::FilterOnKey { attribute }] => Some(attribute.as_str()),
        _ => None,
    })?;
    Some(found(Place::pattern(&plan.pattern).member("filter"), attribute))
}

fn recorded(part: &RequestPart<'_>) -> Option<Diagnostic> {
    if part.kind != PartKind::Query {
        return None;
    }
    let filter = part.condition(ExpressionMember::Filter)?;
    let roots = filter.roots();
    let keys = part.key_attributes();
    let key = keys.iter().find(|key| roots.contains(key.name.as_str()))?;
    Some(found(part.place.member("FilterExpression"), &key.name))
}

fn found(place: Place, attribute: &str) -> Diagnostic {
    let message = format!("the filter names {attribute}, which is a key of what is queried");
    let suggestion = format!(
        "say it in the key condition; a key that cannot say it should hold {attribute} earlier"
    );
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}
