//! A whole item that is read and put back, to change a part of it.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern};

use crate::Subject;
use crate::flow::{ItemRead, item_reads};
use crate::request_part::PartKind;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "put-for-partial-change",
    Warning,
    Requests,
    Evidence,
    "an item is read and put back whole, without a condition, to change a part of it",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().filter_map(|one| declared(subject, one));
    let reads = item_reads(subject.model, subject.requests);
    declared.chain(reads.iter().filter_map(recorded)).collect()
}

fn found(place: Place, message: String) -> Diagnostic {
    let suggestion = "update the attributes that change; or put on condition that a version number \
                      is what was read";
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}

fn declared(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let steps: Vec<&Pattern> =
        pattern.steps.iter().filter_map(|step| subject.model.pattern(&step.pattern)).collect();
    let position = steps.windows(2).position(|pair| match pair {
        [read, write] => {
            read.operation == Operation::Get
                && write.operation == Operation::Put
                && read.entities == write.entities
                && write.condition.is_none()
        }
        _ => false,
    })?;
    let place = Place::pattern(&pattern.name).member("steps").index(position + 1);
    let message = "the item that the step before has read is put back whole, without a condition";
    Some(found(place, message.to_owned()))
}

fn recorded(read: &ItemRead<'_>) -> Option<Diagnostic> {
    let write = read.writes.first().filter(|write| write.kind == PartKind::Put)?;
    let after = write.item()?;
    let same = after.iter().filter(|(name, value)| read.item.get(*name) == Some(value)).count();
    let changed = after.len() - same;
    let is_partial = changed > 0 && same > changed;
    if !is_partial || write.text("ConditionExpression").is_some() {
        return None;
    }
    let message = format!(
        "{changed} of {} attributes differ from what line {} read, and all are put back",
        after.len(),
        read.line
    );
    Some(found(write.place.clone(), message))
}
