//! All tables are taken back to what they were, or to nothing.
//!
//! After each scenario the store is checked: what is left belongs together.

use std::sync::Arc;
use std::time::Duration;

use monotable_database::schema::StreamView;
use monotable_database::{
    Database, DatabaseOptions, Home, RequestToken, Rewind, RewindError, SAVED_BYTES_MAX, Table,
    TableChange, TimeToLiveChange, TransactOutcome, TransactWrite,
};
use monotable_storage::Engine;

use crate::concurrency::on_both_engines;
use crate::concurrency::world::{Failed, TASKS, World, in_tasks, put};
use crate::support::clock::ManualClock;
use crate::support::ids::CountingIds;
use crate::support::stepped_engine::SteppedEngine;
use crate::support::store::{LocalStore, Store};
use crate::support::{json, table};

/// More than one transaction puts.
const ITEMS: usize = 600;

on_both_engines!(tables_that_are_emptied_stay_and_can_be_used);
on_both_engines!(tables_are_again_what_was_saved);
on_both_engines!(no_table_is_left_unless_one_is_protected);
on_both_engines!(streams_begin_anew_without_what_was_restored);
on_both_engines!(items_that_were_restored_expire);
on_both_engines!(a_transaction_happens_again_after_its_token_was_forgotten);
on_both_engines!(writers_never_see_a_table_half_restored);
on_both_engines!(what_was_left_unfinished_goes_with_the_next_rewind);

async fn filled<E: Engine>(world: &World<E>, name: &str) -> Arc<Table> {
    let table = world.create_table(name, "pk:N", &["by_n n:N all"]).await;
    for at in 0..ITEMS {
        put_item(world, &table, at).await;
    }
    table
}

async fn put_item<E: Engine>(world: &World<E>, table: &Table, at: usize) {
    world.put(table, &format!("{{\"pk\": {at}, \"n\": {}}}", at % 7)).await.unwrap();
}

async fn count<E: Engine>(world: &World<E>, table: &Table) -> usize {
    let table = world.current(table).await.expect("the table is there");
    world.scan(&table, None).await.len()
}

async fn names<E: Engine>(world: &World<E>) -> Vec<String> {
    world.0.table_names(&Home::default(), None, 100).await.unwrap()
}

async fn tables_that_are_emptied_stay_and_can_be_used<E: Engine>(world: World<E>) {
    let (one, other) = (filled(&world, "one").await, filled(&world, "other").await);
    world.0.rewind(Rewind::Empty).await.unwrap();
    for table in [&one, &other] {
        assert_eq!(count(&world, table).await, 0);
        let current = world.current(table).await.unwrap();
        assert_eq!(current.schema().uuid, table.schema().uuid);
        assert_eq!(current.schema().created_millis, table.schema().created_millis);
        put_item(&world, table, 3).await;
        world.check_indexes_and_counters(table).await;
        assert_eq!(count(&world, table).await, 1);
    }
}

async fn tables_are_again_what_was_saved<E: Engine>(world: World<E>) {
    let (changed, deleted) = (filled(&world, "changed").await, filled(&world, "deleted").await);
    world.0.save_tables("base").await.unwrap();
    let saved = world.0.saved_tables().remove(0);
    let counts = (saved.name(), saved.table_count(), saved.item_count());
    assert_eq!(counts, ("base", 2, 2 * ITEMS));
    assert!(saved.size_bytes() > 2 * ITEMS && saved.size_bytes() < SAVED_BYTES_MAX);
    for _ in 0..2 {
        world.put(&changed, "{\"pk\": 1, \"n\": 100}").await.unwrap();
        world.put(&changed, "{\"pk\": 100000}").await.unwrap();
        world.remove_index("changed", "by_n").await;
        let gone = world.current(&deleted).await.unwrap();
        world.0.delete_table(&gone).await.unwrap();
        world.create_table("new", "pk:S", &[]).await;
        world.0.rewind(Rewind::Restore("base".to_owned())).await.unwrap();
        assert_eq!(names(&world).await, ["changed", "deleted"]);
        for table in [&changed, &deleted] {
            assert_eq!(count(&world, table).await, ITEMS);
            assert_eq!(world.current(table).await.unwrap().schema().indexes.len(), 1);
            world.check_indexes_and_counters(table).await;
        }
        let table = world.current(&changed).await.unwrap();
        let item = world.get(&table, "{\"pk\": 1}").await.unwrap();
        assert_eq!(json::print_item(&item), "{\"n\": 1, \"pk\": 1}");
    }
    assert!(world.0.forget_saved("base") && !world.0.forget_saved("base"));
    let refused = world.0.rewind(Rewind::Restore("base".to_owned())).await.unwrap_err();
    assert!(matches!(refused, RewindError::NotSaved), "{refused}");
    assert_eq!(count(&world, &changed).await, ITEMS);
}

async fn no_table_is_left_unless_one_is_protected<E: Engine>(world: World<E>) {
    let (one, other) = (filled(&world, "one").await, filled(&world, "other").await);
    let protect = |is| TableChange { deletion_protection: Some(is), ..TableChange::default() };
    world.change("other", protect(true)).await;
    let refused = world.0.rewind(Rewind::Delete).await.unwrap_err();
    assert!(matches!(refused, RewindError::Protected { table } if table == "other"));
    assert_eq!((count(&world, &one).await, count(&world, &other).await), (ITEMS, ITEMS));
    world.change("other", protect(false)).await;
    world.0.rewind(Rewind::Delete).await.unwrap();
    assert_eq!(names(&world).await, Vec::<String>::new());
    let refused = world.put(&one, "{\"pk\": 1}").await.unwrap_err();
    assert!(matches!(refused, Failed::TableGone), "{refused:?}");
}

