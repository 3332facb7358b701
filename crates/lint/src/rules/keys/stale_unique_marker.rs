//! A unique attribute that is written without the item that holds its value.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{ActionKind, Operation, Unique};
use monotable_plan::Change;

use crate::Subject;
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "stale-unique-marker",
    Error,
    Keys,
    Model,
    "a unique attribute is written without its marker in the same transaction",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let writes = all_writes(subject.model);
    let mut found = Vec::new();
    for write in &writes {
        let markers = write.entity.unique.iter().filter(|unique| unique.by != write.entity.name);
        found.extend(markers.filter_map(|unique| finding(&writes, write, unique)));
    }
    found
}

fn finding(
    writes: &[PatternWrite<'_>],
    write: &PatternWrite<'_>,
    unique: &Unique,
) -> Option<Diagnostic> {
    let (needed, deed) = needed(write, unique)?;
    let beside = writes
        .iter()
        .filter(|other| other.pattern.name == write.pattern.name && other.entity.name == unique.by);
    let beside: Vec<ActionKind> = beside.map(|other| other.kind).collect();
    let is_atomic = write.pattern.operation == Operation::TransactWrite;
    if is_atomic && needed.iter().all(|kind| beside.contains(kind)) {
        return None;
    }
    let (entity, Unique { attribute, by }) = (&write.entity.name, unique);
    let message = format!("{entity} is {deed}, and {by} keeps the old {attribute} or has none");
    let steps: Vec<&str> = needed.iter().map(|kind| verb(*kind)).collect();
    let suggestion = format!("{} {by} in the same transaction", steps.join(" and "));
    Some(Diagnostic::error(RULE.code, write.place.clone(), message).with_suggestion(suggestion))
}

/// What must be done to the marker, and what is done to the entity; nothing if the value stays.
fn needed(
    write: &PatternWrite<'_>,
    unique: &Unique,
) -> Option<(&'static [ActionKind], &'static str)> {
    match write.kind {
        ActionKind::Put => Some((&[ActionKind::Put], "written")),
        ActionKind::Delete => Some((&[ActionKind::Delete], "deleted")),
        ActionKind::Update => {
            let stored = write.entity.attribute(&unique.attribute)?.item_name();
            let changes = Change::of(write.change?).changes(stored);
            changes.then_some((&[ActionKind::Delete, ActionKind::Put], "given another value"))
        }
        ActionKind::Get | ActionKind::Check => None,
    }
}

fn verb(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Put => "put",
        ActionKind::Delete => "delete",
        ActionKind::Update => "update",
        ActionKind::Get => "get",
        ActionKind::Check => "check",
    }
}
