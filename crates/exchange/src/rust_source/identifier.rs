//! Names that Rust takes.

use crate::case::{pascal, snake};

/// Words that are no names, and names of the client's methods that a field would hide.
const RESERVED: [&str; 61] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "std",
    "at",
    "db",
    "of",
    "when",
    "if_rev",
    "or_create",
    "monotable",
    "selection",
];

/// Types that the generated code names itself.
const RESERVED_TYPES: [&str; 34] = [
    "Attribute",
    "BTreeMap",
    "BTreeSet",
    "Bound",
    "Box",
    "Bytes",
    "Collection",
    "Condition",
    "Create",
    "Db",
    "Delete",
    "Entity",
    "Entries",
    "Everything",
    "Get",
    "GetMany",
    "Item",
    "Key",
    "KeyPart",
    "Number",
    "Option",
    "Page",
    "Patch",
    "Query",
    "Result",
    "Scan",
    "Self",
    "String",
    "Table",
    "Transaction",
    "Upsert",
    "Value",
    "Vec",
    "WriteMany",
];

/// The name of a field, a parameter or a function.
pub(super) fn field_name(name: &str) -> String {
    let ascii: String =
        snake(name).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let begins_well = ascii.starts_with(|c: char| c.is_ascii_alphabetic());
    let named = if begins_well { ascii } else { format!("n{ascii}") };
    if RESERVED.contains(&named.as_str()) { named + "_" } else { named }
}

/// The name of a type.
pub(super) fn type_name(name: &str) -> String {
    let ascii: String = pascal(name).chars().filter(char::is_ascii_alphanumeric).collect();
    let begins_well = ascii.starts_with(|c: char| c.is_ascii_alphabetic());
    let named = if begins_well { ascii } else { format!("N{ascii}") };
    if RESERVED_TYPES.contains(&named.as_str()) { named + "Item" } else { named }
}

/// `ORDER_ID`, as the derive calls the column of a field.
pub(super) fn column_name(field: &str) -> String {
    field.to_uppercase()
}

/// `ByOrderId`, as the derive calls the access pattern of a key.
pub(super) fn marker_name(key: &str) -> String {
    let word = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(characters).collect::<String>()
    };
    key.split('_').map(word).collect()
}

/// `order_line`, as the derive calls the module of an entity.
pub(super) fn module_name(type_name: &str) -> String {
    let mut text = String::new();
    let mut after_lower = false;
    for character in type_name.chars() {
        if character.is_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = !character.is_uppercase();
        text.extend(character.to_lowercase());
    }
    text
}

/// A text as a literal of Rust.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}
