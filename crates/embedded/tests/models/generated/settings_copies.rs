//! Settings in copies
//!
//! Tables, entities and access patterns of the model `settings-copies`, written by `monotable model
//! export --to rust`.

use std::collections::BTreeMap;

use monotable::db::{Get, Transaction};
use monotable::prelude::*;
use monotable::{Number, Value};

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", entities(Settings,))]
pub struct Data;

/// The entity `Settings`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_copy: pk = "GLOBAL_SETTINGS_{copy:02}")]
pub struct Settings {
    /// The attribute `Copy`.
    #[attr(name = "Copy")]
    pub copy: Number,
    /// The same in every copy
    #[attr(name = "Settings")]
    pub settings: BTreeMap<String, Value>,
}

/// Access pattern: read settings.
///
/// The reader picks a number
pub fn read_settings(db: &Db<Data>, copy: Number) -> Get<Settings> {
    db.get(Settings::by_copy(copy))
}

/// Access pattern: change settings.
pub fn change_settings(
    db: &Db<Data>,
    settings: &BTreeMap<String, Value>,
    copies: &[Number],
) -> Transaction<Data, ()> {
    let transaction = db.transaction();
    copies.iter().fold(transaction, |transaction, it| {
        let copy = *it;
        transaction.patch(patch(Settings::by_copy(copy)).settings(settings.clone()))
    })
}
