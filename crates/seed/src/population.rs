//! How many items of each entity there are to be.

use std::collections::BTreeMap;

use monotable_model::document::{Entity, Model, Relationship};

use super::family::parents_of;

/// How many items all entities together have by default.
pub const ITEMS_DEFAULT: u64 = 1000;
/// How many there are of an entity about which nothing is known.
const UNKNOWN_COUNT: f64 = 20.0;

/// The number of items of each entity: those that were asked for, and for all others what the
/// model's counts and averages come to at a size of about [`ITEMS_DEFAULT`].
pub fn population(model: &Model, asked: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let entities: Vec<&Entity> =
        model.entities.iter().filter(|entity| entity.key.is_some()).collect();
    let natural: BTreeMap<&str, f64> =
        entities.iter().map(|entity| (entity.name.as_str(), natural(model, entity, 0))).collect();
    let total: f64 = natural.values().sum();
    let scale = if total > 0.0 { (ITEMS_DEFAULT as f64 / total).min(1.0) } else { 1.0 };
    let scaled = |entity: &Entity| {
        let natural = natural.get(entity.name.as_str()).copied().unwrap_or(UNKNOWN_COUNT);
        (natural * scale).round().max(1.0)
    };
    let count = |entity: &&Entity| {
        let count = match asked.get(&entity.name) {
            Some(count) => *count,
            None => (scaled(entity) * growth(model, entity, asked, &scaled)).round() as u64,
        };
        (entity.name.clone(), if entity.singleton { count.min(1) } else { count })
    };
    entities.iter().map(count).collect()
}

/// How many items an entity has by itself: as many as the model says, or as its parents have on
/// average.
fn natural(model: &Model, entity: &Entity, depth: usize) -> f64 {
    if entity.singleton {
        return 1.0;
    }
    if let Some(count) = entity.count {
        return count as f64;
    }
    let of_parent = |relationship: &Relationship| {
        let parent = model.entity(&relationship.from).filter(|_| depth < model.entities.len())?;
        Some(natural(model, parent, depth + 1) * relationship.average_count()?)
    };
    let mut relationships = model
        .relationships
        .iter()
        .filter(|relationship| relationship.counted() == entity.name && relationship.tells_count());
    relationships.find_map(of_parent).unwrap_or(UNKNOWN_COUNT)
}

/// By how much an entity grows with a parent of which another number was asked for.
fn growth(
    model: &Model,
    entity: &Entity,
    asked: &BTreeMap<String, u64>,
    scaled: &dyn Fn(&Entity) -> f64,
) -> f64 {
    let mut ancestors: Vec<&Entity> = vec![entity];
    let mut position = 0;
    while let Some(next) = ancestors.get(position).copied() {
        position += 1;
        for parent in parents_of(model, next) {
            if let Some(count) = asked.get(&parent.entity.name) {
                return *count as f64 / scaled(parent.entity);
            }
            if !ancestors.iter().any(|known| known.name == parent.entity.name) {
                ancestors.push(parent.entity);
            }
        }
    }
    1.0
}
