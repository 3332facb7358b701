//! TOML: a table with a header for every table, entity and pattern, and one line for all else.

use super::{LINE_WIDTH, Line, json};
use crate::diagnostic::Place;
use crate::document::Tree;

/// The lines of a document.
pub(super) fn lines(tree: &Tree) -> Vec<Line> {
    let mut writer = Writer { lines: Vec::new() };
    let Tree::Map(members) = tree else { return writer.lines };
    writer.table(&[], members);
    writer.lines
}

struct Writer {
    lines: Vec<Line>,
}

impl Writer {
    /// The members of a table: first those on lines of their own, then tables with headers.
    fn table(&mut self, path: &[&str], members: &[(String, Tree)]) {
        let place = place_of(path);
        for (name, value) in members {
            let inner = extended(path, name);
            if value == &Tree::Null || section(&inner, value).is_some() {
                continue;
            }
            let text = pair(name, value, Style::of(&inner));
            self.lines.push(Line { place: Some(place.member(name)), text });
        }
        for (name, value) in members {
            let inner = extended(path, name);
            match section(&inner, value) {
                None => {}
                Some(Section::Table(members)) => self.section(&inner, members),
                Some(Section::Tables(tables)) => {
                    for (index, members) in tables.iter().enumerate() {
                        let place = place_of(&inner).index(index);
                        self.header(format!("[[{}]]", header(&inner)), place.clone());
                        self.element(&inner, &place, members);
                    }
                }
            }
        }
    }

    fn section(&mut self, path: &[&str], members: &[(String, Tree)]) {
        let is_folder =
            members.iter().all(|(name, value)| section(&extended(path, name), value).is_some());
        if !is_folder || members.is_empty() {
            self.header(format!("[{}]", header(path)), place_of(path));
        }
        self.table(path, members);
    }

    fn header(&mut self, text: String, place: Place) {
        if !self.lines.is_empty() {
            self.lines.push(Line { place: None, text: String::new() });
        }
        self.lines.push(Line { place: Some(place), text });
    }

    fn element(&mut self, path: &[&str], place: &Place, members: &[(String, Tree)]) {
        for (name, value) in members.iter().filter(|(_, value)| *value != Tree::Null) {
            let text = pair(name, value, Style::of(&extended(path, name)));
            self.lines.push(Line { place: Some(place.member(name)), text });
        }
    }
}

/// What has a header of its own.
enum Section<'t> {
    Table(&'t [(String, Tree)]),
    Tables(Vec<&'t [(String, Tree)]>),
}

fn section<'t>(path: &[&str], value: &'t Tree) -> Option<Section<'t>> {
    match value {
        Tree::Map(members) if has_header(path) => Some(Section::Table(members)),
        Tree::List(values) if has_headers(path) => {
            let members = |value: &'t Tree| match value {
                Tree::Map(members) => Some(members.as_slice()),
                Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::List(_) => {
                    None
                }
            };
            values.iter().map(members).collect::<Option<_>>().map(Section::Tables)
        }
        Tree::Null
        | Tree::Bool(_)
        | Tree::Number(_)
        | Tree::String(_)
        | Tree::List(_)
        | Tree::Map(_) => None,
    }
}

/// Whether each element of a list has a header.
fn has_headers(path: &[&str]) -> bool {
    matches!(path, ["relationships" | "allow"] | ["tests", _, "steps"])
}

fn has_header(path: &[&str]) -> bool {
    matches!(
        path,
        ["tables" | "entities" | "patterns" | "samples" | "tests" | "workload" | "extensions"]
            | ["tables" | "entities" | "patterns" | "tests" | "extensions", _]
            | ["tests", _, "samples"]
            | ["tables", _, "global_indexes" | "local_indexes"]
            | ["tables", _, "global_indexes" | "local_indexes", _]
            | ["entities", _, "indexes" | "attributes"]
    )
}

/// How a member is written.
#[derive(Clone, Copy)]
struct Style {
    /// Whether a list has a line for each element, whatever its width: samples are rows.
    is_broken: bool,
    /// Whether long numbers have `_` between thousands. Those of items are written as they are.
    is_grouped: bool,
}

impl Style {
    fn of(path: &[&str]) -> Style {
        Style {
            is_broken: matches!(
                path,
                ["samples", _] | ["tests", _, "samples", _] | ["patterns", _, "actions"]
            ),
            is_grouped: !matches!(path, ["samples" | "tests" | "extensions", ..]),
        }
    }
}

fn extended<'p>(path: &[&'p str], name: &'p str) -> Vec<&'p str> {
    let mut inner = path.to_vec();
    inner.push(name);
    inner
}

fn place_of(path: &[&str]) -> Place {
    path.iter().fold(Place::root(), |place, name| place.member(name))
}

fn header(path: &[&str]) -> String {
    let names: Vec<String> = path.iter().map(|name| key(name)).collect();
    names.join(".")
}

/// `name = value`. A list that does not fit has a line for each element.
fn pair(name: &str, value: &Tree, style: Style) -> String {
    let line = format!("{} = {}", key(name), inline(value, style));
    let Tree::List(values) = value else { return line };
    if values.is_empty() || !style.is_broken && line.chars().count() <= LINE_WIDTH {
        return line;
    }
    let row = |value| format!("    {},\n", inline(value, style));
    let rows: String = values.iter().map(row).collect();
    format!("{} = [\n{rows}]", key(name))
}

fn inline(tree: &Tree, style: Style) -> String {
    match tree {
        // TOML has no word for nothing; the document never needs one outside of extensions.
        Tree::Null => "\"\"".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number(number) if style.is_grouped => grouped(number),
        Tree::Number(number) => number.clone(),
        Tree::String(text) => string(text),
        Tree::List(values) => {
            let values: Vec<String> = values.iter().map(|value| inline(value, style)).collect();
            format!("[{}]", values.join(", "))
        }
        Tree::Map(members) => {
            let written = members.iter().filter(|(_, value)| *value != Tree::Null);
            let pair = |(name, value): &(String, Tree)| {
                format!("{} = {}", key(name), inline(value, style))
            };
            let pairs: Vec<String> = written.map(pair).collect();
            if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")) }
        }
    }
}

/// A whole number of five digits or more with `_` between its thousands.
fn grouped(number: &str) -> String {
    if number.len() < 5 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut out = String::new();
    for (position, digit) in number.chars().enumerate() {
        if position > 0 && (number.len() - position).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

fn key(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(plain) { name.to_owned() } else { json::quoted(name) }
}

/// A text in single quotes if that saves escapes, so that messages can point into it.
fn string(text: &str) -> String {
    let is_literal =
        text.contains(['"', '\\']) && !text.contains('\'') && !text.chars().any(char::is_control);
    if is_literal { format!("'{text}'") } else { json::quoted(text) }
}
