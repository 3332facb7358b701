//! Names and literals of Python.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::snake;
use crate::typed_code::type_name::{entity_names, free, spoken_name};
use crate::typed_code::{Module, Returns, Row};

/// What a module calls its entities and functions, and functions their parameters.
pub(super) struct Names {
    entities: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
    /// By function and parameter.
    parameters: BTreeMap<(String, String), String>,
    parts: BTreeSet<String>,
}

const RESERVED: [&str; 41] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "db", "page", "range", "list", "cast", "match",
];

/// Types that the module imports.
const TYPES: [&str; 20] = [
    "AbstractSet",
    "Any",
    "Callable",
    "Decimal",
    "Dict",
    "Enum",
    "Generic",
    "Iterator",
    "List",
    "Literal",
    "Mapping",
    "NotRequired",
    "Optional",
    "Protocol",
    "Sequence",
    "Set",
    "Tuple",
    "TypeVar",
    "TypedDict",
    "Union",
];

/// What else the module imports, and what the helper functions use that is built into Python.
const BUILT_IN: [&str; 38] = [
    "RuntimeError",
    "TypeError",
    "ValueError",
    "all",
    "annotations",
    "bool",
    "bytearray",
    "bytes",
    "chr",
    "dataclass",
    "date",
    "dict",
    "divmod",
    "enumerate",
    "field",
    "float",
    "frozenset",
    "hashlib",
    "int",
    "isinstance",
    "len",
    "map",
    "min",
    "next",
    "object",
    "ord",
    "property",
    "re",
    "reversed",
    "set",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "time",
    "tuple",
    "type",
];

/// What a function uses itself of what is built in, and the variables of its loops: all that a
/// parameter must not hide but for the names of the module.
const IN_BODIES: [&str; 8] =
    ["bytes", "object", "_copy", "_element", "_number", "_request", "_table", "_time"];

impl Names {
    /// Names that are taken neither by helper functions nor by each other.
    pub(super) fn of(module: &Module<'_>, library: &[String]) -> Names {
        let mut taken: Vec<String> = library.to_vec();
        taken.extend(RESERVED.iter().chain(&TYPES).chain(&BUILT_IN).map(|name| (*name).to_owned()));
        taken.extend(module.records.iter().map(|record| record.name.clone()));
        taken.extend(module.unions.iter().map(|union| union.name.clone()));
        let ends = ["Entity", "Key", "Patch", "Part"];
        let entities = entity_names(module, &ends, identifier, &mut taken);
        let mut functions = BTreeMap::new();
        for function in &module.functions {
            let spoken = spoken_name(module.model, &function.pattern);
            let name = free(identifier(&snake(&spoken)), &mut taken);
            functions.insert(function.pattern.clone(), name);
        }
        taken.retain(|name| !BUILT_IN.contains(&name.as_str()));
        taken.extend(IN_BODIES.iter().map(|name| (*name).to_owned()));
        let parts = module.functions.iter().filter_map(|function| match &function.returns {
            Returns::One(Row::Part(entity))
            | Returns::Page(Row::Part(entity))
            | Returns::All(Row::Part(entity)) => Some(entity.clone()),
            Returns::Nothing | Returns::One(_) | Returns::Page(_) | Returns::All(_) => None,
        });
        let parameters = parameters(module, &taken);
        Names { entities, functions, parameters, parts: parts.collect() }
    }

    /// The type of an entity.
    pub(super) fn entity(&self, name: &str) -> &str {
        self.entities.get(name).map_or("Item", String::as_str)
    }

    /// The function of an access pattern.
    pub(super) fn function(&self, pattern: &str) -> &str {
        self.functions.get(pattern).map_or("unnamed", String::as_str)
    }

    /// A parameter of the function of an access pattern.
    pub(super) fn parameter(&self, pattern: &str, name: &str) -> &str {
        let found = self.parameters.get(&(pattern.to_owned(), name.to_owned()));
        found.map_or("unnamed", String::as_str)
    }

    /// Whether a function returns some attributes of an entity.
    pub(super) fn has_part(&self, entity: &str) -> bool {
        self.parts.contains(entity)
    }
}

/// Parameters, which hide neither what their function uses nor each other.
fn parameters(module: &Module<'_>, taken: &[String]) -> BTreeMap<(String, String), String> {
    let mut named = BTreeMap::new();
    for function in &module.functions {
        let mut taken = taken.to_vec();
        for field in &function.parameters {
            let name = free(identifier(&field.name), &mut taken);
            named.insert((function.pattern.clone(), field.name.clone()), name);
        }
    }
    named
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
