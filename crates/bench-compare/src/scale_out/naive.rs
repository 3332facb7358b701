//! A naive engine over the same tables: each request has a connection and a transaction of its own,
//! and every statement waits for the one before. It is what ours is to be worth.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use tokio::sync::Mutex;
use tokio::sync::mpsc;
use tokio_postgres::{Client, Statement};

use super::store::LoadedStore;
use super::work::{RECORD_KEY, Worker, key};

/// A pool of connections.
pub(super) struct NaiveEngine {
    idle: Mutex<mpsc::Receiver<Session>>,
    back: mpsc::Sender<Session>,
}

/// A connection with its statements.
struct Session {
    client: Client,
    record: Statement,
    item: Statement,
    put: Statement,
    get: Statement,
}

impl NaiveEngine {
    /// Opens so many connections.
    pub(super) async fn open(store: &LoadedStore<'_>, connections: usize) -> Result<NaiveEngine> {
        let (back, idle) = mpsc::channel(connections);
        for _ in 0..connections {
            let session = Session::prepare(store.connect().await?).await?;
            back.send(session).await.ok().context("the pool is there")?;
        }
        Ok(NaiveEngine { idle: Mutex::new(idle), back })
    }

    async fn session(&self) -> Result<Session> {
        self.idle.lock().await.recv().await.context("the pool is there")
    }

    async fn give_back(&self, session: Session) -> Result<()> {
        self.back.send(session).await.ok().context("the pool is there")
    }
}

impl Session {
    async fn prepare(client: Client) -> Result<Session> {
        let record = client.prepare("select v from kv where k = $1 for key share").await?;
        let item = client.prepare("select v from kv where k = $1 for update").await?;
        let put = "insert into kv values ($1, $2) on conflict (k) do update set v = excluded.v";
        let put = client.prepare(put).await?;
        let get = client.prepare("select v from kv where k = $1").await?;
        Ok(Session { client, record, item, put, get })
    }

    async fn put(&self, row: u64, value: &[u8]) -> Result<()> {
        let key = key(row);
        self.client.batch_execute("begin").await?;
        self.client.query_one(&self.record, &[&RECORD_KEY.as_bytes()]).await?;
        self.client.query_one(&self.item, &[&key]).await?;
        self.client.execute(&self.put, &[&key, &value]).await?;
        Ok(self.client.batch_execute("commit").await?)
    }

    async fn get(&self, row: u64) -> Result<()> {
        let record = self.client.query_one(&self.get, &[&RECORD_KEY.as_bytes()]).await?;
        let item = self.client.query_one(&self.get, &[&key(row)]).await?;
        let values: [&[u8]; 2] = [record.try_get(0)?, item.try_get(0)?];
        ensure!(values.iter().all(|value| !value.is_empty()), "row {row} is empty");
        Ok(())
    }
}

impl Worker for NaiveEngine {
    async fn put(&self, row: u64, value: Bytes) -> Result<()> {
        let session = self.session().await?;
        session.put(row, &value).await?;
        self.give_back(session).await
    }

    async fn get(&self, row: u64) -> Result<()> {
        let session = self.session().await?;
        session.get(row).await?;
        self.give_back(session).await
    }
}
