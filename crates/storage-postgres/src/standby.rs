//! Reads that may be stale, from standbys.
//!
//! No clocks are needed to know how stale a standby is: a task repeatedly records how far the log
//! of the primary reaches, and when it asked. A standby that has replayed that much has every
//! commit that was answered before that time. A standby that lags for longer than is allowed, does
//! not answer, or is no longer a standby, is not used.
//!
//! Every host is a standby by itself, with connections that lead to no other: what one of them has
//! replayed says nothing about another.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use monotable_storage::Key;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_postgres::Client;

use crate::PostgresOptions;
use crate::connection::Connector;
use crate::joined_reads::JoinedReads;
use crate::pool::Pool;
use crate::readers::{Borrowed, Readers};
use crate::timing::{pause, within, within_on};

/// How often standbys are checked.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// A check that takes longer has failed.
const LOOK_TIMEOUT: Duration = Duration::from_secs(2);

/// A read that a standby does not answer within this time goes to the primary.
const READ_LIMIT: Duration = Duration::from_secs(1);

/// A connection to a standby on which an answer takes longer is given up, so that the next read
/// finds another one.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(750);

/// How many moments are remembered for a standby to reach.
const MARKS_MAX: usize = 64;

/// The end of the log of a primary.
const PRIMARY_END: &str = "select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint";

/// How far a standby has replayed; nothing if it is not one.
const STANDBY_END: &str = "select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint \
     where pg_is_in_recovery()";

/// When the primary was asked, and how far its log reached.
type Mark = (Instant, i64);

/// The standbys of a store, which are read in turn.
pub(crate) struct Standbys {
    standbys: Vec<Standby>,
    next: AtomicUsize,
    is_closed: AtomicBool,
    /// Watches the primary, if there are standbys.
    watcher: Option<JoinHandle<()>>,
}

impl Standbys {
    /// Starts to watch standbys of the store.
    pub(crate) fn start(primary: &Arc<Connector>, standbys: &[PostgresOptions]) -> Standbys {
        let (marks, seen) = watch::channel(None);
        let watching = (!standbys.is_empty()).then(|| watch_primary(primary.clone(), marks));
        Standbys {
            standbys: standbys.iter().map(|options| Standby::start(options, &seen)).collect(),
            next: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            watcher: watching.map(|watching| primary.handle().spawn(watching)),
        }
    }

    /// Reads values in one consistent query, if a standby is fresh and answers.
    pub(crate) async fn get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        self.fresh()?.get_many(keys).await
    }

    /// Opens a snapshot on a standby, if one is fresh and answers.
    pub(crate) async fn begin_snapshot(&self) -> Option<Borrowed> {
        self.fresh()?.begin_snapshot().await
    }

    /// The next standby that is fresh.
    fn fresh(&self) -> Option<&Standby> {
        if self.is_closed.load(Ordering::Acquire) {
            return None;
        }
        let count = self.standbys.len();
        let first = self.next.fetch_add(1, Ordering::Relaxed).checked_rem(count)?;
        self.standbys.iter().cycle().skip(first).take(count).find(|standby| standby.is_fresh())
    }

    pub(crate) async fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        for standby in &self.standbys {
            standby.close().await;
        }
        if let Some(watcher) = &self.watcher {
            watcher.abort();
        }
    }
}

impl Drop for Standbys {
    fn drop(&mut self) {
        if let Some(watcher) = &self.watcher {
            watcher.abort();
        }
    }
}

/// Repeatedly records how far the primary is.
async fn watch_primary(primary: Arc<Connector>, marks: watch::Sender<Option<Mark>>) {
    let mut client = None;
    loop {
        let asked = Instant::now();
        if let Some(end) = ask(&primary, &mut client, PRIMARY_END).await {
            marks.send_replace(Some((asked, end)));
        }
        pause(LOOK_INTERVAL).await;
    }
}

/// One standby, and how fresh it is.
struct Standby {
    readers: Arc<Readers>,
    joined_reads: JoinedReads,
    freshness: Arc<Mutex<Freshness>>,
    watcher: JoinHandle<()>,
}

impl Standby {
    fn start(options: &PostgresOptions, marks: &watch::Receiver<Option<Mark>>) -> Standby {
        let connector = Arc::new(Connector::new(options));
        let pool = Pool::new(connector.clone(), options.to_string(), options.getters);
        let readers = Readers::new(pool, options, ANSWER_TIMEOUT);
        let freshness = Arc::new(Mutex::new(Freshness::new(options.staleness_max)));
        let watching = watch_standby(connector.clone(), freshness.clone(), marks.clone());
        Standby {
            joined_reads: JoinedReads::start(&readers),
            readers,
            watcher: connector.handle().spawn(watching),
            freshness,
        }
    }

    async fn get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        let reading = self.joined_reads.get_many(keys);
        let Ok(read) = within_on(self.readers.handle(), READ_LIMIT, reading).await else {
            // Others need not find it out too.
            self.freshness().reach(None);
            return None;
        };
        read.ok()
    }

    async fn begin_snapshot(&self) -> Option<Borrowed> {
        let beginning = self.readers.begin_snapshot();
        within_on(self.readers.handle(), READ_LIMIT, beginning).await.ok()?.ok()
    }

    fn is_fresh(&self) -> bool {
        self.freshness().is_fresh(Instant::now())
    }

    fn freshness(&self) -> MutexGuard<'_, Freshness> {
        self.freshness.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn close(&self) {
        self.watcher.abort();
        self.readers.close().await;
    }
}

impl Drop for Standby {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

/// Asks a standby how far it is, whenever the primary has said how far that is.
async fn watch_standby(
    standby: Arc<Connector>,
    freshness: Arc<Mutex<Freshness>>,
    mut marks: watch::Receiver<Option<Mark>>,
) {
    let mut client = None;
    while marks.changed().await.is_ok() {
        let mark = *marks.borrow_and_update();
        let reached = ask(&standby, &mut client, STANDBY_END).await;
        let mut freshness = freshness.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, end)) = mark {
            freshness.mark(asked, end);
        }
        freshness.reach(reached);
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
