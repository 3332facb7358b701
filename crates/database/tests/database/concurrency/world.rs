//! A database that many tasks share, and short ways to use it.

use std::future::Future;
use std::ops::ControlFlow;
use std::sync::Arc;

use monotable_database::check::{CheckMode, CheckOptions, check};
use monotable_database::schema::{IndexId, IndexKind, IndexSchema, IndexStatus};
use monotable_database::{
    Clock, Database, DatabaseOptions, Home, ItemKey, Lookup, Table, TableChange, TableError,
    TransactError, TransactWrite, Write, WriteError,
};
use monotable_item::{Item, stored};
use monotable_storage::Engine;
use tokio::task::JoinSet;

use crate::support::clock::ManualClock;
use crate::support::ids::CountingIds;
use crate::support::stepped_engine::SteppedEngine;
use crate::support::store::Store;
use crate::support::{contents, expression, json, table};

const WORKERS: usize = 4;
/// How many tasks a scenario has.
pub(crate) const TASKS: usize = 8;

/// Opens a database on threads of its own and runs a scenario to its end.
pub(crate) fn run<S: Store, F, R>(scenario: F)
where
    F: FnOnce(World<S::Engine>) -> R,
    R: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .build()
        .expect("a runtime without I/O starts");
    let store = S::new();
    runtime.block_on(async {
        let engine = SteppedEngine::new(store.open(), S::on_close());
        let clock = ManualClock::new();
        let (ids, options) = (CountingIds::new(), DatabaseOptions::default());
        let opening = Database::open(engine, clock.clone(), ids, options);
        let world = World(opening.await.expect("the database opens"), clock);
        scenario(world.clone()).await;
        world.0.close().await.expect("the database closes");
        let now_secs = world.1.now_millis() / 1000;
        drop(world);
        let options = CheckOptions { now_secs, mode: CheckMode::ReadOnly };
        let report = check(&store.open(), options, |_| ControlFlow::Continue(())).await;
        let report = report.expect("the store can be read");
        assert_eq!(report.faults, [], "what is left by a scenario belongs together");
    });
}

pub(crate) struct World<E: Engine>(
    pub(crate) Arc<Database<SteppedEngine<E>>>,
    pub(crate) Arc<ManualClock>,
);

impl<E: Engine> Clone for World<E> {
    fn clone(&self) -> World<E> {
        World(self.0.clone(), self.1.clone())
    }
}

/// Why a write did not happen.
#[derive(Debug)]
pub(crate) enum Failed {
    TableGone,
    Write(WriteError),
}

impl<E: Engine> World<E> {
    pub(crate) async fn create_table(&self, name: &str, key: &str, indexes: &[&str]) -> Arc<Table> {
        let mut definition = table::table(name, key).unwrap();
        for index in indexes {
            table::with_index(&mut definition, IndexKind::Global, index).unwrap();
        }
        self.0.create_table(definition).await.unwrap()
    }

    /// The table as it is now.
    pub(crate) async fn current(&self, table: &Table) -> Option<Arc<Table>> {
        self.0.table(&Home::default(), &table.schema().name).await.unwrap()
    }

    /// Does a write, checked again as often as the table changes.
    pub(crate) async fn write(
        &self,
        table: &Table,
        make: impl Fn(&Table) -> Write,
    ) -> Result<(), Failed> {
        loop {
            let table = self.current(table).await.ok_or(Failed::TableGone)?;
            match self.0.write(&table, &make(&table)).await {
                Ok(_) => return Ok(()),
                Err(WriteError::SchemaChanged) => {}
                Err(error) => return Err(Failed::Write(error)),
            }
        }
    }

