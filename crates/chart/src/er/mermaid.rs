//! The diagram as Mermaid text, which many places that show Markdown draw.

use monotable_item::Type;

use super::diagram::{BoxAttribute, Diagram, End, EntityBox, Line, Link};

/// Words that begin a statement or an end of a link, and so cannot be names as they are.
const RESERVED: &[&str] = &[
    "accdescr",
    "acctitle",
    "class",
    "classdef",
    "direction",
    "erdiagram",
    "many",
    "one",
    "only",
    "optionally",
    "style",
    "title",
    "to",
    "u",
    "zero",
];

/// Writes the diagram as Mermaid's `erDiagram`.
///
/// Names that the grammar does not take are given to an alias as text, and the few characters that
/// no text can hold there are replaced.
pub fn render_mermaid(diagram: &Diagram) -> String {
    let mut text = "erDiagram\n".to_owned();
    for (place, entity) in diagram.boxes.iter().enumerate() {
        text += &write_box(entity, place);
    }
    for link in &diagram.links {
        text += &write_link(diagram, link);
    }
    text
}

fn write_box(entity: &EntityBox, place: usize) -> String {
    let identifier = identifier(&entity.entity, place);
    let alias = if identifier == entity.entity {
        String::new()
    } else {
        format!("[\"{}\"]", quotable(&entity.entity))
    };
    if entity.attributes.is_empty() {
        return format!("    {identifier}{alias}\n");
    }
    let rows: String = entity.attributes.iter().map(write_attribute).collect();
    format!("    {identifier}{alias} {{\n{rows}    }}\n")
}

fn write_attribute(attribute: &BoxAttribute) -> String {
    let name = word(&attribute.name);
    let key = if attribute.in_partition_key || attribute.in_sort_key { " PK" } else { "" };
    let mut remarks: Vec<String> = Vec::new();
    if name != attribute.name {
        remarks.push(attribute.name.clone());
    }
    remarks.extend(attribute.key_words());
    let remark = if remarks.is_empty() {
        String::new()
    } else {
        format!(" \"{}\"", quotable(&remarks.join(", ")))
    };
    format!("        {} {name}{key}{remark}\n", kind_word(attribute.kind))
}

fn write_link(diagram: &Diagram, link: &Link) -> String {
    let name = |place: usize| {
        let entity = diagram.boxes.get(place).map_or("", |entity| entity.entity.as_str());
        identifier(entity, place)
    };
    let from_end = match link.from_end {
        End::One => "||",
        End::AtMostOne => "|o",
        End::Many => "}o",
    };
    let to_end = match link.to_end {
        End::One => "||",
        End::AtMostOne => "o|",
        End::Many => "o{",
    };
    let line = match link.line {
        Line::Solid => "--",
        Line::Dashed => "..",
    };
    let (from, to) = (name(link.from), name(link.to));
    format!("    {from} {from_end}{line}{to_end} {to} : \"{}\"\n", quotable(&link.label))
}

/// The entity's name, if the grammar takes it as it is, and a name made of its place if not.
fn identifier(entity: &str, place: usize) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let begins = entity.starts_with(|character: char| character.is_ascii_alphabetic());
    let is_reserved = RESERVED.contains(&entity.to_ascii_lowercase().as_str());
    if begins && entity.chars().all(is_word) && !is_reserved {
        return entity.to_owned();
    }
    format!("entity_{place}")
}

/// A name with everything replaced that the grammar does not take in the name of an attribute.
fn word(name: &str) -> String {
    let taken = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => character,
        _ => '_',
    };
    let word: String = name.chars().map(taken).collect();
    let begins = word.starts_with(|character: char| character.is_ascii_alphabetic());
    if begins { word } else { format!("a{word}") }
}

/// Text without what cannot stand between quotes, and without what Mermaid would take for markup.
fn quotable(text: &str) -> String {
    let taken = |character: char| match character {
        '"' | '`' => '\'',
        '\\' | '%' => '/',
        '<' => '‹',
        '>' => '›',
        '&' => '+',
        '#' | ';' => ' ',
        '≤' | '⌀' => character,
        _ if character.is_control() => ' ',
        _ => character,
    };
    text.chars().map(taken).collect()
}

fn kind_word(kind: Type) -> &'static str {
    match kind {
        Type::String => "string",
        Type::Number => "number",
        Type::Binary => "binary",
        Type::Bool => "boolean",
        Type::Null => "null",
        Type::List => "list",
        Type::Map => "map",
        Type::StringSet => "string_set",
        Type::NumberSet => "number_set",
        Type::BinarySet => "binary_set",
    }
}
