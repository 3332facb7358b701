//! What a new entity does to those that are there: whose collections it joins, and which access
//! patterns return it from now on.

use std::collections::BTreeSet;

use monotable_model::diagnostic::Place;
use monotable_model::document::{Entity, Model};
use monotable_plan::{Plan, plan};

use super::change::{Change, ChangeKind, Mark, Readers};
use super::collection::{Neighbour, keys_at, neighbours};

/// Adds notes to the changes that bring an entity.
pub(super) fn note(old: &Model, new: &Model, changes: &mut [Change]) {
    let is_new = |entity: &&Entity| old.entity(&entity.name).is_none();
    if !new.entities.iter().any(|entity| is_new(&entity)) {
        return;
    }
    let leaks = new_leaks(old, new);
    for entity in new.entities.iter().filter(is_new) {
        let place = Place::entity(&entity.name);
        let is_it = |change: &&mut Change| {
            (change.mark, change.kind) == (Mark::Added, ChangeKind::Entity) && change.place == place
        };
        let Some(change) = changes.iter_mut().find(is_it) else { continue };
        change.notes.extend(collections(old, new, entity));
        let patterns = leaks.iter().filter(|(leaking, _)| *leaking == entity.name);
        for (_, pattern) in patterns {
            change.readers = Readers::Break;
            change.notes.push(format!("“{pattern}” returns it as well, and must skip it"));
        }
    }
}

/// In whose collections the items of a new entity lie.
fn collections(old: &Model, new: &Model, entity: &Entity) -> Vec<String> {
    if entity.is_embedded() {
        return vec!["a part of other items".to_owned()];
    }
    if let Some(base) = &entity.variant_of {
        return vec![format!("another form of {base}, whose items become it where they fit")];
    }
    let is_there = |other: &&Entity| !other.is_embedded() && old.entity(&other.name).is_some();
    let others: Vec<&Entity> = new.entities.iter().filter(is_there).collect();
    let neighbours = neighbours(new, entity, &others);
    if neighbours.is_empty() {
        return vec!["a collection of its own: no item that is there lies in it".to_owned()];
    }
    neighbours.iter().map(|neighbour| sentence(old, new, neighbour)).collect()
}

fn sentence(old: &Model, new: &Model, neighbour: &Neighbour) -> String {
    let Neighbour { entity, index } = neighbour;
    let place = index.as_ref().map_or("the table".to_owned(), Clone::clone);
    let keys =
        |model: &'_ Model| model.entity(entity).and_then(|e| keys_at(e, index.as_deref()).cloned());
    if keys(old) == keys(new) {
        format!("joins the collection of {entity} in {place}")
    } else {
        format!("shares a new collection in {place} with {entity}, whose items need its keys first")
    }
}

/// The entities that a pattern returns and does not want, and did not before; with the pattern.
fn new_leaks(old: &Model, new: &Model) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for pattern in &new.patterns {
        let Some(before) = old.pattern(&pattern.name) else { continue };
        let known = leaks(&plan(old, before));
        let now = leaks(&plan(new, pattern));
        found.extend(now.difference(&known).map(|entity| (entity.clone(), pattern.name.clone())));
    }
    found
}

fn leaks(plan: &Plan) -> BTreeSet<String> {
    plan.steps.iter().flat_map(|step| step.action.leaks()).collect()
}
