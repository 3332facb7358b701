//! How many items of an entity a query finds together, as relationships say.

use monotable_model::document::{Entity, Model, Pattern, Relationship, RelationshipKind};

use super::size::count;

/// How many items of an entity lie together where a pattern looks for them; nothing if neither
/// its key nor a relationship says it. Of several relationships the one counts whose one side the
/// pattern knows. What no relationship counts is one beside the items that belong to it.
pub fn count_together(model: &Model, entity: &str, pattern: &Pattern) -> Option<f64> {
    let found = model.entity(entity)?;
    if is_one(found, pattern) || knows_key(found, pattern) {
        return Some(1.0);
    }
    let counting = || relationships_of(model, entity);
    let knows = |name: &str| model.entity(name).is_some_and(|side| knows_key(side, pattern));
    if let Some(relationship) = counting().find(|one| knows(&one.from)) {
        return relationship.average_count();
    }
    let from_other_side = |one: &&Relationship| one.through.is_some() && knows(&one.to);
    if let Some(relationship) = counting().find(from_other_side)
        && let Some(average) = average_of_other_side(model, relationship)
    {
        return Some(average);
    }
    let alone = || has_its_many(model, entity, pattern).then_some(1.0);
    if counting().next().is_some() { average_together(model, entity) } else { alone() }
}

/// Whether a pattern returns the items that belong to an entity too.
fn has_its_many(model: &Model, entity: &str, pattern: &Pattern) -> bool {
    let is_returned = |name: &str| pattern.entities.iter().any(|other| other == name);
    model.relationships.iter().any(|one| {
        let many = one.counted();
        one.from == entity && many != entity && is_returned(many)
    })
}

/// How many items of an entity lie together, for every pattern that reads them: as the first
/// relationship that counts them says.
pub fn average_together(model: &Model, entity: &str) -> Option<f64> {
    relationships_of(model, entity).next()?.average_count()
}

/// The relationships that count an entity's items. One of an entity with itself, many to many and
/// without items that join them, says nothing about where they lie.
fn relationships_of<'m>(
    model: &'m Model,
    entity: &'m str,
) -> impl Iterator<Item = &'m Relationship> {
    let is_meant = move |one: &&Relationship| {
        let is_loose = one.kind == RelationshipKind::ManyToMany && one.through.is_none();
        one.counted() == entity && !(is_loose && one.from == one.to)
    };
    model.relationships.iter().filter(is_meant)
}

/// How many counted items one `to` has: all of them, shared among all `to`.
fn average_of_other_side(model: &Model, relationship: &Relationship) -> Option<f64> {
    let count_of = |name: &str| count(model, model.entity(name)?);
    let (from, to) = (count_of(&relationship.from)?, count_of(&relationship.to)?);
    (to > 0.0).then_some(from * relationship.average_count()? / to)
}

/// Returns whether a pattern knows what only one item has: a value that is declared to be unique.
fn is_one(entity: &Entity, pattern: &Pattern) -> bool {
    let is_known = |name: &str| pattern.by.iter().any(|known| known.attribute == name);
    entity.unique.iter().any(|unique| is_known(&unique.attribute))
}

/// Returns whether a pattern knows all attributes of an entity's key, by their names.
fn knows_key(entity: &Entity, pattern: &Pattern) -> bool {
    let Some(keys) = &entity.key else { return false };
    let mut paths = keys.partition.iter().chain(&keys.sort).flat_map(|one| one.paths()).peekable();
    let is_known = |name: &str| pattern.by.iter().any(|known| known.attribute == name);
    paths.peek().is_some() && paths.all(|path| is_known(&path.root))
}
