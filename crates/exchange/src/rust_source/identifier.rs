//! Names that Rust takes.

use crate::case::{pascal, snake};

/// Words that are no names, and those that `r#` cannot help.
const KEYWORDS: [&str; 53] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "std",
];

/// The name of a field, a parameter or a function.
pub(super) fn field_name(name: &str) -> String {
    let ascii: String =
        snake(name).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let begins_well = ascii.starts_with(|c: char| c.is_ascii_alphabetic());
    let named = if begins_well { ascii } else { format!("n{ascii}") };
    if KEYWORDS.contains(&named.as_str()) { named + "_" } else { named }
}

/// The name of a type.
pub(super) fn type_name(name: &str) -> String {
    let ascii: String = pascal(name).chars().filter(char::is_ascii_alphanumeric).collect();
    let begins_well = ascii.starts_with(|c: char| c.is_ascii_alphabetic());
    let named = if begins_well { ascii } else { format!("N{ascii}") };
    if ["Self", "Value", "String", "Option", "Vec"].contains(&named.as_str()) {
        named + "Item"
    } else {
        named
    }
}
