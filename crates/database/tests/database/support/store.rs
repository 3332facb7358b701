//! Stores that outlive the database that is open on them.

use std::sync::Arc;
use std::time::Duration;

use monotable_storage::testing::contended::ContendedEngine;
use monotable_storage::{Engine, MemoryEngine};
use monotable_storage_local::{Durability, LocalEngine, Options};
use tempfile::TempDir;

/// Where the data of a test lies.
pub(crate) trait Store {
    type Engine: Engine;

    fn new() -> Self;

    /// The engine on the data as it was left.
    fn open(&self) -> Arc<Self::Engine>;

    /// What closing the database does to the engine.
    fn on_close() -> OnClose;
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnClose {
    Close,
    /// An engine in memory would lose everything.
    Keep,
}

pub(crate) struct MemoryStore(Arc<MemoryEngine>);

impl Store for MemoryStore {
    type Engine = MemoryEngine;

    fn new() -> MemoryStore {
        MemoryStore(Arc::new(MemoryEngine::new()))
    }

    fn open(&self) -> Arc<MemoryEngine> {
        self.0.clone()
    }

    fn on_close() -> OnClose {
        OnClose::Keep
    }
}

/// A store in memory on which every decision is made twice, at first on an older state.
pub(crate) struct ContendedStore(Arc<ContendedEngine<MemoryEngine>>);

impl Store for ContendedStore {
    type Engine = ContendedEngine<MemoryEngine>;

    fn new() -> ContendedStore {
        ContendedStore(Arc::new(ContendedEngine::new(MemoryEngine::new())))
    }

    fn open(&self) -> Arc<ContendedEngine<MemoryEngine>> {
        self.0.clone()
    }

    fn on_close() -> OnClose {
        OnClose::Keep
    }
}

pub(crate) struct LocalStore(TempDir);

impl Store for LocalStore {
    type Engine = LocalEngine;

    fn new() -> LocalStore {
        LocalStore(tempfile::tempdir().expect("a temporary folder"))
    }

    /// What these tests prove does not depend on when the disk is synced, so they do not wait for
    /// it.
    fn open(&self) -> Arc<LocalEngine> {
        let durability = Durability::Interval(Duration::from_secs(1));
        let options = Options { durability, ..Options::default() };
        Arc::new(LocalEngine::open(self.0.path(), &options).expect("the store opens"))
    }

    fn on_close() -> OnClose {
        OnClose::Close
    }
}
