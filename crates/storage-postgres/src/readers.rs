//! Connections that read: a few that all single reads share, and one for each open snapshot.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use monotable_storage::{Error, ErrorKind, Result};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::PostgresOptions;
use crate::connection::Connection;
use crate::error::Tries;
use crate::pool::{Pool, Pooled, Purpose, WAIT_TIMEOUT};
use crate::timing::{within, within_on};
use crate::trouble::Trouble;

/// How long an answer to a read may take. Behind a proxy, a connection to a dead machine stays open
/// and silent, and the system does not close it.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// The connections of a server that read.
pub(crate) struct Readers {
    /// Queries of many callers are pipelined on each of the shared connections, without waiting for
    /// answers.
    pool: Arc<Pool>,
    /// How long an answer may take.
    answer_timeout: Duration,
    next_getter: AtomicUsize,
    trouble: Trouble,
    snapshots: Arc<Semaphore>,
    snapshots_max: usize,
}

/// A connection that belongs to one snapshot, and goes back when it is dropped.
pub(crate) struct Borrowed {
    readers: Arc<Readers>,
    /// Taken when it is dropped.
    connection: Option<(Pooled, OwnedSemaphorePermit)>,
}

impl Readers {
    pub(crate) fn new(
        pool: Arc<Pool>,
        options: &PostgresOptions,
        answer_timeout: Duration,
    ) -> Arc<Readers> {
        Arc::new(Readers {
            pool,
            answer_timeout,
            next_getter: AtomicUsize::new(0),
            trouble: Trouble::new("reads are refused"),
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
        self.pool.shared().len()
    }

    /// How long an answer may take.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.answer_timeout
    }

    /// The runtime that drives connections.
    pub(crate) fn handle(&self) -> &Handle {
        self.pool.connector().handle()
    }

    /// The connection for single reads with this number.
    pub(crate) async fn getter_at(self: &Arc<Self>, turn: usize) -> Result<Arc<Pooled>> {
        let getter = self.pool.shared().get(turn).ok_or(ErrorKind::Unavailable)?;
        if let Some(connection) = open(&*getter.lock().await) {
            return Ok(connection);
        }
        let readers = self.clone();
        let connecting = self.handle().spawn(async move { readers.connect(turn).await });
        connecting.await.map_err(|_| Error::new(ErrorKind::Closed))?
    }

    /// Notes how a read ended, for the log.
    pub(crate) fn note<T>(&self, answer: &Result<T>) {
        match answer {
            Ok(_) => self.trouble.note_success(),
            Err(error) => self.trouble.note(error),
        }
    }

    /// Is called whenever a read on this connection is done: somebody else may wait for one.
    pub(crate) fn done_at(&self, turn: usize) {
        if let Some(getter) = self.pool.shared().get(turn) {
            self.pool.make_way(getter);
        }
    }

    /// Runs a query on a connection for single reads, and again on another one if that is lost or
    /// silent.
    pub(crate) async fn ask<T, F>(
        self: &Arc<Self>,
        question: impl Fn(Arc<Pooled>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let mut tries = Tries::new();
        loop {
            let turn = self.next_getter.fetch_add(1, Ordering::Relaxed) % self.getters();
            let connection = self.getter_at(turn).await?;
            let answer = question(connection.clone());
            match within_on(self.handle(), self.answer_timeout, answer).await {
                Ok(answer) => {
                    drop(connection);
                    self.done_at(turn);
                    if let Some(answer) = tries.judge(answer) {
                        self.note(&answer);
                        return answer;
                    }
                }
                Err(_) => {
                    self.give_up(turn, &connection).await;
                    tries.again()?;
                }
            }
        }
    }

    async fn connect(&self, turn: usize) -> Result<Arc<Pooled>> {
        let getter = self.pool.shared().get(turn).ok_or(ErrorKind::Unavailable)?;
        let mut getter = getter.lock().await;
        if let Some(connection) = open(&getter) {
            return Ok(connection);
        }
        let connection = Arc::new(self.pool.take(Purpose::Reads).await?);
        *getter = Some(connection.clone());
        Ok(connection)
    }

    /// Has another connection opened in place of one that does not answer.
    pub(crate) async fn give_up(&self, turn: usize, silent: &Arc<Pooled>) {
        let Some(getter) = self.pool.shared().get(turn) else { return };
        let mut getter = getter.lock().await;
        if getter.as_ref().is_some_and(|connection| Arc::ptr_eq(connection, silent)) {
            getter.take();
        }
    }

    /// Opens a transaction that sees the present state, on a connection of its own.
    pub(crate) async fn begin_snapshot(self: &Arc<Self>) -> Result<Borrowed> {
        let readers = self.clone();
        let beginning = self.handle().spawn(async move {
            let mut tries = Tries::new();
            loop {
                let borrowed = readers.clone().borrow().await?;
                match within(readers.answer_timeout, borrowed.begin()).await {
                    Ok(begun) => {
                        if let Some(begun) = tries.judge(begun) {
                            readers.note(&begun);
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
        let connection = self.pool.take(Purpose::Reads).await?;
        Ok(Borrowed { readers: self, connection: Some((connection, permit)) })
    }

    /// Closes idle connections, and opens no more snapshots.
    pub(crate) async fn close(&self) {
        self.snapshots.close();
        self.pool.close().await;
    }
}

fn open(getter: &Option<Arc<Pooled>>) -> Option<Arc<Pooled>> {
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
        self.readers.handle().spawn(async move {
            let rollback = connection.client.execute(&connection.statements.rollback, &[]);
            if matches!(within(WAIT_TIMEOUT, rollback).await, Ok(Ok(_))) {
                readers.pool.rest(connection);
            }
            drop(permit);
        });
    }
}
