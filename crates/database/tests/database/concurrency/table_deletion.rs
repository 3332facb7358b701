//! A table that is deleted under a load of writes, with an index being filled, leaves nothing in
//! the store.

use std::ops::ControlFlow;

use bytes::Bytes;
use monotable_database::{Database, DatabaseOptions, Home, TableError};
use monotable_storage::{Direction, Engine, KeyRange, Snapshot};

use super::world::{Failed, TASKS, World, in_tasks};
use crate::support::clock::ManualClock;
use crate::support::ids::CountingIds;
use crate::support::stepped_engine::SteppedEngine;
use crate::support::store::{LocalStore, MemoryStore, Store};

const ITEMS: usize = 600;
const ROUNDS: usize = 4;
/// The families that hold a table's own data: items, index entries, counters, item collections,
/// notes of garbage and of how far indexes are filled.
const DATA_FAMILIES: [u8; 6] = [0x02, 0x03, 0x04, 0x05, 0x07, 0x0D];

#[test]
fn a_table_deleted_under_load_leaves_nothing_in_memory() {
    delete_under_load::<MemoryStore>();
}

#[test]
fn a_table_deleted_under_load_leaves_nothing_on_disk() {
    delete_under_load::<LocalStore>();
}

fn delete_under_load<S: Store>() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap();
    let store = S::new();
    runtime.block_on(async {
        let engine = store.open();
        let stepped = SteppedEngine::new(engine.clone(), S::on_close());
        let clock = ManualClock::new();
        let (ids, options) = (CountingIds::new(), DatabaseOptions::default());
        let opening = Database::open(stepped, clock.clone(), ids, options);
        let world = World(opening.await.unwrap(), clock);
        for _ in 0..ROUNDS {
            write_until_deleted(&world).await;
        }
        while !left_over(&*engine, &[0x07]).await.is_empty() {
            tokio::task::yield_now().await;
        }
        world.0.close().await.unwrap();
        drop(world);
        drop(engine);
        let left = left_over(&*store.open(), &DATA_FAMILIES).await;
        assert_eq!(left, Vec::<Vec<u8>>::new());
    });
}

/// Fills a table, adds an index, and deletes the table while tasks write to it.
async fn write_until_deleted<E: Engine>(world: &World<E>) {
    let table = world.create_table("t", "pk:N", &["by_n n:N all"]).await;
    for at in 0..ITEMS {
        world.put(&table, &format!("{{\"pk\": {at}, \"g\": \"x\", \"n\": 1}}")).await.unwrap();
    }
    world.add_index("t", "by_g g:S keys_only").await;
    let deletion = {
        let world = world.clone();
        tokio::spawn(async move {
            loop {
                let table = world.0.table(&Home::default(), "t").await.unwrap().unwrap();
                match world.0.delete_table(&table).await {
                    Ok(_) => break,
                    Err(TableError::SchemaChanged) => {}
                    Err(other) => panic!("{other}"),
                }
            }
            assert!(world.0.table(&Home::default(), "t").await.unwrap().is_none());
        })
    };
    let work = |task| {
        let (world, table) = (world.clone(), table.clone());
        async move {
            for at in 0.. {
                let item =
                    format!("{{\"pk\": {}, \"g\": \"y\", \"n\": {at}}}", task * 100_000 + at);
                match world.put(&table, &item).await {
                    Ok(()) => tokio::task::yield_now().await,
                    Err(Failed::TableGone) => return,
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
    };
    in_tasks(TASKS, work).await;
    deletion.await.expect("the deletion ends well");
    assert!(world.0.table(&Home::default(), "t").await.unwrap().is_none());
}

async fn left_over<E: Engine>(engine: &E, families: &[u8]) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    let snapshot = engine.snapshot().await.unwrap();
    let collect = |counter: &[u8], value: i64| {
        let is_wanted = families.contains(&counter[0]) && value != 0;
        keys.extend(is_wanted.then(|| counter.to_vec()));
        ControlFlow::Continue(())
    };
    snapshot.visit_counters(&[], None, usize::MAX, collect).await.unwrap();
    for family in families {
        let collect = |key: &[u8], _: Bytes| {
            keys.push(key.to_vec());
            ControlFlow::Continue(())
        };
        let range = KeyRange::prefix(&[*family]);
        snapshot.visit(&range, Direction::Forward, usize::MAX, collect).await.unwrap();
    }
    keys
}
