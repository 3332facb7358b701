//! Requests that are spoiled: anywhere in their structure, or as bytes.

use serde_json::{Map, Value, json};

use crate::expression;
use crate::random::Random;
use crate::value;

/// The most elements that a list is blown up to.
const ELEMENTS_MAX: usize = 1500;
/// The most bytes that a text is blown up to.
const TEXT_BYTES_MAX: usize = 70_000;

/// Spoils a request in one place or a few. `donors` are other requests, from which parts are taken.
pub fn mutate(request: &mut Value, donors: &[&Value], random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let place = random.below(count(request));
        at(request, place, &mut |node| spoil(node, donors, random));
    }
}

/// How many values there are in a value, itself included.
pub fn count(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Object(members) => members.values().map(count).sum(),
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    1 + inner
}

/// Does something to the value at a place, counted from the outside; returns the number of places
/// passed.
pub fn at(value: &mut Value, place: usize, act: &mut impl FnMut(&mut Value)) -> usize {
    if place == 0 {
        act(value);
        return 1;
    }
    let mut passed = 1;
    let inner: Vec<&mut Value> = match value {
        Value::Object(members) => members.values_mut().collect(),
        Value::Array(elements) => elements.iter_mut().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for node in inner {
        if place >= passed {
            let size = count(node);
            if place - passed < size {
                return passed + at(node, place - passed, act);
            }
            passed += size;
        }
    }
    passed
}

fn spoil(node: &mut Value, donors: &[&Value], random: &mut Random) {
    match node {
        Value::Object(members) if !random.one_in(3) => spoil_members(members, donors, random),
        Value::Array(elements) if !random.one_in(3) => spoil_elements(elements, random),
        Value::String(text) if !random.one_in(3) => spoil_text(text, random),
        other => *other = replacement(other, donors, random),
    }
}

/// Something else in place of a value.
fn replacement(node: &Value, donors: &[&Value], random: &mut Random) -> Value {
    match random.below(9) {
        0 => odd_scalar(random),
        1 => json!([node]),
        2 => json!({"S": node}),
        3 => json!({"M": {"a": node}, "L": [node]}),
        4 => value::value(random, 0),
        5 => value::odd_value(random),
        6 => value::nested(random.below(120)),
        _ => donated(donors, random),
    }
}

fn odd_scalar(random: &mut Random) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(0),
        3 => json!(-1),
        4 => json!(i64::MAX),
        5 => json!(u64::MAX),
        6 => json!(1.5),
        7 => json!(1e300),
        8 => json!(""),
        9 => json!(random.pick(&["true", "null", "1", "NONE", "ALL", "ALL_OLD", "TOTAL"])),
        10 => json!({}),
        _ => json!([]),
    }
}

/// A part of another request.
fn donated(donors: &[&Value], random: &mut Random) -> Value {
    let Some(donor) = donors.get(random.below(donors.len())) else { return Value::Null };
    let mut donor = (*donor).clone();
    let place = random.below(count(&donor));
    let mut part = Value::Null;
    at(&mut donor, place, &mut |node| part = node.take());
    part
}

fn spoil_members(members: &mut Map<String, Value>, donors: &[&Value], random: &mut Random) {
    let names: Vec<String> = members.keys().cloned().collect();
    let chosen = names.get(random.below(names.len())).cloned().unwrap_or_default();
    match random.below(7) {
        0 | 1 => _ = members.remove(&chosen),
        2 => {
            let member = members.remove(&chosen).unwrap_or(Value::Null);
            members.insert(odd_name(&chosen, random), member);
        }
        3 => _ = members.insert(odd_name(&chosen, random), odd_scalar(random)),
        4 => {
            let donors: Vec<_> = donors.iter().filter_map(|donor| donor.as_object()).collect();
            let Some(donor) = donors.get(random.below(donors.len())) else { return };
            let Some((name, member)) = donor.iter().nth(random.below(donor.len())) else { return };
            members.insert(name.clone(), member.clone());
        }
        5 => {
            let member = members.get(&chosen).cloned().unwrap_or(Value::Null);
            for number in 0..random.below(300) {
                members.insert(format!("{chosen}{number}"), member.clone());
            }
        }
        _ => _ = members.insert(chosen, value::odd_value(random)),
    }
}

