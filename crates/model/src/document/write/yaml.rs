//! YAML: block tables down to what fits on a line, which is written as JSON.

use super::{LINE_WIDTH, Line, json};
use crate::diagnostic::Place;
use crate::document::Tree;

/// The lines of a document.
pub(super) fn lines(tree: &Tree) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Tree::Map(members) = tree {
        map(&mut lines, &Place::root(), members, 0);
    }
    lines
}

fn map(lines: &mut Vec<Line>, place: &Place, members: &[(String, Tree)], depth: usize) {
    for (name, value) in members {
        let label = format!("{}{}:", "  ".repeat(depth), key(name));
        member(lines, &place.member(name), label, value, depth);
    }
}

fn list(lines: &mut Vec<Line>, place: &Place, values: &[Tree], depth: usize) {
    for (index, value) in values.iter().enumerate() {
        let label = format!("{}-", "  ".repeat(depth));
        member(lines, &place.index(index), label, value, depth);
    }
}

/// A value after its label: on the same line if it fits, below it otherwise.
fn member(lines: &mut Vec<Line>, place: &Place, label: String, value: &Tree, depth: usize) {
    let compact = format!("{label} {}", json::inline(value));
    let fits = compact.chars().count() < LINE_WIDTH && depth > 1;
    let place_of_line = Some(place.clone());
    match value {
        Tree::Map(members) if !fits && !members.is_empty() => {
            lines.push(Line { place: place_of_line, text: label });
            map(lines, place, members, depth + 1);
        }
        Tree::List(values) if !fits && !values.is_empty() => {
            lines.push(Line { place: place_of_line, text: label });
            list(lines, place, values, depth + 1);
        }
        Tree::Null
        | Tree::Bool(_)
        | Tree::Number(_)
        | Tree::String(_)
        | Tree::List(_)
        | Tree::Map(_) => lines.push(Line { place: place_of_line, text: compact }),
    }
}

/// A name without quotes where no reader could take it for something else.
fn key(name: &str) -> String {
    let mut bytes = name.bytes();
    let plain = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_word = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word));
    if plain && !is_word { name.to_owned() } else { json::quoted(name) }
}
