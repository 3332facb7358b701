//! A key attribute that has one type here and another there.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Model, Table};

use crate::Subject;
use crate::key_site::{RouteKey, route_keys};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "key-type-conflict",
    Error,
    Keys,
    Model,
    "an attribute is a key of one type, and has another type in some items or as another key",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let tables = subject.model.tables.iter();
    tables.flat_map(|table| in_table(subject.model, table)).collect()
}

fn in_table(model: &Model, table: &Table) -> Vec<Diagnostic> {
    let indexes = table.indexes.iter().map(Some);
    let routes = std::iter::once(None).chain(indexes);
    let keys: Vec<RouteKey<'_>> = routes.flat_map(|index| route_keys(table, index)).collect();
    let mut found = Vec::new();
    for (number, key) in keys.iter().enumerate() {
        let earlier = keys.iter().take(number).find(|one| one.attribute.name == key.attribute.name);
        match earlier {
            Some(one) => found.extend(between_keys(one, key)),
            None => {
                let entities = model.entities_in(table);
                found.extend(entities.filter_map(|entity| in_entity(entity, key)));
            }
        }
    }
    found
}

fn between_keys(one: &RouteKey<'_>, other: &RouteKey<'_>) -> Option<Diagnostic> {
    let (first, second) = (one.attribute.kind.value_type(), other.attribute.kind.value_type());
    if first == second {
        return None;
    }
    let name = &one.attribute.name;
    let message = format!(
        "{name} is a key of type {} here, and of type {} elsewhere",
        second.code(),
        first.code()
    );
    let found = Diagnostic::error(RULE.code, other.place.clone(), message);
    let found = found.with_note_at(one.place.clone(), "the other key");
    Some(found.with_suggestion("give the index an attribute of its own"))
}

fn in_entity(entity: &Entity, key: &RouteKey<'_>) -> Option<Diagnostic> {
    let (name, wanted) = (&key.attribute.name, key.attribute.kind.value_type());
    let attribute = entity.attributes.iter().find(|attribute| attribute.item_name() == name)?;
    if attribute.kind == wanted {
        return None;
    }
    let message = format!(
        "{name} is {} in {}, and a key of type {}: such an item is refused",
        attribute.kind.code(),
        entity.name,
        wanted.code()
    );
    let place = Place::entity(&entity.name).member("attributes").member(&attribute.name);
    let found = Diagnostic::error(RULE.code, place, message);
    let found = found.with_note_at(key.place.clone(), "the key");
    Some(
        found.with_suggestion(format!(
            "store the attribute under another name: name = \"{name}Value\""
        )),
    )
}
