//! What the tree needs done besides commits: full memtables written out, tables merged, old states forgotten.
//!
//! One thread writes memtables out, and some merge tables. They work until there is nothing to do and then wait for
//! the next change: every change that one of them makes, and every commit that lets old states go, wakes them all. So work
//! that could not be done because another thread was at those tables is looked at again when that thread has
//! finished, and nobody who waits for the backlog to shrink waits in vain.
//!
//! # How a memtable is exchanged
//!
//! The tree is locked, for readers too, while it syncs the list of its tables and the last file of a merge. The committer must
//! not wait for that. So it writes to its memtable directly, and leaves to this thread to exchange it:
//!
//! 1. The committer finds the memtable full and asks for another one.
//! 2. The thread seals it in the tree, behind a new one, and offers the new one. Readers see both.
//! 3. The committer, between two commits, begins a segment of the journal, goes over to the new memtable, and lets go of the old one.
//! 4. The thread writes the old one to a table, and frees the segments before the new one.
//!
//! # When the disk is full
//!
//! A flush or a merge for which there is no room leaves the tree as it was. What it wrote is removed, and it is done again after a pause, for
//! as long as it takes; whoever writes more than memory may hold is refused meanwhile. From the second time on nobody else writes tables, so that it is known whose files
//! are whose.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsm_tree::{AbstractTree, Memtable};

use crate::back_pressure::RUNS_MANY;
use crate::damage::find_damaged;
use crate::health::Writing;
use crate::journal::{JournalError, is_full};
use crate::leftovers::{self, Attempt};
use crate::store::Store;
use crate::tree_files::FileError;

/// From how many runs on tables are merged though they are not due.
const TIDY_RUNS: usize = 2;
/// For how long nothing must have been written before that.
const TIDY_AFTER: Duration = Duration::from_secs(2);

/// How long a full disk is left alone.
const FULL_PAUSE: Duration = Duration::from_secs(2);

/// Wakes the committer, so that it takes what is offered, or publishes the newest state.
pub(crate) type Nudge = Box<dyn Fn() + Send + Sync>;

/// The threads. Dropping it ends them, after what they are doing.
pub(crate) struct Background {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    store: Arc<Store>,
    nudge: Nudge,
    state: Mutex<State>,
    changed: Condvar,
    /// Held by whoever merges tables: by all as usual, or by one alone.
    merging: RwLock<()>,
    /// Held by whoever writes tables, before `merging`: by all as usual, or by one alone after there was no room.
    writing: RwLock<()>,
    /// Copies of what the state and the tree say, for the committer to read without a lock.
    is_offered: AtomicBool,
    runs: AtomicUsize,
    failed: AtomicBool,
}

struct State {
    exchange: Exchange,
    /// Counts everything that somebody may wait for.
    changes: u64,
    is_stopping: bool,
}

/// How far the exchange of a memtable is.
enum Exchange {
    None,
    Wanted,
    Offered(Arc<Memtable>),
    /// The committer has taken the new memtable.
    Taken,
    /// Nobody writes to the old memtable any more, and the journal has this segment for the new one.
    Released(u64),
}

impl Background {
    pub(crate) fn start(store: Arc<Store>, nudge: Nudge) -> std::io::Result<Background> {
        let runs = AtomicUsize::new(store.tree().l0_run_count());
        let shared = Arc::new(Shared {
            store,
            nudge,
            state: Mutex::new(State { exchange: Exchange::None, changes: 1, is_stopping: false }),
            changed: Condvar::new(),
            merging: RwLock::new(()),
            writing: RwLock::new(()),
            is_offered: AtomicBool::new(false),
            runs,
            failed: AtomicBool::new(false),
        });
        let mut background = Background { shared, threads: Vec::new() };
        background.spawn("storage-flush", Shared::write_out)?;
        background.spawn("storage-merge", Shared::merge_and_tidy)?;
        for _ in 1..merging_threads() {
            background.spawn("storage-merge", Shared::merge)?;
        }
        Ok(background)
    }

