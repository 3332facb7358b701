//! Types of TypeScript.

use super::name::{Names, literal, property};
use crate::typed_code::{Field, Kind, Row};

/// The type of a value.
pub(super) fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Text => "string".to_owned(),
        Kind::Texts(texts) => {
            texts.iter().map(|text| literal(text)).collect::<Vec<_>>().join(" | ")
        }
        Kind::Whole | Kind::Number => "number".to_owned(),
        Kind::Bytes => "Uint8Array".to_owned(),
        Kind::Flag => "boolean".to_owned(),
        Kind::Null => "null".to_owned(),
        Kind::TextSet => "Set<string>".to_owned(),
        Kind::NumberSet => "Set<number>".to_owned(),
        Kind::BytesSet => "Set<Uint8Array>".to_owned(),
        Kind::List(inner) => format!("ReadonlyArray<{}>", type_of(inner)),
        Kind::Map => "Record<string, unknown>".to_owned(),
        Kind::Record(name) => name.clone(),
        Kind::Any => "unknown".to_owned(),
    }
}

/// The type of a row.
pub(super) fn row_type(row: &Row, names: &Names) -> String {
    match row {
        Row::Entity { entity, .. } => names.entity(entity).to_owned(),
        Row::Part(entity) => format!("Partial<{}>", names.entity(entity)),
        Row::Union(name) => name.clone(),
        Row::Stored => "Item".to_owned(),
    }
}

/// Writes an interface.
pub(super) fn write_record(out: &mut String, name: &str, description: &str, fields: &[Field]) {
    comment(out, "", &[description.to_owned()]);
    out.push_str(&format!("export interface {name} {{\n"));
    for field in fields {
        write_field(out, field, Absence::Left);
    }
    out.push_str("}\n");
}

/// What an optional member means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Absence {
    /// It is not there.
    Left,
    /// It is removed by `null`, and every member may be left out.
    Removed,
    /// It is removed by `null`, and every member is there.
    RemovedOnly,
}

/// Writes a member of an interface.
pub(super) fn write_field(out: &mut String, field: &Field, absence: Absence) {
    if let Some(description) = &field.description {
        let line: Vec<&str> = description.split_whitespace().collect();
        out.push_str(&format!("  /** {} */\n", line.join(" ").replace("*/", "* /")));
    }
    let is_left_out = match absence {
        Absence::Left => field.optional,
        Absence::Removed => true,
        Absence::RemovedOnly => false,
    };
    let mark = if is_left_out { "?" } else { "" };
    let null = if field.optional && absence != Absence::Left { " | null" } else { "" };
    let kind = type_of(&field.kind);
    out.push_str(&format!("  {}{mark}: {kind}{null};\n", property(&field.name)));
}

/// Writes a documentation comment after an empty line.
pub(super) fn comment(out: &mut String, indent: &str, lines: &[String]) {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "* /"))
        .collect();
    match lines.as_slice() {
        [one] => out.push_str(&format!("\n{indent}/** {one} */\n")),
        several => {
            let several = several.join(&format!("\n{indent} *\n{indent} * "));
            out.push_str(&format!("\n{indent}/**\n{indent} * {several}\n{indent} */\n"));
        }
    }
}
