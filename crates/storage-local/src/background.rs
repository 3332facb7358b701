//! What the tree needs done besides commits: full memtables written out, tables merged, what was
//! replaced let go of.
//!
//! One thread writes memtables out, two merge tables, and one removes what they replaced. They work
//! until there is nothing to do and then wait for the next change: every change that one of them
//! makes wakes them all. So work that could not be done because another thread was at those tables
//! is looked at again when that thread has finished, and nobody who waits for the backlog to shrink
//! waits in vain.
//!
//! # Giving way
//!
//! Requests go first. The threads run with low priority and rest often (`pace`), so that they use
//! what requests leave of the processors. Were that to be nothing, tables would pile up; so one of
//! the two that merge has the usual priority and works while there are many.
//!
//! # How a memtable is exchanged
//!
//! 1. The committer finds the memtable full and says so.
//! 2. The thread makes sure that the journal can begin a segment without making a file, and says
//!    that it is ready.
//! 3. The committer, between two commits, begins a segment of the journal and seals the memtable
//!    behind a new one. Readers see both.
//! 4. The thread writes the old one to a table, and frees the segments before the new one.
//!
//! # When the disk is full
//!
//! A memtable or a merge for which there is no room leaves the tree as it was and no file behind.
//! It is done again after a pause, for as long as it takes; whoever writes more than memory may
//! hold is refused meanwhile.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::health::Writing;
use crate::journal::JournalError;
use crate::pace::{Pace, URGENT_TABLES, Urgency};
use crate::priority::{Priority, set_priority};
use crate::store::Store;
use crate::timing::rest;

/// For how long nothing must have been written before tables are merged though they are not due.
const TIDY_AFTER: Duration = Duration::from_secs(2);
/// How long a full disk is left alone.
const FULL_PAUSE: Duration = Duration::from_secs(2);
/// How long the disk is left to others after each piece of a file that is removed.
const REMOVAL_PAUSE: Duration = Duration::from_millis(2);

/// Wakes the committer, so that it exchanges the memtable, or publishes the newest state.
pub(crate) type Nudge = Box<dyn Fn() + Send + Sync>;

/// The threads. Dropping it ends them; a merge that is under way is given up.
pub(crate) struct Background {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    store: Arc<Store>,
    nudge: Nudge,
    state: Mutex<State>,
    changed: Condvar,
    /// Copies of what the state and the tree say, to be read without a lock.
    is_ready: AtomicBool,
    is_stopping: AtomicBool,
    tables: AtomicUsize,
    failed: AtomicBool,
}

struct State {
    exchange: Exchange,
    /// Counts every event that a thread may wait for.
    changes: u64,
    is_stopping: bool,
}

/// How far the exchange of a memtable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exchange {
    None,
    Wanted,
    /// The committer may go over to a new memtable.
    Ready,
    /// It has, and the journal has this segment for the new one.
    Sealed(u64),
}

impl Background {
    pub(crate) fn start(store: Arc<Store>, nudge: Nudge) -> std::io::Result<Background> {
        let tables = AtomicUsize::new(store.tree().state().unmerged_tables());
        let shared = Arc::new(Shared {
            store,
            nudge,
            state: Mutex::new(State { exchange: Exchange::None, changes: 1, is_stopping: false }),
            changed: Condvar::new(),
            is_ready: AtomicBool::new(false),
            is_stopping: AtomicBool::new(false),
            tables,
            failed: AtomicBool::new(false),
        });
        let mut background = Background { shared, threads: Vec::new() };
        background.spawn("storage-flush", Priority::Low, Shared::write_out)?;
        background.spawn("storage-merge", Priority::Lowest, Shared::merge_and_tidy)?;
        background.spawn("storage-urgent", Priority::Usual, Shared::merge_urgently)?;
        background.spawn("storage-remove", Priority::Lowest, Shared::remove_obsolete)?;
        Ok(background)
    }

