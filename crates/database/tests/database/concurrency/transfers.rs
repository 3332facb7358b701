//! Money moves between accounts by transactions: none is lost or made, and no reader sees it under
//! way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable_database::{Lookup, Table, TransactError, TransactWrite, WriteError};
use monotable_item::Item;
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{TASKS, World, in_tasks, number, update};

const ACCOUNTS: usize = 5;
const TRANSFERS: usize = 40;
const START_BALANCE: i64 = 10;
const READERS: usize = 2;

on_both_engines!(transfers_keep_the_sum);

async fn transfers_keep_the_sum<E: Engine>(world: World<E>) {
    // Two tables, so that transactions span them, and an index whose entries move with every
    // transfer.
    let odd = world.create_table("odd", "pk:N", &["by_balance balance:N keys_only"]).await;
    let even = world.create_table("even", "pk:N", &["by_balance balance:N keys_only"]).await;
    let tables = [even, odd];
    for account in 0..ACCOUNTS {
        let item = format!("{{\"pk\": {account}, \"balance\": {START_BALANCE}}}");
        world.put(&tables[account % 2], &item).await.unwrap();
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let readers = (0..READERS).map(|_| {
        let (world, tables, is_over) = (world.clone(), tables.clone(), is_over.clone());
        tokio::spawn(async move { check_sums(&world, &tables, &is_over).await })
    });
    let readers: Vec<_> = readers.collect();
    let work = |task| {
        let (world, tables) = (world.clone(), tables.clone());
        async move {
            for at in 0..TRANSFERS {
                let (from, to) = ((task + at) % ACCOUNTS, (task + at * 3 + 1) % ACCOUNTS);
                if from != to {
                    transfer(&world, &tables, from, to, 1 + (at as i64 % 7)).await;
                }
            }
        }
    };
    in_tasks(TASKS, work).await;
    is_over.store(true, Ordering::Release);
    for reader in readers {
        assert!(reader.await.expect("a reader ends well") > 0, "the sum was never read");
    }
    for table in &tables {
        world.check_indexes_and_counters(table).await;
    }
}

/// Moves an amount, unless there is too little.
async fn transfer<E: Engine>(
    world: &World<E>,
    tables: &[Arc<Table>; 2],
    from: usize,
    to: usize,
    amount: i64,
) {
    let member = |account: usize, sign: &str, condition: Option<&str>| {
        let table = tables[account % 2].clone();
        let text = format!("SET balance = balance {sign} `{amount}`");
        let write = update(&table, &format!("{{\"pk\": {account}}}"), &text, condition);
        TransactWrite { table, write }
    };
    let enough = format!("balance >= `{amount}`");
    let writes = [member(from, "-", Some(&enough)), member(to, "+", None)];
    match world.0.transact_write(&writes, None).await {
        Ok(_) => {}
        Err(TransactError::Cancelled(reasons)) => {
            let is_poor = matches!(
                reasons.as_slice(),
                [Some(WriteError::ConditionFailed { existing: Some(_) }), None]
            );
            assert!(is_poor, "{reasons:?}");
        }
        Err(other) => panic!("{other}"),
    }
}

/// Reads all accounts at one moment, again and again; gives how often.
async fn check_sums<E: Engine>(
    world: &World<E>,
    tables: &[Arc<Table>; 2],
    is_over: &AtomicBool,
) -> usize {
    let keys = |table: usize| (0..ACCOUNTS).filter(move |account| account % 2 == table);
    let keys = [0, 1].map(|table| {
        let key = |account| Lookup {
            table: tables[table].clone(),
            key: super::world::item_key(&tables[table], &format!("{{\"pk\": {account}}}")),
        };
        keys(table).map(key).collect::<Vec<_>>()
    });
    let mut reads = 0;
    while !is_over.load(Ordering::Acquire) || reads == 0 {
        let found = world.0.get_many(&keys.concat()).await.unwrap();
        let decode = |got: monotable_database::Got| -> Item {
            monotable_item::stored::decode(&got.item.expect("accounts stay")).unwrap()
        };
        let balances: Vec<i64> =
            found.into_iter().map(|got| number(&decode(got), "balance")).collect();
        assert!(balances.iter().all(|balance| *balance >= 0), "{balances:?}");
        assert_eq!(balances.iter().sum::<i64>(), ACCOUNTS as i64 * START_BALANCE, "{balances:?}");
        reads += 1;
        tokio::task::yield_now().await;
    }
    reads
}
