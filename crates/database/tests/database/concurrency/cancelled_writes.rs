//! A caller may go away at any point of its write. The write has then happened whole or not at all,
//! for the item, its index entries and the counters alike, even while an index is being added.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable_database::Table;
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{TASKS, World, in_tasks};

const ITEMS: usize = 300;
const ROUNDS: usize = 6;

on_both_engines!(callers_that_go_away_leave_nothing_half_done);

async fn callers_that_go_away_leave_nothing_half_done<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:N", &["by_n n:N all"]).await;
    for at in 0..ITEMS {
        world.put(&table, &format!("{{\"pk\": {at}, \"g\": \"x\", \"n\": 1}}")).await.unwrap();
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let changes = {
        let (world, table, is_over) = (world.clone(), table.clone(), is_over.clone());
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                world.add_index("t", &format!("late{round} g:S/n:N keys_only")).await;
                world.indexes_settle(&table).await;
                tokio::task::yield_now().await;
            }
            is_over.store(true, Ordering::Release);
        })
    };
    let work = |task| {
        let (world, table, is_over) = (world.clone(), table.clone(), is_over.clone());
        async move {
            for at in 0.. {
                if is_over.load(Ordering::Acquire) {
                    return;
                }
                write_and_go_away(&world, &table, task, at).await;
                tokio::task::yield_now().await;
            }
        }
    };
    in_tasks(TASKS, work).await;
    changes.await.expect("the changes end well");
    // The store commits in order, so what was left to it is done when a later write is answered.
    world.put(&table, r#"{"pk": -1}"#).await.unwrap();
    world.check_indexes_and_counters(&table).await;
}

/// Starts a write and drops it after it was polled a few times.
async fn write_and_go_away<E: Engine>(
    world: &World<E>,
    table: &Arc<Table>,
    task: usize,
    at: usize,
) {
    let item = format!(
        "{{\"pk\": {}, \"g\": \"t{task}\", \"n\": {at}}}",
        (task * 37 + at * 11) % (2 * ITEMS)
    );
    let write = world.put(table, &item);
    let patience = async {
        match at % 4 {
            // So that what was left to the store does not pile up.
            0 => std::future::pending().await,
            turns => {
                for _ in 1..turns {
                    tokio::task::yield_now().await;
                }
            }
        }
    };
    tokio::select! {
        biased;
        written = write => written.unwrap(),
        () = patience => {}
    }
}
