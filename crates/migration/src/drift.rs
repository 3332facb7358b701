//! Drift: what an item has, against what its attributes say that it should have.

use std::collections::BTreeMap;

use monotable_item::{Item, Value};
use monotable_model::recognition::{View, best};

use super::revision::Revision;
use super::succession::candidates;
use super::table_migration::Migration;

/// What was found about an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    /// Its entity in the new model, if it is of one.
    pub entity: Option<String>,
    /// What differs. Nothing if the item is right, or if it is of neither model.
    pub drifts: Vec<Drift>,
}

/// An attribute that is not what the other attributes say.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// The attribute.
    pub attribute: String,
    /// What is stored.
    pub stored: Option<Value>,
    /// What the model builds, if that is known.
    pub expected: Option<Value>,
    /// Why nothing could be built, if so.
    pub reason: Option<String>,
}

/// Builds every key of an item again and compares. An item that still has its old form has drifted,
/// too.
pub fn inspect(migration: &Migration<'_>, item: &Item) -> Inspection {
    let views = best(candidates(&migration.final_forms, item));
    let mut found: Option<Inspection> = None;
    for view in &views {
        let inspection = Inspection {
            entity: Some(view.form().entity.name.clone()),
            drifts: compare(migration, view, item),
        };
        // Of entities that fit equally well, one that is right is enough.
        if found.as_ref().is_none_or(|other| inspection.drifts.len() < other.drifts.len()) {
            found = Some(inspection);
        }
    }
    let inspection = found.unwrap_or(Inspection { entity: None, drifts: Vec::new() });
    with_revision(migration, item, inspection)
}

fn compare(migration: &Migration<'_>, view: &View<'_>, item: &Item) -> Vec<Drift> {
    let table = migration.table;
    let entity = view.form().entity;
    let built = match view.build() {
        Ok(built) => built,
        Err(error) => {
            let attribute = table.partition_key.name.clone();
            let stored = item.get(&attribute).cloned();
            return vec![Drift {
                attribute,
                stored,
                expected: None,
                reason: Some(error.to_string()),
            }];
        }
    };
    let is_own = |name: &str| entity.attributes.iter().any(|own| own.item_name() == name);
    let of_indexes = table.indexes.iter().flat_map(|index| index.key_attributes());
    let keys = table.key_attributes().chain(of_indexes).map(|key| key.name.as_str());
    let names = keys.chain(table.type_attribute.as_deref());
    let mut drifts = BTreeMap::new();
    for name in names.filter(|name| !is_own(name) || built.contains_key(*name)) {
        if built.get(name) != item.get(name) {
            drifts.insert(name, Drift::new(name, item.get(name), built.get(name)));
        }
    }
    drifts.into_values().collect()
}

/// Adds what a migration would still do.
fn with_revision(migration: &Migration<'_>, item: &Item, mut inspection: Inspection) -> Inspection {
    let mut add = |drift: Drift| {
        if inspection.drifts.iter().all(|known| known.attribute != drift.attribute) {
            inspection.drifts.push(drift);
        }
    };
    match migration.revise(item) {
        Revision::Foreign | Revision::Unaffected { .. } | Revision::Current { .. } => {}
        Revision::Update(update) => {
            for (name, value) in &update.set {
                add(Drift::new(name, item.get(name), Some(value)));
            }
            update.remove.iter().for_each(|name| add(Drift::new(name, item.get(name), None)));
            inspection.entity.get_or_insert(update.entity);
        }
        Revision::Move(moved) => {
            for (name, value) in migration.key_of(&moved.item) {
                if item.get(&name) != Some(&value) {
                    add(Drift::new(&name, item.get(&name), Some(&value)));
                }
            }
            inspection.entity.get_or_insert(moved.entity);
        }
        Revision::Blocked(blocked) => {
            let attribute = &migration.table.partition_key.name;
            let drift = Drift::new(attribute, item.get(attribute), None);
            add(Drift { reason: Some(blocked.to_string()), ..drift });
        }
    }
    inspection
}

impl Drift {
    fn new(attribute: &str, stored: Option<&Value>, expected: Option<&Value>) -> Drift {
        Drift {
            attribute: attribute.to_owned(),
            stored: stored.cloned(),
            expected: expected.cloned(),
            reason: None,
        }
    }
}
