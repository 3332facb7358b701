//! Names and literals of TypeScript.

use std::collections::BTreeMap;

use crate::case::{camel, pascal};
use crate::typed_code::Module;

/// What a module calls its entities and functions.
pub(super) struct Names {
    entities: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
}

const RESERVED: [&str; 46] = [
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "while",
    "yield",
];

/// Types that everybody has.
const TYPES: [&str; 12] = [
    "Array", "Date", "Error", "Map", "Number", "Object", "Partial", "Promise", "Record", "RegExp",
    "Set", "String",
];

impl Names {
    /// Names that are taken neither by helper functions nor by each other.
    pub(super) fn of(module: &Module<'_>, library: &[String]) -> Names {
        let mut taken: Vec<String> = library.to_vec();
        taken.extend(RESERVED.iter().chain(&TYPES).map(|name| (*name).to_owned()));
        taken.extend(module.records.iter().map(|record| record.name.clone()));
        let mut entities = BTreeMap::new();
        for entity in &module.entities {
            let name = free(identifier(&pascal(&entity.entity.name)), &mut taken);
            taken.extend(["Entity", "Key", "Patch"].map(|end| format!("{name}{end}")));
            entities.insert(entity.entity.name.clone(), name);
        }
        taken.extend(module.unions.iter().map(|union| union.name.clone()));
        let mut functions = BTreeMap::new();
        for function in &module.functions {
            let name = free(identifier(&camel(&function.pattern)), &mut taken);
            functions.insert(function.pattern.clone(), name);
        }
        Names { entities, functions }
    }

    /// The type of an entity.
    pub(super) fn entity(&self, name: &str) -> &str {
        self.entities.get(name).map_or("Item", String::as_str)
    }

    /// The function of an access pattern.
    pub(super) fn function(&self, pattern: &str) -> &str {
        self.functions.get(pattern).map_or("unnamed", String::as_str)
    }
}

fn free(mut name: String, taken: &mut Vec<String>) -> String {
    while taken.contains(&name) {
        name.push('_');
    }
    taken.push(name.clone());
    name
}

fn identifier(name: &str) -> String {
    let kept: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if kept.starts_with(|first: char| first.is_ascii_digit()) || kept.is_empty() {
        return format!("_{kept}");
    }
    kept
}

/// Whether a name can stand without quotes.
fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// The name of a member, quoted if it must be.
pub(super) fn property(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { literal(name) }
}

/// A member of a value.
pub(super) fn member(of: &str, name: &str) -> String {
    if is_identifier(name) { format!("{of}.{name}") } else { format!("{of}[{}]", literal(name)) }
}

/// A text between quotes.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    text.chars().for_each(|character| match character {
        '"' | '\\' => out.extend(['\\', character]),
        character => escape(&mut out, character),
    });
    out.push('"');
    out
}

/// A text in a template.
pub(super) fn template_text(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|character| match character {
        '`' | '\\' | '$' => out.extend(['\\', character]),
        character => escape(&mut out, character),
    });
    out
}

fn escape(out: &mut String, character: char) {
    match character {
        '\n' => out.push_str("\\n"),
        control if control.is_control() || u32::from(control) > 0xffff => {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(control)));
        }
        other => out.push(other),
    }
}
