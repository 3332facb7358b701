//! A request for keys that no entity has.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::key_range::KeyRange;
use crate::request_part::request_parts;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "empty-key-range",
    Error,
    Requests,
    Evidence,
    "a request asks for keys that no entity of the model can have",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let parts = request_parts(subject);
    let ranges = parts.iter().filter_map(|part| KeyRange::of(subject.model, part));
    ranges.filter_map(|range| empty(&range)).collect()
}

fn empty(range: &KeyRange<'_>) -> Option<Diagnostic> {
    let entities = range.entities();
    if entities.is_empty() || entities.iter().any(|(_, keys)| range.can_hold(keys)) {
        return None;
    }
    let names: Vec<&str> = entities.iter().map(|(entity, _)| entity.name.as_str()).collect();
    let message = format!("no {} has such a key, so nothing is ever found", names.join(" or "));
    let suggestion =
        "compare the values with the templates: monotable model explain says what a key is";
    Some(Diagnostic::error(RULE.code, range.place(), message).with_suggestion(suggestion))
}
