//! An item that is read right after it was written.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Known, Operation, Pattern};

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::flow::{followers, same_item};
use crate::request_part::{PartKind, parts_of, request_place};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "read-after-write",
    Info,
    Requests,
    Evidence,
    "an item is read right after it was written",
    check
);

const INSTEAD: &str = "let the write return it (ReturnValues), or use what was just written";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().filter_map(|one| declared(subject, one));
    let requests = subject.requests.iter().enumerate();
    let recorded = requests.filter_map(|(position, one)| recorded(subject, position, one));
    declared.chain(recorded).collect()
}

fn declared(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let steps: Vec<&Pattern> =
        pattern.steps.iter().filter_map(|step| subject.model.pattern(&step.pattern)).collect();
    let position = steps.windows(2).position(|pair| match pair {
        [first, second] => {
            writes_one(first) && second.operation == Operation::Get && same(first, second)
        }
        _ => false,
    })?;
    let place = Place::pattern(&pattern.name).member("steps").index(position + 1);
    let message = "the step reads the item that the step before has written";
    Some(Diagnostic::info(RULE.code, place, message).with_suggestion(INSTEAD))
}

fn writes_one(pattern: &Pattern) -> bool {
    matches!(pattern.operation, Operation::Put | Operation::Update)
}

/// Whether both are about one item: the same entity by the same values. A put knows all of them.
fn same(write: &Pattern, read: &Pattern) -> bool {
    let is_given = |known: &Known| write.operation == Operation::Put || write.by.contains(known);
    write.entities == read.entities && read.by.iter().all(is_given)
}

fn recorded(
    subject: &Subject<'_>,
    position: usize,
    request: &RecordedRequest,
) -> Option<Diagnostic> {
    let writes = parts_of(subject.model, request);
    let next = followers(subject.requests, position).next()?;
    let reads = parts_of(subject.model, next);
    let read = reads.iter().find(|part| part.kind == PartKind::Get)?;
    writes.iter().find(|write| {
        matches!(write.kind, PartKind::Put | PartKind::Update) && same_item(write, read)
    })?;
    let message = format!("line {} has just written the item that is read here", request.line);
    let place = request_place(next.line);
    Some(Diagnostic::info(RULE.code, place, message).with_suggestion(INSTEAD))
}
