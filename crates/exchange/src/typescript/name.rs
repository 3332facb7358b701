//! Names and literals of TypeScript.

use std::collections::BTreeMap;

use crate::case::camel;
use crate::typed_code::Module;
use crate::typed_code::type_name::{entity_names, free, spoken_name};

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
        taken.extend(module.unions.iter().map(|union| union.name.clone()));
        let ends = ["Entity", "Key", "Patch"];
        let entities = entity_names(module, &ends, identifier, &mut taken);
        let mut functions = BTreeMap::new();
        for function in &module.functions {
            let spoken = spoken_name(module.model, &function.pattern);
            let name = free(identifier(&camel(&spoken)), &mut taken);
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

/// What every object has from its prototype, so that it is there where nobody has put it.
const INHERITED: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// The name of a member, quoted if it must be. A literal that names `__proto__` plainly would set
/// the prototype.
pub(super) fn property(name: &str) -> String {
    match name {
        "__proto__" => format!("[{}]", literal(name)),
        _ if is_identifier(name) => name.to_owned(),
        _ => literal(name),
    }
}

/// A member of a value.
pub(super) fn member(of: &str, name: &str) -> String {
    if INHERITED.contains(&name) {
        return format!("own({of}, {})", literal(name));
    }
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
