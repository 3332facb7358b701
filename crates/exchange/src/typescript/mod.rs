//! TypeScript: one module on the document client of the AWS SDK v3.
//!
//! What the module has is described in `typed_code`; here it is written. `runtime.ts` holds the
//! helper functions, of which the module gets those that it uses.

mod entity;
mod expression;
mod name;
mod types;

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Model};
use monotable_model::template::{AttributePart, Form, Template};

use crate::foreign::note;
use crate::outcome::Written;
use crate::typed_code::kind::all_templates;
use crate::typed_code::{Function, Module, Returns, Row, RowUnion, library};
use entity::write_entity;
use expression::Expressions;
use name::{Names, literal};
use types::{comment, row_type, type_of, write_record};

const RUNTIME: &str = include_str!("runtime.ts");

/// What a module has even if nothing in it uses it.
const ALWAYS: [&str; 7] =
    ["KeyError", "Item", "Database", "PageOptions", "Page", "every", "transact"];

/// What the SDK exports: `types` are imported as such.
const COMMANDS: [&str; 10] = [
    "BatchGetCommand",
    "BatchWriteCommand",
    "DeleteCommand",
    "GetCommand",
    "PutCommand",
    "QueryCommand",
    "ScanCommand",
    "TransactGetCommand",
    "TransactWriteCommand",
    "UpdateCommand",
];

/// Writes the module of a model.
pub(super) fn export(model: &Model) -> Written<String> {
    let module = Module::of(model);
    let names = Names::of(&module, &library::names(RUNTIME));
    let body = body(&module, &names);
    let runtime = library::needed(RUNTIME, &body, &ALWAYS);
    let text = format!("{}{}\n{body}\n{runtime}\n", header(model), imports(&runtime));
    let mut notes = module.notes;
    notes.extend(model.entities.iter().filter_map(long_numbers));
    Written { content: text, notes }
}

/// A number of JavaScript is exact up to so many digits.
const DIGITS_EXACT: u64 = 15;

fn long_numbers(entity: &Entity) -> Option<Diagnostic> {
    let is_long = |part: &&AttributePart| match part.encoding.form() {
        Form::Number(form) => {
            u64::from(form.whole_digits()) + u64::from(form.fraction_digits()) > DIGITS_EXACT
        }
        _ => false,
    };
    let part = all_templates(entity).flat_map(Template::attributes).find(is_long)?;
    let message = format!("{}: numbers are exact up to {DIGITS_EXACT} digits", part.path);
    Some(note(&Place::entity(&entity.name), message))
}

fn header(model: &Model) -> String {
    let title = model.title.as_deref().unwrap_or(&model.name);
    let title: Vec<&str> = title.split_whitespace().collect();
    format!(
        "// {}: typed access to the model `{}`.\n// Written by `monotable model export --to \
         typescript`; changes belong into the model.\n\n",
        title.join(" "),
        model.name
    )
}

fn imports(runtime: &str) -> String {
    let uses =
        |name: &str| runtime.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == name);
    let commands: Vec<&str> = COMMANDS.into_iter().filter(|name| uses(name)).collect();
    let inputs: Vec<String> =
        COMMANDS.iter().map(|name| format!("{name}Input")).filter(|name| uses(name)).collect();
    let mut types = vec!["DynamoDBDocumentClient".to_owned()];
    types.extend(inputs);
    let list = |names: &[String]| names.join(",\n  ");
    let commands: Vec<String> = commands.into_iter().map(str::to_owned).collect();
    let mut out = String::new();
    if uses("ReturnValue") {
        out.push_str("import type { ReturnValue } from \"@aws-sdk/client-dynamodb\";\n");
    }
    if !commands.is_empty() {
        let commands = list(&commands);
        out.push_str(&format!("import {{\n  {commands},\n}} from \"@aws-sdk/lib-dynamodb\";\n"));
    }
    let types = list(&types);
    out.push_str(&format!("import type {{\n  {types},\n}} from \"@aws-sdk/lib-dynamodb\";\n"));
    out
}

