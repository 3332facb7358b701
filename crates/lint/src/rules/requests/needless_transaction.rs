//! A transaction where a single write, or none, would do.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{ActionKind, Entity, Operation, Pattern};

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::pattern_write::{PatternWrite, writes_of};
use crate::request_part::{parts_of, request_place};
use crate::rule::{Rule, rule};
use crate::update_clause::clauses;

pub(super) const RULE: Rule = rule!(
    "needless-transaction",
    Warning,
    Requests,
    Model,
    "a transaction has one member, or only keeps copies equal",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let patterns = subject.model.patterns.iter();
    let declared = patterns.filter_map(|pattern| declared(subject, pattern));
    declared.chain(subject.requests.iter().filter_map(|one| recorded(subject, one))).collect()
}

fn declared(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let is_transaction =
        matches!(pattern.operation, Operation::TransactWrite | Operation::TransactGet);
    let place = Place::pattern(&pattern.name).member("actions");
    match pattern.actions.as_slice() {
        _ if !is_transaction => None,
        [action] if action.each.is_none() => Some(single(place)),
        _ if keeps_copies(&writes_of(subject.model, pattern)) => Some(copies(place)),
        _ => None,
    }
}

fn recorded(subject: &Subject<'_>, request: &RecordedRequest) -> Option<Diagnostic> {
    let is_transaction = request.operation.starts_with("Transact");
    let place = request_place(request.line).member("TransactItems");
    let count = parts_of(subject.model, request).len();
    (is_transaction && count == 1).then(|| single(place))
}

fn single(place: Place) -> Diagnostic {
    let message = "a transaction of one member costs twice as much as the request alone";
    let suggestion = "make it a single request, which has conditions as well";
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}

fn copies(place: Place) -> Diagnostic {
    let message = "the transaction only writes an attribute and its copies";
    let suggestion = "keep the attribute in one place, or let a stream consumer update the copies";
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}

/// Whether all members are unconditional updates, and all but one of copies.
fn keeps_copies(writes: &[PatternWrite<'_>]) -> bool {
    let is_plain =
        |write: &PatternWrite<'_>| write.kind == ActionKind::Update && write.condition.is_none();
    let of_copies = writes.iter().filter(|write| updates_copies(write)).count();
    writes.len() > 1 && writes.iter().all(is_plain) && of_copies + 1 >= writes.len()
}

fn updates_copies(write: &PatternWrite<'_>) -> bool {
    let Some(change) = write.change else { return false };
    let is_copy = |entity: &Entity, name: &str| {
        entity.attribute(name).is_some_and(|attribute| attribute.copy_of.is_some())
    };
    let clauses = clauses(&change.text);
    !clauses.is_empty()
        && clauses.iter().all(|clause| is_copy(write.entity, clause.target.root_name()))
}
