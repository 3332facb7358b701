//! Two members of a batch or transaction that mean one item.

use std::collections::BTreeMap;

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Pattern;
use monotable_plan::{KeyPart, Plan};

use crate::Subject;
use crate::request_part::{RequestPart, parts_of};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "same-item-twice",
    Error,
    Requests,
    Model,
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
    let own = plan.steps.iter().filter(|step| step.pattern == pattern.name);
    let members = own.map(|step| step.action.members()).find(|members| !members.is_empty())?;
    let mut seen: Vec<(&str, &[KeyPart])> = Vec::new();
    for member in members.iter().filter(|member| member.each.is_none()) {
        let Some(key) = member.action.item_key() else { continue };
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
