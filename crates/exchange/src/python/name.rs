//! Names and literals of Python.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::snake;
use crate::typed_code::type_name::{entity_names, free};
use crate::typed_code::{Module, Returns, Row};

/// What a module calls its entities and functions.
pub(super) struct Names {
    entities: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
    parts: BTreeSet<String>,
    taken: Vec<String>,
}

const RESERVED: [&str; 41] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "db", "page", "range", "list", "cast", "match",
];

/// Types that the module imports.
const TYPES: [&str; 16] = [
    "Any", "Callable", "Decimal", "Dict", "Enum", "Generic", "Iterator", "List", "Literal",
    "Mapping", "Optional", "Protocol", "Sequence", "Set", "Tuple", "Union",
];

impl Names {
    /// Names that are taken neither by helper functions nor by each other.
    pub(super) fn of(module: &Module<'_>, library: &[String]) -> Names {
        let mut taken: Vec<String> = library.to_vec();
        taken.extend(RESERVED.iter().chain(&TYPES).map(|name| (*name).to_owned()));
        taken.extend(module.records.iter().map(|record| record.name.clone()));
        taken.extend(module.unions.iter().map(|union| union.name.clone()));
        let ends = ["Entity", "Key", "Patch", "Part"];
        let entities = entity_names(module, &ends, identifier, &mut taken);
        let mut functions = BTreeMap::new();
        for function in &module.functions {
            let name = free(identifier(&snake(&function.pattern)), &mut taken);
            functions.insert(function.pattern.clone(), name);
        }
        let parts = module.functions.iter().filter_map(|function| match &function.returns {
            Returns::One(Row::Part(entity))
            | Returns::Page(Row::Part(entity))
            | Returns::All(Row::Part(entity)) => Some(entity.clone()),
            Returns::Nothing | Returns::One(_) | Returns::Page(_) | Returns::All(_) => None,
        });
        Names { entities, functions, parts: parts.collect(), taken }
    }

    /// The type of an entity.
    pub(super) fn entity(&self, name: &str) -> &str {
        self.entities.get(name).map_or("Item", String::as_str)
    }

    /// The function of an access pattern.
    pub(super) fn function(&self, pattern: &str) -> &str {
        self.functions.get(pattern).map_or("unnamed", String::as_str)
    }

    /// A parameter of a function, which must not hide what the function uses.
    pub(super) fn parameter(&self, name: &str) -> String {
        let mut name = identifier(name);
        while self.taken.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Whether a function returns some attributes of an entity.
    pub(super) fn has_part(&self, entity: &str) -> bool {
        self.parts.contains(entity)
    }
}

/// A name that can stand without quotes.
pub(super) fn identifier(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let kept: String = name.chars().map(kept).collect();
    if kept.starts_with(|first: char| first.is_ascii_digit()) || kept.is_empty() {
        return format!("n{kept}");
    }
    if RESERVED.contains(&kept.as_str()) { format!("{kept}_") } else { kept }
}

/// Whether a class can have a member of this name.
pub(super) fn is_member(name: &str) -> bool {
    !name.starts_with("__") && identifier(name) == name
}

/// The name of a helper function.
pub(super) fn helper(name: &str) -> String {
    if name == "transact" { name.to_owned() } else { format!("_{}", snake(name)) }
}

/// A text between quotes.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            control if control.is_control() || u32::from(control) > 0xffff => {
                out.push_str(&format!("\\U{:08x}", u32::from(control)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
