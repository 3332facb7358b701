//! From one model to another, item by item.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::Item;
use monotable_model::document::{Entity, Model, Table};
use monotable_model::recognition::{Form, Recognizer, View, best};
use thiserror::Error;

use super::entity_migration::{EntityMigration, built_by_indexes, entity_migrations, source_of};
use super::expectation::Expectation;
use super::revision::{Blocked, Moved, Revision, Updated};
use super::succession::{Successors, candidates, united};

/// The migration of one table from a model to another.
#[derive(Debug, Clone)]
pub struct Migration<'m> {
    pub(super) old_table: &'m Table,
    pub(super) table: &'m Table,
    /// What items were.
    old_forms: Recognizer<'m>,
    /// What items become; items whose attributes still have their old names are recognised as well.
    forms: Recognizer<'m>,
    /// What items are in the end.
    pub(super) final_forms: Recognizer<'m>,
    entities: Vec<EntityMigration>,
}

/// Why a table cannot be migrated item by item.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MigrationError {
    /// One of the models does not have the table.
    #[error("the {which} model has no table {table}; it has {}", known.join(", "))]
    NoTable {
        /// Old or new.
        which: &'static str,
        /// The name that was asked for.
        table: String,
        /// The existing tables.
        known: Vec<String>,
    },
    /// The key of the table differs.
    #[error(
        "the key of table {table} differs between the models, and the key of a table never \
         changes: create another table and copy the items"
    )]
    OtherKey {
        /// The table.
        table: String,
    },
}