    fn spawn(
        &mut self,
        name: &str,
        priority: Priority,
        work: fn(&Shared) -> Result<(), Failure>,
    ) -> std::io::Result<()> {
        let shared = self.shared.clone();
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            set_priority(priority);
            let working = Working(&shared);
            if let Err(error) = work(working.0) {
                tracing::error!(%error, "background work failed, no further writes are accepted");
            }
        })?;
        self.threads.push(thread);
        Ok(())
    }

    /// Asks to exchange the memtable, unless that was done.
    pub(crate) fn want_exchange(&self) {
        self.shared.want_exchange();
    }

    /// Returns whether the memtable may be exchanged now. [`sealed`](Background::sealed) is to
    /// follow.
    pub(crate) fn is_ready(&self) -> bool {
        self.shared.is_ready.load(Ordering::Acquire)
    }

    /// Says that the memtable was exchanged, and which segment the new one begins with.
    pub(crate) fn sealed(&self, segment: u64) {
        self.shared.is_ready.store(false, Ordering::Release);
        self.shared.change(|state| state.exchange = Exchange::Sealed(segment));
    }

    /// Says that there is something to look at again: readers were given a newer state, so that
    /// what was replaced can be let go of, or ranges were removed.
    pub(crate) fn look_again(&self) {
        self.shared.change(|_| ());
    }

    /// How many tables are not merged yet.
    pub(crate) fn tables(&self) -> usize {
        self.shared.tables.load(Ordering::Relaxed)
    }

    /// Returns whether something failed, after which nothing more is written out or merged.
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
        self.shared.is_stopping.store(true, Ordering::Release);
        self.shared.change(|state| state.is_stopping = true);
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread of the background work panicked");
            }
        }
    }
}

/// Exists while a thread works. If the thread ends early, by an error or a panic, no caller may
/// wait for it.
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
    Tree(#[from] monotable_tree::Error),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Failure {
    /// Returns whether there was no room, and it can be tried again.
    fn is_full(&self) -> bool {
        match self {
            Failure::Tree(error) => error.is_full(),
            Failure::Journal(error) => matches!(error, JournalError::Full(_)),
        }
    }
}

impl Shared {
    /// Writes out one memtable after the other.
    fn write_out(&self) -> Result<(), Failure> {
        loop {
            let is_idle =
                |state: &State| matches!(state.exchange, Exchange::None | Exchange::Ready);
            let state = self.wait_while(is_idle);
            let (exchange, is_stopping) = (state.exchange, state.is_stopping);
            drop(state);
            if is_stopping {
                return Ok(());
            }
            match exchange {
                Exchange::Wanted => {
                    let prepare = || Ok(self.store.journal().prepare_segment()?);
                    if self.with_room(Writing::Memtables, prepare)?.is_none() {
                        return Ok(());
                    }
                    self.change(|state| {
                        state.exchange = Exchange::Ready;
                        self.is_ready.store(true, Ordering::Release);
                    });
                    (self.nudge)();
                }
                Exchange::Sealed(segment) => {
                    if self.with_room(Writing::Memtables, || self.write_out_all())?.is_none() {
                        return Ok(());
                    }
                    self.store.journal().free_before(segment);
                    self.tables_changed(|state| state.exchange = Exchange::None);
                }
                Exchange::None | Exchange::Ready => {}
            }
        }
    }

    /// Writes out every memtable that is sealed. It is not given up when the store closes: what is
    /// sealed is nearly done.
    fn write_out_all(&self) -> Result<(), Failure> {
        let pace = Pace::begin();
        let rest = || {
            pace.keep(|| self.store.memtable_urgency());
            false
        };
        while self.store.tree().write_out(&rest)? {}
        Ok(())
    }

    /// Does something that needs room on the disk, and does it again after a pause for as long as
    /// there is none. None means to stop.
    fn with_room<T>(
        &self,
        writing: Writing,
        work: impl Fn() -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        loop {
            match work() {
                Ok(done) => {
                    self.store.health().found_room(writing);
                    return Ok(Some(done));
                }
                Err(Failure::Tree(monotable_tree::Error::Stopped)) => return Ok(None),
                Err(failure) if failure.is_full() => {
                    self.store.health().found_full(writing, &failure);
                }
                Err(failure) => return Err(failure),
            }
            // Whoever waits for this work is told that it will take a while.
            self.change(|_| ());
            if self.pause() {
                return Ok(None);
            }
        }
    }

