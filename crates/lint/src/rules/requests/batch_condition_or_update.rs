//! Conditions and updates in a batch of writes.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Action, ActionKind, Operation, Pattern, Tree};

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::request_part::request_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "batch-condition-or-update",
    Error,
    Requests,
    Model,
    "a batch of writes has a condition or an update, which batches do not know",
    check
);

const INSTEAD: &str = "use a transaction, or single requests; a batch only puts and deletes";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().flat_map(declared);
    declared.chain(subject.requests.iter().flat_map(recorded)).collect()
}

fn declared(pattern: &Pattern) -> Vec<Diagnostic> {
    if pattern.operation != Operation::BatchWrite {
        return Vec::new();
    }
    let place = Place::pattern(&pattern.name).member("actions");
    let actions = pattern.actions.iter().enumerate();
    let found = actions.filter_map(|(position, action)| {
        let message = fault(action)?;
        let error = Diagnostic::error(RULE.code, place.index(position), message);
        Some(error.with_suggestion(INSTEAD))
    });
    found.collect()
}

fn fault(action: &Action) -> Option<String> {
    let entity = &action.entity;
    match action.kind {
        ActionKind::Update => Some(format!("a batch cannot update {entity}")),
        ActionKind::Check => Some(format!("a batch cannot check {entity}")),
        ActionKind::Get => Some(format!("a batch of writes cannot read {entity}")),
        ActionKind::Put | ActionKind::Delete if action.condition.is_some() => {
            Some(format!("the condition on {entity} cannot be part of a batch"))
        }
        ActionKind::Put | ActionKind::Delete => None,
    }
}

fn recorded(request: &RecordedRequest) -> Vec<Diagnostic> {
    if request.operation != "BatchWriteItem" {
        return Vec::new();
    }
    let tables = request.body.member("RequestItems").map_or(&[][..], Tree::members);
    let place = request_place(request.line).member("RequestItems");
    let mut found = Vec::new();
    for (table, members) in tables {
        for (position, member) in members.elements().iter().enumerate() {
            let Some(message) = member_fault(member) else { continue };
            let place = place.member(table).index(position);
            found.push(Diagnostic::error(RULE.code, place, message).with_suggestion(INSTEAD));
        }
    }
    found
}

fn member_fault(member: &Tree) -> Option<String> {
    let (kind, body) = member.members().first()?;
    if kind != "PutRequest" && kind != "DeleteRequest" {
        return Some(format!("a batch knows PutRequest and DeleteRequest, and no {kind}"));
    }
    let all = member.members().iter().chain(body.members());
    let extra = all
        .map(|(name, _)| name)
        .find(|name| !["PutRequest", "DeleteRequest", "Item", "Key"].contains(&name.as_str()))?;
    Some(format!("a member of a batch has no {extra}"))
}
