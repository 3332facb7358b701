//! A database on a store, which can be closed or killed and opened again.

use std::future::Future;
use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use monotable_database::check::{
    self, Change, CheckEvent, CheckMode, CheckOptions, CheckReport, Fault,
};
use monotable_database::schema::TableSchema;
use monotable_database::{Clock, Database, DatabaseOptions, Home, Table};
use monotable_storage::{Batch, Decision, Direction, Engine, KeyRange, Reads, Snapshot, Wants};
use tokio::runtime::{Builder, Runtime};

use super::clock::ManualClock;
use super::ids::CountingIds;
use super::stepped_engine::{Background, SteppedEngine, foreground};
use super::store::Store;

/// How often other tasks may run before a test that waits for them gives up.
const TURNS_MAX: usize = 3_000_000;
/// How often tasks run, at most, before they wait for a transaction: they wait for nothing else.
const TURNS_TO_REST: usize = 100;
/// The family of keys that note data to be removed.
const GARBAGE: u8 = 0x07;
/// A key of no family.
const UNUSED: u8 = 0xE0;

pub(crate) type TestDatabase<S> = Database<SteppedEngine<<S as Store>::Engine>>;

/// One run of the database, from its opening to its end. Fields are dropped in order: the tasks
/// first.
struct Life<S: Store> {
    runtime: Runtime,
    database: Arc<TestDatabase<S>>,
    background: Arc<Background>,
    engine: Arc<S::Engine>,
}

pub(crate) struct Harness<S: Store> {
    life: Option<Life<S>>,
    pub(crate) clock: Arc<ManualClock>,
    ids: Arc<CountingIds>,
    store: S,
    options: DatabaseOptions,
}

impl<S: Store> Harness<S> {
    pub(crate) fn new() -> Harness<S> {
        Harness::with(DatabaseOptions::default())
    }

    pub(crate) fn with(options: DatabaseOptions) -> Harness<S> {
        let (clock, ids) = (ManualClock::new(), CountingIds::new());
        let mut harness = Harness { life: None, clock, ids, store: S::new(), options };
        harness.open();
        harness
    }

    fn open(&mut self) {
        let runtime = Builder::new_current_thread().build().expect("a runtime without I/O starts");
        let engine = self.store.open();
        let stepped = SteppedEngine::new(engine.clone(), S::on_close());
        let background = stepped.background();
        let opening = Database::open(stepped, self.clock.clone(), self.ids.clone(), self.options);
        let database = runtime.block_on(foreground(opening)).expect("the database opens");
        self.life = Some(Life { runtime, database, background, engine });
    }

    /// Closes the database and opens it again.
    pub(crate) fn restart(&mut self) {
        let life = self.life.take().expect("the database is open");
        life.background.resume();
        life.runtime.block_on(life.database.close()).expect("the database closes");
        drop(life);
        self.open();
    }

    /// Ends everything the database does where it stands, and opens it again.
    pub(crate) fn crash(&mut self) {
        self.life = None;
        self.open();
    }

    fn life(&self) -> &Life<S> {
        self.life.as_ref().expect("the database is open")
    }

    pub(crate) fn database(&self) -> &Arc<TestDatabase<S>> {
        &self.life().database
    }

    pub(crate) fn background(&self) -> &Background {
        &self.life().background
    }

