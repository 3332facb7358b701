//! Reads that may be stale, from a standby.
//!
//! No clocks are needed to know how stale a standby is: a task repeatedly records how far the log
//! of the primary reaches, and when it asked. A standby that has replayed that much has every
//! commit that was answered before that time. A standby that lags for longer than is allowed, does
//! not answer, or is no longer a standby, is not used.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use monotable_storage::Key;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_postgres::Client;

use crate::PostgresOptions;
use crate::connection::Connector;
use crate::joined_reads::JoinedReads;
use crate::readers::{Borrowed, Readers};
use crate::timing::{pause, within};

/// How often the standby is checked.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// A check that takes longer has failed.
const LOOK_TIMEOUT: Duration = Duration::from_secs(2);

/// How many moments are remembered for a standby to reach.
const MARKS_MAX: usize = 64;

/// The end of the log of a primary.
const PRIMARY_END: &str = "select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint";

/// How far a standby has replayed; nothing if it is not one.
const STANDBY_END: &str = "select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint \
     where pg_is_in_recovery()";

/// A standby, and how fresh it is.
pub(crate) struct Standby {
    readers: Arc<Readers>,
    joined_reads: JoinedReads,
    freshness: Arc<Mutex<Freshness>>,
    is_closed: Arc<AtomicBool>,
    watcher: JoinHandle<()>,
}

impl Standby {
    /// Starts to watch a standby of the store.
    pub(crate) fn start(primary: &Arc<Connector>, options: &PostgresOptions) -> Standby {
        let connector = Arc::new(Connector::new(options));
        let readers = Readers::new(connector.clone(), options);
        let freshness = Arc::new(Mutex::new(Freshness::new(options.staleness_max)));
        let watch = Watch { primary: primary.clone(), standby: connector };
        Standby {
            joined_reads: JoinedReads::start(&readers),
            readers,
            watcher: primary.handle().spawn(watch.run(freshness.clone())),
            freshness,
            is_closed: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Reads values in one consistent query, if the standby is fresh and answers.
    pub(crate) async fn get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        if !self.is_fresh() {
            return None;
        }
        self.joined_reads.get(keys.to_vec()).await.ok()
    }

    /// Opens a snapshot on the standby, if it is fresh and answers.
    pub(crate) async fn begin_snapshot(&self) -> Option<Borrowed> {
        if !self.is_fresh() {
            return None;
        }
        self.readers.begin_snapshot().await.ok()
    }

    fn is_fresh(&self) -> bool {
        let freshness = self.freshness.lock().unwrap_or_else(PoisonError::into_inner);
        !self.is_closed.load(Ordering::Acquire) && freshness.is_fresh(Instant::now())
    }

    pub(crate) async fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.watcher.abort();
        self.readers.close().await;
    }
}

impl Drop for Standby {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

/// Which moments of the primary a standby has reached.
#[derive(Debug)]
struct Freshness {
    staleness_max: Duration,
    /// When the primary was asked, and how far its log reached: what the standby has yet to reach.
    marks: VecDeque<(Instant, i64)>,
    /// The standby has every commit that was answered before this.
    fresh_at: Option<Instant>,
}

impl Freshness {
    fn new(staleness_max: Duration) -> Freshness {
        Freshness { staleness_max, marks: VecDeque::new(), fresh_at: None }
    }

    /// Records how far the primary was when it was asked at this time.
    fn mark(&mut self, asked: Instant, end: i64) {
        // A primary that is behind the recorded position is a different one.
        if self.marks.back().is_some_and(|(_, last)| *last > end) {
            self.marks.clear();
        }
        if self.marks.len() >= MARKS_MAX {
            self.marks.pop_front();
        }
        self.marks.push_back((asked, end));
    }

    /// Records how far the standby is; `None` if there is none.
    fn reach(&mut self, end: Option<i64>) {
        let Some(end) = end else {
            self.fresh_at = None;
            return;
        };
        while let Some((asked, _)) = self.marks.front().filter(|(_, mark)| *mark <= end) {
            self.fresh_at = Some(*asked);
            self.marks.pop_front();
        }
    }

    fn is_fresh(&self, now: Instant) -> bool {
        let staleness = self.fresh_at.map(|at| now.saturating_duration_since(at));
        staleness.is_some_and(|staleness| staleness <= self.staleness_max)
    }
}

/// Checks the primary and the standby.
struct Watch {
    primary: Arc<Connector>,
    standby: Arc<Connector>,
}

impl Watch {
    async fn run(self, freshness: Arc<Mutex<Freshness>>) {
        let (mut primary, mut standby) = (None, None);
        loop {
            let asked = Instant::now();
            let primary_end = ask(&self.primary, &mut primary, PRIMARY_END).await;
            let standby_end = ask(&self.standby, &mut standby, STANDBY_END).await;
            {
                let mut freshness = freshness.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(end) = primary_end {
                    freshness.mark(asked, end);
                }
                freshness.reach(standby_end);
            }
            pause(LOOK_INTERVAL).await;
        }
    }
}

/// Queries one number, on a connection that is reopened when it is lost.
async fn ask(connector: &Connector, client: &mut Option<Client>, question: &str) -> Option<i64> {
    if client.as_ref().is_none_or(Client::is_closed) {
        *client = connector.client().await.ok();
    }
    let answer = within(LOOK_TIMEOUT, client.as_ref()?.query_opt(question, &[])).await;
    let Ok(Ok(row)) = answer else {
        *client = None;
        return None;
    };
    row?.try_get(0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_standby_is_as_fresh_as_the_last_moment_that_it_has_reached() {
        let start = Instant::now();
        let mut freshness = Freshness::new(3 * SECOND);
        assert!(!freshness.is_fresh(start));
        freshness.mark(start, 100);
        freshness.mark(start + SECOND, 200);
        freshness.reach(Some(150));
        assert!(freshness.is_fresh(start + 3 * SECOND));
        assert!(!freshness.is_fresh(start + 4 * SECOND));
        freshness.reach(Some(200));
        assert!(freshness.is_fresh(start + 4 * SECOND));
        assert!(!freshness.is_fresh(start + 5 * SECOND));
    }

    #[test]
    fn one_that_is_away_is_not_fresh() {
        let start = Instant::now();
        let mut freshness = Freshness::new(3 * SECOND);
        freshness.mark(start, 100);
        freshness.reach(Some(100));
        freshness.reach(None);
        assert!(!freshness.is_fresh(start));
    }

    #[test]
    fn what_an_idle_primary_has_is_reached_at_once() {
        let start = Instant::now();
        let mut freshness = Freshness::new(SECOND);
        for second in 0..100 {
            freshness.mark(start + second * SECOND, 7);
            freshness.reach(Some(7));
            assert!(freshness.is_fresh(start + second * SECOND + SECOND));
        }
    }

    #[test]
    fn another_primary_begins_anew() {
        let start = Instant::now();
        let mut freshness = Freshness::new(SECOND);
        freshness.mark(start, 500);
        freshness.mark(start + 10 * SECOND, 400);
        freshness.reach(Some(400));
        assert!(freshness.is_fresh(start + 10 * SECOND));
    }
}
