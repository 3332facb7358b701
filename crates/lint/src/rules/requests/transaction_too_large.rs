//! A transaction with more actions or bytes than one may have.

use monotable_item::limits::TRANSACT_BYTES_MAX;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern};

use crate::Subject;
use crate::action_count::{ActionCount, action_count};
use crate::evidence::RecordedRequest;
use crate::pattern_write::{PatternWrite, writes_of};
use crate::request_part::{parts_of, request_place};
use crate::rule::{Rule, rule};
use crate::threshold::TRANSACTION_ACTIONS;

pub(super) const RULE: Rule = rule!(
    "transaction-too-large",
    Error,
    Requests,
    Model,
    "a transaction can have more actions or bytes than one may have",
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
    if !is_transaction {
        return None;
    }
    let max = subject.threshold(&TRANSACTION_ACTIONS);
    let place = Place::pattern(&pattern.name).member("actions");
    let writes = writes_of(subject.model, pattern);
    let mut count = pattern.actions.len().saturating_sub(writes.len()) as u64;
    let mut bytes = 0;
    for write in &writes {
        match action_count(subject.model, write) {
            ActionCount::AtMost(times) => {
                count += times;
                bytes += times * item_bytes(subject, write);
            }
            ActionCount::Unbounded => return Some(unbounded(write, max)),
        }
    }
    if count as f64 > max {
        let message = format!("the transaction can have {count} actions, and one may have {max}");
        return Some(Diagnostic::error(RULE.code, place, message).with_suggestion(INSTEAD));
    }
    let most = TRANSACT_BYTES_MAX as u64;
    (bytes > most).then(|| {
        let message = format!("the items of the transaction can have {bytes} bytes, over {most}");
        Diagnostic::error(RULE.code, place, message).with_suggestion(INSTEAD)
    })
}

const INSTEAD: &str = "bound the list, or write the parts first under a new version and make that \
                       version the current one by a single conditional update";

fn unbounded(write: &PatternWrite<'_>, max: f64) -> Diagnostic {
    let (each, entity) = (write.each.unwrap_or_default(), &write.entity.name);
    let message = format!(
        "there is an action for each of {each}, and nothing says how many those are; a transaction \
         may have {max}"
    );
    let suggestion =
        format!("say how many by max of a relationship to {entity}, and refuse longer lists");
    Diagnostic::warning(RULE.code, write.place.clone(), message).with_suggestion(suggestion)
}

fn item_bytes(subject: &Subject<'_>, write: &PatternWrite<'_>) -> u64 {
    let mut entities = subject.estimate.entities.iter();
    entities.find(|cost| cost.name == write.entity.name).map_or(0, |cost| cost.size.item_bytes)
}

fn recorded(subject: &Subject<'_>, request: &RecordedRequest) -> Option<Diagnostic> {
    if !request.operation.starts_with("Transact") {
        return None;
    }
    let (count, max) =
        (parts_of(subject.model, request).len(), subject.threshold(&TRANSACTION_ACTIONS));
    (count as f64 > max).then(|| {
        let place = request_place(request.line).member("TransactItems");
        let message = format!("the transaction has {count} actions, and one may have {max}");
        Diagnostic::error(RULE.code, place, message).with_suggestion(INSTEAD)
    })
}
