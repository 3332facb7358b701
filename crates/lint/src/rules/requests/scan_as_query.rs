//! A scan that somebody waits for.

use monotable_item::limits::PAGE_BYTES_MAX;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Model, Operation, Pattern, Purpose};
use monotable_plan::{Plan, Target};

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::request_part::{PartKind, RequestPart, parts_of};
use crate::rows_read::{arm_read, is_sparse};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "scan-as-query",
    Error,
    Requests,
    Model,
    "a user waits for a scan of a table or index that has more than a page",
    check
);

const INSTEAD: &str = "give the items a key or an index that a query can use; a job that must read \
                       everything says purpose = \"export\" or \"migration\"";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter_map(|(pattern, plan)| declared(subject, pattern, plan));
    declared.chain(subject.requests.iter().filter_map(|one| recorded(subject, one))).collect()
}

fn declared(subject: &Subject<'_>, pattern: &Pattern, plan: &Plan) -> Option<Diagnostic> {
    if pattern.operation != Operation::Scan || pattern.purpose != Purpose::User {
        return None;
    }
    let target = &plan.steps.first()?.target;
    let read = arm_read(subject, target).filter(|_| !is_meant(subject.model, target))?;
    (read.bytes > PAGE_BYTES_MAX as f64).then(|| {
        let message = format!(
            "the scan reads all of {target}: {:.0} items, {:.1} MB, {:.0} pages",
            read.rows,
            read.bytes / PAGE_BYTES_MAX as f64,
            (read.bytes / PAGE_BYTES_MAX as f64).ceil()
        );
        let place = Place::pattern(&pattern.name).member("operation");
        Diagnostic::error(RULE.code, place, message).with_suggestion(INSTEAD)
    })
}

/// Whether the index was made to be scanned: a sparse one holds what is wanted and nothing else.
fn is_meant(model: &Model, target: &Target) -> bool {
    let Some(table) = model.table(&target.table) else { return false };
    let index = target.index.as_deref().and_then(|name| table.index(name));
    index.is_some_and(|index| is_sparse(model, table, index))
}

/// A scan that did not end with its first page. One of several segments is a job.
fn recorded(subject: &Subject<'_>, request: &RecordedRequest) -> Option<Diagnostic> {
    let parts = parts_of(subject.model, request);
    let part = parts.first().filter(|part| part.kind == PartKind::Scan)?;
    let is_limited = request.body.member("Limit").is_some();
    request.response.as_ref()?.member("LastEvaluatedKey").filter(|_| !is_limited)?;
    if is_job(subject.model, part) {
        return None;
    }
    let message = format!("the scan of {} takes more than a page", part.table_name);
    Some(Diagnostic::error(RULE.code, part.place.clone(), message).with_suggestion(INSTEAD))
}

/// Whether a scan is one of several segments, is of a sparse index, or is what the model declares
/// as a job.
fn is_job(model: &Model, part: &RequestPart<'_>) -> bool {
    if part.body.member("TotalSegments").is_some() {
        return true;
    }
    if let (Some(table), Some(index)) = (part.table, part.index) {
        return is_sparse(model, table, index);
    }
    model
        .patterns
        .iter()
        .any(|pattern| pattern.operation == Operation::Scan && pattern.purpose != Purpose::User)
}
