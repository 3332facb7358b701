//! After the caller of a change has gone, a write is acknowledged exactly if its table is there,
//! and what is acknowledged stays.

use std::sync::Arc;

use monotable_database::{Database, Home, Lookup, Write, WriteError};
use monotable_item::stored;
use monotable_storage::Engine;

use super::abandoned::abandoned_after;
use super::change::{CHANGES, Change, TABLE};
use super::on_both_engines;
use crate::support::contents::check_indexes_and_counters;
use crate::support::harness::Harness;
use crate::support::json;
use crate::support::store::Store;

on_both_engines!(a_write_after_an_abandoned_change_is_kept_if_it_is_acknowledged);
on_both_engines!(a_write_after_an_abandoned_change_has_settled_outlives_a_restart);

const ITEM: &str = r#"{"pk": -1, "g": "late", "x": 7, "expires": 4000000000}"#;

fn a_write_after_an_abandoned_change_is_kept_if_it_is_acknowledged<S: Store>() {
    for change in CHANGES {
        for polls in 0..=3 {
            let mut harness = abandon(change, polls);
            let is_written = harness.run(write(harness.database()));
            harness.crash();
            harness.settle();
            // A deletion that goes on takes along what was written before it.
            if change != Change::DeleteTable || harness.table(TABLE).is_some() {
                check::<S>(&harness, change, is_written);
            }
        }
    }
}

fn a_write_after_an_abandoned_change_has_settled_outlives_a_restart<S: Store>() {
    for change in CHANGES {
        for polls in 0..=3 {
            let mut harness = abandon::<S>(change, polls);
            harness.settle();
            let is_written = harness.run(write(harness.database()));
            assert_eq!(is_written, harness.table(TABLE).is_some(), "{change:?}");
            check(&harness, change, is_written);
            harness.restart();
            harness.settle();
            assert_eq!(is_written, harness.table(TABLE).is_some(), "{change:?}");
            check(&harness, change, is_written);
        }
    }
}

/// A database on which a caller has gone away in the middle of a change.
fn abandon<S: Store>(change: Change, polls: usize) -> Harness<S> {
    let harness = change.harness::<S>();
    let making = change.make(harness.database().clone());
    harness.run(abandoned_after(polls, making));
    harness
}

/// Writes the item, checked again as often as the table changes; returns whether that was
/// acknowledged.
async fn write<E: Engine>(database: &Arc<Database<E>>) -> bool {
    while let Some(table) = database.table(&Home::default(), TABLE).await.unwrap() {
        let item = stored::encode(&json::item(ITEM).unwrap());
        let write = Write::put(table.schema(), item.into()).unwrap();
        match database.write(&table, &write).await {
            Ok(_) => return true,
            Err(WriteError::SchemaChanged) => {}
            Err(error) => panic!("{error}"),
        }
    }
    false
}

fn check<S: Store>(harness: &Harness<S>, change: Change, is_written: bool) {
    let Some(table) = harness.table(TABLE) else {
        assert!(!is_written, "{change:?}");
        return;
    };
    let key = json::item(r#"{"pk": -1}"#).unwrap();
    let key = monotable_database::ItemKey::of(table.schema(), &key).unwrap();
    let lookups = [Lookup { table: table.clone(), key }];
    let got = harness.run(harness.database().get_many(&lookups)).unwrap().remove(0);
    assert_eq!(got.item.is_some(), is_written, "{change:?}");
    harness.run(check_indexes_and_counters(harness.database(), &table));
}
