//! Connections that read: a few that all single reads share, and one for each open snapshot.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use monotable_storage::{Error, ErrorKind, Result};
use tokio::runtime::Handle;
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore};

use crate::PostgresOptions;
use crate::committer::unreachable;
use crate::connection::{Connection, Connector};
use crate::error::Tries;
use crate::timing::{within, within_on};

/// How long an answer to a read may take. Behind a proxy, a connection to a dead machine stays open
/// and silent, and the system does not close it.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a snapshot waits for a connection.
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The connections of a server that read.
pub(crate) struct Readers {
    connector: Arc<Connector>,
    /// How long an answer may take.
    answer_timeout: Duration,
    /// Queries of many callers are pipelined on each, without waiting for answers.
    getters: Box<[AsyncMutex<Option<Arc<Connection>>>]>,
    next_getter: AtomicUsize,
    idle: Mutex<Vec<Connection>>,
    snapshots: Arc<Semaphore>,
    snapshots_max: usize,
}

/// A connection that belongs to one snapshot, and goes back when it is dropped.
pub(crate) struct Borrowed {
    readers: Arc<Readers>,
    /// Taken when it is dropped.
    connection: Option<(Connection, OwnedSemaphorePermit)>,
}

impl Readers {
    pub(crate) fn new(
        connector: Arc<Connector>,
        options: &PostgresOptions,
        answer_timeout: Duration,
    ) -> Arc<Readers> {
        Arc::new(Readers {
            connector,
            answer_timeout,
            getters: (0..options.getters).map(|_| AsyncMutex::new(None)).collect(),
            next_getter: AtomicUsize::new(0),
            idle: Mutex::new(Vec::new()),
            snapshots: Arc::new(Semaphore::new(options.snapshots)),
            snapshots_max: options.snapshots,
        })
    }

    /// How many snapshots are open.
    pub(crate) fn open_snapshots(&self) -> usize {
        self.snapshots_max.saturating_sub(self.snapshots.available_permits())
    }

    /// How many connections single reads share.
    pub(crate) fn getters(&self) -> usize {
        self.getters.len()
    }

    /// How long an answer may take.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.answer_timeout
    }

    /// The runtime that drives connections.
    pub(crate) fn handle(&self) -> &Handle {
        self.connector.handle()
    }

    /// Returns a connection for single reads, round robin.
    async fn getter(self: &Arc<Self>) -> Result<Arc<Connection>> {
        let turn = self.next_getter.fetch_add(1, Ordering::Relaxed) % self.getters.len();
        self.getter_at(turn).await
    }

    /// The connection for single reads with this number.
    pub(crate) async fn getter_at(self: &Arc<Self>, turn: usize) -> Result<Arc<Connection>> {
        let getter = self.getters.get(turn).ok_or(ErrorKind::Unavailable)?;
        if let Some(connection) = open(&*getter.lock().await) {
            return Ok(connection);
        }
        let readers = self.clone();
        let connecting = self.connector.handle().spawn(async move { readers.connect(turn).await });
        connecting.await.map_err(|_| Error::new(ErrorKind::Closed))?
    }

    /// Runs a query on a connection for single reads, and again on another one if that is lost or
    /// silent.
    pub(crate) async fn ask<T, F>(
        self: &Arc<Self>,
        question: impl Fn(Arc<Connection>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let mut tries = Tries::new();
        loop {
            let connection = self.getter().await?;
            let answer = question(connection.clone());
            match within_on(self.handle(), self.answer_timeout, answer).await {
                Ok(answer) => {
                    if let Some(answer) = tries.judge(answer) {
                        return answer;
                    }
                }
                Err(_) => {
                    self.forget(&connection).await;
                    tries.again()?;
                }
            }
        }
    }

    /// Opens another connection in place of one that is silent.
    async fn forget(&self, silent: &Arc<Connection>) {
        for getter in &self.getters {
            let mut getter = getter.lock().await;
            if getter.as_ref().is_some_and(|connection| Arc::ptr_eq(connection, silent)) {
                getter.take();
            }
        }
    }

    async fn connect(&self, turn: usize) -> Result<Arc<Connection>> {
        let getter = self.getters.get(turn).ok_or(ErrorKind::Unavailable)?;
        let mut getter = getter.lock().await;
        if let Some(connection) = open(&getter) {
            return Ok(connection);
        }
        let connection = self.connector.connect().await.map_err(|error| unreachable(&error))?;
        let connection = Arc::new(connection);
        *getter = Some(connection.clone());
        Ok(connection)
    }

    /// Drops a connection that does not answer.
    pub(crate) async fn give_up(&self, turn: usize) {
        if let Some(getter) = self.getters.get(turn) {
            getter.lock().await.take();
        }
    }

    /// Opens a transaction that sees the present state, on a connection of its own.
    pub(crate) async fn begin_snapshot(self: &Arc<Self>) -> Result<Borrowed> {
        let readers = self.clone();
        let beginning = self.connector.handle().spawn(async move {
            let mut tries = Tries::new();
            loop {
                let borrowed = readers.clone().borrow().await?;
                match within(readers.answer_timeout, borrowed.begin()).await {
                    Ok(begun) => {
                        if let Some(begun) = tries.judge(begun) {
                            return begun.map(|()| borrowed);
                        }
                    }
                    Err(_) => tries.again()?,
                }
            }
        });
        beginning.await.map_err(|_| Error::new(ErrorKind::Closed))?
    }

    async fn borrow(self: Arc<Self>) -> Result<Borrowed> {
        let permit = within(WAIT_TIMEOUT, self.snapshots.clone().acquire_owned()).await;
        let permit = permit.map_err(|_| ErrorKind::Unavailable)?.map_err(|_| ErrorKind::Closed)?;
        let idle = self.idle().pop().filter(|connection| !connection.client.is_closed());
        let connection = match idle {
            Some(connection) => connection,
            None => self.connector.connect().await.map_err(|error| unreachable(&error))?,
        };
        Ok(Borrowed { readers: self, connection: Some((connection, permit)) })
    }

    /// Closes idle connections, and opens no more snapshots.
    pub(crate) async fn close(&self) {
        self.snapshots.close();
        self.idle().clear();
        for getter in &self.getters {
            getter.lock().await.take();
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open(getter: &Option<Arc<Connection>>) -> Option<Arc<Connection>> {
    getter.clone().filter(|connection| !connection.client.is_closed())
}

impl Borrowed {
    pub(crate) fn connection(&self) -> Result<&Connection> {
        let (connection, _) = self.connection.as_ref().ok_or(ErrorKind::Expired)?;
        Ok(connection)
    }

    /// Where connections are driven.
    pub(crate) fn handle(&self) -> &Handle {
        self.readers.handle()
    }

    /// How long an answer may take.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.readers.answer_timeout
    }

    async fn begin(&self) -> Result<(), tokio_postgres::Error> {
        let Some((connection, _)) = &self.connection else { return Ok(()) };
        let (client, statements) = (&connection.client, &connection.statements);
        tokio::try_join!(
            biased;
            client.execute(&statements.begin_snapshot, &[]),
            client.execute(&statements.nothing, &[]),
        )?;
        Ok(())
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let Some((connection, permit)) = self.connection.take() else { return };
        let readers = self.readers.clone();
        self.readers.connector.handle().spawn(async move {
            let rollback = connection.client.execute(&connection.statements.rollback, &[]);
            if matches!(within(WAIT_TIMEOUT, rollback).await, Ok(Ok(_)))
                && !readers.snapshots.is_closed()
            {
                readers.idle().push(connection);
            }
            drop(permit);
        });
    }
}
