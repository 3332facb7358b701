//! Types of Python.

use super::name::{Names, is_member, literal};
use crate::typed_code::{Field, Kind, Row};

/// The type of a value.
pub(super) fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Text => "str".to_owned(),
        Kind::Texts(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| literal(text)).collect();
            format!("Literal[{}]", texts.join(", "))
        }
        Kind::Whole => "int".to_owned(),
        Kind::Number => "Number".to_owned(),
        Kind::Bytes => "bytes".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Null => "None".to_owned(),
        Kind::TextSet => "Set[str]".to_owned(),
        Kind::NumberSet => "Set[Number]".to_owned(),
        Kind::BytesSet => "Set[bytes]".to_owned(),
        Kind::List(inner) => format!("Sequence[{}]", type_of(inner)),
        Kind::Map => "Dict[str, Any]".to_owned(),
        Kind::Record(name) => name.clone(),
        Kind::Any => "Any".to_owned(),
    }
}

/// The type of a row.
pub(super) fn row_type(row: &Row, names: &Names) -> String {
    match row {
        Row::Entity { entity, .. } => names.entity(entity).to_owned(),
        Row::Part(entity) => format!("{}Part", names.entity(entity)),
        Row::Union(name) => name.clone(),
        Row::Stored => "Item".to_owned(),
    }
}

/// Writes a typed dictionary.
pub(super) fn write_record(out: &mut String, name: &str, description: &str, fields: &[Field]) {
    let members = fields.iter().map(|field| {
        let kind = type_of(&field.kind);
        let kind = if field.optional { format!("NotRequired[{kind}]") } else { kind };
        (field.name.clone(), kind, field.description.clone())
    });
    write_members(out, name, description, &members.collect::<Vec<_>>(), true);
}

/// Writes a typed dictionary of members with their types; without `total`, all may be left out.
pub(super) fn write_members(
    out: &mut String,
    name: &str,
    description: &str,
    members: &[(String, String, Option<String>)],
    total: bool,
) {
    let end = if total { "" } else { ", total=False" };
    if members.iter().all(|(member, _, _)| is_member(member)) {
        let doc = docstring(&[description.to_owned()], "    ");
        out.push_str(&format!("\n\nclass {name}(TypedDict{end}):\n{doc}"));
        for (member, kind, description) in members {
            let comment = description.as_ref().map(|text| format!("    # {}\n", one_line(text)));
            out.push_str(&format!("{}    {member}: {kind}\n", comment.unwrap_or_default()));
        }
        return;
    }
    let members = members
        .iter()
        .map(|(member, kind, _)| format!("        {}: {},\n", literal(member), literal(kind)));
    let members: String = members.collect();
    out.push_str(&format!(
        "\n\n# {}\n{name} = TypedDict(\n    {},\n    {{\n{members}    }}{end},\n)\n",
        one_line(description),
        literal(name)
    ));
}

/// A documentation string of some paragraphs.
pub(super) fn docstring(lines: &[String], indent: &str) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| one_line(line).replace('\\', "\\\\").replace("\"\"\"", "'''"))
        .collect();
    match lines.as_slice() {
        [one] => format!("{indent}\"\"\"{}\"\"\"\n", closed(one)),
        several => {
            let text = several.join(&format!("\n\n{indent}"));
            format!("{indent}\"\"\"{text}\n{indent}\"\"\"\n")
        }
    }
}

/// A text that does not end with the quote that follows it.
fn closed(text: &str) -> String {
    if text.ends_with('"') { format!("{text} ") } else { text.to_owned() }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
