//! What an operator wants to know about a store.

use std::time::Duration;

use tokio_postgres::{Client, Error};

use crate::connection::Connector;
use crate::schema::{Format, check_server, format_of};
use crate::{OpenError, PostgresOptions};

/// A store as it is now.
#[derive(Clone, Debug)]
pub struct StoreStatus {
    /// The version of PostgreSQL, such as `18.1`.
    pub server_version: String,
    /// The format of the store.
    pub format: i32,
    /// The oldest format whose servers may use it.
    pub floor: i32,
    /// Whether it is a copy that was not finished, which nobody can open.
    pub is_unfinished: bool,
    /// Its tables.
    pub tables: Vec<TableSize>,
    /// Its servers, the most recently heard from first.
    pub servers: Vec<ServerStatus>,
    /// Connections to the whole database server.
    pub connections: Connections,
    /// The standbys that the database reveals. It hides them from users without the privilege.
    pub standbys: Vec<Standby>,
    /// What `synchronous_standby_names` says; nothing if commits wait for no standby.
    pub synchronous_standby_names: String,
    /// What `synchronous_commit` says.
    pub synchronous_commit: String,
}

/// The size of a table.
#[derive(Clone, Debug)]
pub struct TableSize {
    /// Its name.
    pub name: String,
    /// Bytes on disk, with its indexes.
    pub bytes: u64,
    /// About how many rows it has, as of its last vacuum or analyze. Nothing before the first.
    pub rows: Option<u64>,
}

/// A server of the store.
#[derive(Clone, Debug)]
pub struct ServerStatus {
    /// Its number, which also appears in its leases.
    pub id: u128,
    /// Where it is, in words.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// How long ago it started.
    pub uptime: Duration,
    /// How long ago it was last heard from.
    pub silence: Duration,
}

/// Connections to the database server.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    /// All of them.
    pub open: u64,
    /// Those of the servers of stores.
    pub ours: u64,
    /// The limit, without the connections reserved for superusers.
    pub max: u64,
}

/// A standby of the database.
#[derive(Clone, Debug)]
pub struct Standby {
    /// Its `application_name`.
    pub name: String,
    /// `streaming`, or another state.
    pub state: String,
    /// Whether commits wait for it: `sync`, `quorum`, `potential` or `async`.
    pub sync_state: String,
    /// How far behind it is in applying commits.
    pub replay_lag: Option<Duration>,
}

const SETTINGS: &str = "select current_setting('server_version'), \
     current_setting('synchronous_standby_names'), current_setting('synchronous_commit'), \
     current_setting('max_connections')::bigint \
     - current_setting('superuser_reserved_connections')::bigint";

const TABLES: &str = "select c.relname::text, pg_total_relation_size(c.oid), c.reltuples::bigint \
     from pg_class c where c.relnamespace = $1::text::regnamespace and c.relkind = 'r' \
     order by 2 desc, 1";

const SERVERS: &str = "select id, name, version, \
     extract(epoch from clock_timestamp() - started)::float8, \
     extract(epoch from clock_timestamp() - beat)::float8 from server order by beat desc";

const CONNECTIONS: &str = "select count(*), count(*) filter (where application_name = 'monotable') \
     from pg_stat_activity where backend_type = 'client backend'";

const STANDBYS: &str = "select coalesce(application_name, ''), coalesce(state, ''), \
     coalesce(sync_state, ''), extract(epoch from replay_lag)::float8 \
     from pg_stat_replication where state is not null order by 1";

/// Inspects a store of this version's format or an older one.
pub async fn status(options: &PostgresOptions) -> Result<StoreStatus, OpenError> {
    let connector = Connector::new(options);
    let client = connector.client().await?;
    check_server(&connector, &client).await?;
    let found = format_of(&client, &options.schema).await?;
    let Format { version: format, floor, is_unfinished } = found;
    let settings = client.query_one(SETTINGS, &[]).await.map_err(OpenError::refused)?;
    // The first format has no list of servers.
    let servers = if format > 1 { servers(&client).await } else { Ok(Vec::new()) };
    Ok(StoreStatus {
        server_version: settings.get(0),
        format,
        floor,
        is_unfinished,
        tables: tables(&client, &options.schema).await.map_err(OpenError::refused)?,
        servers: servers.map_err(OpenError::refused)?,
        connections: connections(&client, settings.get(3)).await.map_err(OpenError::refused)?,
        standbys: standbys(&client).await.map_err(OpenError::refused)?,
        synchronous_standby_names: settings.get(1),
        synchronous_commit: settings.get(2),
    })
}

async fn tables(client: &Client, schema: &str) -> Result<Vec<TableSize>, Error> {
    let rows = client.query(TABLES, &[&schema]).await?;
    let size = |row: &tokio_postgres::Row| TableSize {
        name: row.get(0),
        bytes: unsigned(row.get(1)),
        rows: u64::try_from(row.get::<_, i64>(2)).ok(),
    };
    Ok(rows.iter().map(size).collect())
}

async fn servers(client: &Client) -> Result<Vec<ServerStatus>, Error> {
    let rows = client.query(SERVERS, &[]).await?;
    let server = |row: &tokio_postgres::Row| ServerStatus {
        id: row.get::<_, &[u8]>(0).try_into().map_or(0, u128::from_be_bytes),
        name: row.get(1),
        version: row.get(2),
        uptime: seconds(row.get(3)),
        silence: seconds(row.get(4)),
    };
    Ok(rows.iter().map(server).collect())
}

async fn connections(client: &Client, max: i64) -> Result<Connections, Error> {
    let row = client.query_one(CONNECTIONS, &[]).await?;
    let (open, ours) = (unsigned(row.get(0)), unsigned(row.get(1)));
    Ok(Connections { open, ours, max: unsigned(max) })
}

async fn standbys(client: &Client) -> Result<Vec<Standby>, Error> {
    let rows = client.query(STANDBYS, &[]).await?;
    let standby = |row: &tokio_postgres::Row| Standby {
        name: row.get(0),
        state: row.get(1),
        sync_state: row.get(2),
        replay_lag: row.get::<_, Option<f64>>(3).map(seconds),
    };
    Ok(rows.iter().map(standby).collect())
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