    fn spawn(
        &mut self,
        name: &str,
        work: fn(&Shared) -> Result<(), Failure>,
    ) -> std::io::Result<()> {
        let shared = self.shared.clone();
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            let working = Working(&shared);
            if let Err(error) = work(working.0) {
                let is_unreadable = matches!(error, Failure::Tree(_));
                let damaged = is_unreadable.then(|| find_damaged(shared.store.tree())).flatten();
                tracing::error!(%error, ?damaged, "background work failed, no further writes are accepted");
            }
        })?;
        self.threads.push(thread);
        Ok(())
    }

    /// Asks for another memtable, unless that was done.
    pub(crate) fn want_memtable(&self) {
        self.shared.want_memtable();
    }

    /// The new memtable, if one is offered. [`release`](Background::release) must follow.
    pub(crate) fn take_memtable(&self) -> Option<Arc<Memtable>> {
        if !self.shared.is_offered.swap(false, Ordering::AcqRel) {
            return None;
        }
        let mut state = self.shared.lock();
        match std::mem::replace(&mut state.exchange, Exchange::Taken) {
            Exchange::Offered(memtable) => Some(memtable),
            other => {
                state.exchange = other;
                None
            }
        }
    }

    /// Offers a memtable once more that was taken and could not be used.
    pub(crate) fn give_back(&self, memtable: Arc<Memtable>) {
        self.shared.offer(memtable);
    }

    /// Says that nobody writes to the old memtable any more, and which segment the new one begins with.
    pub(crate) fn release(&self, segment: u64) {
        self.shared.change(|state| state.exchange = Exchange::Released(segment));
    }

    /// Says that readers were given a newer state, so that older ones can be forgotten.
    pub(crate) fn published(&self) {
        self.shared.change(|_| ());
    }

    /// How many runs of tables are not merged yet.
    pub(crate) fn runs(&self) -> usize {
        self.shared.runs.load(Ordering::Relaxed)
    }

    /// Whether something failed, after which nothing more is written out or merged.
    pub(crate) fn failed(&self) -> bool {
        self.shared.failed.load(Ordering::Acquire)
    }

    /// How many changes there have been.
    pub(crate) fn changes(&self) -> u64 {
        self.shared.lock().changes
    }

    /// Waits until there have been more changes than `seen`.
    pub(crate) fn wait_for_change(&self, seen: u64) {
        drop(self.shared.wait_while(|state| state.changes == seen));
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.shared.change(|state| state.is_stopping = true);
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread of the background work panicked");
            }
        }
    }
}

/// Stands while a thread works. If it ends before it is told to, by an error or a panic, nobody may wait for it.
struct Working<'a>(&'a Shared);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        if !self.0.lock().is_stopping {
            self.0.failed.store(true, Ordering::Release);
            self.0.store.health().poison();
            self.0.change(|_| ());
        }
    }
}

/// Why the work ended.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Tree(#[from] lsm_tree::Error),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Files(#[from] FileError),
}

impl Failure {
    /// Whether there was no room, and it can be tried again.
    fn is_full(&self) -> bool {
        match self {
            Failure::Tree(lsm_tree::Error::Io(error)) => is_full(error),
            Failure::Journal(JournalError::Full(_)) => true,
            Failure::Tree(_) | Failure::Journal(JournalError::Failed(_)) | Failure::Files(_) => {
                false
            }
        }
    }
}