impl<'m> Migration<'m> {
    /// The migration of a table, by its name in the models or in the service.
    pub fn of_table(
        old: &'m Model,
        new: &'m Model,
        name: &str,
    ) -> Result<Migration<'m>, MigrationError> {
        let old_table = find_table(old, "old", name)?;
        let table = find_table(new, "new", name)?;
        let has_same_key = old_table.key_attributes().eq(table.key_attributes());
        if !has_same_key {
            return Err(MigrationError::OtherKey { table: name.to_owned() });
        }
        let form = |table, entity, source| Form { table, entity, source };
        let is_item = |entity: &&Entity| entity.key.is_some();
        let of_old = old.entities_in(old_table).filter(is_item);
        let of_new: Vec<&Entity> = new.entities_in(table).filter(is_item).collect();
        let mut entities = entity_migrations(old, new);
        entities.retain(|migration| migration.table == table.name);
        Ok(Migration {
            old_table,
            table,
            old_forms: Recognizer::of_forms(
                old_table,
                of_old.map(|entity| form(old_table, entity, None)).collect(),
            ),
            forms: Recognizer::of_forms(
                table,
                of_new.iter().map(|e| form(table, e, source_of(old, new, e))).collect(),
            ),
            final_forms: Recognizer::of_forms(
                table,
                of_new.iter().map(|entity| form(table, entity, None)).collect(),
            ),
            entities,
        })
    }

    /// What the items of each entity need. Nothing if no item is touched.
    pub fn entities(&self) -> &[EntityMigration] {
        &self.entities
    }

    /// The table in the new model.
    pub fn table(&self) -> &'m Table {
        self.table
    }

    /// The attributes of the key that an item has.
    pub fn key_of(&self, item: &Item) -> Item {
        let names = self.table.key_attributes().map(|key| &key.name);
        names.filter_map(|name| Some((name.clone(), item.get(name)?.clone()))).collect()
    }

    /// What takes an item, as it was read, to its new form.
    pub fn revise(&self, item: &Item) -> Revision {
        let found = self.recognise(item);
        let mut revisions: Vec<Revision> =
            found.views.iter().map(|view| self.revision(view, item, &found.considered)).collect();
        // Entities that fit equally well are no problem if they come to the same.
        let Some(first) = revisions.pop() else { return Revision::Foreign };
        if revisions.iter().all(|other| is_same_change(&first, other)) {
            return first;
        }
        let name = |view: &View<'_>| view.form().entity.name.clone();
        let entities = found.views.iter().map(name).collect();
        Revision::Blocked(Blocked::Ambiguous { entities })
    }

    /// What an item may become: by its key in the new model, and by what it was in the old one.
    fn recognise<'a>(&'a self, item: &'a Item) -> Successors<'a> {
        let direct = candidates(&self.forms, item);
        let former = candidates(&self.old_forms, item);
        let forms = direct.iter().chain(&former).map(View::form);
        let mut considered: Vec<Form<'a>> = forms.collect();
        let mut continued = Vec::new();
        for was in best(former) {
            let source = &was.form().entity.name;
            let continues = |form: &&Form<'m>| {
                form.source.is_some_and(|entity| entity.name == *source)
                    && self.may_be(**form, item)
            };
            let forms = self.forms.forms().iter().filter(continues);
            continued.extend(forms.map(|form| form.view_attributes(item, &was)));
        }
        considered.extend(continued.iter().map(View::form));
        let direct = if self.has_only_old_type(item) { Vec::new() } else { best(direct) };
        Successors { views: united(direct, best(continued)), considered }
    }

    /// Whether an item has a type of the old model under a name that the new one does not use, and
    /// so cannot have the new form.
    fn has_only_old_type(&self, item: &Item) -> bool {
        let before = self.old_table.type_attribute.as_ref();
        let is_other = before != self.table.type_attribute.as_ref();
        is_other && before.is_some_and(|name| item.contains_key(name))
    }

    /// Whether the type of an item allows what it was to become this. An attribute that both models
    /// have for the type may still hold the value of the old one.
    fn may_be(&self, form: Form<'_>, item: &Item) -> bool {
        self.old_table.type_attribute == self.table.type_attribute || form.has_type(item)
    }

    fn revision(&self, view: &View<'_>, item: &Item, considered: &[Form<'_>]) -> Revision {
        let entity = view.form().entity.name.clone();
        if !self.entities.iter().any(|migration| migration.entity == entity) {
            return Revision::Unaffected { entity };
        }
        if let Some(blocked) = two_names(view.form(), item) {
            return Revision::Blocked(blocked);
        }
        let built = match view.build() {
            Ok(built) => built,
            Err(reason) => return Revision::Blocked(Blocked::Unbuildable { entity, reason }),
        };
        let change = self.change(view.form(), item, &built);
        if change.set.is_empty() && change.remove.is_empty() {
            return Revision::Current { entity };
        }
        let key = self.key_of(item);
        if self.key_of(&built) != key {
            return Revision::Move(self.moved(view.form(), item, change));
        }
        let mut expects = self.read(view.form(), item, considered);
        let written = change.set.keys().chain(&change.remove);
        expects.extend(written.map(|name| (name.clone(), Expectation::of(item, name))));
        expects.retain(|name, _| !key.contains_key(name));
        Revision::Update(Updated { entity, key, set: change.set, remove: change.remove, expects })
    }

    /// The difference between an item and what its model builds, in what is built.
    fn change(&self, form: Form<'_>, item: &Item, built: &Item) -> Change {
        let built_names = self.built_names(form);
        let set = built_names.iter().filter_map(|name| {
            let value = built.get(name)?;
            (item.get(name) != Some(value)).then(|| (name.clone(), value.clone()))
        });
        let obsolete = self.obsolete_names(form);
        let gone = |name: &&String| !built.contains_key(*name) && item.contains_key(*name);
        Change { set: set.collect(), remove: obsolete.iter().filter(gone).cloned().collect() }
    }

    /// The attributes that the new model gives to an item of itself.
    fn built_names(&self, form: Form<'_>) -> BTreeSet<String> {
        let keys = self.table.key_attributes().map(|key| key.name.clone());
        let mut names: BTreeSet<String> = keys.chain(self.table.type_attribute.clone()).collect();
        names.extend(built_by_indexes(self.table, form.entity));
        let roots = form.entity.key_roots();
        for attribute in &form.entity.attributes {
            let is_default = attribute.default.is_some() && roots.contains(attribute.name.as_str());
            if is_default || former_name(form, &attribute.name).is_some() {
                names.insert(attribute.item_name().to_owned());
            }
        }
        names
    }

    /// The attributes that a model gave to an item of itself, and that it may not have any more.
    fn obsolete_names(&self, form: Form<'_>) -> BTreeSet<String> {
        let mut names = built_by_indexes(self.table, form.entity);
        if let Some(source) = form.source {
            names.extend(built_by_indexes(self.old_table, source));
            names.extend(
                form.entity.attributes.iter().filter_map(|own| former_name(form, &own.name)),
            );
        }
        names.extend(self.old_table.type_attribute.clone());
        let is_own =
            |name: &String| form.entity.attributes.iter().any(|own| own.item_name() == name);
        let is_key = |name: &String| self.table.key_attributes().any(|key| key.name == *name);
        names.retain(|name| !is_own(name) && !is_key(name));
        names
    }

    /// What was read to decide what an item is and which keys it has.
    fn read(
        &self,
        form: Form<'_>,
        item: &Item,
        considered: &[Form<'_>],
    ) -> BTreeMap<String, Expectation> {
        let mut expects = BTreeMap::new();
        let is_other = |other: &&Form<'_>| other.entity.name != form.entity.name;
        if considered.iter().any(|other| is_other(&other)) {
            for form in considered {
                told_apart_by(*form, item, &mut expects);
            }
        }
        for root in form.entity.key_roots() {
            for name in stored_names(form, root) {
                expects.insert(name.clone(), Expectation::of(item, &name));
            }
        }
        for name in self.table.type_attribute.iter().chain(&self.old_table.type_attribute) {
            expects.insert(name.clone(), Expectation::of(item, name));
        }
        expects
    }

    /// The item under its new key. All of it is copied, and so all of it must be as it was.
    fn moved(&self, form: Form<'_>, item: &Item, change: Change) -> Moved {
        let mut after = item.clone();
        after.retain(|name, _| !change.remove.contains(name));
        after.extend(change.set.clone());
        let mut expects: BTreeMap<String, Expectation> = BTreeMap::new();
        let sources = form.source.iter().flat_map(|source| source.attributes.iter());
        let declared = form.entity.attributes.iter().chain(sources);
        let declared = declared.map(|attribute| attribute.item_name().to_owned());
        let names = declared.chain(change.set.into_keys()).chain(item.keys().cloned());
        for name in names {
            let expectation = Expectation::of(item, &name);
            expects.insert(name, expectation);
        }
        let key = self.key_of(item);
        expects.retain(|name, _| !key.contains_key(name));
        Moved { entity: form.entity.name.clone(), key, item: after, expects }
    }
}

