//! A number of children that goes up and never down.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{ActionKind, Operation};
use monotable_plan::Change;

use crate::Subject;
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};
use crate::wording::{quoted, written_name};

pub(super) const RULE: Rule = rule!(
    "count-not-decremented",
    Error,
    Collections,
    Model,
    "a child is deleted without lowering the number that its parent keeps",
    check
);

/// A number on a parent that goes up with each child.
struct Counter<'w, 'm> {
    child: &'m str,
    parent: &'m str,
    /// The number, by its name in items.
    attribute: String,
    raised_by: &'w PatternWrite<'m>,
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let writes = all_writes(subject.model);
    let deletes = writes.iter().filter(|write| write.kind == ActionKind::Delete);
    let counters = counters(&writes);
    let pairs = deletes.flat_map(|delete| counters.iter().map(move |counter| (delete, counter)));
    let forgotten = pairs.filter(|(delete, counter)| {
        delete.entity.name == counter.child && !is_lowered(&writes, delete, counter)
    });
    forgotten.map(|(delete, counter)| finding(delete, counter)).collect()
}

/// The numbers that transactions raise together with putting a child.
fn counters<'w, 'm>(writes: &'w [PatternWrite<'m>]) -> Vec<Counter<'w, 'm>> {
    let mut counters = Vec::new();
    let transacted =
        writes.iter().filter(|write| write.pattern.operation == Operation::TransactWrite);
    for update in transacted.filter(|write| write.kind == ActionKind::Update) {
        let together = writes.iter().filter(|write| write.pattern.name == update.pattern.name);
        let children = together.filter(|write| {
            write.kind == ActionKind::Put && write.entity.name != update.entity.name
        });
        for child in children {
            counters.extend(raised(update).into_iter().map(|attribute| Counter {
                child: &child.entity.name,
                parent: &update.entity.name,
                attribute,
                raised_by: update,
            }));
        }
    }
    counters
}

/// The numbers that an update raises: `n = n + …`, `n = if_not_exists(n, …) + …`, `ADD n …`.
fn raised(update: &PatternWrite<'_>) -> Vec<String> {
    let Some(change) = update.change else { return Vec::new() };
    let is_number = |name: &String| {
        let mut attributes = update.entity.attributes.iter();
        attributes.any(|one| one.item_name() == name && one.kind == monotable_item::Type::Number)
    };
    Change::of(change).raised.into_iter().filter(is_number).collect()
}

/// Whether the transaction that deletes the child changes the number as well.
fn is_lowered(
    writes: &[PatternWrite<'_>],
    delete: &PatternWrite<'_>,
    counter: &Counter<'_, '_>,
) -> bool {
    let mut together = writes.iter().filter(|write| write.pattern.name == delete.pattern.name);
    together.any(|write| {
        let changes = |change| Change::of(change).changes(&counter.attribute);
        write.entity.name == counter.parent && write.change.is_some_and(changes)
    })
}

fn finding(delete: &PatternWrite<'_>, counter: &Counter<'_, '_>) -> Diagnostic {
    let name = written_name(counter.raised_by.entity, &counter.attribute);
    let message = format!(
        "\"{}\" deletes {} and leaves {} of {} as it was, which \"{}\" raises",
        delete.pattern.name, counter.child, name, counter.parent, counter.raised_by.pattern.name
    );
    let suggestion = format!(
        "delete in a transaction with {{ update = {}, change = {} }}",
        quoted(counter.parent),
        quoted(&format!("SET {name} = {name} - 1")),
    );
    Diagnostic::error(RULE.code, delete.place.clone(), message).with_suggestion(suggestion)
}