fn odd_name(name: &str, random: &mut Random) -> String {
    match random.below(6) {
        0 => name.to_lowercase(),
        1 => format!("{name} "),
        2 => String::new(),
        3 => name.repeat(random.below(400)),
        4 => format!("{name}\u{0}"),
        _ => format!("{name}x"),
    }
}

fn spoil_elements(elements: &mut Vec<Value>, random: &mut Random) {
    match random.below(5) {
        0 => elements.clear(),
        1 => _ = elements.pop(),
        2 => elements.reverse(),
        3 => elements.push(odd_scalar(random)),
        _ => {
            let Some(element) = elements.first().cloned() else { return };
            // Large elements are not repeated often, so that a request stays within bounds.
            let most = ELEMENTS_MAX / count(&element).max(1);
            elements.extend(std::iter::repeat_n(element, random.below(most + 2)));
        }
    }
}

fn spoil_text(text: &mut String, random: &mut Random) {
    *text = match random.below(12) {
        0 => String::new(),
        1 => text.repeat(random.below(3) + 2),
        2 => "x".repeat(random.below(TEXT_BYTES_MAX)),
        3 => expression::condition(random, 0),
        4 => expression::update(random),
        5 => expression::projection(random),
        6 => expression::key_condition(random, "pk", Some("sk")),
        7 => text.chars().rev().collect(),
        8 => format!("{text}{}", random.pick(&[" ", "\u{0}", "é", "\"", "\\", "(", ")", " AND "])),
        9 => text.chars().skip(1).collect(),
        10 => format!("arn:aws:dynamodb:us-east-1:000000000000:table/{text}"),
        _ => {
            let dropped = random.below(text.chars().count().max(1));
            text.chars().enumerate().filter(|(at, _)| *at != dropped).map(|(_, c)| c).collect()
        }
    };
}

/// The bytes of a request: mostly its JSON, sometimes with a member twice, rarely no JSON at all.
pub fn body(request: &Value, random: &mut Random) -> Vec<u8> {
    let text = request.to_string();
    match random.below(50) {
        0 => with_repeated_member(request, &text, random).into_bytes(),
        1 => {
            let mut bytes = text.into_bytes();
            for _ in 0..1 + random.below(3) {
                spoil_bytes(&mut bytes, random);
            }
            bytes
        }
        _ => text.into_bytes(),
    }
}

fn with_repeated_member(request: &Value, text: &str, random: &mut Random) -> String {
    let names: Vec<&String> = request.as_object().into_iter().flat_map(Map::keys).collect();
    let Some(name) = names.get(random.below(names.len())) else { return text.to_owned() };
    let rest = text.strip_prefix('{').unwrap_or(text);
    format!("{{{}:{},{rest}", json!(name), odd_scalar(random))
}

fn spoil_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    let place = random.below(bytes.len());
    match random.below(4) {
        0 => bytes.truncate(place),
        1 => bytes.insert(place, random.below(256) as u8),
        2 => _ = (!bytes.is_empty()).then(|| bytes.remove(place)),
        _ => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_reached_once() {
        let request = json!({"a": [1, {"b": 2}], "c": "d"});
        assert_eq!(count(&request), 6);
        let mut seen = Vec::new();
        for place in 0..6 {
            at(&mut request.clone(), place, &mut |node| seen.push(node.to_string()));
        }
        let expected =
            [r#"{"a":[1,{"b":2}],"c":"d"}"#, r#"[1,{"b":2}]"#, "1", r#"{"b":2}"#, "2", r#""d""#];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_seed_spoils_a_request_in_the_same_way_again() {
        let request = json!({"TableName": "t", "Item": {"a": {"S": "b"}}});
        let spoiled = |seed| {
            let (mut spoiled, mut random) = (request.clone(), Random::new(seed));
            mutate(&mut spoiled, &[&request], &mut random);
            (spoiled.to_string(), body(&spoiled, &mut random))
        };
        let sent = request.to_string();
        let others = (0..200).filter(|seed| spoiled(*seed).0 != sent).count();
        assert!(others > 150, "{others}");
        assert!((0..200).all(|seed| spoiled(seed) == spoiled(seed)));
    }
}
