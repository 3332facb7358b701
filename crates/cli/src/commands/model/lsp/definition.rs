//! Where what is named at a byte is defined.

use monotable_model::diagnostic::{Place, Span};
use monotable_model::document::{Document, IndexKind, MemberSpans, Model};

use super::occurrence::{Occurrence, occurrence_at};

/// The bytes of the name that defines what stands at a byte.
pub(super) fn definition(text: &str, document: &Document, at: usize) -> Option<Span> {
    let place = match occurrence_at(text, document, at) {
        Some(occurrence) => attribute_place(&document.model, &occurrence)?,
        None => target(text, document, &document.places.at(at)?, at)?,
    };
    let mut members = document.places.members();
    let member = members.find(|member| *member.place == place)?;
    Some(member.key.unwrap_or(member.value))
}

/// Where an attribute is declared: in the first of the entities that has it. A variant may have it
/// from its base.
fn attribute_place(model: &Model, occurrence: &Occurrence) -> Option<Place> {
    let has = |entity: &&String| {
        let entity = model.entity(entity);
        entity.is_some_and(|entity| entity.attribute(&occurrence.attribute).is_some())
    };
    let entity = model.entity(occurrence.entities.iter().find(has)?)?;
    let owner = entity.variant_of.as_deref().unwrap_or(&entity.name);
    Some(Place::entity(owner).member("attributes").member(&occurrence.attribute))
}

/// What the text or the name of a member refers to.
fn target(text: &str, document: &Document, member: &MemberSpans<'_>, at: usize) -> Option<Place> {
    let model = &document.model;
    let steps = member.place.steps();
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let on_name = member.key.is_some_and(|key| key.start <= at && at <= key.end);
    let written = text.get(member.value.start..member.value.end)?;
    let written = written.trim_matches(['"', '\'']);
    match steps.as_slice() {
        ["samples", entity, ..]
        | ["tests", _, "samples", entity, ..]
        | ["tests", _, "steps", _, "expect", _, entity]
            if on_name =>
        {
            Some(Place::entity(entity))
        }
        ["entities", _, "indexes", index, ..] if on_name => index_place(model, index),
        ["entities", _, "variant_of" | "copy_of"]
        | ["entities", _, "unique", _, "by"]
        | ["relationships", _, "from" | "to" | "through"]
        | ["patterns", _, "entity"]
        | ["patterns", _, "returns", _]
        | ["patterns", _, "actions", _, "get" | "put" | "update" | "delete" | "check"]
        | ["tests", _, "steps", _, "expect", _] => Some(Place::entity(written)),
        ["patterns", _, "steps", _]
        | ["patterns", _, "steps", _, "pattern"]
        | ["tests", _, "steps", _, "pattern"] => Some(Place::pattern(written)),
        ["patterns", _, "index"] => index_place(model, written),
        ["patterns", _, "table"] | ["entities", _, "table"] | ["entities", _, "tables", _] => {
            Some(Place::table(written))
        }
        _ => None,
    }
}

fn index_place(model: &Model, name: &str) -> Option<Place> {
    let table = model.tables.iter().find(|table| table.index(name).is_some())?;
    let kind = match table.index(name)?.kind {
        IndexKind::Local => "local_indexes",
        IndexKind::Global => "global_indexes",
    };
    Some(Place::table(&table.name).member(kind).member(name))
}
