//! Renaming an attribute wherever it is named.

use monotable_model::diagnostic::Span;
use monotable_model::document::{Document, Format, Model};

use super::occurrence::{Occurrence, occurrence_at, occurrences};

/// The bytes of the attribute's name at a byte, if an attribute is named there.
pub(super) fn renamable(text: &str, document: &Document, at: usize) -> Option<Span> {
    let occurrence = occurrence_at(text, document, at)?;
    owner(&document.model, &occurrence).map(|_| occurrence.span)
}

/// The bytes that a new name is put at, or why it cannot be.
pub(super) fn rename(
    text: &str,
    format: Format,
    document: &Document,
    at: usize,
    name: &str,
) -> Result<Vec<Span>, String> {
    let nothing = || "there is no attribute here".to_owned();
    let occurrence = occurrence_at(text, document, at).ok_or_else(nothing)?;
    let model = &document.model;
    let owner = owner(model, &occurrence).ok_or_else(nothing)?;
    check_name(model, owner, name)?;
    let is_meant = |other: &Occurrence| {
        other.attribute == occurrence.attribute
            && other.entities.iter().any(|entity| family(model, entity) == owner)
    };
    let named = occurrences(text, document).into_iter().filter(is_meant);
    let mut spans: Vec<Span> = named.map(|other| other.span).collect();
    spans.sort_unstable();
    spans.dedup();
    check_result(&replaced(text, &spans, name), format)?;
    Ok(spans)
}

/// The entity whose attribute is named, or what it is a variant of.
fn owner<'m>(model: &'m Model, occurrence: &Occurrence) -> Option<&'m str> {
    let mut entities = occurrence.entities.iter().filter_map(|name| model.entity(name));
    let entity = entities.find(|entity| entity.attribute(&occurrence.attribute).is_some())?;
    Some(family(model, &entity.name))
}

fn family<'m>(model: &'m Model, name: &str) -> &'m str {
    let entity = model.entity(name);
    entity.map_or("", |entity| entity.variant_of.as_deref().unwrap_or(&entity.name))
}

/// A name can stand in templates and expressions without quotes, and is not taken.
fn check_name(model: &Model, owner: &str, name: &str) -> Result<(), String> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    if name.is_empty() || !name.chars().all(is_word) || name.starts_with(char::is_numeric) {
        return Err(format!("{name:?} is no name: it has letters, digits and _"));
    }
    let is_taken = model.entity(owner).is_some_and(|entity| entity.attribute(name).is_some());
    if is_taken { Err(format!("{owner} has an attribute {name} already")) } else { Ok(()) }
}

fn replaced(text: &str, spans: &[Span], name: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut after = 0;
    for span in spans {
        result.push_str(text.get(after..span.start).unwrap_or_default());
        result.push_str(name);
        after = span.end;
    }
    result + text.get(after..).unwrap_or_default()
}

/// A pattern over several entities names one attribute for all of them, so renaming that of one
/// can break it. What the model would be is read before anything is changed.
fn check_result(text: &str, format: Format) -> Result<(), String> {
    match monotable_lint::read(text, format) {
        Ok(_) => Ok(()),
        Err(mistakes) => {
            let first = mistakes.first();
            let what = first.map_or_else(String::new, |mistake| {
                format!(": {} at {}", mistake.message, mistake.place)
            });
            Err(format!("the model would not be consistent{what}"))
        }
    }
}
