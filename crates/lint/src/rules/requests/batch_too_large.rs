//! A batch with more members than a request may have.

use monotable_item::item_size_bytes;
use monotable_item::limits::{BATCH_BYTES_MAX, BATCH_GET_KEYS_MAX, BATCH_WRITES_MAX};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Model, Operation, Pattern};

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::request_part::{parts_of, request_place};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "batch-too-large",
    Error,
    Requests,
    Evidence,
    "a batch has more members or bytes than one request may have",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().filter_map(declared);
    let recorded = subject.requests.iter().filter_map(|one| recorded(subject.model, one));
    declared.chain(recorded).collect()
}

/// Lists of any length are sent in as many batches as it takes; what is written out is one batch.
fn declared(pattern: &Pattern) -> Option<Diagnostic> {
    let max = match pattern.operation {
        Operation::BatchGet => BATCH_GET_KEYS_MAX,
        Operation::BatchWrite => BATCH_WRITES_MAX,
        Operation::Get
        | Operation::Query
        | Operation::Scan
        | Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::TransactGet
        | Operation::TransactWrite
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => return None,
    };
    let place = Place::pattern(&pattern.name).member("actions");
    (pattern.actions.len() > max).then(|| too_many(place, pattern.actions.len(), max))
}

fn recorded(model: &Model, request: &RecordedRequest) -> Option<Diagnostic> {
    let max = match request.operation.as_str() {
        "BatchGetItem" => BATCH_GET_KEYS_MAX,
        "BatchWriteItem" => BATCH_WRITES_MAX,
        _ => return None,
    };
    let parts = parts_of(model, request);
    let place = request_place(request.line).member("RequestItems");
    if parts.len() > max {
        return Some(too_many(place, parts.len(), max));
    }
    let bytes: usize = parts.iter().filter_map(|part| Some(item_size_bytes(&part.item()?))).sum();
    (bytes > BATCH_BYTES_MAX).then(|| {
        let message = format!("the batch has {bytes} bytes of items, over {BATCH_BYTES_MAX}");
        Diagnostic::error(RULE.code, place, message).with_suggestion("send fewer items at a time")
    })
}

fn too_many(place: Place, count: usize, max: usize) -> Diagnostic {
    let message = format!("the batch has {count} members, and a request may have {max}");
    let suggestion = format!("send {} batches of up to {max}", count.div_ceil(max));
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}
