//! The thread that commits.

use std::sync::Arc;

use bytes::Bytes;
use monotable_storage::{Batch, CommittedState, Error, ErrorKind, Result, WriteSet};
use monotable_tree::{Memtable, RemovedRange};

use crate::back_pressure::Backlog;
use crate::background::Background;
use crate::commit_queue::CommitQueue;
use crate::committer::{Request, Waiter};
use crate::error::tree_error;
use crate::gap_finder::GapFinder;
use crate::gathering::Gathering;
use crate::health::{Health, Writing};
use crate::interval_sync::IntervalSync;
use crate::journal::JournalError;
use crate::snapshot::Published;
use crate::store::Store;
use crate::timing::{now, rest};

/// A journal of more segments is given up with the memtable. Each opening of a store adds one.
const SEGMENTS_MAX: usize = 8;

/// What the thread works with.
pub(crate) struct CommitThread {
    store: Arc<Store>,
    /// Where commits go. Readers see it through the tree.
    memtable: Arc<Memtable>,
    /// How large a memtable becomes before it is exchanged.
    memtable_bytes: u64,
    published: Arc<Published>,
    interval_sync: Option<IntervalSync>,
    gap_finder: GapFinder,
    last_position: u64,
    gathering: Gathering,
    /// Whether the journal had so many segments when it was opened that it is to start again.
    /// Giving them up while it is open is not enough: its newest head still names them.
    had_many_segments: bool,
    /// The failure after which nothing more is written.
    poison: Option<Arc<Error>>,
}

impl CommitThread {
    pub(crate) fn new(
        store: Arc<Store>,
        published: Arc<Published>,
        interval_sync: Option<IntervalSync>,
        gap_finder: GapFinder,
        memtable_bytes: u64,
    ) -> CommitThread {
        CommitThread {
            memtable: store.tree().state().active().clone(),
            memtable_bytes,
            last_position: store.journal().last_position(),
            store,
            published,
            interval_sync,
            gap_finder,
            gathering: Gathering::default(),
            had_many_segments: false,
            poison: None,
        }
    }

    /// What is committed to.
    pub(crate) fn store(&self) -> Arc<Store> {
        self.store.clone()
    }

    /// Commits groups until the queue is closed and empty.
    pub(crate) fn run(
        mut self,
        queue: &CommitQueue<Request>,
        background: Background,
    ) -> Result<()> {
        self.had_many_segments = self.store.journal().segment_count() > SEGMENTS_MAX;
        if self.had_many_segments {
            background.want_exchange();
        }
        while let Some(group) = queue.take(self.gathering.hoped_for(), self.gathering.patience()) {
            let (batches, waiters): (Vec<_>, Vec<_>) =
                group.into_iter().filter_map(|request| request.commit).unzip();
            self.exchange_memtable(&background);
            if waiters.is_empty() {
                self.publish(&background)
            } else {
                self.commit_group(batches, waiters, queue, &background)
            }
        }
        // The threads are joined first, so that nobody else uses the tree and the journal.
        drop(background);
        self.finish()
    }

    fn commit_group(
        &mut self,
        batches: Vec<Batch>,
        waiters: Vec<Waiter>,
        queue: &CommitQueue<Request>,
        background: &Background,
    ) {
        let bytes = waiters.iter().map(Waiter::bytes).sum();
        let start = now();
        let outcome = self.check_poison(background);
        let outcome = outcome.and_then(|()| self.check_room(background));
        let outcome = outcome.and_then(|()| self.check_reserve(bytes));
        let outcome = outcome.and_then(|()| self.commit(batches, background));
        self.store.counters().group_commits.count(waiters.len() as u64);
        self.gathering.committed(waiters.len(), start.elapsed(), queue.len());
        for waiter in waiters {
            waiter.settle(outcome.clone().map_err(|error| shared(&error)));
        }
        self.keep_pace(bytes, background);
    }

    /// Commits a group whole or not at all, and shows it to readers.
    fn commit(&mut self, batches: Vec<Batch>, background: &Background) -> Result<(), Arc<Error>> {
        let mut write_set = WriteSet::new(self.last_position);
        batches.into_iter().try_for_each(|batch| write_set.apply(batch, &*self))?;
        let last_position = write_set.last_position();
        let number = self.store.take_number();
        let (removed, writes) = write_set.into_parts();
        let removed: Vec<RemovedRange> = removed
            .iter()
            .map(|range| RemovedRange::new(range.start(), range.end(), number))
            .collect();
        let writes: Vec<_> = writes.collect();
        let written = self.store.journal().append(&removed, &writes, number, last_position);
        written.map_err(|error| self.refuse(error))?;
        self.store.health().found_room(Writing::Commits);
        self.last_position = last_position;
        if let Some(interval_sync) = &self.interval_sync {
            interval_sync.written();
        }
        let values = writes.iter().filter(|(_, value)| value.is_some());
        self.store.gaps().written(number, values.map(|(key, _)| key.as_slice()));
        let deleted = self.gap_finder.wanted(&writes);
        removed.iter().for_each(|range| self.store.tree().remove_range(range));
        for (key, value) in writes {
            self.memtable.insert(key, value, number);
        }
        self.published.publish(&self.store);
        self.gap_finder.deleted(deleted);
        if !removed.is_empty() {
            background.look_again();
        }
        Ok(())
    }

    /// Shows readers the newest state of the tree, so that the ones before can be forgotten.
    fn publish(&self, background: &Background) {
        self.published.publish(&self.store);
        background.look_again();
    }

