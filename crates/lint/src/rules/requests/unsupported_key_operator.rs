//! A key condition that asks what keys cannot answer.

use monotable_expr::{KeyComparison, KeyCondition, KeyConditionError};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::KeyAttribute;

use crate::Subject;
use crate::request_part::{RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unsupported-key-operator",
    Error,
    Requests,
    Evidence,
    "a key condition has an operator or an attribute that key conditions cannot have",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    request_parts(subject).iter().filter_map(unsupported).collect()
}

fn unsupported(part: &RequestPart<'_>) -> Option<Diagnostic> {
    let message = match part.key_condition()? {
        Err(error) => shape_fault(error),
        Ok(condition) => key_fault(&condition, &part.key_attributes())?,
    };
    let place = part.place.member("KeyConditionExpression");
    let found = Diagnostic::error(RULE.code, place, message);
    Some(found.with_suggestion(
        "a key condition is partition = :p, and one of =, <, <=, >, >=, BETWEEN and begins_with \
         on the sort key; what it cannot say belongs into the key, an index or a filter",
    ))
}

fn shape_fault(error: KeyConditionError) -> String {
    match error {
        KeyConditionError::Operation { operation } => {
            format!("{operation} cannot stand in a key condition")
        }
        other => format!("this is no key condition: {other}"),
    }
}

/// What the conditions on attributes lack; nothing if the model does not know the keys.
fn key_fault(condition: &KeyCondition, keys: &[&KeyAttribute]) -> Option<String> {
    let (first, _) = keys.split_first()?;
    let is_key = |name: &String| keys.iter().any(|key| key.name == *name);
    let asked = condition.comparisons();
    if let Some((other, _)) = asked.iter().find(|(name, _)| !is_key(name)) {
        let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
        return Some(format!(
            "{other} is no key of what is queried, whose keys are {}",
            names.join(" and ")
        ));
    }
    match condition.comparison(&first.name) {
        Some(KeyComparison::Equal(_)) => None,
        Some(_) => Some(format!("the partition key {} is not compared by =", first.name)),
        None => Some(format!("the partition key {} has no condition", first.name)),
    }
}
