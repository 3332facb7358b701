//! Connections to the database.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio_postgres::{Client, Config, NoTls};

use crate::statements::Statements;
use crate::timing::within;
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
    schema: String,
    /// Where connections are driven, whoever asks for one.
    handle: Handle,
}

/// A connection with its statements.
pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) statements: Statements,
}

impl Connector {
    /// Connections are driven by the runtime that calls this.
    pub(crate) fn new(options: &PostgresOptions) -> Connector {
        let handle = Handle::current();
        Connector { config: options.config.clone(), schema: options.schema.clone(), handle }
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Opens a connection, on the connector's own runtime.
    pub(crate) async fn connect(&self) -> Result<Connection, OpenError> {
        let client = self.client().await?;
        let prepared = within(READY_TIMEOUT, Statements::prepare(&client)).await;
        let statements = prepared.map_err(|_| OpenError::Silent)?.map_err(OpenError::Refused)?;
        Ok(Connection { client, statements })
    }

    /// The same without statements, for a database that may not have a store yet.
    pub(crate) async fn client(&self) -> Result<Client, OpenError> {
        let ready = within(READY_TIMEOUT, self.ready_client()).await;
        ready.map_err(|_| OpenError::Silent)?
    }

    async fn ready_client(&self) -> Result<Client, OpenError> {
        let (client, driver) = self.config.connect(NoTls).await.map_err(OpenError::Connect)?;
        self.handle.spawn(async move {
            if let Err(error) = driver.await {
                tracing::debug!(%error, "a connection to the database ended");
            }
        });
        let path = format!("set search_path = {}", self.schema);
        client.batch_execute(&path).await.map_err(OpenError::Refused)?;
        client.batch_execute(SETTINGS).await.map_err(OpenError::Refused)?;
        Ok(client)
    }
}
