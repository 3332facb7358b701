//! Indexes that are added and removed under a load of writes: the backfill misses nothing, leaves
//! no stale entry, and counts right.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable_database::Table;
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{TASKS, World, delete, in_tasks, put};

const ITEMS: usize = 700;
const ROUNDS: usize = 3;

on_both_engines!(an_index_added_under_load_is_exact);

async fn an_index_added_under_load_is_exact<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:N", &[]).await;
    for at in 0..ITEMS {
        world.put(&table, &format!("{{\"pk\": {at}, \"g\": \"old\", \"n\": {at}}}")).await.unwrap();
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let changes = {
        let (world, table, is_over) = (world.clone(), table.clone(), is_over.clone());
        tokio::spawn(async move {
            for _ in 0..ROUNDS {
                world.add_index("t", "by_g g:S/n:N include x").await;
                world.indexes_settle(&table).await;
                world.remove_index("t", "by_g").await;
                world.indexes_settle(&table).await;
            }
            world.add_index("t", "by_g g:S/n:N include x").await;
            world.indexes_settle(&table).await;
            is_over.store(true, Ordering::Release);
        })
    };
    let work = |task| {
        let (world, table, is_over) = (world.clone(), table.clone(), is_over.clone());
        async move {
            let mut at = task * 1009;
            while !is_over.load(Ordering::Acquire) {
                at += 1;
                write_something(&world, &table, at * 31 % (ITEMS + 50), at).await;
                tokio::task::yield_now().await;
            }
        }
    };
    in_tasks(TASKS, work).await;
    changes.await.expect("the changes end well");
    world.check_indexes_and_counters(&table).await;
}

async fn write_something<E: Engine>(world: &World<E>, table: &Arc<Table>, pk: usize, at: usize) {
    let key = format!("{{\"pk\": {pk}}}");
    let item = format!("{{\"pk\": {pk}, \"g\": \"g{}\", \"n\": {at}, \"x\": {at}}}", at % 3);
    match at % 6 {
        0 => world.put(table, &item).await.unwrap(),
        1 => {
            world.update(table, &key, &format!("SET g = `\"u{at}\"`, n = `1`"), None).await.unwrap()
        }
        2 => world.update(table, &key, "REMOVE g", None).await.unwrap(),
        3 => world.update(table, &key, &format!("SET x = `{at}`"), None).await.unwrap(),
        4 => {
            world.write(table, |table| delete(table, &key)).await.unwrap();
        }
        _ => {
            let text = |pk: usize| format!("{{\"pk\": {pk}, \"g\": \"t\", \"n\": {at}}}");
            let pair = |table: &Table| vec![put(table, &text(pk)), put(table, &text(pk + 1))];
            world.transact(table, pair).await;
        }
    }
}
