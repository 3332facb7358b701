//! Connections to the database.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_postgres::{Client, Config};

use crate::counts::Counts;
use crate::statements::Statements;
use crate::timing::within;
use crate::tls::Tls;
use crate::{OpenError, PostgresOptions};

/// How long it may take until a connection is ready, over all hosts.
const READY_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings of every session.
///
/// - Plans are made once, and never for an empty table that has since grown: an index is always
///   used.
/// - Whoever waits for a lock gives up in time, and who holds one in the middle of a transaction
///   and is silent loses it. The time of a statement is not limited here: a commit that waits for
///   its standby would be answered without it.
/// - An answer means that the commit is on disk.
const SETTINGS: &str = "
    set plan_cache_mode = force_generic_plan;
    set enable_seqscan = off;
    set enable_bitmapscan = off;
    set enable_sort = off;
    set enable_hashagg = off;
    set jit = off;
    set client_min_messages = warning;
    set lock_timeout = '5s';
    set idle_in_transaction_session_timeout = '15s';
    select set_config('synchronous_commit', 'on', false)
        where current_setting('synchronous_commit') = 'off';
";

/// Opens connections.
pub(crate) struct Connector {
    config: Config,
    tls: Tls,
    schema: String,
    /// Where connections are driven, whoever asks for one.
    handle: Handle,
    counts: Arc<Counts>,
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
        }
    }

    /// What is counted about the store.
    pub(crate) fn counts(&self) -> &Arc<Counts> {
        &self.counts
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Opens a connection, on the connector's own runtime.
    pub(crate) async fn connect(&self) -> Result<Connection, OpenError> {
        let client = self.client().await?;
        let prepared = within(READY_TIMEOUT, Statements::prepare(&client)).await;
        let statements = prepared.map_err(|_| OpenError::Silent)?.map_err(OpenError::refused)?;
        Ok(Connection { client, statements })
    }

    /// The same without statements, for a database that may not have a store yet.
    pub(crate) async fn client(&self) -> Result<Client, OpenError> {
        let ready = within(READY_TIMEOUT, self.ready_client()).await;
        let ready = ready.map_err(|_| OpenError::Silent).and_then(|ready| ready);
        if ready.is_err() {
            self.counts.failed_connections.add(1);
        }
        ready
    }

    async fn ready_client(&self) -> Result<Client, OpenError> {
        let connected = self.config.connect(self.tls.clone()).await;
        let (client, driver) = connected.map_err(OpenError::connecting)?;
        let open = self.counts.connection();
        self.handle.spawn(async move {
            if let Err(error) = driver.await {
                tracing::debug!(%error, "a connection to the database ended");
            }
            drop(open);
        });
        let path = format!("set search_path = {}", self.schema);
        client.batch_execute(&path).await.map_err(OpenError::refused)?;
        client.batch_execute(SETTINGS).await.map_err(OpenError::refused)?;
        Ok(client)
    }
}