    /// Switches to another memtable, if the background work is ready for it.
    fn exchange_memtable(&mut self, background: &Background) {
        if self.poison.is_some() || !background.is_ready() {
            return;
        }
        match self.store.journal().begin_segment() {
            Ok(segment) => {
                self.store.health().found_room(Writing::Commits);
                self.memtable = self.store.tree().seal();
                background.sealed(segment);
            }
            // If there was no room, it is tried again with the next group.
            Err(error) => drop(self.refuse(error)),
        }
    }

    /// Lets the background work keep up: rests while it is behind, and waits when it is too far
    /// behind.
    fn keep_pace(&mut self, written_bytes: u64, background: &Background) {
        rest(self.backlog(background).rest(written_bytes));
        loop {
            // Read first: what changes from here on ends the waiting below.
            let changes = background.changes();
            self.exchange_memtable(background);
            // Asked for each time: while one memtable is being written out, no other one is taken.
            if self.memtable.size_bytes() >= self.memtable_bytes {
                background.want_exchange();
            }
            // Without room the background work does not catch up, and whoever writes is told so.
            let goes_on =
                !self.backlog(background).is_full() || self.check_room(background).is_err();
            if goes_on || self.check_poison(background).is_err() {
                return;
            }
            background.wait_for_change(changes);
        }
    }

    fn backlog(&self, background: &Background) -> Backlog {
        let times_full = self.memtable.size_bytes() / self.memtable_bytes;
        Backlog { times_full, tables: background.tables() }
    }

    fn check_poison(&mut self, background: &Background) -> Result<(), Arc<Error>> {
        let has_failed =
            || background.failed() || self.interval_sync.as_ref().is_some_and(IntervalSync::failed);
        if self.poison.is_none() && has_failed() {
            self.store.health().poison();
            self.poison = Some(Arc::new(Error::new(ErrorKind::Poisoned)));
        }
        self.poison.clone().map_or(Ok(()), Err)
    }

    /// Refuses what memory has no place for, if the background work cannot make any because the
    /// disk is full.
    fn check_room(&self, background: &Background) -> Result<(), Arc<Error>> {
        let is_stalled = self.store.health().get() == Health::Full;
        if is_stalled && self.backlog(background).is_full() {
            Err(Arc::new(Error::with_source(ErrorKind::Unavailable, "the disk has no room")))
        } else {
            Ok(())
        }
    }

    /// Refuses what the disk has room for, but only of what is left free.
    fn check_reserve(&self, bytes: u64) -> Result<(), Arc<Error>> {
        let checked = self.store.reserve().check(bytes, self.store.journal(), self.store.health());
        checked.map_err(|below| Arc::new(Error::with_source(ErrorKind::Unavailable, below)))
    }

    /// The error that callers get after a failed write of the journal. Unless it was for lack of
    /// room, nothing more is written.
    fn refuse(&mut self, error: JournalError) -> Arc<Error> {
        if let JournalError::Full(_) = error {
            self.store.health().found_full(Writing::Commits, &error);
            return Arc::new(Error::with_source(ErrorKind::Unavailable, error));
        }
        tracing::error!(%error, "a write failed, no further ones are accepted");
        self.store.health().poison();
        let poison = Arc::new(Error::with_source(ErrorKind::Poisoned, error));
        self.poison = Some(poison.clone());
        poison
    }

    /// Brings everything to disk and refuses reads from here on.
    fn finish(mut self) -> Result<()> {
        let has_failed = self.interval_sync.take().is_some_and(|syncs| syncs.failed());
        let outcome = match self.poison.take() {
            Some(poison) => Err(shared(&poison)),
            None if has_failed => Err(Error::new(ErrorKind::Poisoned)),
            None => {
                self.write_out().map_err(|error| Error::with_source(ErrorKind::Poisoned, error))
            }
        };
        self.store.close();
        self.published.withdraw();
        outcome
    }

    /// Writes the memtable out if that is worth a table, and closes the journal. Where there is no
    /// room, the journal has it all.
    fn write_out(&self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (tree, journal) = (self.store.tree(), self.store.journal());
        journal.sync()?;
        let has_many_segments = self.had_many_segments || journal.segment_count() > SEGMENTS_MAX;
        let is_large = tree.state().sealed_count() > 0 || self.store.has_large_memtable();
        // A small one is left to the journal: stores that are opened often would come to have many
        // small tables.
        if is_large || has_many_segments {
            tree.seal();
            match self.write_out_all() {
                Err(error) if error.is_full() => {}
                Err(error) => return Err(error.into()),
                Ok(()) => match journal.begin_anew() {
                    Ok(()) | Err(JournalError::Full(_)) => {}
                    Err(error) => return Err(error.into()),
                },
            }
        }
        Ok(journal.close()?)
    }

    fn write_out_all(&self) -> Result<(), monotable_tree::Error> {
        while self.store.tree().write_out(&|| false)? {}
        Ok(())
    }
}

/// What the next commit starts from. Only the committer writes, so it may read the newest state.
impl CommittedState for CommitThread {
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        match self.memtable.get(key, u64::MAX) {
            Some(found) => Ok(found.value),
            None => self.store.tree().state().get(key, u64::MAX).map_err(tree_error),
        }
    }
}

/// The same failure for one more caller.
fn shared(error: &Arc<Error>) -> Error {
    Error::with_source(error.kind(), error.clone())
}
