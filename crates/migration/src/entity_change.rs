//! Changes of entities and of their keys.

use monotable_model::diagnostic::Place;
use monotable_model::document::{
    Entity, IndexKeys, Model, Tree, entity_tree, index_keys_tree, keys_tree,
};

use super::attribute_change;
use super::change::{Change, ChangeKind, Class, Mark};
use super::diff::{Difference, differences, written};

/// Compares the entities of two models.
pub(super) fn compare(old: &Model, new: &Model, changes: &mut Vec<Change>) {
    for entity in &new.entities {
        match old.entity(&entity.name) {
            Some(before) => Pair { old, new, before, entity }.compare(changes),
            None => changes.push(added(entity)),
        }
    }
    let gone = old.entities.iter().filter(|entity| new.entity(&entity.name).is_none());
    changes.extend(gone.map(removed));
}

fn added(entity: &Entity) -> Change {
    Change::new(Mark::Added, ChangeKind::Entity, Place::entity(&entity.name))
        .between(None, key_text(entity))
}

fn removed(entity: &Entity) -> Change {
    Change::new(Mark::Removed, ChangeKind::Entity, Place::entity(&entity.name))
        .between(key_text(entity), None)
        .breaking()
        .noting("its items stay in the table; delete them when nobody reads them any more")
}

fn key_text(entity: &Entity) -> Option<String> {
    entity.key.as_ref().map(|keys| written(&keys_tree(keys)))
}

/// An entity in both models.
struct Pair<'m> {
    old: &'m Model,
    new: &'m Model,
    before: &'m Entity,
    entity: &'m Entity,
}

impl Pair<'_> {
    fn compare(&self, changes: &mut Vec<Change>) {
        changes.extend(self.tables());
        changes.extend(self.key());
        self.indexes(changes);
        self.members(changes);
        attribute_change::compare(self.before, self.entity, changes);
    }

    fn place(&self) -> Place {
        Place::entity(&self.entity.name)
    }

    fn tables(&self) -> Option<Change> {
        let (before, after) = (&self.before.tables, &self.entity.tables);
        (before != after).then(|| {
            Change::new(Mark::Changed, ChangeKind::Entity, self.place().member("table"))
                .between(Some(before.join(", ")), Some(after.join(", ")))
                .of_class(Class::NewTable)
                .breaking()
                .noting("its items must be copied from one table to the other")
        })
    }

    fn key(&self) -> Option<Change> {
        let (before, after) = (key_text(self.before), key_text(self.entity));
        if before == after {
            return None;
        }
        let place = self.place().member("key");
        let change = Change::new(Mark::Changed, ChangeKind::Key, place)
            .between(before, after)
            .of_class(Class::Rewrite)
            .breaking();
        Some(self.announced(change))
    }

    /// Readers tell the forms of an item apart by its key or by its version.
    fn announced(&self, change: Change) -> Change {
        if self.before.version < self.entity.version {
            return change;
        }
        let next = self.entity.version.map_or(2, |version| version + 1);
        change.noting(format!("say so with version = {next}, so that readers can tell the forms"))
    }

    fn indexes(&self, changes: &mut Vec<Change>) {
        for keys in &self.entity.indexes {
            match self.before.index_key(&keys.index) {
                Some(before) => changes.extend(self.moved(before, keys)),
                None => changes.push(self.joined(keys)),
            }
        }
        let gone = self.before.indexes.iter();
        let gone = gone.filter(|keys| self.entity.index_key(&keys.index).is_none());
        changes.extend(gone.map(|keys| self.left(keys)));
    }

    fn index_place(&self, keys: &IndexKeys) -> Place {
        self.place().member("indexes").member(&keys.index)
    }

    /// The entity's items come into an index.
    fn joined(&self, keys: &IndexKeys) -> Change {
        let after = written(&index_keys_tree(self.new, self.entity, keys));
        let change = Change::new(Mark::Added, ChangeKind::IndexKey, self.index_place(keys))
            .between(None, Some(after));
        if is_built(self.new, self.entity, keys) {
            change.of_class(Class::Decorate)
        } else {
            change.noting("its key attributes are the items' own: nothing is written")
        }
    }

    /// The entity's items get another key in an index.
    fn moved(&self, before: &IndexKeys, keys: &IndexKeys) -> Option<Change> {
        let was = written(&index_keys_tree(self.old, self.before, before));
        let is = written(&index_keys_tree(self.new, self.entity, keys));
        (was != is).then(|| {
            Change::new(Mark::Changed, ChangeKind::IndexKey, self.index_place(keys))
                .between(Some(was), Some(is))
                .of_class(Class::Decorate)
                .breaking()
                .noting(
                    "old readers of the index miss items from the first update on; another index \
                     beside it spares them",
                )
        })
    }

    /// The entity's items leave an index.
    fn left(&self, keys: &IndexKeys) -> Change {
        let before = written(&index_keys_tree(self.old, self.before, keys));
        let change = Change::new(Mark::Removed, ChangeKind::IndexKey, self.index_place(keys))
            .between(Some(before), None)
            .breaking();
        if is_built(self.old, self.before, keys) {
            change.of_class(Class::Decorate)
        } else {
            change
        }
    }

    /// All else that is said about an entity.
    fn members(&self, changes: &mut Vec<Change>) {
        let alone = |model: &Model, entity: &Entity| -> Tree {
            entity_tree(model, &Entity { variant_of: None, ..entity.clone() })
        };
        let (before, after) = (alone(self.old, self.before), alone(self.new, self.entity));
        for difference in differences(&before, &after) {
            let elsewhere = ["table", "tables", "key", "indexes", "attributes"];
            if !elsewhere.contains(&difference.member.as_str()) {
                changes.push(self.member(difference));
            }
        }
        let (was, is) = (self.before.variant_of.clone(), self.entity.variant_of.clone());
        if was != is {
            let difference = Difference { member: "variant_of".to_owned(), before: was, after: is };
            changes.push(self.member(difference));
        }
    }

    fn member(&self, difference: Difference) -> Change {
        let member = difference.member.clone();
        let change =
            Change::new(difference.mark(), ChangeKind::Entity, self.place().member(&member))
                .between(difference.before, difference.after);
        match member.as_str() {
            "type_value" if self.has_type_attribute() => {
                change.of_class(Class::Decorate).breaking()
            }
            "version" => {
                change.noting("readers must know both versions until every item is of the new one")
            }
            "unique" => change.of_class(Class::Convert).noting(
                "items that are there have no marker for it: write those, and look for doubles",
            ),
            "copies" => change
                .of_class(Class::Convert)
                .breaking()
                .noting("copies that are missing must be written before readers ask for them"),
            "embedded_in" => change.of_class(Class::Convert).breaking(),
            "lock" => change.noting("items without the number must be written as well"),
            _ => change,
        }
    }

    fn has_type_attribute(&self) -> bool {
        self.new.tables_of(self.entity).any(|table| table.type_attribute.is_some())
    }
}

/// Whether the key of an index has attributes that are built, and are not the items' own.
fn is_built(model: &Model, entity: &Entity, keys: &IndexKeys) -> bool {
    let index = model.tables_of(entity).find_map(|table| table.index(&keys.index));
    let is_own =
        |name: &str| entity.attributes.iter().any(|attribute| attribute.item_name() == name);
    index.is_some_and(|index| index.key_attributes().any(|key| !is_own(&key.name)))
}
