//! The connections of a server, whoever uses them at the moment: tasks that commit, tasks that
//! read, and snapshots.
//!
//! Each of these opens a connection when there is none for it, so a server has as many as it uses
//! at once. The database may have room for fewer than that. Then what is open goes around: one that
//! rests is set up for another purpose, and whoever finds none waits in a queue until somebody is
//! done. Work is only refused when nothing has been open for a second, or the wait takes too long.
//!
//! An attempt that fails is not followed by another one at once, whoever makes it: the time until
//! then doubles with each failure, up to a second. A server that has been without a connection for
//! longer than a moment refuses its work until then, without asking the database. The log says when
//! this begins and when it ends.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use monotable_storage::{Error, ErrorKind, Result};
use tokio::sync::{Mutex as AsyncMutex, oneshot};
use tokio::time::Instant;

use crate::OpenError;
use crate::connection::{Connection, Connector};
use crate::timing::within;

/// How long work waits for a connection.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait after a failed attempt to connect, at first and at most.
const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
const BACK_OFF_MAX: Duration = Duration::from_secs(1);

/// How long work is not refused after the last connection was lost: there may be another one in a
/// moment.
const GRACE: Duration = Duration::from_secs(1);

/// How long an attempt to connect keeps others from making one, unless it fails earlier.
const ATTEMPT_MAX: Duration = Duration::from_secs(10);

/// How long the settings of a connection may take.
const SET_TIMEOUT: Duration = Duration::from_secs(10);

/// What a connection is set up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Commits.
    Writes,
    /// Single reads and snapshots.
    Reads,
}

impl Purpose {
    /// A server that falls silent between the two round trips of a commit, because it is stopped or
    /// cut off, loses its locks after this time. Snapshots may be idle for longer: as long as the
    /// settings of every connection say, which `abilities` has.
    fn settings(self) -> &'static str {
        match self {
            Purpose::Writes => "set idle_in_transaction_session_timeout = '5s'",
            Purpose::Reads => "set idle_in_transaction_session_timeout = '15s'",
        }
    }
}

/// A connection of a pool. It is closed when it is dropped, unless it is given back.
pub(crate) struct Pooled {
    connection: Box<Connection>,
    purpose: Purpose,
}

impl Deref for Pooled {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// A connection that several reads share, if it is open. Locked while it is being opened.
type Shared = AsyncMutex<Option<Arc<Pooled>>>;

/// See the module.
pub(crate) struct Pool {
    connector: Arc<Connector>,
    /// Where the connections lead, for the log.
    address: String,
    /// Connections that reads share.
    shared: Box<[Shared]>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Connections that rest, the one used last at the end.
    idle: Vec<Pooled>,
    /// Those who wait for one, the first at the front.
    waiting: VecDeque<oneshot::Sender<Pooled>>,
    outage: Option<Outage>,
    is_closed: bool,
}

/// Attempts to connect fail.
struct Outage {
    reason: String,
    /// Since when no connection has been open, as far as anybody has looked.
    bare_since: Option<Instant>,
    /// Whether the log says so.
    is_told_bare: bool,
    /// When the last attempt failed, and when the next one may be made.
    noted: Instant,
    not_before: Instant,
    back_off: Duration,
    /// How often a connection was wanted in vain.
    refused: u64,
}

/// How to get a connection.
enum Step {
    Use(Pooled),
    Open,
    /// Wait for one that is in use, and then look again.
    Wait(Duration),
}

/// A place in the queue of those who wait. Whoever leaves it hands on what comes too late.
struct Turn<'p> {
    pool: &'p Pool,
    receiver: oneshot::Receiver<Pooled>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.receiver.close();
        if let Ok(pooled) = self.receiver.try_recv() {
            self.pool.rest(pooled);
        }
    }
}

impl Pool {
    pub(crate) fn new(connector: Arc<Connector>, address: String, shared: usize) -> Arc<Pool> {
        Arc::new(Pool {
            connector,
            address,
            shared: (0..shared).map(|_| Shared::default()).collect(),
            state: Mutex::default(),
        })
    }

    pub(crate) fn connector(&self) -> &Arc<Connector> {
        &self.connector
    }

    /// The connections that reads share.
    pub(crate) fn shared(&self) -> &[Shared] {
        &self.shared
    }

    /// Returns a connection that nobody else uses.
    pub(crate) async fn take(&self, purpose: Purpose) -> Result<Pooled> {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        let mut turn = None;
        loop {
            let found = match self.next_step(purpose, deadline)? {
                Step::Use(pooled) => pooled,
                Step::Open => {
                    // Nothing is to be kept for whoever makes the attempt, which may take long.
                    turn = None;
                    match self.open(purpose).await {
                        Some(pooled) => return Ok(pooled),
                        None => continue,
                    }
                }
                Step::Wait(limit) => {
                    let turn: &mut Turn<'_> = turn.get_or_insert_with(|| self.queue());
                    let Ok(Ok(pooled)) = within(limit, &mut turn.receiver).await else { continue };
                    pooled
                }
            };
            turn = None;
            // One that breaks meanwhile is no reason to give up.
            if let Ok(ready) = found.set_up_for(purpose).await {
                return Ok(ready);
            }
        }
    }

    /// Gives a connection back, with no transaction open on it.
    pub(crate) fn rest(&self, mut pooled: Pooled) {
        let mut state = self.state();
        if state.is_closed || pooled.client.is_closed() {
            return;
        }
        while let Some(waiting) = state.waiting.pop_front() {
            match waiting.send(pooled) {
                Ok(()) => return,
                Err(back) => pooled = back,
            }
        }
        state.idle.push(pooled);
    }

