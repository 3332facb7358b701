//! Expired items go, however their writes meet the sweeps.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use monotable_database::{Clock, Table, TimeToLiveChange};
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{TASKS, World, in_tasks, put};

const ITEMS_PER_TASK: usize = 120;
/// How many writes there are for each second of the clock. Less than a minute passes in all, so
/// that no sweep but the first one looks at everything.
const WRITES_PER_SECOND: usize = TASKS * ITEMS_PER_TASK / 40;
/// The sweeper, and what looks after streams and tokens.
const BACKGROUND_TASKS: usize = 2;
/// How often the sweeper may be waited for.
const TURNS_MAX: usize = 100_000;

on_both_engines!(sweeps_from_the_mark_miss_nothing_that_is_written_meanwhile);
on_both_engines!(nothing_due_is_left_by_catching_up);
on_both_engines!(what_expired_before_it_was_written_goes_with_the_next_sweep);

async fn sweeps_from_the_mark_miss_nothing_that_is_written_meanwhile<E: Engine>(world: World<E>) {
    let table = expiring_table(&world).await;
    let written = Arc::new(AtomicUsize::new(0));
    let work = |task| {
        let (world, table, written) = (world.clone(), table.clone(), written.clone());
        async move {
            for at in 0..ITEMS_PER_TASK {
                write_expired(&world, &table, task, at).await;
                if (written.fetch_add(1, Ordering::AcqRel) + 1).is_multiple_of(WRITES_PER_SECOND) {
                    world.1.advance(Duration::from_secs(1));
                }
            }
        }
    };
    in_tasks(TASKS, work).await;
    sweep_to_the_end(&world, &table).await;
}

async fn nothing_due_is_left_by_catching_up<E: Engine>(world: World<E>) {
    let table = expiring_table(&world).await;
    let work = |task| {
        let (world, table) = (world.clone(), table.clone());
        async move {
            for at in 0..ITEMS_PER_TASK {
                write_expired(&world, &table, task, at).await;
                if at % 16 == 0 {
                    world.1.advance(Duration::from_secs(7));
                    world.0.catch_up().await.unwrap();
                }
            }
        }
    };
    in_tasks(TASKS, work).await;
    world.0.catch_up().await.unwrap();
    assert!(world.scan(&table, None).await.is_empty());
}

async fn what_expired_before_it_was_written_goes_with_the_next_sweep<E: Engine>(world: World<E>) {
    let table = expiring_table(&world).await;
    for (at, secs_ago) in [3600, 1, 0, 86_400].into_iter().enumerate() {
        write_expiring(&world, &table, at, secs_ago).await;
        sweep_to_the_end(&world, &table).await;
    }
}

/// A table whose items expire by `expires`, swept once from the start.
async fn expiring_table<E: Engine>(world: &World<E>) -> Arc<Table> {
    let table = world.create_table("t", "pk:N", &["by_expiry expires:N keys_only"]).await;
    let enable = TimeToLiveChange::Enable("expires".to_owned());
    world.0.update_time_to_live(&table, enable).await.unwrap();
    world.0.catch_up().await.unwrap();
    table
}

/// Writes an item that expired some time ago, in one of the ways that there are.
async fn write_expired<E: Engine>(world: &World<E>, table: &Arc<Table>, task: usize, at: usize) {
    let number = task * ITEMS_PER_TASK + at;
    write_expiring(world, table, number, (number as u64 * 7919) % 100_000).await;
}

async fn write_expiring<E: Engine>(
    world: &World<E>,
    table: &Arc<Table>,
    number: usize,
    secs_ago: u64,
) {
    let expires = world.1.now_millis() / 1000 - secs_ago;
    let item = format!("{{\"pk\": {number}, \"expires\": {expires}}}");
    match number % 3 {
        0 => world.put(table, &item).await.unwrap(),
        1 => {
            let key = format!("{{\"pk\": {number}}}");
            world.update(table, &key, &format!("SET expires = `{expires}`"), None).await.unwrap();
        }
        _ => {
            world.transact(table, |table| vec![put(table, &item)]).await;
        }
    }
}

/// Lets one ordinary sweep begin, and waits until everything is gone. The sweeper must be at rest
/// when the clock moves: one that is still at work begins its rest afterwards, and is not woken.
async fn sweep_to_the_end<E: Engine>(world: &World<E>, table: &Table) {
    while world.1.sleepers() < BACKGROUND_TASKS {
        tokio::task::yield_now().await;
    }
    world.1.advance(Duration::from_secs(1));
    for _ in 0..TURNS_MAX {
        if world.scan(table, None).await.is_empty() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("{} items are left", world.scan(table, None).await.len());
}
