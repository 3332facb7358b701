//! A value without a type, or of another type than the attribute has.

use monotable_item::{Type, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Model, Tree};
use monotable_model::item_json::wire_value;

use crate::Subject;
use crate::request_part::{RequestPart, request_parts};
use crate::rule::{Rule, rule};
use crate::sent_value::{SentRole, SentValue, declared_type, sent_values};

pub(super) const RULE: Rule = rule!(
    "untyped-or-mismatched-value",
    Error,
    Requests,
    Evidence,
    "a value is sent without its type, or with another than the attribute has",
    check
);

/// The members of a request that hold values by name.
const MEMBERS: [&str; 4] = ["Key", "Item", "ExpressionAttributeValues", "ExclusiveStartKey"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let parts = request_parts(subject);
    let untyped = parts.iter().flat_map(untyped);
    untyped.chain(parts.iter().flat_map(|part| mismatched(subject.model, part))).collect()
}

fn untyped(part: &RequestPart<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for member in MEMBERS {
        for (name, value) in part.body.member(member).map_or(&[][..], Tree::members) {
            if let Err(fault) = wire_value(value) {
                let place = part.place.member(member).member(name);
                let error =
                    Diagnostic::error(RULE.code, place, format!("the value {name} {fault}"));
                found.push(error.with_suggestion("wrap it: {\"S\": …}, {\"N\": \"…\"} and so on"));
            }
        }
    }
    found
}

fn mismatched(model: &Model, part: &RequestPart<'_>) -> Vec<Diagnostic> {
    let Some(table) = part.table else { return Vec::new() };
    let found = sent_values(part).into_iter().filter_map(|sent| {
        let declared = declared_type(model, table, &sent.attribute)?;
        let expected = expected(declared, &sent)?;
        let (name, kind) = (&sent.attribute, sent.value.kind().code());
        Some(error(sent.place.clone(), name, kind, expected))
    });
    found.collect()
}

fn error(place: Place, name: &str, kind: &str, expected: &str) -> Diagnostic {
    let message = format!("{name} is given a value of type {kind}, and {expected}");
    Diagnostic::error(RULE.code, place, message)
}

/// What was expected instead; nothing if the value is right, or if another rule is about it.
fn expected(declared: Type, sent: &SentValue) -> Option<&'static str> {
    let kind = sent.value.kind();
    match sent.role {
        SentRole::Size if kind != Type::Number => Some("its size is a number"),
        SentRole::Element if is_set(declared) && is_set(kind) => {
            Some("contains looks for one element, not for a set")
        }
        SentRole::Element if element_of(declared).is_some_and(|element| element != kind) => {
            Some("its elements are of another type")
        }
        // A list for a set is a mistake of its own, and null stands for an absent value.
        SentRole::Same if is_set(declared) && kind == Type::List => None,
        SentRole::Same if sent.value == Value::Null => None,
        SentRole::Same if kind != declared => Some(of_type(declared)),
        SentRole::Same | SentRole::Element | SentRole::Size => None,
    }
}

fn is_set(kind: Type) -> bool {
    matches!(kind, Type::StringSet | Type::NumberSet | Type::BinarySet)
}

/// What `contains` can look for; nothing if that is anything.
fn element_of(kind: Type) -> Option<Type> {
    match kind {
        Type::String | Type::StringSet => Some(Type::String),
        Type::NumberSet => Some(Type::Number),
        Type::Binary | Type::BinarySet => Some(Type::Binary),
        Type::Number | Type::Bool | Type::Null | Type::List | Type::Map => None,
    }
}

fn of_type(kind: Type) -> &'static str {
    match kind {
        Type::String => "it is text (S)",
        Type::Number => "it is a number (N)",
        Type::Binary => "it is binary (B)",
        Type::Bool => "it is true or false (BOOL)",
        Type::Null => "it is always null (NULL)",
        Type::List => "it is a list (L)",
        Type::Map => "it is a map (M)",
        Type::StringSet => "it is a set of texts (SS)",
        Type::NumberSet => "it is a set of numbers (NS)",
        Type::BinarySet => "it is a set of binaries (BS)",
    }
}