    /// Lets a full disk alone for a while; `true` means to stop.
    fn pause(&self) -> bool {
        let is_running = |state: &mut State| !state.is_stopping;
        let waited = self.changed.wait_timeout_while(self.lock(), FULL_PAUSE, is_running);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_stopping
    }

    /// Merges tables while there are many.
    fn merge_urgently(&self) -> Result<(), Failure> {
        loop {
            let is_idle = |_: &State| self.tables.load(Ordering::Relaxed) < URGENT_TABLES;
            let state = self.wait_while(is_idle);
            let seen = state.changes;
            if state.is_stopping {
                return Ok(());
            }
            drop(state);
            let pace = Pace::begin();
            if !self.merge_once(&|| self.rest_or_stop(&pace))? {
                // Somebody else is at it.
                drop(self.wait_while(|state| state.changes == seen));
            }
        }
    }

    /// Merges tables while any are due, and tidies up once nothing is written any more.
    fn merge_and_tidy(&self) -> Result<(), Failure> {
        let (mut seen, mut seen_write) = (0, 0);
        loop {
            let (state, is_quiet) = self.wait_a_while(|state| state.changes == seen);
            if state.is_stopping {
                return Ok(());
            }
            seen = state.changes;
            drop(state);
            self.look_for_room()?;
            let pace = Pace::begin();
            let should_stop = || self.rest_or_stop(&pace);
            if !is_quiet {
                while self.merge_once(&should_stop)? {}
                continue;
            }
            let last_write = self.store.tree().state().active().last_number();
            if last_write == seen_write {
                self.tidy(&should_stop)?;
            }
            seen_write = last_write;
        }
    }

    /// Removes what was replaced, once no reader uses it any more.
    fn remove_obsolete(&self) -> Result<(), Failure> {
        let (mut seen, mut is_left) = (0, true);
        loop {
            let is_idle = |state: &State| state.changes == seen;
            let state = if is_left {
                // A reader lets go without telling anybody.
                self.wait_a_while(is_idle).0
            } else {
                self.wait_while(is_idle)
            };
            if state.is_stopping {
                return Ok(());
            }
            seen = state.changes;
            drop(state);
            let rest = || {
                if !self.is_stopping() {
                    rest(REMOVAL_PAUSE)
                }
            };
            is_left = self.store.tree().release_obsolete(&rest);
        }
    }

    /// Checks whether commits have room again without waiting for a write, because clients may not
    /// write to a store that says it is full.
    fn look_for_room(&self) -> Result<(), Failure> {
        self.store.reserve().look_again(self.store.journal(), self.store.health());
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

    /// Writes out a memtable that is large though not full, and merges the few tables that are not
    /// due: a memtable and each table make reads dearer.
    fn tidy(&self, should_stop: &dyn Fn() -> bool) -> Result<(), Failure> {
        if self.store.has_large_memtable() {
            self.want_exchange();
            return Ok(());
        }
        let tidy = || Ok(self.store.tree().tidy(should_stop)?);
        if self.with_room(Writing::Merges, tidy)? == Some(true) {
            self.tables_changed(|_| ());
        }
        Ok(())
    }

    fn want_exchange(&self) {
        let mut state = self.lock();
        if state.exchange == Exchange::None {
            state.exchange = Exchange::Wanted;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Does one thing that is due, and returns whether there was any.
    fn merge_once(&self, should_stop: &dyn Fn() -> bool) -> Result<bool, Failure> {
        let merge = || Ok(self.store.tree().merge_due(should_stop)?);
        let has_merged = self.with_room(Writing::Merges, merge)? == Some(true);
        if has_merged {
            self.tables_changed(|_| ());
        }
        Ok(has_merged)
    }

    /// Rests if it is time to; `true` means to stop.
    fn rest_or_stop(&self, pace: &Pace) -> bool {
        pace.keep(|| Urgency::of_merges(self.tables.load(Ordering::Relaxed)));
        self.is_stopping()
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Acquire)
    }

    fn tables_changed(&self, change: impl FnOnce(&mut State)) {
        self.tables.store(self.store.tree().state().unmerged_tables(), Ordering::Relaxed);
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
