//! Servers report to the store that they are running, and learn from that whether it takes writes.
//!
//! Each server has a row with the time of its last heartbeat. It is for operators, who see in
//! `monotable store status` which servers are running and how late they are; nothing is decided by
//! it. The heartbeat is a write like any other, so a server whose heartbeat is answered can write,
//! unless the database has no connection for it besides that of the heartbeat. This is the
//! readiness that load balancers ask for.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_postgres::Client;

use crate::OpenError;
use crate::connection::Connector;
use crate::pool::{Pool, Purpose};
use crate::timing::{pause, within};

/// How long a server rests between two beats.
const INTERVAL: Duration = Duration::from_secs(1);

/// How long a beat may take before the store counts as unable to take writes.
const TIMEOUT: Duration = Duration::from_secs(3);

const BEAT: &str = "insert into server (id, name, version) values ($1, $2, $3) \
     on conflict (id) do update set beat = clock_timestamp()";

/// Servers that have been silent for this long are gone.
const FORGET: &str = "delete from server where beat < now() - interval '1 day'";

const LEAVE: &str = "delete from server where id = $1";

/// What a server says about itself.
#[derive(Clone, Debug)]
pub struct Registration {
    /// Its number among the servers of the store, which also appears in its leases.
    pub id: u128,
    /// Where it is, in words.
    pub name: String,
    /// The version of its program.
    pub version: String,
}

/// Whether the store takes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreHealth {
    /// It did when it was last asked, about a second ago.
    Writable,
    /// It did not.
    Unwritable {
        /// Why, in a few words.
        reason: String,
    },
}

/// The task that sends heartbeats, if there is one.
pub(crate) struct Presence {
    health: Arc<Mutex<StoreHealth>>,
    stop: watch::Sender<bool>,
    task: tokio::sync::Mutex<Option<JoinHandle<()>>>,
}

impl Presence {
    pub(crate) fn new() -> Presence {
        Presence {
            health: Arc::new(Mutex::new(StoreHealth::Writable)),
            stop: watch::Sender::new(false),
            task: tokio::sync::Mutex::default(),
        }
    }

    /// Starts to send heartbeats.
    pub(crate) async fn start(&self, pool: Arc<Pool>, registration: Registration) {
        let connector = pool.connector().clone();
        let handle = connector.handle().clone();
        let health = self.health.clone();
        let beating = Beating { connector, pool, registration, client: None, health };
        let task = handle.spawn(beating.run(self.stop.subscribe()));
        *self.task.lock().await = Some(task);
    }

    /// Stops, and removes the row.
    pub(crate) async fn stop(&self) {
        self.stop.send_replace(true);
        if let Some(task) = self.task.lock().await.take() {
            // A task that panicked has nothing more to do.
            let _ = task.await;
        }
    }

    pub(crate) fn health(&self) -> StoreHealth {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// See the module.
struct Beating {
    connector: Arc<Connector>,
    pool: Arc<Pool>,
    registration: Registration,
    client: Option<Client>,
    health: Arc<Mutex<StoreHealth>>,
}

impl Beating {
    async fn run(mut self, mut stop: watch::Receiver<bool>) {
        loop {
            let health = self.check().await;
            self.note(health);
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                () = pause(INTERVAL) => {}
            }
        }
        let id = self.registration.id.to_be_bytes();
        if let Some(client) = &self.client {
            // A row that is not removed is dropped after a day.
            let _ = within(TIMEOUT, client.execute(LEAVE, &[&id.as_slice()])).await;
        }
    }

    async fn check(&mut self) -> StoreHealth {
        let unwritable = |reason: String| StoreHealth::Unwritable { reason };
        match within(TIMEOUT, self.beat()).await {
            Ok(Ok(())) => match self.refusal().await {
                Some(reason) => unwritable(reason),
                None => StoreHealth::Writable,
            },
            Ok(Err(error)) => {
                self.client = None;
                unwritable(error.to_string())
            }
            Err(_) => {
                self.client = None;
                unwritable(
                    "the database does not answer a write; look whether it and its synchronous \
                     standbys are there"
                        .to_owned(),
                )
            }
        }
    }

    /// Why calls are refused although this task has its connection. Nobody but this task tries
    /// again when no calls come any more.
    async fn refusal(&self) -> Option<String> {
        self.pool.refusal()?;
        let pool = self.pool.clone();
        // An attempt that is dropped half way would keep others from making one.
        let trying = self.connector.handle().spawn(async move {
            if let Ok(pooled) = pool.take(Purpose::Reads).await {
                pool.rest(pooled);
            }
        });
        let _ = within(TIMEOUT, trying).await;
        self.pool.refusal()
    }

    async fn beat(&mut self) -> Result<(), OpenError> {
        let client = match self.client.take().filter(|client| !client.is_closed()) {
            Some(client) => self.client.insert(client),
            None => {
                let client = self.connector.client().await?;
                client.execute(FORGET, &[]).await.map_err(OpenError::refused)?;
                self.client.insert(client)
            }
        };
        let Registration { id, name, version } = &self.registration;
        let id = id.to_be_bytes();
        let beat = client.execute(BEAT, &[&id.as_slice(), name, version]).await;
        beat.map_err(OpenError::refused)?;
        Ok(())
    }

    /// Logs a change of the state, once.
    fn note(&self, found: StoreHealth) {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*health, &found) {
            (StoreHealth::Writable, StoreHealth::Unwritable { reason }) => {
                tracing::error!(%reason, "the store takes no writes");
            }
            (StoreHealth::Unwritable { .. }, StoreHealth::Writable) => {
                tracing::warn!("the store takes writes again");
            }
            (StoreHealth::Writable, StoreHealth::Writable)
            | (StoreHealth::Unwritable { .. }, StoreHealth::Unwritable { .. }) => {}
        }
        *health = found;
    }
}
