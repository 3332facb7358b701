//! An engine in memory that remembers what was committed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use monotable_database::{Clock, ManualClock};
use monotable_storage::{
    Batch, Decision, Engine, Key, MemoryEngine, Operation, Reads, Result, Wants,
};

/// The first moment of every history: 2023-11-14T22:13:20Z.
const START_MILLIS: u64 = 1_700_000_000_000;

/// The family of leases.
pub(super) const LEASE: u8 = 0x0C;

/// One commit.
#[derive(Clone)]
pub(super) struct Commit {
    pub(super) millis: u64,
    /// By which server.
    pub(super) server: usize,
    /// The leases that it stands on.
    pub(super) leases: Vec<Key>,
    pub(super) batch: Batch,
}

impl Commit {
    pub(super) fn operations(&self) -> &[Operation] {
        self.batch.operations()
    }
}

pub(super) struct RecordedEngine {
    inner: MemoryEngine,
    commits: Mutex<Vec<Commit>>,
    pub(super) clock: Arc<ManualClock>,
    /// The server that calls.
    caller: AtomicUsize,
}

impl RecordedEngine {
    pub(super) fn new() -> Arc<RecordedEngine> {
        let clock = Arc::new(ManualClock::new(START_MILLIS));
        Arc::new(RecordedEngine {
            inner: MemoryEngine::new(),
            commits: Mutex::default(),
            clock,
            caller: AtomicUsize::new(0),
        })
    }

    /// Says who calls next.
    pub(super) fn called_by(&self, server: usize) {
        self.caller.store(server, Ordering::Relaxed);
    }

    /// All commits, in order.
    pub(super) fn commits(&self) -> Vec<Commit> {
        self.commits.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Engine for RecordedEngine {
    monotable_storage::delegate_reads!(inner: MemoryEngine);
    monotable_storage::delegate_properties!(inner);

    /// In one thread, nothing comes between a commit and its note.
    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        let mut committed = None;
        let decide = |reads: &Reads| {
            let decision = decide(reads);
            committed = match &decision {
                Decision::Commit(batch, _) => Some(batch.clone()),
                Decision::Keep(_) => None,
            };
            decision
        };
        let answer = self.inner.transact(wants, decide).await?;
        if let Some(batch) = committed {
            let leases = wants.shared.iter().filter(|key| key[0] == LEASE).cloned();
            let commit = Commit {
                millis: self.clock.now_millis(),
                server: self.caller.load(Ordering::Relaxed),
                leases: leases.collect(),
                batch,
            };
            self.commits.lock().unwrap_or_else(PoisonError::into_inner).push(commit);
        }
        Ok(answer)
    }

    async fn close(&self) -> Result<()> {
        Ok(())
    }
}
