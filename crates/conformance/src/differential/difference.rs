//! How two answers differ.

use std::collections::BTreeSet;

use monotable_workload::Call;
use serde_json::Value;

use super::Answer;

/// How deep a place in a body counts for whether two differences are alike.
const STEPS_MAX: usize = 3;

/// In what two answers differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aspect {
    /// One endpoint did not answer.
    NoAnswer,
    /// The HTTP status.
    Status,
    /// The name of the error.
    ErrorType,
    /// The text of the error.
    Message,
    /// The body, at a place such as `/Items/*/a`.
    Body(String),
}

/// Two answers to a call that differ.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The action of the call.
    pub action: String,
    /// In what they differ.
    pub aspect: Aspect,
    /// Our answer.
    pub ours: Answer,
    /// That of the reference.
    pub theirs: Answer,
}

impl Difference {
    /// The difference between two answers to a call, if there is one.
    pub(super) fn between(call: &Call, ours: Answer, theirs: Answer) -> Option<Difference> {
        let of = |answer: &Answer, member: &str| answer.body.get(member).cloned();
        let aspect = if ours == theirs {
            return None;
        } else if ours.status == 0 || theirs.status == 0 {
            if ours.status == theirs.status {
                return None;
            }
            Aspect::NoAnswer
        } else if ours.status != theirs.status {
            Aspect::Status
        } else if of(&ours, "error") != of(&theirs, "error") {
            Aspect::ErrorType
        } else if of(&ours, "text") != of(&theirs, "text") {
            Aspect::Message
        } else {
            Aspect::Body(place(&ours.body, &theirs.body))
        };
        Some(Difference { action: call.action.clone(), aspect, ours, theirs })
    }

    /// A text that is the same for differences that look alike.
    pub fn signature(&self) -> String {
        let outcome = |answer: &Answer| match &self.aspect {
            Aspect::Status | Aspect::ErrorType | Aspect::Message => template(&answer.body),
            Aspect::NoAnswer | Aspect::Body(_) => answer.status.to_string(),
        };
        let (ours, theirs) = (outcome(&self.ours), outcome(&self.theirs));
        format!("{}: {:?}: {ours} / {theirs}", self.action, self.aspect)
    }
}

/// The error and its text without what requests differ in: numbers, names and quotations.
fn template(body: &Value) -> String {
    let text = |member: &str| body.get(member).and_then(Value::as_str).unwrap_or_default();
    let mut words = Vec::new();
    for word in text("text").split_whitespace() {
        let is_plain = word.chars().all(|c| c.is_ascii_alphabetic() || ",.;:".contains(c));
        words.push(if is_plain { word } else { "…" });
    }
    words.dedup();
    // What follows a colon late in a text is about this request.
    words.truncate(12);
    format!("{} {}", text("error"), words.join(" "))
}

/// The first place at which two values differ.
fn place(one: &Value, other: &Value) -> String {
    let mut steps = Vec::new();
    let (mut one, mut other) = (one, other);
    loop {
        match (one, other) {
            (Value::Object(a), Value::Object(b)) => {
                let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                let Some(name) = names.into_iter().find(|name| a.get(*name) != b.get(*name)) else {
                    break;
                };
                steps.push(name.clone());
                let (Some(inner), Some(other_inner)) = (a.get(name), b.get(name)) else { break };
                (one, other) = (inner, other_inner);
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                let Some((inner, other_inner)) = a.iter().zip(b).find(|(a, b)| a != b) else {
                    break;
                };
                steps.push("*".to_owned());
                (one, other) = (inner, other_inner);
            }
            _ => break,
        }
    }
    steps.truncate(STEPS_MAX);
    format!("/{}", steps.join("/"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn between(ours: (u16, Value), theirs: (u16, Value)) -> Option<Difference> {
        let answer = |(status, body)| Answer { status, body };
        Difference::between(&Call::new("Query", json!({})), answer(ours), answer(theirs))
    }

    #[test]
    fn the_first_place_that_differs_is_named() {
        let body = |count: u64| (200, json!({"Count": count, "Items": [{"a": {"N": "1"}}]}));
        assert!(between(body(1), body(1)).is_none());
        assert_eq!(between(body(1), body(2)).unwrap().aspect, Aspect::Body("/Count".to_owned()));
        let items = |text: &str| (200, json!({"Items": [{"b": {}}, {"a": {"N": text}}]}));
        let difference = between(items("1"), items("2")).unwrap();
        assert_eq!(difference.aspect, Aspect::Body("/Items/*/a".to_owned()));
    }

    #[test]
    fn texts_that_differ_in_names_and_numbers_only_are_alike() {
        let error = |text: &str| (400, json!({"error": "ValidationException", "text": text}));
        let first = between(error("size is 12; name: a1"), error("size")).unwrap();
        let second = between(error("size is 9; name: b-2"), error("size")).unwrap();
        assert_eq!(first.aspect, Aspect::Message);
        assert_eq!(first.signature(), second.signature());
        let other = between(error("depth is 9; name: b-2"), error("size")).unwrap();
        assert_ne!(first.signature(), other.signature());
    }
}
