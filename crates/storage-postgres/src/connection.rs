//! Connections to the database.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_postgres::config::Host;
use tokio_postgres::{Client, Config};

use crate::abilities::{self, Abilities};
use crate::counts::Counts;
use crate::statements::Statements;
use crate::timing::within;
use crate::tls::Tls;
use crate::{OpenError, PostgresOptions};

/// How long opening a connection may take, over all hosts.
const READY_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens connections.
pub(crate) struct Connector {
    config: Config,
    tls: Tls,
    schema: String,
    /// The runtime that drives connections, whoever asks for one.
    handle: Handle,
    counts: Arc<Counts>,
    /// How many connections with statements are open.
    serving: Arc<AtomicUsize>,
    /// Known after the first connection.
    abilities: OnceLock<&'static Abilities>,
}

/// A connection with its statements.
pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) statements: Statements,
}

impl Connector {
    /// Connections are driven by the runtime that calls this.
    pub(crate) fn new(options: &PostgresOptions) -> Connector {
        Connector {
            config: options.config.clone(),
            tls: options.tls.clone(),
            schema: options.schema.clone(),
            handle: Handle::current(),
            counts: Arc::default(),
            serving: Arc::default(),
            abilities: OnceLock::new(),
        }
    }

    /// What is counted about the store.
    pub(crate) fn counts(&self) -> &Arc<Counts> {
        &self.counts
    }

    /// What the server at the other end can do.
    pub(crate) async fn abilities(&self, client: &Client) -> Result<&'static Abilities, OpenError> {
        if let Some(known) = self.abilities.get() {
            return Ok(known);
        }
        let host = self.config.get_hosts().iter().find_map(|host| match host {
            Host::Tcp(name) => Some(name.as_str()),
            #[cfg(unix)]
            Host::Unix(_) => None,
        });
        let found = abilities::of(client, host.unwrap_or_default()).await?;
        Ok(self.abilities.get_or_init(|| found))
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// How many connections with statements are open.
    pub(crate) fn serving(&self) -> usize {
        self.serving.load(Ordering::Acquire)
    }

    /// Opens a connection, on the connector's own runtime.
    pub(crate) async fn connect(&self) -> Result<Connection, OpenError> {
        let client = self.client_counted_in(Some(&self.serving)).await?;
        let prepared = within(READY_TIMEOUT, Statements::prepare(&client)).await;
        let statements = prepared.map_err(|_| OpenError::Silent)?.map_err(OpenError::refused)?;
        Ok(Connection { client, statements })
    }

    /// The same without statements, for a database that may not have a store yet.
    pub(crate) async fn client(&self) -> Result<Client, OpenError> {
        self.client_counted_in(None).await
    }

    /// The same, counted here as long as the connection lasts.
    async fn client_counted_in(
        &self,
        count: Option<&Arc<AtomicUsize>>,
    ) -> Result<Client, OpenError> {
        let ready = within(READY_TIMEOUT, self.ready_client(count)).await;
        let ready = ready.map_err(|_| OpenError::Silent).and_then(|ready| ready);
        if ready.is_err() {
            self.counts.failed_connections.add(1);
        }
        ready
    }

    async fn ready_client(&self, count: Option<&Arc<AtomicUsize>>) -> Result<Client, OpenError> {
        let connected = self.config.connect(self.tls.clone()).await;
        let (client, driver) = connected.map_err(OpenError::connecting)?;
        let open = (self.counts.connection(), count.cloned().map(Counted::new));
        self.handle.spawn(async move {
            if let Err(error) = driver.await {
                tracing::debug!(%error, "a connection to the database ended");
            }
            drop(open);
        });
        let path = format!("set search_path = {}", self.schema);
        client.batch_execute(&path).await.map_err(OpenError::refused)?;
        let settings = self.abilities(&client).await?.settings;
        client.batch_execute(settings).await.map_err(OpenError::refused)?;
        Ok(client)
    }
}

/// One more, until this is dropped.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(count: Arc<AtomicUsize>) -> Counted {
        count.fetch_add(1, Ordering::AcqRel);
        Counted(count)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
