//! Python: one module on boto3's client.
//!
//! What the module has is described in `typed_code`; here it is written. `runtime.py` holds the
//! helper functions, of which the module gets those that it uses. boto3 has no types of its own, so
//! the module names what it uses of a client as a protocol, and imports nothing but the standard
//! library.

mod entity;
mod expression;
mod name;
mod types;

use monotable_model::document::Model;

use crate::outcome::Written;
use crate::typed_code::{Field, Function, Module, Returns, RowUnion, library};
use entity::write_entity;
use expression::Expressions;
use name::{Names, literal};
use types::{row_type, type_of, write_record};

const RUNTIME: &str = include_str!("runtime.py");

/// What a module has even if nothing in it uses it.
const ALWAYS: [&str; 7] =
    ["KeyValueError", "Item", "Database", "PageOptions", "Page", "every", "transact"];

const TYPING: [&str; 19] = [
    "AbstractSet",
    "Any",
    "Callable",
    "Dict",
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
    "TypedDict",
    "TypeVar",
    "Union",
    "cast",
];

/// Writes the module of a model.
pub(super) fn export(model: &Model) -> Written<String> {
    let module = Module::of(model);
    let names = Names::of(&module, &library::names(RUNTIME));
    let body = body(&module, &names);
    let runtime = library::needed(RUNTIME, &body, &ALWAYS);
    let (types, helpers) = split(&runtime);
    let text = [
        header(model),
        imports(&format!("{runtime}\n{body}")),
        tables(model),
        types,
        helpers,
        body,
    ];
    let text: Vec<&str> = text.iter().map(|part| part.trim_end()).collect();
    Written { content: text.join("\n\n\n") + "\n", notes: module.notes }
}

/// Declarations are parted by two blank lines.
fn split(runtime: &str) -> (String, String) {
    let is_private = |block: &&str| block.starts_with('_') || block.starts_with("def _");
    let blocks: Vec<&str> = runtime.split("\n\n").collect();
    let (private, public): (Vec<&str>, Vec<&str>) = blocks.into_iter().partition(is_private);
    (public.join("\n\n\n"), private.join("\n\n\n"))
}

fn header(model: &Model) -> String {
    let title = model.title.as_deref().unwrap_or(&model.name);
    let title: Vec<&str> = title.split_whitespace().collect();
    format!(
        "\"\"\"{}: typed access to the model `{}`.\n\nWritten by `monotable model export --to \
         python`; changes belong into the model.\nNeeds Python 3.11 and a client: \
         `Database(boto3.client(\"dynamodb\"))`.\n\"\"\"",
        title.join(" ").replace('\\', "\\\\").replace("\"\"\"", "'''"),
        model.name
    )
}

fn imports(text: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words: std::collections::BTreeSet<&str> = text.split(|c| !is_word(c)).collect();
    let mut lines: Vec<String> = vec!["from __future__ import annotations\n".to_owned()];
    lines.extend(
        ["hashlib", "re", "time"]
            .iter()
            .filter(|name| text.contains(&format!("{name}.")))
            .map(|name| format!("import {name}")),
    );
    for (module, names) in [
        ("dataclasses", &["dataclass", "field"][..]),
        ("datetime", &["date"]),
        ("decimal", &["Decimal"]),
        ("enum", &["Enum"]),
    ] {
        let used: Vec<&str> = names.iter().copied().filter(|name| words.contains(name)).collect();
        if !used.is_empty() {
            lines.push(format!("from {module} import {}", used.join(", ")));
        }
    }
    let typing: Vec<&str> = TYPING.iter().copied().filter(|name| words.contains(name)).collect();
    lines.push(format!("from typing import (\n    {},\n)", typing.join(",\n    ")));
    lines.join("\n")
}

fn body(module: &Module<'_>, names: &Names) -> String {
    let mut out = String::new();
    for record in &module.records {
        write_record(&mut out, &record.name, &record.description, &record.fields);
    }
    for entity in &module.entities {
        let is_part = names.has_part(&entity.entity.name);
        write_entity(&mut out, entity, names, is_part);
    }
    for union in &module.unions {
        write_union(&mut out, union, names);
    }
    for function in &module.functions {
        write_function(&mut out, function, names);
    }
    out.trim_start().to_owned()
}

fn tables(model: &Model) -> String {
    let tables = model.tables.iter().map(|table| {
        format!("    {}: {},\n", literal(&table.name), literal(table.physical_name()))
    });
    let tables: String = tables.collect();
    format!(
        "# The tables by their names in the model. `Database.tables` can name others.\n\
         TABLES: Mapping[str, str] = {{\n{tables}}}"
    )
}

fn write_union(out: &mut String, union: &RowUnion, names: &Names) {
    let mut rows = Vec::new();
    for entity in &union.entities {
        let row = format!("{}Of{}", names.entity(entity), union.name);
        out.push_str(&format!(
            "\n\nclass {row}(TypedDict):\n    entity: Literal[{}]\n    item: {}\n",
            literal(entity),
            names.entity(entity)
        ));
        rows.push(row);
    }
    let cases = union.entities.iter().zip(&rows).map(|(entity, row)| {
        let operations = format!("{}Entity", names.entity(entity));
        format!(
            "    if {operations}.matches(stored):\n        return {row}(entity={}, \
             item={operations}.read(stored))\n",
            literal(entity)
        )
    });
    let cases: String = cases.collect();
    out.push_str(&format!(
        "\n\n{0} = Union[{1}]\n\n\ndef _read_{0}(stored: Item) -> Optional[{0}]:\n{cases}    \
         return None\n",
        union.name,
        rows.join(", ")
    ));
}

fn write_function(out: &mut String, function: &Function, names: &Names) {
    let name = names.function(&function.pattern);
    let (optional, required): (Vec<_>, Vec<_>) =
        function.parameters.iter().partition(|field| field.optional);
    let parameter = |field: &Field| names.parameter(&function.pattern, &field.name);
    let required =
        required.iter().map(|field| format!("{}: {}", parameter(field), type_of(&field.kind)));
    let optional = optional
        .iter()
        .map(|field| format!("{}: Optional[{}] = None", parameter(field), type_of(&field.kind)));
    let mut arguments: Vec<String> = required.chain(optional).collect();
    if matches!(function.returns, Returns::Page(_)) {
        arguments.push("page: PageOptions = FIRST_PAGE".to_owned());
    }
    if !arguments.is_empty() {
        arguments.insert(0, "*".to_owned());
    }
    arguments.insert(0, "db: Database".to_owned());
    let returns = match &function.returns {
        Returns::Nothing => "None".to_owned(),
        Returns::One(row) => format!("Optional[{}]", row_type(row, names)),
        Returns::Page(row) => format!("Page[{}]", row_type(row, names)),
        Returns::All(row) => format!("List[{}]", row_type(row, names)),
    };
    let begin = if function.returns == Returns::Nothing { "    " } else { "    return " };
    let written =
        Expressions { names, pattern: &function.pattern }.lay_out(&function.body, begin.len(), 4);
    let flat = format!("def {name}({}) -> {returns}:", arguments.join(", "));
    let head = if flat.len() <= 100 {
        flat
    } else {
        format!("def {name}(\n    {},\n) -> {returns}:", arguments.join(",\n    "))
    };
    let doc = types::docstring(&function.description, "    ");
    out.push_str(&format!("\n\n{head}\n{doc}{begin}{written}\n"));
}
