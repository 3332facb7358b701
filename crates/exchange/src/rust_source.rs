//! Rust that uses the typed client: a struct for each table and entity, an enum for each
//! collection, and a function for each access pattern.
//!
//! A function makes a request and does not send it, so that the caller can still say what a call
//! decides: a page, a consistent read, a condition more. In reading order:
//!
//! 1. `identifier`, `text` and `kind` are names, expressions and types in the code; `key` is how
//!    the client takes the parts of keys.
//! 2. `expressed` is the model that the code describes, which `model_of` must give back.
//! 3. `declaration` writes tables and entities, `collection` the enums.
//! 4. `function` is one function; `read`, `scan`, `write` and `transaction` fill it from a pattern,
//!    with `condition` and `change` for its expressions.
//! 5. `remarks` notes what the client has no place for.

mod change;
mod collection;
mod condition;
mod context;
mod declaration;
mod expressed;
mod function;
mod identifier;
mod key;
mod kind;
mod read;
mod remarks;
mod scan;
mod text;
mod transaction;
mod write;

use monotable_model::diagnostic::Place;
use monotable_model::document::{Model, Operation, Pattern};

use super::foreign::note;
use super::outcome::Written;
use context::Context;
pub use expressed::rust_models;
use expressed::{entities_of, is_written};
use function::Function;
use identifier::field_name;
use text::{comment, one_line};

/// Writes the source of one module.
pub(super) fn export(model: &Model) -> Written<String> {
    let mut context = Context::new(model);
    let mut declarations = String::new();
    for table in model.tables.iter().filter(|table| is_written(model, table)) {
        let (name, entities) = (context.table_name(table), entities_of(model, table));
        declaration::write_table(&mut declarations, table, &name, &entities);
        for entity in entities {
            declaration::write_entity(&mut declarations, table, &name, entity);
        }
    }
    let mut functions = String::new();
    let mut names: Vec<String> = Vec::new();
    for pattern in &model.patterns {
        let mut name = field_name(&pattern.name);
        while names.contains(&name) {
            name.push('_');
        }
        match function(&mut context, pattern, &name) {
            Ok(function) => {
                function.write(&mut functions);
                names.push(name);
            }
            Err(why) => {
                let place = Place::pattern(&pattern.name);
                context.notes.push(note(&place, format!("no function: {why}")));
            }
        }
    }
    let collections: String = context.collections.sources().collect();
    let code = declarations + &collections + &functions;
    let mut notes = context.notes;
    remarks::remarks(model, &mut notes);
    let content = header(model) + &imports(&code) + code.trim_end() + "\n";
    Written { content, notes }
}

fn header(model: &Model) -> String {
    let title = model.title.as_deref().unwrap_or(&model.name);
    let title = comment("//!", "", &one_line(title));
    let about = format!(
        "Tables, entities and access patterns of the model `{}`, written by `monotable model \
         export --to rust`.",
        model.name
    );
    format!("{title}//!\n{}\n", comment("//!", "", &about))
}

/// What the code names, by where it is.
const IMPORTS: [(&str, &[&str]); 4] = [
    ("std::collections", &["BTreeMap", "BTreeSet"]),
    ("std::ops", &["Bound"]),
    (
        "monotable::db",
        &[
            "Create",
            "Delete",
            "Entries",
            "Everything",
            "Get",
            "GetMany",
            "Query",
            "Scan",
            "Transaction",
            "Upsert",
            "WriteMany",
        ],
    ),
    (
        "monotable",
        &[
            "Bytes",
            "Number",
            "Value",
            "decrease",
            "element",
            "if_missing",
            "increase",
            "insert_all",
            "member",
            "remove_all",
        ],
    ),
];

fn imports(code: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    // A method is called by its dot, and is not what is imported.
    let words: Vec<&str> = code
        .lines()
        .filter(is_code)
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.'))
        .collect();
    let mut lines = Vec::new();
    for (module, names) in IMPORTS {
        let used: Vec<&str> = names.iter().filter(|name| words.contains(name)).copied().collect();
        match used.as_slice() {
            [] => {}
            [one] => lines.push(format!("use {module}::{one};\n")),
            several => lines.push(format!("use {module}::{{{}}};\n", several.join(", "))),
        }
    }
    let mut imports = String::new();
    let (std, own): (Vec<String>, Vec<String>) =
        lines.into_iter().partition(|line| line.starts_with("use std"));
    imports.extend(std.iter().map(String::as_str));
    if !std.is_empty() {
        imports.push('\n');
    }
    let (from_db, from_root): (Vec<String>, Vec<String>) =
        own.into_iter().partition(|line| line.starts_with("use monotable::db"));
    imports.extend(from_db);
    imports.push_str("use monotable::prelude::*;\n");
    imports.extend(from_root);
    imports.push('\n');
    imports
}

/// The function of a pattern, or why there is none.
fn function(context: &mut Context<'_>, pattern: &Pattern, name: &str) -> Result<Function, String> {
    let mut function = Function { name: name.to_owned(), ..Function::default() };
    function.docs.push(format!("Access pattern: {}.", pattern.name.trim_end_matches('.')));
    function.docs.extend(pattern.description.as_deref().map(one_line));
    function.declared = transaction::declared(pattern);
    let optional = pattern.parameters.iter().filter(|parameter| parameter.optional);
    function.optional = optional.map(|parameter| parameter.name.clone()).collect();
    let first = pattern.all_entities().next().map(str::to_owned);
    if let Some(entity) = first {
        let (table, _) = context.entity(&entity)?;
        function.table = context.table_name(table);
    }
    if let Some(table) = &pattern.table {
        function.docs.push(format!("Open the table as `{table}`."));
    }
    match pattern.operation {
        Operation::Get | Operation::Query | Operation::BatchGet => {
            read::write(context, pattern, &mut function)?;
        }
        Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::TransactWrite
        | Operation::BatchWrite => write::write(context, pattern, &mut function)?,
        Operation::Scan => scan::write(context, pattern, &mut function)?,
        Operation::TransactGet => return Err("the client has no reads of one moment".to_owned()),
        Operation::Steps => return Err("call the functions of its steps in turn".to_owned()),
        Operation::Expire => return Err("the table deletes what has expired".to_owned()),
        Operation::Consume => return Err("a stream is read by its own client".to_owned()),
        Operation::Administer => return Err("tables are not changed by the client".to_owned()),
    }
    Ok(function)
}