    /// Does writes together, checked again as often as the table changes.
    pub(crate) async fn transact(&self, table: &Table, make: impl Fn(&Table) -> Vec<Write>) {
        loop {
            let table = self.current(table).await.unwrap();
            let writes = make(&table).into_iter();
            let member = |write| TransactWrite { table: table.clone(), write };
            let writes: Vec<TransactWrite> = writes.map(member).collect();
            match self.0.transact_write(&writes, None).await {
                Ok(_) => return,
                Err(TransactError::SchemaChanged) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    pub(crate) async fn put(&self, table: &Table, item: &str) -> Result<(), Failed> {
        self.write(table, |table| put(table, item)).await
    }

    pub(crate) async fn update(
        &self,
        table: &Table,
        key: &str,
        text: &str,
        condition: Option<&str>,
    ) -> Result<(), Failed> {
        self.write(table, |table| update(table, key, text, condition)).await
    }

    pub(crate) async fn get(&self, table: &Arc<Table>, key: &str) -> Option<Item> {
        self.get_many(table, &[key]).await.remove(0)
    }

    /// Items of one moment.
    pub(crate) async fn get_many(&self, table: &Arc<Table>, keys: &[&str]) -> Vec<Option<Item>> {
        let lookup = |key: &&str| Lookup { table: table.clone(), key: item_key(table, key) };
        let lookups: Vec<Lookup> = keys.iter().map(lookup).collect();
        let found = self.0.get_many(&lookups).await.unwrap();
        found.into_iter().map(|got| Some(stored::decode(&got.item?).unwrap())).collect()
    }

    /// Everything that a table or an index holds, page by page.
    pub(crate) async fn scan(&self, table: &Table, index: Option<IndexId>) -> Vec<Item> {
        contents::scan(&self.0, table, index).await
    }

    pub(crate) async fn add_index(&self, table: &str, index: &str) {
        let index = table::global_index(index).unwrap();
        let change = TableChange {
            definitions: index.key.attributes().cloned().collect(),
            create_index: Some(index),
            ..TableChange::default()
        };
        self.change(table, change).await;
    }

    /// Changes a table, checked again as often as it changes meanwhile.
    pub(crate) async fn change(&self, name: &str, change: TableChange) {
        loop {
            let table = self.0.table(&Home::default(), name).await.unwrap().unwrap();
            match self.0.update_table(&table, change.clone()).await {
                Ok(_) => return,
                Err(TableError::SchemaChanged) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    pub(crate) async fn remove_index(&self, table: &str, index: &str) {
        let delete_index = Some(index.to_owned());
        self.change(table, TableChange { delete_index, ..TableChange::default() }).await;
    }

    /// Waits until no index of the table comes or goes.
    pub(crate) async fn indexes_settle(&self, table: &Table) {
        let is_active = |index: &IndexSchema| index.status == IndexStatus::Active;
        while !self.current(table).await.unwrap().schema().indexes.iter().all(is_active) {
            tokio::task::yield_now().await;
        }
    }

    /// Checks that every index holds exactly what the items say, and that all counters are exact.
    pub(crate) async fn check_indexes_and_counters(&self, table: &Table) {
        let table = self.current(table).await.unwrap();
        contents::check_indexes_and_counters(&self.0, &table).await;
    }
}

/// Runs `work` in many tasks, each with its number, and waits for all of them.
pub(crate) async fn in_tasks<R>(tasks: usize, work: impl Fn(usize) -> R)
where
    R: Future<Output = ()> + Send + 'static,
{
    let mut running = JoinSet::new();
    (0..tasks).for_each(|task| {
        running.spawn(work(task));
    });
    while let Some(ended) = running.join_next().await {
        ended.expect("a task ends well");
    }
}

pub(crate) fn item_key(table: &Table, key: &str) -> ItemKey {
    ItemKey::of(table.schema(), &json::item(key).unwrap()).unwrap()
}

pub(crate) fn put(table: &Table, item: &str) -> Write {
    Write::put(table.schema(), stored::encode(&json::item(item).unwrap()).into()).unwrap()
}

pub(crate) fn update(table: &Table, key: &str, text: &str, condition: Option<&str>) -> Write {
    let update = Some(expression::update(text).unwrap());
    let condition = condition.map(|text| expression::condition(text).unwrap());
    let key = stored::encode(&json::item(key).unwrap()).into();
    Write::update(table.schema(), key, update).unwrap().on_condition(condition)
}

pub(crate) fn delete(table: &Table, key: &str) -> Write {
    Write::delete(item_key(table, key))
}

/// The number that an attribute holds.
pub(crate) fn number(item: &Item, name: &str) -> i64 {
    match &item[name] {
        monotable_item::Value::Number(number) => number.to_i64().expect("a small number"),
        other => panic!("{other:?}"),
    }
}