fn body(module: &Module<'_>, names: &Names) -> String {
    let mut out = tables(module.model);
    for record in &module.records {
        write_record(&mut out, &record.name, &record.description, &record.fields);
    }
    for entity in &module.entities {
        write_entity(&mut out, entity, names);
    }
    for union in &module.unions {
        write_union(&mut out, union, names);
    }
    for function in &module.functions {
        write_function(&mut out, function, names);
    }
    out
}

fn tables(model: &Model) -> String {
    let tables = model.tables.iter().map(|table| {
        format!("  {}: {},\n", name::property(&table.name), literal(table.physical_name()))
    });
    let tables: String = tables.collect();
    format!(
        "/** The tables by their names in the model. `Database.tables` can name others. */\n\
         export const TABLES = {{\n{tables}}} as const;\n"
    )
}

fn write_union(out: &mut String, union: &RowUnion, names: &Names) {
    let members = union.entities.iter().map(|entity| {
        format!("\n  | {{ entity: {}; item: {} }}", literal(entity), names.entity(entity))
    });
    let members: String = members.collect();
    out.push_str(&format!("\nexport type {} ={members};\n", union.name));
    let cases = union.entities.iter().map(|entity| {
        let operations = format!("{}Entity", names.entity(entity));
        format!(
            "  if ({operations}.matches(stored)) {{\n    return {{ entity: {}, item: \
             {operations}.read(stored) }};\n  }}\n",
            literal(entity)
        )
    });
    let cases: String = cases.collect();
    out.push_str(&format!(
        "\nfunction read{0}(stored: Item): {0} | undefined {{\n{cases}  return undefined;\n}}\n",
        union.name
    ));
}

fn write_function(out: &mut String, function: &Function, names: &Names) {
    let name = names.function(&function.pattern);
    let parameters = function.parameters.iter().map(|field| {
        let optional = if field.optional { "?" } else { "" };
        format!("{}{optional}: {}", name::property(&field.name), type_of(&field.kind))
    });
    let parameters: Vec<String> = parameters.collect();
    let mut arguments = vec!["db: Database".to_owned()];
    let is_empty = parameters.is_empty();
    let has_page = matches!(function.returns, Returns::Page(_));
    let all_optional = function.parameters.iter().all(|field| field.optional);
    if !is_empty {
        let default = if all_optional { " = {}" } else { "" };
        arguments.push(parameter_type(&parameters, default));
    }
    if has_page {
        arguments.push("page: PageOptions = {}".to_owned());
    }
    let returns = match &function.returns {
        Returns::Nothing => "void".to_owned(),
        Returns::One(row) => format!("{} | undefined", row_type(row, names)),
        Returns::Page(row) => format!("Page<{}>", row_type(row, names)),
        Returns::All(row) => match row {
            Row::Entity { .. } | Row::Union(_) | Row::Stored => {
                format!("{}[]", row_type(row, names))
            }
            Row::Part(_) => format!("Array<{}>", row_type(row, names)),
        },
    };
    let begin = if function.returns == Returns::Nothing { "  " } else { "  return " };
    let written = Expressions { names }.lay_out(&function.body, begin.len(), 2);
    comment(out, "", &function.description);
    let head = format!("export async function {name}({})", arguments.join(", "));
    let head = if head.len() + returns.len() < 86 {
        head
    } else {
        format!("export async function {name}(\n  {},\n)", arguments.join(",\n  "))
    };
    out.push_str(&format!("{head}: Promise<{returns}> {{\n{begin}{written};\n}}\n"));
}

fn parameter_type(parameters: &[String], default: &str) -> String {
    let flat = format!("p: {{ {} }}{default}", parameters.join("; "));
    if flat.len() < 90 {
        return flat;
    }
    format!("p: {{\n    {};\n  }}{default}", parameters.join(";\n    "))
}