async fn streams_begin_anew_without_what_was_restored<E: Engine>(world: World<E>) {
    let table = filled(&world, "t").await;
    let stream = Some(Some(StreamView::NewAndOldImages));
    world.change("t", TableChange { stream, ..TableChange::default() }).await;
    put_item(&world, &table, 1_000_000).await;
    world.0.save_tables("base").await.unwrap();
    let before = world.0.streams(&Home::default()).await.unwrap();
    world.0.rewind(Rewind::Restore("base".to_owned())).await.unwrap();
    let after = world.0.streams(&Home::default()).await.unwrap();
    let [before] = <[_; 1]>::try_from(before).unwrap();
    let [after] = <[_; 1]>::try_from(after).unwrap();
    assert!(after.created_millis > before.created_millis && after.disabled_millis.is_none());
    assert_eq!(records(&world, &after).await, 0);
    put_item(&world, &table, 1_000_001).await;
    assert_eq!(records(&world, &after).await, 1);
}

async fn records<E: Engine>(
    world: &World<E>,
    stream: &monotable_database::stream::StreamSchema,
) -> usize {
    let mut count = 0;
    for shard in &stream.shards {
        let page = world.0.records(stream, shard, shard.trimmed_position, 1000).await.unwrap();
        count += page.records.len();
    }
    count
}

async fn items_that_were_restored_expire<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:N", &[]).await;
    let change = TimeToLiveChange::Enable("expires".to_owned());
    world.0.update_time_to_live(&table, change).await.unwrap();
    world.0.catch_up().await.unwrap();
    let in_an_hour = 1_700_000_000 + 3600;
    world.put(&table, &format!("{{\"pk\": 1, \"expires\": {in_an_hour}}}")).await.unwrap();
    world.put(&table, "{\"pk\": 2}").await.unwrap();
    world.0.save_tables("base").await.unwrap();
    world.0.rewind(Rewind::Empty).await.unwrap();
    world.0.rewind(Rewind::Restore("base".to_owned())).await.unwrap();
    assert_eq!(count(&world, &table).await, 2);
    world.1.advance(Duration::from_secs(2 * 3600));
    world.0.catch_up().await.unwrap();
    assert_eq!(count(&world, &table).await, 1);
}

async fn a_transaction_happens_again_after_its_token_was_forgotten<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:N", &[]).await;
    let token = RequestToken { home: Home::default(), token: "once".to_owned(), digest: 7 };
    for is_again in [false, true] {
        let table = world.current(&table).await.unwrap();
        let write = put(&table, "{\"pk\": 1}");
        let writes = [TransactWrite { table: table.clone(), write }];
        let outcome = world.0.transact_write(&writes, Some(&token)).await.unwrap();
        assert!(matches!(outcome, TransactOutcome::Done(_)), "again: {is_again}");
        world.0.rewind(Rewind::Empty).await.unwrap();
    }
}

async fn writers_never_see_a_table_half_restored<E: Engine>(world: World<E>) {
    let table = filled(&world, "t").await;
    world.0.save_tables("base").await.unwrap();
    let work = |task: usize| {
        let (world, table) = (world.clone(), table.clone());
        async move {
            for round in 0..10 {
                if task == 0 {
                    world.0.rewind(Rewind::Restore("base".to_owned())).await.unwrap();
                }
                let number = ITEMS + task * 1000 + round;
                put_item(&world, &table, number).await;
                check_whole(&world, &table).await;
            }
        }
    };
    in_tasks(TASKS, work).await;
    world.check_indexes_and_counters(&table).await;
}

/// Checks that a table has all items that were restored, if it is the same table while they are
/// counted: those of a table that was replaced are being removed.
async fn check_whole<E: Engine>(world: &World<E>, table: &Table) {
    let before = world.current(table).await.unwrap();
    let found = world.scan(&before, None).await.len();
    let after = world.current(table).await.unwrap();
    assert!(before.schema().id != after.schema().id || found >= ITEMS, "{found} items");
}

async fn what_was_left_unfinished_goes_with_the_next_rewind<E: Engine>(world: World<E>) {
    let definition = unfinished();
    world.0.create_table(definition.clone()).await.unwrap();
    world.0.rewind(Rewind::Empty).await.unwrap();
    assert!(world.0.table(&definition.home, &definition.name).await.unwrap().is_none());
}

/// A table as a rewind leaves it that is cut short.
fn unfinished() -> monotable_database::TableDefinition {
    let home = Home::new("", "unfinished");
    monotable_database::TableDefinition { home, ..table::table("7", "pk:N").unwrap() }
}

#[test]
fn what_was_left_unfinished_goes_when_the_store_is_opened() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let store = LocalStore::new();
    let open = || {
        let engine = SteppedEngine::new(store.open(), LocalStore::on_close());
        let options = DatabaseOptions::default();
        Database::open(engine, ManualClock::new(), CountingIds::new(), options)
    };
    runtime.block_on(async {
        let database = open().await.unwrap();
        database.create_table(unfinished()).await.unwrap();
        database.close().await.unwrap();
        drop(database);
        let database = open().await.unwrap();
        let definition = unfinished();
        let found = database.table(&definition.home, &definition.name).await.unwrap();
        assert!(found.is_none());
        database.close().await.unwrap();
    });
}
