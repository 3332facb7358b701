//! JSON: two spaces, and what fits on a line stays on it.

use super::LINE_WIDTH;
use crate::document::Tree;

/// A tree as JSON, with a line break at the end.
pub(super) fn text(tree: &Tree) -> String {
    let mut out = String::new();
    write(&mut out, tree, 0, 0);
    out.push('\n');
    out
}

/// Writes a value whose line already has `before` characters.
fn write(out: &mut String, tree: &Tree, depth: usize, before: usize) {
    let compact = inline(tree);
    let is_deep = depth > 1 || !matches!(tree, Tree::Map(_) | Tree::List(_));
    if is_deep && before + compact.chars().count() < LINE_WIDTH {
        out.push_str(&compact);
        return;
    }
    match tree {
        Tree::List(values) if !values.is_empty() => {
            let rows = values.iter().map(|value| (String::new(), value));
            block(out, rows, ('[', ']'), depth);
        }
        Tree::Map(members) if !members.is_empty() => {
            let rows = members.iter().map(|(name, value)| (format!("{}: ", quoted(name)), value));
            block(out, rows, ('{', '}'), depth);
        }
        Tree::Null
        | Tree::Bool(_)
        | Tree::Number(_)
        | Tree::String(_)
        | Tree::List(_)
        | Tree::Map(_) => out.push_str(&compact),
    }
}

fn block<'t>(
    out: &mut String,
    rows: impl Iterator<Item = (String, &'t Tree)>,
    (open, close): (char, char),
    depth: usize,
) {
    let indent = "  ".repeat(depth + 1);
    out.push(open);
    let mut separator = "\n";
    for (label, value) in rows {
        out.push_str(separator);
        out.push_str(&indent);
        out.push_str(&label);
        write(out, value, depth + 1, indent.len() + label.chars().count());
        separator = ",\n";
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

/// A value on one line.
pub(super) fn inline(tree: &Tree) -> String {
    match tree {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number(number) => number.clone(),
        Tree::String(text) => quoted(text),
        Tree::List(values) => {
            let values: Vec<String> = values.iter().map(inline).collect();
            format!("[{}]", values.join(", "))
        }
        Tree::Map(members) if members.is_empty() => "{}".to_owned(),
        Tree::Map(members) => {
            let member =
                |(name, value): &(String, Tree)| format!("{}: {}", quoted(name), inline(value));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Line separators and controls that YAML would not take as they are.
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}