    pub(crate) fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.life().runtime.block_on(foreground(work))
    }

    /// Runs a change of a table that the test asks for.
    pub(crate) fn change<T>(&self, work: impl Future<Output = T>) -> T {
        self.background().ask_for_change(true);
        let changed = self.run(work);
        self.background().ask_for_change(false);
        changed
    }

    pub(crate) fn table(&self, name: &str) -> Option<Arc<Table>> {
        ready(self.database().table(&Home::default(), name)).expect("the store can be read")
    }

    pub(crate) fn schema(&self, table: &str) -> Option<Arc<TableSchema>> {
        self.table(table).map(|table| table.schema().clone())
    }

    pub(crate) fn schemas(&self) -> Vec<Arc<TableSchema>> {
        let names = ready(self.database().table_names(&Home::default(), None, usize::MAX));
        let names = names.expect("the store can be read");
        names.iter().filter_map(|name| self.schema(name)).collect()
    }

    /// Lets other tasks run until `done`.
    fn wait_until(&self, done: impl Fn() -> bool) {
        let turns = async {
            for _ in 0..TURNS_MAX {
                if done() {
                    return;
                }
                // What is waited for may be done by a thread of the engine, on a busy machine too.
                std::thread::yield_now();
                tokio::task::yield_now().await;
            }
            panic!("the background work does not end");
        };
        self.life().runtime.block_on(turns);
    }

    /// Waits until the background work has nothing to do, or nothing that is not held up.
    pub(crate) fn settle(&self) {
        self.come_to_rest();
        if !self.background().holds_up() {
            self.wait_until(|| {
                self.clock.has_sleepers() && self.indexes_are_active() && self.is_clean()
            });
        }
    }

    /// Waits until what is not held up has nothing to do: for a while no transaction begins.
    fn come_to_rest(&self) {
        let turns = std::cell::Cell::new(0);
        self.wait_until(|| {
            turns.set(if self.background().is_quiet() { turns.get() + 1 } else { 0 });
            turns.get() == TURNS_TO_REST
        });
    }

    /// Lets so many background transactions happen.
    pub(crate) fn step(&self, transactions: usize) {
        let end = self.background().ended() + transactions;
        self.background().allow(transactions);
        self.wait_until(|| self.background().ended() >= end);
    }

    fn indexes_are_active(&self) -> bool {
        let now_millis = self.clock.now_millis();
        self.schemas().iter().all(|schema| schema.has_indexes_at_rest(now_millis))
    }

    fn is_clean(&self) -> bool {
        self.entries(&KeyRange::prefix(&[GARBAGE])).is_empty()
    }

    /// Adds to a counter of the store, for sizes that no test can write.
    pub(crate) fn add_to_counter(&self, key: &[u8], delta: i64) {
        let mut batch = Batch::new();
        batch.add(key.to_vec(), delta);
        self.write_raw(&batch);
    }

    /// Checks the store; gives what was found and what was changed.
    pub(crate) fn check(&self, mode: CheckMode) -> (CheckReport, Vec<Change>) {
        let mut changes = Vec::new();
        let observe = |event| {
            if let CheckEvent::Change(change) = event {
                changes.push(change);
            }
            ControlFlow::Continue(())
        };
        let options = CheckOptions { now_secs: self.clock.now_millis() / 1000, mode };
        let report = self.run(check::check(&self.life().engine, options, observe));
        (report.expect("the store can be read"), changes)
    }

    /// Checks the store as it is at this moment, with whatever is under way.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        self.await_commits();
        let now_secs = self.clock.now_millis() / 1000;
        let options = CheckOptions { now_secs, mode: CheckMode::ReadOnly };
        let report =
            ready(check::check(&self.life().engine, options, |_| ControlFlow::Continue(())));
        report.expect("the store can be read").faults
    }

    /// Waits for what is being written, and lets nothing else begin: a check reads at several
    /// moments, and must find the same at each of them.
    fn await_commits(&self) {
        let mut batch = Batch::new();
        batch.delete(vec![UNUSED]);
        let decide = |_: &Reads| Decision::Commit(batch.clone(), ());
        let mut last = std::pin::pin!(self.life().engine.transact(Wants::nothing(), decide));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        while last.as_mut().poll(&mut context).is_pending() {
            std::thread::yield_now();
        }
    }

    /// Writes to the store past the database.
    pub(crate) fn write_raw(&self, batch: &Batch) {
        let decide = |_: &Reads| Decision::Commit(batch.clone(), ());
        self.run(self.life().engine.transact(Wants::nothing(), decide))
            .expect("the store can be written");
    }

    /// What the store holds, byte by byte. Reading the engines of these tests never waits.
    pub(crate) fn entries(&self, range: &KeyRange) -> Vec<(Vec<u8>, Bytes)> {
        let mut entries = Vec::new();
        let collect = |key: &[u8], value: Bytes| {
            entries.push((key.to_vec(), value));
            ControlFlow::Continue(())
        };
        let reading = async {
            let snapshot = self.life().engine.snapshot().await?;
            snapshot.visit(range, Direction::Forward, usize::MAX, collect).await
        };
        ready(reading).expect("the store can be read");
        entries
    }

    /// All counters of the store.
    pub(crate) fn counters(&self) -> Vec<(Vec<u8>, i64)> {
        let mut counters = Vec::new();
        let collect = |name: &[u8], value: i64| {
            counters.push((name.to_vec(), value));
            ControlFlow::Continue(())
        };
        let reading = async {
            let snapshot = self.life().engine.snapshot().await?;
            snapshot.visit_counters(&[], None, usize::MAX, collect).await
        };
        ready(reading).expect("the store can be read");
        counters
    }
}

/// What a future that never waits gives.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}
