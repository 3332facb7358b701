//! Reads that may be stale, on a store that has a copy which is behind.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use monotable_database::capacity::Consistency;
use monotable_database::{Database, DatabaseOptions, Lookup, PageRequest, Table};
use monotable_item::stored;
use monotable_storage::{
    Decision, Engine, Key, MemoryEngine, MemorySnapshot, Reads, Result, Snapshot, Wants,
};

use crate::concurrency::world::{World, item_key, number};
use crate::support::clock::ManualClock;
use crate::support::contents::everything;
use crate::support::ids::CountingIds;
use crate::support::stepped_engine::SteppedEngine;
use crate::support::store::OnClose;

const KEY: &str = r#"{"pk": "a"}"#;

/// A store whose copy is what it was when it was last copied.
#[derive(Default)]
struct CopiedEngine {
    inner: MemoryEngine,
    copy: Mutex<Option<MemorySnapshot>>,
}

impl CopiedEngine {
    async fn copy(&self) {
        let snapshot = self.inner.snapshot().await.unwrap();
        *self.copy.lock().unwrap() = Some(snapshot);
    }
}

impl Engine for CopiedEngine {
    monotable_storage::delegate_reads!(inner: MemoryEngine);

    async fn stale_snapshot(&self) -> Option<MemorySnapshot> {
        self.copy.lock().unwrap().clone()
    }

    async fn stale_get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        let copy = self.stale_snapshot().await?;
        copy.get_many(keys).await.ok()
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        self.inner.transact(wants, decide).await
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn close(&self) -> Result<()> {
        self.inner.close().await
    }
}

fn run(scenario: impl AsyncFnOnce(&World<CopiedEngine>, &CopiedEngine)) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let engine = Arc::new(CopiedEngine::default());
        let stepped = SteppedEngine::new(engine.clone(), OnClose::Close);
        let clock = ManualClock::new();
        let (ids, options) = (CountingIds::new(), DatabaseOptions::default());
        let opening = Database::open(stepped, clock.clone(), ids, options);
        let world = World(opening.await.unwrap(), clock);
        scenario(&world, &engine).await;
        world.0.close().await.unwrap();
    });
}

/// What GetItem, BatchGetItem and Scan find of the item, which is the same.
async fn found(world: &World<CopiedEngine>, table: &Arc<Table>, consistency: Consistency) -> i64 {
    let got = world.0.get(table, &item_key(table, KEY), consistency).await.unwrap();
    let lookup = Lookup { table: table.clone(), key: item_key(table, KEY) };
    let together = match consistency {
        Consistency::Strong => world.0.get_many(&[lookup]).await.unwrap(),
        Consistency::Eventual => world.0.get_many_eventual(&[lookup]).await.unwrap(),
    };
    assert_eq!(got.item, together[0].item);
    let request = PageRequest { consistency, ..everything() };
    let page = world.0.page(table, &request).await.unwrap();
    assert_eq!(got.item.as_ref(), page.items.first());
    number(&stored::decode(&got.item.unwrap()).unwrap(), "n")
}

#[test]
fn only_reads_that_may_be_stale_come_from_the_copy() {
    run(async |world, engine| {
        let table = world.create_table("t", "pk:S", &[]).await;
        world.put(&table, r#"{"pk": "a", "n": 1}"#).await.unwrap();
        engine.copy().await;
        world.put(&table, r#"{"pk": "a", "n": 2}"#).await.unwrap();
        assert_eq!(found(world, &table, Consistency::Eventual).await, 1);
        assert_eq!(found(world, &table, Consistency::Strong).await, 2);
    });
}

#[test]
fn a_copy_that_knows_another_version_of_the_table_is_not_read() {
    run(async |world, engine| {
        let table = world.create_table("t", "pk:S", &[]).await;
        world.put(&table, r#"{"pk": "a", "n": 1}"#).await.unwrap();
        engine.copy().await;
        world.put(&table, r#"{"pk": "a", "n": 2}"#).await.unwrap();
        world.add_index("t", "by_n n:N all").await;
        world.indexes_settle(&table).await;
        let table = world.current(&table).await.unwrap();
        assert_eq!(found(world, &table, Consistency::Eventual).await, 2);
        engine.copy().await;
        world.put(&table, r#"{"pk": "a", "n": 3}"#).await.unwrap();
        assert_eq!(found(world, &table, Consistency::Eventual).await, 2);
    });
}
