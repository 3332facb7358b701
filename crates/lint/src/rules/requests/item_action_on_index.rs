//! A request about one item that names an index.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{IndexChoice, Operation, Pattern};

use crate::Subject;
use crate::request_part::{PartKind, RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "item-action-on-index",
    Error,
    Requests,
    Evidence,
    "a get, put, update or delete names an index",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().filter_map(declared);
    declared.chain(request_parts(subject).iter().filter_map(recorded)).collect()
}

fn declared(pattern: &Pattern) -> Option<Diagnostic> {
    let Some(IndexChoice::Named(index)) = &pattern.index else { return None };
    match pattern.operation {
        Operation::Get | Operation::Put | Operation::Update | Operation::Delete => {}
        Operation::Query
        | Operation::Scan
        | Operation::BatchGet
        | Operation::BatchWrite
        | Operation::TransactGet
        | Operation::TransactWrite
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => return None,
    }
    Some(found(Place::pattern(&pattern.name).member("index"), index))
}

fn recorded(part: &RequestPart<'_>) -> Option<Diagnostic> {
    let index = part.text("IndexName")?;
    match part.kind {
        PartKind::Query | PartKind::Scan => None,
        PartKind::Get | PartKind::Put | PartKind::Update | PartKind::Delete | PartKind::Check => {
            Some(found(part.place.member("IndexName"), index))
        }
    }
}

fn found(place: Place, index: &str) -> Diagnostic {
    let message =
        format!("one item is read or written by the table's key, never by the index {index}");
    let suggestion = format!("query {index} for the item's key, then use that key");
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}
