//! Arguments that came with a configuration, written back as HCL.

use std::fmt::Write as _;

use monotable_model::document::Tree;

use super::reference::unknown;

/// Arguments of the resource that are blocks. In JSON they look like maps.
const BLOCKS: [&str; 9] = [
    "connection",
    "dynamic",
    "import_table",
    "lifecycle",
    "on_demand_throughput",
    "provisioner",
    "server_side_encryption",
    "timeouts",
    "warm_throughput",
];

/// An argument or block as the lines of a body.
pub(super) fn lines(name: &str, value: &Tree) -> String {
    let mut out = String::new();
    write_member(&mut out, name, value, 1);
    out
}

fn write_member(out: &mut String, name: &str, value: &Tree, depth: usize) {
    let indent = "  ".repeat(depth);
    let is_block = depth > 1 && matches!(value, Tree::List(list) if all_maps(list));
    if !BLOCKS.contains(&name) && !is_block {
        let _ = writeln!(out, "{indent}{name} = {}", expression(value));
        return;
    }
    for body in super::reference::one_or_more(value) {
        let labelled = name == "dynamic" || name == "provisioner";
        let bodies = if labelled { body.members() } else { &[] };
        for (label, body) in bodies {
            for body in super::reference::one_or_more(body) {
                write_block(out, &format!("{name} \"{label}\""), body, depth);
            }
        }
        if !labelled {
            write_block(out, name, body, depth);
        }
    }
}

fn all_maps(list: &[Tree]) -> bool {
    !list.is_empty() && list.iter().all(|value| matches!(value, Tree::Map(_)))
}

fn write_block(out: &mut String, header: &str, body: &Tree, depth: usize) {
    let indent = "  ".repeat(depth);
    let _ = writeln!(out, "\n{indent}{header} {{");
    for (name, value) in body.members() {
        write_member(out, name, value, depth + 1);
    }
    let _ = writeln!(out, "{indent}}}");
}

/// A value as an expression. A text that is one expression stands without quotes.
pub(super) fn expression(value: &Tree) -> String {
    match value {
        Tree::Null => "null".to_owned(),
        Tree::Bool(flag) => flag.to_string(),
        Tree::Number(text) => text.clone(),
        Tree::String(text) => match unknown(text).as_slice() {
            [code] if text.len() == code.len() + 3 => (*code).to_owned(),
            // What was read has its templates and their escapes still in it.
            _ => {
                let text = text.replace('\\', "\\\\").replace('\n', "\\n");
                let is_plain = unknown(&text).is_empty();
                let text = if is_plain { text.replace('"', "\\\"") } else { text };
                format!("\"{text}\"")
            }
        },
        Tree::List(values) => {
            let values: Vec<String> = values.iter().map(expression).collect();
            format!("[{}]", values.join(", "))
        }
        Tree::Map(members) => {
            let member = |(name, value): &(String, Tree)| {
                let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                let name = if is_plain { name.clone() } else { format!("\"{name}\"") };
                format!("{name} = {}", expression(value))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}
