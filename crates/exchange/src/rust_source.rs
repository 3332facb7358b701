//! Rust: a type for each entity, and a function for each key.
//!
//! The functions need nothing but the standard library, and write the same bytes as the templates.
//! `parts.rs` has what they are made of and is written into the file as it is, with the calendar
//! that templates use; neither is compiled here.

mod expression;
mod field;
mod identifier;

use std::fmt::Write as _;

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Index, Model, Table};
use monotable_model::template::Template;

use super::foreign::note;
use super::outcome::Written;
use expression::{KeyFunction, key_function};
use field::{Nested, whole_numbers, write_struct};
use identifier::{field_name, type_name};

const PARTS: &str = include_str!("rust_source/parts.rs");

/// Writes the source of one module.
pub(super) fn export(model: &Model) -> Written<String> {
    let mut notes = Vec::new();
    let mut out = header(model);
    let mut nested = Nested::default();
    for entity in &model.entities {
        write_entity(&mut out, model, entity, &mut nested, &mut notes);
    }
    nested.write(&mut out);
    let calendar = monotable_calendar::SOURCE.split("#[cfg(test)]").next().unwrap_or_default();
    write_module(&mut out, "parts", PARTS);
    write_module(&mut out, "calendar", calendar);
    remarks(model, &mut notes);
    Written { content: out, notes }
}

/// Types and functions that nobody uses are no mistake in a file that has all of them.
const UNUSED: &str = concat!("#![al", "low(dead_code)]");

fn header(model: &Model) -> String {
    let title = model.title.as_deref().unwrap_or(&model.name);
    format!(
        "//! {}\n//!\n//! Types and keys of the model `{}`. A key function gives `None` where a \
         key cannot be built: for an\n//! empty part, a number that does not fit, a text that is \
         not what its encoding wants.\n\n{UNUSED}\n\n",
        one_line(title),
        model.name
    )
}

/// A module with its own text, from whose head the module's documentation is made.
fn write_module(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "\nmod {name} {{");
    for line in text.trim_end().lines() {
        let indent = if line.is_empty() { "" } else { "    " };
        let _ = writeln!(out, "{indent}{line}");
    }
    out.push_str("}\n");
}

fn write_entity(
    out: &mut String,
    model: &Model,
    entity: &Entity,
    nested: &mut Nested,
    notes: &mut Vec<Diagnostic>,
) {
    let name = type_name(&entity.name);
    let whole = whole_numbers(model, entity);
    if let Some(description) = &entity.description {
        let _ = writeln!(out, "/// {}", one_line(description));
    } else {
        let _ = writeln!(out, "/// {}", one_line(&entity.name));
    }
    write_struct(out, &name, &entity.attributes, &whole, nested);
    let functions: Vec<KeyFunction> = model
        .tables_of(entity)
        .next()
        .map(|table| functions(table, entity, &whole, notes))
        .unwrap_or_default();
    if functions.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nimpl {name} {{");
    for (number, function) in functions.iter().enumerate() {
        out.push_str(if number == 0 { "" } else { "\n" });
        out.push_str(&function.source);
    }
    out.push_str("}\n\n");
}

/// A function for each attribute of each key, unless another has the same name and template.
fn functions(
    table: &Table,
    entity: &Entity,
    whole: &[String],
    notes: &mut Vec<Diagnostic>,
) -> Vec<KeyFunction> {
    let mut functions: Vec<KeyFunction> = Vec::new();
    for (owner, attribute, template) in templates(table, entity) {
        let name = field_name(attribute);
        let same = functions.iter().find(|function| function.name == name);
        let name = match same {
            Some(function) if function.template == template.to_string() => continue,
            Some(_) => field_name(&format!("{owner}_{attribute}")),
            None => name,
        };
        let doc = format!("`{attribute}` of {owner}: `{template}`");
        match key_function(&name, &doc, template, entity, whole) {
            Ok(function) => functions.push(function),
            Err(why) => {
                let place = Place::entity(&entity.name);
                notes.push(note(&place, format!("no function for {attribute}: {why}")));
            }
        }
    }
    functions
}

fn templates<'a>(table: &'a Table, entity: &'a Entity) -> Vec<(&'a str, &'a str, &'a Template)> {
    let own = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let own = table.key_attributes().zip(own);
    let mut all: Vec<(&str, &str, &Template)> =
        own.map(|(key, template)| (table.name.as_str(), key.name.as_str(), template)).collect();
    for of_index in &entity.indexes {
        let Some(index) = table.index(&of_index.index) else { continue };
        let templates = of_index.keys.partition.iter().chain(&of_index.keys.sort);
        let keys = Index::key_attributes(index).zip(templates);
        all.extend(keys.map(|(key, template)| (index.name.as_str(), key.name.as_str(), template)));
    }
    all
}

fn remarks(model: &Model, notes: &mut Vec<Diagnostic>) {
    for entity in &model.entities {
        for keys in entity.indexes.iter().filter(|keys| keys.when.is_some()) {
            let place = Place::entity(&entity.name).member("indexes").member(&keys.index);
            notes.push(note(&place.member("when"), "the functions do not ask whether it holds"));
        }
    }
    let parts = [
        ("relationships", model.relationships.len()),
        ("patterns", model.patterns.len()),
        ("samples", model.samples.len()),
    ];
    for (member, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let place = Place::root().member(member);
        notes.push(note(&place, format!("{count} left out: types and keys are written")));
    }
}

/// A text that stays within its comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
