//! A filter and a limit in one request.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Table;
use monotable_plan::{FilterPlan, PlannedRequest};

use crate::Subject;
use crate::request_part::{ExpressionMember, RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "filter-with-limit",
    Warning,
    Requests,
    Model,
    "a request has a limit and a filter, so that pages are not of the size that was asked for",
    check
);

const INSTEAD: &str = "let the key say what the filter says; or ask until the page is full, with \
                       the last key of what was used";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter_map(|(pattern, plan)| {
        let own = plan.steps.iter().filter(|step| step.pattern == pattern.name);
        let limit = own.filter_map(|step| limited(subject, step)).next()?;
        let place = Place::pattern(&pattern.name).member("limit");
        Some(found(place, limit))
    });
    declared.chain(request_parts(subject).iter().filter_map(recorded)).collect()
}

fn limited(subject: &Subject<'_>, request: &PlannedRequest) -> Option<u64> {
    let (filter, limit) = request.action.filter_and_limit()?;
    let table = subject.model.table(&request.target.table)?;
    limit.filter(|_| !filter.is_empty() && !only_drops_expired(table, filter))
}

/// Whether a filter is about expiry alone: what it drops is gone in a moment anyway.
fn only_drops_expired(table: &Table, filter: &FilterPlan) -> bool {
    let declared = filter.declared.iter().flat_map(|declared| &declared.attributes);
    let mut attributes = declared.chain(filter.added.iter().map(|added| &added.attribute));
    attributes.all(|attribute| table.ttl.as_ref() == Some(attribute))
}

fn recorded(part: &RequestPart<'_>) -> Option<Diagnostic> {
    let filter = part.condition(ExpressionMember::Filter)?;
    let limit = part.body.member("Limit")?.number()?;
    let ttl = part.table.and_then(|table| table.ttl.as_deref());
    if filter.roots().into_iter().all(|root| Some(root) == ttl) {
        return None;
    }
    Some(found(part.place.member("Limit"), limit as u64))
}

fn found(place: Place, limit: u64) -> Diagnostic {
    let message = format!(
        "the limit of {limit} counts what is read, and the filter drops some of it afterwards"
    );
    Diagnostic::warning(RULE.code, place, message).with_suggestion(INSTEAD)
}
