//! What the database held a short time ago, for reads that are to be stale.
//!
//! Nothing is kept unless the owner asks for it ([`Database::keep_history`]). Then a snapshot is
//! taken before a commit, unless the last one was taken a moment ago, and kept as long as a read
//! may ask for it. What the database held at a time is what it held before the first commit after
//! that time: so a read is answered from the oldest snapshot that was taken later, or from the
//! present if none was.
//!
//! This needs no task that ticks, keeps nothing while nothing is written, and is exact to the
//! interval between two snapshots, whichever clock the database uses.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use monotable_storage::{Engine, Result as StorageResult};

use crate::Database;

/// How many snapshots are kept at most. Each keeps what was overwritten since from being removed.
const SNAPSHOTS_MAX: u64 = 64;
/// Snapshots are not taken more often than this.
const INTERVAL_MILLIS_MIN: u64 = 10;

/// Snapshots of the last moments.
#[derive(Debug)]
pub(crate) struct History<S> {
    is_kept: AtomicBool,
    moments: Mutex<Moments<S>>,
}

#[derive(Debug)]
struct Moments<S> {
    age_max_millis: u64,
    /// Snapshots with the times of the commits before which they were taken, oldest first.
    taken: VecDeque<(u64, S)>,
}

impl<S> Default for History<S> {
    fn default() -> History<S> {
        let moments = Moments { age_max_millis: 0, taken: VecDeque::new() };
        History { is_kept: AtomicBool::new(false), moments: Mutex::new(moments) }
    }
}

impl<S: Clone> History<S> {
    fn lock(&self) -> MutexGuard<'_, Moments<S>> {
        self.moments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a snapshot is to be taken before a commit at this time.
    fn is_due(&self, now_millis: u64) -> bool {
        let mut moments = self.lock();
        moments.forget(now_millis);
        let interval = (moments.age_max_millis / SNAPSHOTS_MAX).max(INTERVAL_MILLIS_MIN);
        let last = moments.taken.back().map(|(taken, _)| *taken);
        last.is_none_or(|last| now_millis >= last.saturating_add(interval))
    }

    fn add(&self, now_millis: u64, snapshot: S) {
        let mut moments = self.lock();
        // Another commit may have been faster.
        if moments.taken.back().is_none_or(|(last, _)| *last < now_millis) {
            moments.taken.push_back((now_millis, snapshot));
        }
    }

    /// What was there at a time; none if nothing was committed since.
    fn at(&self, now_millis: u64, age_millis: u64) -> Option<S> {
        let mut moments = self.lock();
        moments.forget(now_millis);
        let is_later = |taken: u64| taken.saturating_add(age_millis) > now_millis;
        let oldest = moments.taken.iter().find(|(taken, _)| is_later(*taken));
        oldest.map(|(_, snapshot)| snapshot.clone())
    }
}

impl<S> Moments<S> {
    /// Drops what no read asks for any more.
    fn forget(&mut self, now_millis: u64) {
        let age_max = self.age_max_millis;
        while self.taken.front().is_some_and(|(at, _)| at.saturating_add(age_max) <= now_millis) {
            self.taken.pop_front();
        }
    }
}

impl<E: Engine> Database<E> {
    /// Keeps what is needed to answer reads with what was there up to so long ago, or nothing.
    pub fn keep_history(&self, age_max: Option<Duration>) {
        let mut moments = self.history.lock();
        moments.age_max_millis =
            age_max.map_or(0, |age| u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
        moments.taken.clear();
        self.history.is_kept.store(age_max.is_some(), Ordering::Relaxed);
    }

    /// Takes a snapshot, if history is kept and one is due. Callers do this before a write: it is
    /// no part of writing, so that other calls do not pay for it.
    pub async fn note_commit(&self) -> StorageResult<()> {
        if !self.history.is_kept.load(Ordering::Relaxed) {
            return Ok(());
        }
        let now_millis = self.clock.now_millis();
        if self.history.is_due(now_millis) {
            self.history.add(now_millis, self.engine.snapshot().await?);
        }
        Ok(())
    }

    /// What was there so long ago; the present if nothing has changed since, or it is not kept.
    pub(crate) async fn snapshot_before(&self, age: Duration) -> StorageResult<E::Snapshot> {
        let age_millis = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        match self.history.at(self.clock.now_millis(), age_millis) {
            Some(snapshot) => Ok(snapshot),
            None => self.engine.snapshot().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(age_max_millis: u64) -> History<&'static str> {
        let history = History::default();
        history.lock().age_max_millis = age_max_millis;
        history
    }

    #[test]
    fn a_time_is_what_was_there_before_the_first_commit_after_it() {
        let history = kept(10_000);
        history.add(1000, "before the commit at 1 s");
        history.add(2000, "before the commit at 2 s");
        assert_eq!(history.at(2500, 2000), Some("before the commit at 1 s"));
        assert_eq!(history.at(2500, 1000), Some("before the commit at 2 s"));
        assert_eq!(history.at(3000, 1000), None);
        assert_eq!(history.at(2500, 500), None);
    }

    #[test]
    fn no_more_is_kept_than_reads_ask_for() {
        let history = kept(6400);
        for now in 0..100_000 {
            if history.is_due(now) {
                history.add(now, "");
            }
        }
        assert!(history.lock().taken.len() <= 65, "{}", history.lock().taken.len());
        assert_eq!(history.at(200_000, 1000), None);
        assert!(history.lock().taken.is_empty());
    }

    #[test]
    fn commits_of_one_moment_share_a_snapshot() {
        let history = kept(INTERVAL_MILLIS_MIN * SNAPSHOTS_MAX);
        history.add(5, "empty");
        assert!(!history.is_due(5) && !history.is_due(14) && history.is_due(15));
        history.add(5, "not empty");
        assert_eq!(history.at(5, 100), Some("empty"));
    }
}
