//! What comes and goes leaves nothing that is passed over again and again.
//!
//! Counted, not timed: how many deleted entries are met by all who walk over a range, the
//! background work among them. Were a queue walked over from its beginning each time, they would
//! grow with the square of what was in it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use monotable_database::schema::IndexId;
use monotable_database::{Database, DatabaseOptions, PageRequest, Span, Table, TimeToLiveChange};
use monotable_storage::{Direction, Engine, KeyRange, Snapshot};
use monotable_storage_local::LocalEngine;

use crate::concurrency::world::{World, delete};
use crate::support::clock::ManualClock;
use crate::support::contents::everything;
use crate::support::expression;
use crate::support::ids::CountingIds;
use crate::support::stepped_engine::SteppedEngine;
use crate::support::store::{LocalStore, Store};

/// The family of keys that note data to be removed.
const GARBAGE: u8 = 0x07;
const ROUNDS: usize = 60;
const ITEMS_PER_ROUND: usize = 50;
/// How many times a deleted entry is met, at most: by the work in the background that finds it, and
/// by who walks there first.
const TIMES_MET_MAX: usize = 6;

/// Runs a scenario, and returns how many deleted entries were met.
fn met_by(scenario: impl AsyncFnOnce(&World<LocalEngine>, &LocalEngine)) -> usize {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let store = LocalStore::new();
    runtime.block_on(async {
        let engine = store.open();
        let stepped = SteppedEngine::new(engine.clone(), LocalStore::on_close());
        let clock = ManualClock::new();
        let (ids, options) = (CountingIds::new(), DatabaseOptions::default());
        let opening = Database::open(stepped, clock.clone(), ids, options);
        let world = World(opening.await.unwrap(), clock);
        scenario(&world, &engine).await;
        world.0.close().await.unwrap();
        engine.passed_entries() as usize
    })
}

/// The number of the first item of a partition, in the table or in an index.
async fn first(
    world: &World<LocalEngine>,
    table: &Table,
    index: Option<IndexId>,
    condition: &str,
) -> Option<usize> {
    let schema = table.schema();
    let key = match index {
        Some(id) => &schema.index_by_id(id).unwrap().key,
        None => &schema.key,
    };
    let span = Span::Partition(expression::selection(key, condition).unwrap());
    let request = PageRequest { index, span, limit: Some(1), ..everything() };
    let page = world.0.page(table, &request).await.unwrap();
    let item = monotable_item::stored::decode(page.items.first()?).unwrap();
    Some(crate::concurrency::world::number(&item, "n") as usize)
}

async fn put(world: &World<LocalEngine>, table: &Arc<Table>, number: usize, rest: &str) {
    let item = format!("{{\"q\": \"jobs\", \"n\": {number}{rest}}}");
    world.put(table, &item).await.unwrap();
}

async fn remove(world: &World<LocalEngine>, table: &Arc<Table>, number: usize) {
    let key = format!("{{\"q\": \"jobs\", \"n\": {number}}}");
    world.write(table, |table| delete(table, &key)).await.unwrap();
}

/// Whether deleted data is noted that was not removed yet.
async fn has_garbage(engine: &LocalEngine) -> bool {
    let mut found = false;
    let visit = |_: &[u8], _: Bytes| {
        found = true;
        ControlFlow::Break(())
    };
    let snapshot = engine.snapshot().await.unwrap();
    let garbage = KeyRange::prefix(&[GARBAGE]);
    snapshot.visit(&garbage, Direction::Forward, 1, visit).await.unwrap();
    found
}

#[test]
fn a_queue_and_a_sparse_index_are_read_at_their_heads() {
    let met = met_by(async |world, _| {
        let table = world.create_table("t", "q:S/n:N", &["open shelf:S/n:N keys_only"]).await;
        let index = Some(table.schema().indexes[0].id);
        for round in 0..ROUNDS {
            let numbers = round * ITEMS_PER_ROUND..(round + 1) * ITEMS_PER_ROUND;
            for number in numbers.clone() {
                put(world, &table, number, ", \"shelf\": \"open\"").await;
            }
            // The last one stays until the next round.
            for number in numbers.start.saturating_sub(1)..numbers.end - 1 {
                remove(world, &table, number).await;
            }
            let last = Some(numbers.end - 1);
            assert_eq!(first(world, &table, None, "q = `\"jobs\"`").await, last);
            assert_eq!(first(world, &table, index, "shelf = `\"open\"`").await, last);
        }
    });
    let deleted = 2 * ROUNDS * ITEMS_PER_ROUND;
    assert!(met <= TIMES_MET_MAX * deleted, "{met} met, {deleted} deleted");
}

#[test]
fn expired_items_are_swept_once() {
    let met = met_by(async |world, _| {
        let table = world.create_table("t", "q:S/n:N", &[]).await;
        let enable = TimeToLiveChange::Enable("expires".to_owned());
        world.0.update_time_to_live(&table, enable).await.unwrap();
        let table = world.current(&table).await.unwrap();
        for round in 0..ROUNDS {
            let due = 1_700_000_000 + round;
            for number in round * ITEMS_PER_ROUND..(round + 1) * ITEMS_PER_ROUND {
                put(world, &table, number, &format!(", \"expires\": {due}")).await;
            }
            world.1.advance(Duration::from_secs(2));
            world.0.catch_up().await.unwrap();
            assert_eq!(first(world, &table, None, "q = `\"jobs\"`").await, None);
        }
    });
    // Each has an entry among those that expire.
    let deleted = 2 * ROUNDS * ITEMS_PER_ROUND;
    assert!(met <= TIMES_MET_MAX * deleted, "{met} met, {deleted} deleted");
}

#[test]
fn a_table_is_purged_without_walking_over_it_again_and_again() {
    let met = met_by(async |world, engine| {
        let table = world.create_table("t", "q:S/n:N", &["by_n n:N all"]).await;
        for number in 0..ROUNDS * ITEMS_PER_ROUND {
            put(world, &table, number, "").await;
        }
        world.0.delete_table(&table).await.unwrap();
        while has_garbage(engine).await {
            tokio::task::yield_now().await;
        }
    });
    // Once by the work in the background, which meets a removed range behind a key that was
    // deleted.
    let removed = 2 * ROUNDS * ITEMS_PER_ROUND;
    assert!(met <= 2 * removed, "{met} met, {removed} removed");
}
