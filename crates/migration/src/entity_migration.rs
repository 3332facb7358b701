//! What the items of an entity need, as far as it can be said without looking at them.

use std::collections::BTreeSet;

use monotable_model::document::{Entity, IndexKeys, Model, Table};

use super::change::Class;

/// What the items of one entity in one table need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityMigration {
    /// The entity in the new model.
    pub entity: String,
    /// What its items are in the old model: the same name, unless a new variant takes them over.
    pub source: String,
    /// The table, by its name in the model.
    pub table: String,
    /// [`Class::Decorate`] or [`Class::Rewrite`].
    pub class: Class,
    /// The attributes that are set, by their names in items.
    pub sets: Vec<String>,
    /// The attributes that are removed. One that is also set depends on the item.
    pub removes: Vec<String>,
}

/// What the items of every entity need; entities that need nothing are left out.
pub(super) fn entity_migrations(old: &Model, new: &Model) -> Vec<EntityMigration> {
    let mut migrations = Vec::new();
    for entity in new.entities.iter().filter(|entity| !entity.is_embedded()) {
        let Some(source) = source_of(old, new, entity) else { continue };
        for table in new.tables_of(entity) {
            let Some(old_table) = old.table(&table.name) else { continue };
            if source.tables.contains(&old_table.name) {
                let pair = Pair { old_table, table, source, entity };
                migrations.extend(pair.migration());
            }
        }
    }
    migrations
}

/// The entity of the old model that the items of a new one were: of the same name or, for a new
/// variant, of the name of what it is a variant of.
pub(super) fn source_of<'m>(old: &'m Model, new: &'m Model, entity: &Entity) -> Option<&'m Entity> {
    if let Some(source) = old.entity(&entity.name) {
        return Some(source);
    }
    let base = entity.variant_of.as_ref().and_then(|name| new.entity(name))?;
    source_of(old, new, base)
}

/// An entity and what it was.
struct Pair<'m> {
    old_table: &'m Table,
    table: &'m Table,
    source: &'m Entity,
    entity: &'m Entity,
}

impl Pair<'_> {
    fn migration(&self) -> Option<EntityMigration> {
        let mut sets = BTreeSet::new();
        let mut removes = BTreeSet::new();
        let moves = self.source.key != self.entity.key;
        if moves {
            sets.extend(self.table.key_attributes().map(|key| key.name.clone()));
        }
        self.indexes(&mut sets, &mut removes);
        self.type_attribute(&mut sets, &mut removes);
        self.attributes(&mut sets, &mut removes);
        if sets.is_empty() && removes.is_empty() {
            return None;
        }
        Some(EntityMigration {
            entity: self.entity.name.clone(),
            source: self.source.name.clone(),
            table: self.table.name.clone(),
            class: if moves { Class::Rewrite } else { Class::Decorate },
            sets: sets.into_iter().collect(),
            removes: removes.into_iter().collect(),
        })
    }

    fn indexes(&self, sets: &mut BTreeSet<String>, removes: &mut BTreeSet<String>) {
        let is_own = |name: &String| {
            let mut all = self.entity.attributes.iter().chain(&self.source.attributes);
            all.any(|attribute| attribute.item_name() == name)
        };
        let still_built = built_by_indexes(self.table, self.entity);
        for keys in &self.source.indexes {
            let gone = key_names(self.old_table, keys).filter(|name| !still_built.contains(name));
            removes.extend(gone.filter(|name| !is_own(name)));
        }
        for keys in &self.entity.indexes {
            let before = self.source.index_key(&keys.index);
            let names: Vec<String> = key_names(self.table, keys).collect();
            let same_names = before.is_some_and(|before| {
                key_names(self.old_table, before).collect::<Vec<_>>() == names
            });
            if before == Some(keys) && same_names {
                continue;
            }
            let built: Vec<String> = names.into_iter().filter(|name| !is_own(name)).collect();
            let leaves = before.is_some_and(|before| before.when != keys.when);
            removes.extend(built.iter().filter(|_| leaves).cloned());
            sets.extend(built);
        }
    }

    fn type_attribute(&self, sets: &mut BTreeSet<String>, removes: &mut BTreeSet<String>) {
        let (before, after) = (&self.old_table.type_attribute, &self.table.type_attribute);
        if before != after {
            removes.extend(before.clone());
        }
        if before != after || self.source.type_value() != self.entity.type_value() {
            sets.extend(after.clone());
        }
    }

    /// Attributes that are stored under another name, and defaults that keys are built from.
    fn attributes(&self, sets: &mut BTreeSet<String>, removes: &mut BTreeSet<String>) {
        for attribute in &self.entity.attributes {
            let before = self.source.attribute(&attribute.name);
            if let Some(before) = before.filter(|old| old.item_name() != attribute.item_name()) {
                sets.insert(attribute.item_name().to_owned());
                removes.insert(before.item_name().to_owned());
            }
            let had_default = before.is_some_and(|before| before.default == attribute.default);
            let is_new_default = attribute.default.is_some() && !had_default;
            if is_new_default && self.entity.key_roots().contains(attribute.name.as_str()) {
                sets.insert(attribute.item_name().to_owned());
            }
        }
    }
}

/// The attributes of the key of an index.
fn key_names<'m>(table: &'m Table, keys: &'m IndexKeys) -> impl Iterator<Item = String> + 'm {
    let index = table.index(&keys.index);
    // A local index shares the partition key of the table, which is no attribute of its own.
    let own = index.into_iter().flat_map(|index| index.key_attributes());
    own.filter(|key| table.key_attributes().all(|other| other != *key)).map(|key| key.name.clone())
}

/// The attributes of the keys of all indexes that an entity is in.
pub(super) fn built_by_indexes(table: &Table, entity: &Entity) -> BTreeSet<String> {
    entity.indexes.iter().flat_map(|keys| key_names(table, keys)).collect()
}