    /// Gives a shared connection back if somebody waits for one and nobody uses it.
    pub(crate) fn make_way(&self, shared: &Shared) {
        let is_wanted = {
            let mut state = self.state();
            state.waiting.retain(|waiting| !waiting.is_closed());
            !state.waiting.is_empty()
        };
        if is_wanted && let Some(pooled) = unused(shared) {
            self.rest(pooled);
        }
    }

    /// Why no work is done, if nothing is open and an attempt to connect has failed.
    pub(crate) fn refusal(&self) -> Option<String> {
        let state = self.state();
        let outage = state.outage.as_ref().filter(|_| self.connector.serving() == 0)?;
        Some(outage.reason.clone())
    }

    /// Closes what nobody uses, and keeps nothing from now on.
    pub(crate) async fn close(&self) {
        {
            let mut state = self.state();
            state.is_closed = true;
            state.idle.clear();
            state.waiting.clear();
        }
        for shared in &self.shared {
            shared.lock().await.take();
        }
    }

    fn next_step(&self, purpose: Purpose, deadline: Instant) -> Result<Step> {
        let mut state = self.state();
        if state.is_closed {
            return Err(ErrorKind::Closed.into());
        }
        state.idle.retain(|pooled| !pooled.client.is_closed());
        if let Some(place) = state.idle.iter().rposition(|pooled| pooled.purpose == purpose) {
            return Ok(Step::Use(state.idle.remove(place)));
        }
        let now = Instant::now();
        let is_bare = self.connector.serving() == 0;
        let Some(outage) = &mut state.outage else { return Ok(Step::Open) };
        let is_out = outage.note(is_bare, now);
        if now >= outage.not_before {
            // One attempt at a time.
            outage.not_before = now + ATTEMPT_MAX;
            return Ok(Step::Open);
        }
        let until = outage.not_before.min(deadline);
        if let Some(pooled) = state.idle.pop().or_else(|| self.shared.iter().find_map(unused)) {
            return Ok(Step::Use(pooled));
        }
        if is_out || now >= deadline {
            return Err(state.refuse());
        }
        // Those that are in use may all break meanwhile.
        Ok(Step::Wait(until.saturating_duration_since(now).min(BACK_OFF_MAX)))
    }

    /// Takes a place at the end of the queue.
    fn queue(&self) -> Turn<'_> {
        let (sender, receiver) = oneshot::channel();
        self.state().waiting.push_back(sender);
        Turn { pool: self, receiver }
    }

    /// Opens a connection, or remembers why that is impossible.
    async fn open(&self, purpose: Purpose) -> Option<Pooled> {
        let began = Instant::now();
        let opened = match self.connector.connect().await {
            Ok(connection) => {
                let pooled = Pooled { connection: Box::new(connection), purpose: Purpose::Reads };
                pooled.set_up_for(purpose).await
            }
            Err(error) => Err(error),
        };
        match opened {
            Ok(pooled) => {
                self.note_success();
                Some(pooled)
            }
            Err(error) => {
                self.note_failure(&error, began);
                None
            }
        }
    }

    fn note_success(&self) {
        let Some(outage) = self.state().outage.take() else { return };
        tracing::warn!(
            database = self.address,
            refused = outage.refused,
            "connections to the database can be opened again"
        );
    }

    fn note_failure(&self, error: &OpenError, began: Instant) {
        let open = self.connector.serving();
        let mut state = self.state();
        let now = Instant::now();
        let told = |open: usize| {
            tracing::warn!(
                database = self.address,
                %error,
                open,
                "a connection to the database cannot be opened; it is tried again"
            );
        };
        let Some(outage) = &mut state.outage else {
            told(open);
            let (reason, back_off) = (error.to_string(), BACK_OFF_FIRST);
            let bare_since = (open == 0).then_some(now);
            state.outage = Some(Outage {
                reason,
                bare_since,
                is_told_bare: open == 0,
                noted: now,
                not_before: now + back_off,
                back_off,
                refused: 0,
            });
            return;
        };
        // Of several attempts at the same time only the first counts.
        if began >= outage.noted {
            if open == 0 && !outage.is_told_bare {
                told(open);
                outage.is_told_bare = true;
            }
            outage.reason = error.to_string();
            outage.back_off = (outage.back_off * 2).min(BACK_OFF_MAX);
            (outage.noted, outage.not_before) = (now, now + outage.back_off);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outage {
    /// Notes whether nothing is open, and returns whether that has been so for too long.
    fn note(&mut self, is_bare: bool, now: Instant) -> bool {
        if !is_bare {
            (self.bare_since, self.is_told_bare) = (None, false);
            return false;
        }
        let since = *self.bare_since.get_or_insert_with(|| {
            // What was lost just now has left room.
            (self.not_before, self.back_off) = (now, BACK_OFF_FIRST);
            now
        });
        now >= since + GRACE
    }
}

impl State {
    fn refuse(&mut self) -> Error {
        let Some(outage) = &mut self.outage else { return ErrorKind::Unavailable.into() };
        outage.refused += 1;
        Error::with_source(ErrorKind::Unavailable, outage.reason.clone())
    }
}

impl Pooled {
    async fn set_up_for(mut self, purpose: Purpose) -> Result<Pooled, OpenError> {
        if self.purpose != purpose {
            let setting = self.client.batch_execute(purpose.settings());
            let set = within(SET_TIMEOUT, setting).await;
            set.map_err(|_| OpenError::Silent)?.map_err(OpenError::refused)?;
            self.purpose = purpose;
        }
        Ok(self)
    }
}

/// Takes a shared connection that nobody uses.
fn unused(shared: &Shared) -> Option<Pooled> {
    let mut shared = shared.try_lock().ok()?;
    let pooled = Arc::try_unwrap(shared.take()?);
    pooled.map_err(|used| *shared = Some(used)).ok().filter(|pooled| !pooled.client.is_closed())
}