/// Attributes to set and to remove.
struct Change {
    set: BTreeMap<String, monotable_item::Value>,
    remove: BTreeSet<String>,
}

fn find_table<'m>(
    model: &'m Model,
    which: &'static str,
    name: &str,
) -> Result<&'m Table, MigrationError> {
    let by_model = model.table(name);
    let by_service = || model.tables.iter().find(|table| table.is_called(name));
    by_model.or_else(by_service).ok_or_else(|| MigrationError::NoTable {
        which,
        table: name.to_owned(),
        known: model.tables.iter().map(|table| table.name.clone()).collect(),
    })
}

/// Whether two revisions write the same.
fn is_same_change(a: &Revision, b: &Revision) -> bool {
    match (a, b) {
        (Revision::Update(a), Revision::Update(b)) => a.set == b.set && a.remove == b.remove,
        (Revision::Move(a), Revision::Move(b)) => a.item == b.item,
        (
            Revision::Unaffected { .. } | Revision::Current { .. },
            Revision::Unaffected { .. } | Revision::Current { .. },
        ) => true,
        (
            Revision::Foreign
            | Revision::Unaffected { .. }
            | Revision::Current { .. }
            | Revision::Update(_)
            | Revision::Move(_)
            | Revision::Blocked(_),
            _,
        ) => false,
    }
}

/// The name that an attribute had in items, if it was another one.
fn former_name(form: Form<'_>, name: &str) -> Option<String> {
    let attribute = form.entity.attribute(name)?;
    let former = form.source?.attribute(name)?;
    (former.item_name() != attribute.item_name()).then(|| former.item_name().to_owned())
}

/// The names in items of an attribute: its own, and the one that it had.
fn stored_names(form: Form<'_>, name: &str) -> Vec<String> {
    let own = form.entity.attribute(name).map_or(name, |attribute| attribute.item_name());
    std::iter::once(own.to_owned()).chain(former_name(form, name)).collect()
}

/// What told an item of an entity apart from those of others.
fn told_apart_by(form: Form<'_>, item: &Item, expects: &mut BTreeMap<String, Expectation>) {
    for attribute in &form.entity.attributes {
        for name in stored_names(form, &attribute.name) {
            if !attribute.values.is_empty() {
                expects.insert(name.clone(), Expectation::of(item, &name));
            } else if attribute.required && !expects.contains_key(&name) {
                expects.insert(name.clone(), Expectation::presence(item, &name));
            }
        }
    }
}

/// An attribute that an item has under two names, with different values.
fn two_names(form: Form<'_>, item: &Item) -> Option<Blocked> {
    form.entity.attributes.iter().find_map(|attribute| {
        let old = former_name(form, &attribute.name)?;
        let new = attribute.item_name();
        let (before, after) = (item.get(&old)?, item.get(new)?);
        (before != after).then(|| Blocked::TwoNames { old, new: new.to_owned() })
    })
}