impl Shared {
    /// Writes out one memtable after the other.
    fn write_out(&self) -> Result<(), Failure> {
        loop {
            let is_idle = |state: &State| !matches!(state.exchange, Exchange::Wanted);
            if self.wait_while(is_idle).is_stopping {
                return Ok(());
            }
            let prepare = || Ok(self.store.journal().prepare_segment()?);
            if self.with_room(Writing::Memtables, prepare)?.is_none() {
                return Ok(());
            }
            let tree = self.store.tree();
            let Some(full) = tree.rotate_memtable() else {
                self.change(|state| state.exchange = Exchange::None);
                continue;
            };
            let memtable = tree.active_memtable();
            self.offer(memtable);
            (self.nudge)();
            let Some(segment) = self.wait_for_release() else { return Ok(()) };
            if self.with_room(Writing::Memtables, || Ok(self.store.flush()?))?.is_none() {
                return Ok(());
            }
            self.store.retire(full);
            self.store.journal().free_before(segment);
            self.tables_changed(|state| state.exchange = Exchange::None);
        }
    }

    fn offer(&self, memtable: Arc<Memtable>) {
        self.change(|state| {
            state.exchange = Exchange::Offered(memtable);
            self.is_offered.store(true, Ordering::Release);
        });
    }

    /// Does something that needs room on the disk, and does it again after a pause for as long as there is none. None means
    /// to stop.
    fn with_room<T>(
        &self,
        writing: Writing,
        work: impl Fn() -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        let mut attempt = Attempt::Together;
        loop {
            let failure = match self.attempt(attempt, &work)? {
                Ok(done) => {
                    // Others may be waiting for room; whoever found none says when there is some.
                    if attempt == Attempt::Alone {
                        self.store.health().found_room(writing);
                    }
                    return Ok(Some(done));
                }
                Err(failure) => failure,
            };
            self.store.health().found_full(writing, &failure);
            // Whoever waits for this work is told that it will take a while.
            self.change(|_| ());
            if self.pause() {
                return Ok(None);
            }
            attempt = Attempt::Alone;
        }
    }

    /// Does something that needs room; the inner error says that there was none, and nothing of it is left.
    fn attempt<T>(
        &self,
        attempt: Attempt,
        work: impl Fn() -> Result<T, Failure>,
    ) -> Result<Result<T, Failure>, Failure> {
        let alone = || self.writing.write().unwrap_or_else(PoisonError::into_inner);
        let tree = self.store.tree();
        let first = tree.next_table_id();
        let (outcome, _alone) = match attempt {
            Attempt::Together => {
                let together = self.writing.read().unwrap_or_else(PoisonError::into_inner);
                match work() {
                    Err(failure) if failure.is_full() => {
                        drop(together);
                        (failure, alone())
                    }
                    outcome => return outcome.map(Ok),
                }
            }
            Attempt::Alone => {
                let alone = alone();
                match work() {
                    Err(failure) if failure.is_full() => (failure, alone),
                    outcome => return outcome.map(Ok),
                }
            }
        };
        leftovers::remove(tree, attempt, first..tree.next_table_id())?;
        Ok(Err(outcome))
    }

    /// Lets a full disk alone for a while; `true` means to stop.
    fn pause(&self) -> bool {
        let is_running = |state: &mut State| !state.is_stopping;
        let waited = self.changed.wait_timeout_while(self.lock(), FULL_PAUSE, is_running);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_stopping
    }

    /// Waits until the old memtable is released; none means to stop.
    fn wait_for_release(&self) -> Option<u64> {
        let state = self.wait_while(|state| !matches!(state.exchange, Exchange::Released(_)));
        match state.exchange {
            Exchange::Released(segment) => Some(segment),
            Exchange::None | Exchange::Wanted | Exchange::Offered(_) | Exchange::Taken => None,
        }
    }

    /// Merges tables while any are due.
    fn merge(&self) -> Result<(), Failure> {
        let mut seen = 0;
        loop {
            let state = self.wait_while(|state| state.changes == seen);
            if state.is_stopping {
                return Ok(());
            }
            seen = state.changes;
            drop(state);
            self.merge_once()?;
        }
    }

