//! Nothing is in the store that belongs to nothing.

use std::ops::ControlFlow;

use bytes::Bytes;
use monotable_item::Value;
use monotable_storage::{Direction, Engine, KeyRange, Snapshot};

use super::super::recorded_engine::RecordedEngine;
use super::replay::{Replay, TableRecord, map, number, table_of};
use crate::support::json::print_hex;

/// The index number in a counter that stands for the table itself.
const TABLE_ITSELF: u32 = u32::MAX;
/// The jobs that are done from time to time, and whose leases are kept in between.
const LASTING_JOBS: [&[u8]; 2] = [&[1], &[2]];

pub(super) fn check(replay: &Replay, recorded: &RecordedEngine) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut keys = Vec::new();
    runtime.block_on(async {
        let snapshot = recorded.snapshot().await.unwrap();
        let visit = |key: &[u8], _: Bytes| {
            keys.push(key.to_vec());
            ControlFlow::Continue(())
        };
        snapshot.visit(&KeyRange::all(), Direction::Forward, usize::MAX, visit).await.unwrap();
        let visit = |counter: &[u8], value: i64| {
            keys.extend((value != 0).then(|| counter.to_vec()));
            ControlFlow::Continue(())
        };
        snapshot.visit_counters(&[], None, usize::MAX, visit).await.unwrap();
    });
    for key in keys {
        assert!(belongs(replay, &key), "left over: {}", print_hex(&key));
    }
    replay.tables.values().for_each(check_at_rest);
}

fn belongs(replay: &Replay, key: &[u8]) -> bool {
    let table = || replay.tables.values().find(|table| table.id == table_of(key));
    let number = || u32::from_be_bytes(key[5..9].try_into().unwrap());
    match key[0] {
        // Tables, the next table's number, streams.
        0x01 | 0x08 | 0x09 => true,
        // Items, item collections.
        0x02 | 0x05 => table().is_some(),
        // Index entries.
        0x03 => table().is_some_and(|table| has_index(table, number())),
        // Counters.
        0x04 => table().is_some_and(|table| number() == TABLE_ITSELF || has_index(table, number())),
        // Expiry entries.
        0x0B => table().is_some_and(|table| has_expiry(table, number())),
        0x0C => LASTING_JOBS.contains(&&key[1..]),
        // Tokens, garbage, notes of how far indexes are filled.
        _ => false,
    }
}

fn indexes(table: &TableRecord) -> impl Iterator<Item = &monotable_item::Item> {
    match &table.schema["indexes"] {
        Value::List(indexes) => indexes.iter().map(map),
        other => panic!("{other:?}"),
    }
}

fn has_index(table: &TableRecord, id: u32) -> bool {
    indexes(table).any(|index| number(index, "id") == Some(id.into()))
}

fn has_expiry(table: &TableRecord, id: u32) -> bool {
    let ttl = table.schema.get("time_to_live").map(map);
    ttl.is_some_and(|ttl| number(ttl, "expiry") == Some(id.into()))
}

/// Checks that nothing of a table is under way.
fn check_at_rest(table: &TableRecord) {
    for index in indexes(table) {
        assert_eq!(index["status"], Value::String("active".to_owned()), "{}", table.name());
    }
    if let Some(ttl) = table.schema.get("time_to_live") {
        assert_eq!(map(ttl)["is_active"], Value::Bool(true), "{}", table.name());
    }
}
