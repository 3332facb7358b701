//! One server: a database and all its tasks.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use monotable_database::stream::StreamOptions;
use monotable_database::{Database, DatabaseOptions};
use monotable_storage::Engine;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use super::gate::Gate;
use super::gated_engine::{GatedEngine, Sharing};
use super::recorded_engine::RecordedEngine;
use crate::support::ids::CountingIds;

/// Often enough that a task which was let go comes to where it waits next.
const TURNS: usize = 6;

pub(super) type SimDatabase<E> = Database<GatedEngine<E>>;

/// Dropping it drops all tasks where they stand, as the death of a process does.
pub(super) struct Server<E: Engine> {
    pub(super) number: usize,
    runtime: Runtime,
    database: Arc<OnceLock<Arc<SimDatabase<E>>>>,
}

impl<E: Engine> Server<E> {
    /// Begins to open the store.
    pub(super) fn start(
        number: usize,
        inner: Arc<E>,
        gate: Arc<Gate>,
        recorded: Arc<RecordedEngine>,
        ids: Arc<CountingIds>,
        sharing: Sharing,
    ) -> Server<E> {
        let runtime = Builder::new_current_thread().build().expect("a runtime without I/O starts");
        let clock = recorded.clock.clone();
        let engine = GatedEngine { inner, gate, recorded, server: number, sharing };
        let streams = StreamOptions { lanes: Some(2), shard_age_millis: 2_000 };
        let options = DatabaseOptions { streams, ..DatabaseOptions::default() };
        let database = Arc::new(OnceLock::new());
        let opened = database.clone();
        runtime.spawn(async move {
            let opening = Database::open(engine, clock, ids, options);
            let _ = opened.set(opening.await.expect("the database opens"));
        });
        Server { number, runtime, database }
    }

    /// The database, once it is open.
    pub(super) fn database(&self) -> Option<&Arc<SimDatabase<E>>> {
        self.database.get()
    }

    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.runtime.spawn(work)
    }

    /// Lets what can go on do so.
    pub(super) fn turn(&self) {
        self.run(async {
            for _ in 0..TURNS {
                tokio::task::yield_now().await;
            }
        });
    }

    pub(super) fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}