    /// The same, and tidies up once nothing is written any more.
    fn merge_and_tidy(&self) -> Result<(), Failure> {
        let (mut seen, mut seen_write) = (0, None);
        loop {
            let (state, is_quiet) = self.wait_a_while(|state| state.changes == seen);
            if state.is_stopping {
                return Ok(());
            }
            seen = state.changes;
            drop(state);
            self.look_for_room()?;
            if !is_quiet {
                self.merge_once()?;
                continue;
            }
            let last_write = self.store.tree().get_highest_memtable_seqno();
            if last_write == seen_write {
                self.tidy()?;
            }
            seen_write = last_write;
        }
    }

    /// Finds out by itself whether commits have room again: nobody may write to a store that says it is full.
    fn look_for_room(&self) -> Result<(), Failure> {
        if !self.store.health().is_full(Writing::Commits) {
            return Ok(());
        }
        match self.store.journal().find_room() {
            Ok(()) => {
                self.store.health().found_room(Writing::Commits);
                (self.nudge)();
                Ok(())
            }
            Err(JournalError::Full(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes out a memtable that is large though not full, and merges the few tables that are not due: a memtable and each run of tables
    /// make reads dearer.
    fn tidy(&self) -> Result<(), Failure> {
        if self.store.has_large_memtable() {
            self.want_memtable();
        } else if self.runs.load(Ordering::Relaxed) >= TIDY_RUNS {
            self.merge_alone(Store::merge_first_level)?;
        }
        Ok(())
    }

    fn want_memtable(&self) {
        let mut state = self.lock();
        if matches!(state.exchange, Exchange::None) {
            state.exchange = Exchange::Wanted;
            drop(state);
            self.changed.notify_all();
        }
    }

    fn merge_once(&self) -> Result<(), Failure> {
        self.store.forget_old()?;
        let merge = || {
            let _merging = self.merging.read().unwrap_or_else(PoisonError::into_inner);
            Ok(self.store.merge_due()?)
        };
        let Some(has_merged) = self.with_room(Writing::Merges, merge)? else { return Ok(()) };
        if has_merged {
            self.tables_changed(|_| ());
        } else if self.runs.load(Ordering::Relaxed) >= RUNS_MANY {
            self.merge_alone(Store::merge_larger)?;
        }
        Ok(())
    }

    /// Merges in another way than usual, unless tables are being merged: the two could put the same keys into one level.
    fn merge_alone(&self, merge: fn(&Store) -> lsm_tree::Result<bool>) -> Result<(), Failure> {
        let merge = || {
            let Ok(_alone) = self.merging.try_write() else { return Ok(false) };
            Ok(merge(&self.store)?)
        };
        if self.with_room(Writing::Merges, merge)? == Some(true) {
            self.tables_changed(|_| ());
        }
        Ok(())
    }

    fn tables_changed(&self, change: impl FnOnce(&mut State)) {
        self.runs.store(self.store.tree().l0_run_count(), Ordering::Relaxed);
        self.change(change);
        (self.nudge)();
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        state.changes += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for as long as `is_idle` says, or until the threads are to end.
    fn wait_while(&self, is_idle: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let is_idle = |state: &mut State| is_idle(state) && !state.is_stopping;
        self.changed.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner)
    }

    /// The same, but only for a while; tells also whether it passed.
    fn wait_a_while(&self, is_idle: impl Fn(&State) -> bool) -> (MutexGuard<'_, State>, bool) {
        let is_idle = |state: &mut State| is_idle(state) && !state.is_stopping;
        let waited = self.changed.wait_timeout_while(self.lock(), TIDY_AFTER, is_idle);
        let (state, result) = waited.unwrap_or_else(PoisonError::into_inner);
        (state, result.timed_out())
    }

    /// Every change of the state is a single step, so what a panicking thread left is good.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many threads merge tables: the first level goes on being emptied while a large merge below it takes its time.
fn merging_threads() -> usize {
    thread::available_parallelism().map_or(2, NonZero::get).clamp(2, 4)
}
