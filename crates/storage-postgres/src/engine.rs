//! [`PostgresEngine`]: the contract of engines over one database.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use monotable_storage::{
    CommitId, Decision, Engine, Error, ErrorKind, Key, KeyLocks, Reads, RemoteStatistics, Result,
    Settled, Wants,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::abilities;
use crate::changes::check;
use crate::committer::{self, Committers};
use crate::connection::Connector;
use crate::joined_reads::JoinedReads;
use crate::joining::{JoinedCounts, Joining};
use crate::lock_ids::LockIds;
use crate::member::Member;
use crate::pool::Pool;
use crate::presence::{Presence, Registration, StoreHealth};
use crate::readers::{READ_TIMEOUT, Readers};
use crate::settle::settle;
use crate::standby::Standbys;
use crate::{OpenError, PostgresOptions, PostgresSnapshot, schema};

/// How often a transaction that conflicts with others is tried before its caller is told.
const TRIES_MAX: usize = 10;

/// An [`Engine`] on PostgreSQL, whose store any number of servers share.
pub struct PostgresEngine {
    connector: Arc<Connector>,
    pool: Arc<Pool>,
    readers: Arc<Readers>,
    joined_reads: JoinedReads,
    standbys: Standbys,
    /// Taken before the locks of the database, so that a hot key does not tie up connections.
    key_locks: Arc<KeyLocks>,
    /// `None` once closed.
    queue: Mutex<Option<mpsc::Sender<Member>>>,
    joined_transactions: Arc<Joining<Member>>,
    committers: tokio::sync::Mutex<Vec<JoinHandle<()>>>,
    is_closed: Arc<AtomicBool>,
    presence: Presence,
}

impl PostgresEngine {
    /// Opens a store that [`init`](crate::init) made. Its connections are driven by the runtime
    /// that this is called on; the engine can be used on any.
    pub async fn open(options: &PostgresOptions) -> Result<PostgresEngine, OpenError> {
        let connector = Arc::new(Connector::new(options));
        abilities::check(&connector).await?;
        schema::check(&connector, &options.schema).await?;
        let lock_ids = LockIds::new(&options.schema);
        let pool = Pool::new(connector.clone(), options.to_string(), options.getters);
        let seed = getrandom::u64().unwrap_or_default();
        let Committers { queue, joining, tasks } = committer::start(&pool, lock_ids, options, seed);
        let readers = Readers::new(pool.clone(), options, READ_TIMEOUT);
        Ok(PostgresEngine {
            joined_reads: JoinedReads::start(&readers),
            standbys: Standbys::start(&connector, &options.standbys()),
            readers,
            connector,
            pool,
            key_locks: KeyLocks::new(),
            queue: Mutex::new(Some(queue)),
            joined_transactions: joining,
            committers: tokio::sync::Mutex::new(tasks),
            is_closed: Arc::new(AtomicBool::new(false)),
            presence: Presence::new(),
        })
    }

    /// Lists this server among those of the store until it is closed, and watches from now on
    /// whether the store takes writes.
    pub async fn register(&self, registration: Registration) {
        self.presence.start(self.pool.clone(), registration).await;
    }

    /// Returns whether the store takes writes, as far as a [registered](PostgresEngine::register)
    /// server knows. It does not wait.
    pub fn health(&self) -> StoreHealth {
        self.presence.health()
    }

    /// What was counted since the engine was opened.
    pub fn statistics(&self) -> RemoteStatistics {
        let is_writable = self.health() == StoreHealth::Writable;
        self.connector.counts().statistics(is_writable, self.readers.open_snapshots())
    }

    /// How many transactions were joined into how many of the database.
    pub fn joined_transactions(&self) -> JoinedCounts {
        self.joined_transactions.counts()
    }

    /// How many reads of a few keys were joined into how many questions.
    pub fn joined_reads(&self) -> JoinedCounts {
        self.joined_reads.counts()
    }

    fn check_open(&self) -> Result<()> {
        if self.is_closed.load(Ordering::Acquire) {
            return Err(ErrorKind::Closed.into());
        }
        Ok(())
    }

    fn queue(&self) -> Result<mpsc::Sender<Member>> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(queue.clone().ok_or(ErrorKind::Closed)?)
    }

    /// Runs a transaction once.
    async fn attempt<T: Send>(
        &self,
        wants: &Wants<'_>,
        is_alone: bool,
        decide: &mut (impl FnMut(&Reads) -> Decision<T> + Send),
    ) -> Result<T> {
        let guard = self.key_locks.lock(wants).await;
        let (member, caller) = Member::new(wants, guard, is_alone);
        self.queue()?.send(member).await.map_err(|_| ErrorKind::Closed)?;
        let reads = caller.reads.await.map_err(|_| ErrorKind::Closed)??;
        match decide(&reads) {
            Decision::Keep(answer) => Ok(answer),
            Decision::Commit(batch, answer) => {
                check(&batch)?;
                // A transaction that the group has stopped waiting for is tried again.
                caller.decision.send(batch).map_err(|_| ErrorKind::Conflict)?;
                // The committing task ends without an answer only if its runtime does.
                caller.outcome.await.map_err(|_| ErrorKind::Unknown)??;
                Ok(answer)
            }
        }
    }
}

impl Engine for PostgresEngine {
    type Snapshot = PostgresSnapshot;

    async fn snapshot(&self) -> Result<PostgresSnapshot> {
        self.check_open()?;
        let borrowed = self.readers.begin_snapshot().await?;
        Ok(PostgresSnapshot::new(borrowed, self.is_closed.clone()))
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.check_open()?;
        Ok(self.joined_reads.get(vec![key.to_vec()]).await?.pop().flatten())
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.check_open()?;
        self.joined_reads.get_many(keys).await
    }

    async fn stale_snapshot(&self) -> Option<PostgresSnapshot> {
        let borrowed = self.standbys.begin_snapshot().await?;
        Some(PostgresSnapshot::new(borrowed, self.is_closed.clone()))
    }

    async fn stale_get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        self.standbys.get_many(keys).await
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        let mut tries = 0;
        loop {
            let outcome = self.attempt(&wants, tries > 0, &mut decide).await;
            tries += 1;
            match outcome {
                Err(error) if error.kind() == ErrorKind::Conflict && tries < TRIES_MAX => {
                    self.connector.counts().retries.add(1);
                }
                outcome => return outcome,
            }
        }
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        self.check_open()?;
        let (connector, token) = (self.connector.clone(), commit.0.to_be_bytes());
        let settling =
            self.connector.handle().spawn(async move { settle(&connector, token).await });
        let settled = settling.await.map_err(|_| Error::new(ErrorKind::Closed))?;
        settled.ok_or_else(|| Error::new(ErrorKind::Unavailable))
    }

    async fn now_millis(&self) -> Result<Option<u64>> {
        self.check_open()?;
        let millis = self.readers.ask(|connection| async move {
            let now = &connection.statements.now_millis;
            connection.client.query_one(now, &[]).await?.try_get::<_, i64>(0)
        });
        Ok(u64::try_from(millis.await?).ok())
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn close(&self) -> Result<()> {
        self.presence.stop().await;
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        for committer in self.committers.lock().await.drain(..) {
            committer.await.map_err(|_| ErrorKind::Poisoned)?;
        }
        self.is_closed.store(true, Ordering::Release);
        self.readers.close().await;
        self.standbys.close().await;
        Ok(())
    }
}
