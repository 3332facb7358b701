//! Two members of a batch or transaction that mean one item.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Place};
use crate::document::Pattern;
use crate::lint::Subject;
use crate::lint::request_part::{RequestPart, parts_of};
use crate::lint::rule::{Rule, rule};
use crate::plan::{KeyPart, Plan, PlannedAction, PlannedRequest};

pub(super) const RULE: Rule = rule!(
    "same-item-twice",
    Error,
    Requests,
    "two members of a batch or transaction are about one item",
    check
);

const INSTEAD: &str =
    "make one member of the two: an update can have both the condition and the change";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter_map(|(pattern, plan)| declared(pattern, plan));
    let recorded = subject.requests.iter().filter_map(|request| {
        let parts = parts_of(subject.model, request);
        if parts.len() > 1 { twice(&parts) } else { None }
    });
    declared.chain(recorded).collect()
}

fn declared(pattern: &Pattern, plan: &Plan) -> Option<Diagnostic> {
    let members =
        plan.steps.iter().filter(|step| step.pattern == pattern.name).find_map(members)?;
    let mut seen: Vec<(&str, &[KeyPart])> = Vec::new();
    for member in members.iter().filter(|member| member.each.is_none()) {
        let Some(key) = key(&member.action) else { continue };
        let this = (member.target.table.as_str(), key);
        if seen.contains(&this) {
            let texts: Vec<String> = key.iter().map(|part| part.text.to_string()).collect();
            let message = format!("two actions are about the item {}", texts.join(" / "));
            let place = Place::pattern(&pattern.name).member("actions");
            return Some(Diagnostic::error(RULE.code, place, message).with_suggestion(INSTEAD));
        }
        seen.push(this);
    }
    None
}

fn members(request: &PlannedRequest) -> Option<&[PlannedRequest]> {
    match &request.action {
        PlannedAction::BatchGet(members)
        | PlannedAction::BatchWrite(members)
        | PlannedAction::TransactGet(members)
        | PlannedAction::TransactWrite(members) => Some(members),
        PlannedAction::Get(_)
        | PlannedAction::Query(_)
        | PlannedAction::Scan(_)
        | PlannedAction::Put(_)
        | PlannedAction::Update(_)
        | PlannedAction::Delete(_)
        | PlannedAction::Check(_)
        | PlannedAction::Fetch => None,
    }
}

fn key(action: &PlannedAction) -> Option<&[KeyPart]> {
    match action {
        PlannedAction::Get(get) => Some(&get.key),
        PlannedAction::Put(put) => Some(&put.key),
        PlannedAction::Update(update) => Some(&update.key),
        PlannedAction::Delete(delete) | PlannedAction::Check(delete) => Some(&delete.key),
        PlannedAction::Query(_)
        | PlannedAction::Scan(_)
        | PlannedAction::Fetch
        | PlannedAction::BatchGet(_)
        | PlannedAction::BatchWrite(_)
        | PlannedAction::TransactGet(_)
        | PlannedAction::TransactWrite(_) => None,
    }
}

fn twice(parts: &[RequestPart<'_>]) -> Option<Diagnostic> {
    let mut seen: BTreeMap<String, &Place> = BTreeMap::new();
    for part in parts {
        let Some(key) = part.item_key() else { continue };
        let name = format!("{} {key:?}", part.table_name);
        if let Some(first) = seen.insert(name, &part.place) {
            let message = "the item of this member is that of an earlier one".to_owned();
            let error = Diagnostic::error(RULE.code, part.place.clone(), message);
            let error = error.with_note_at(first.clone(), "the earlier member");
            return Some(error.with_suggestion(INSTEAD));
        }
    }
    None
}
