//! A page is one moment: it never shows half of a transaction, on the table or on an index.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable_database::{Table, TransactWrite};
use monotable_item::Item;
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{World, in_tasks, number, put};

const ITEMS: usize = 10;
const ROUNDS: usize = 40;
const WRITERS: usize = 3;

on_both_engines!(a_page_shows_whole_transactions);

/// Every transaction gives all items the same round; a reader must never see two rounds.
async fn a_page_shows_whole_transactions<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:S/sk:N", &["by_round round:N all"]).await;
    let index = table.schema().indexes[0].id;
    write_round(&world, &table, 0).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let reader = {
        let (world, table, is_over) = (world.clone(), table.clone(), is_over.clone());
        tokio::spawn(async move {
            while !is_over.load(Ordering::Acquire) {
                check_round(&world.scan(&table, None).await);
                check_round(&world.scan(&table, Some(index)).await);
                tokio::task::yield_now().await;
            }
        })
    };
    let work = |task| {
        let (world, table) = (world.clone(), table.clone());
        async move {
            for round in 0..ROUNDS {
                write_round(&world, &table, task * ROUNDS + round).await;
            }
        }
    };
    in_tasks(WRITERS, work).await;
    is_over.store(true, Ordering::Release);
    reader.await.expect("the reader ends well");
    world.check_indexes_and_counters(&table).await;
}

async fn write_round<E: Engine>(world: &World<E>, table: &Arc<Table>, round: usize) {
    let member = |at: usize| {
        let item = format!("{{\"pk\": \"p{}\", \"sk\": {at}, \"round\": {round}}}", at % 3);
        TransactWrite { table: table.clone(), write: put(table, &item) }
    };
    let writes: Vec<TransactWrite> = (0..ITEMS).map(member).collect();
    world.0.transact_write(&writes, None).await.unwrap();
}

fn check_round(items: &[Item]) {
    assert_eq!(items.len(), ITEMS);
    let rounds: Vec<i64> = items.iter().map(|item| number(item, "round")).collect();
    assert!(rounds.iter().all(|round| *round == rounds[0]), "half of a transaction: {rounds:?}");
}
