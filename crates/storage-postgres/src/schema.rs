//! The tables of a store.
//!
//! | table | holds |
//! |---|---|
//! | `kv` | keys of up to 2,600 bytes and their values |
//! | `kv_long` | longer keys, found by their SHA-256, and in ranges by their first 2,600 bytes |
//! | `log` | entries of logs by position, from the sequence `position` that all logs share |
//! | `counter` | what was added to a counter, by slot; a counter is the sum of its slots |
//! | `token` | one row per commit that may still have to be settled |
//! | `server` | one row per server that uses the store, with the time of its last beat |
//! | `format` | one row: the version of this layout, and the oldest one whose servers may use it |

use tokio_postgres::{Client, Error};

use crate::abilities;
use crate::connection::Connector;
use crate::{OpenError, PostgresOptions};

/// The version of the layout.
pub const FORMAT_VERSION: i32 = 2;

/// The oldest layout that [`migrate`] knows.
const FORMAT_VERSION_MIN: i32 = 1;

const TABLES: &str = "
    create table kv (k bytea primary key, v bytea not null);
    create table kv_long (digest bytea primary key, k bytea not null, v bytea not null);
    create index kv_long_beginning on kv_long (substring(k, 1, 2600));
    create table log (log bytea, pos bigint, v bytea not null, primary key (log, pos));
    create table counter (k bytea, slot smallint, v bigint not null, primary key (k, slot));
    create table token (id bytea primary key, made timestamptz not null default now());
    create table format (version integer not null);
    create sequence position;
";

/// What each version adds to the one before it. Servers of the previous version keep working during
/// and after the upgrade, so that a store can be upgraded first and its servers one by one.
const STEPS: [(i32, &str); 1] = [(
    2,
    "alter table format add column floor integer not null default 1;
     create table server (
         id bytea primary key,
         name text not null,
         version text not null,
         started timestamptz not null default clock_timestamp(),
         beat timestamptz not null default clock_timestamp()
     );",
)];

/// What the floor of an unfinished store is raised by. It is later than any format that a server
/// knows, so that versions which cannot say why refuse the store all the same.
const UNFINISHED: i32 = 1_000_000;

/// The version, and the oldest one whose servers may use the store. The first layout had no column
/// for that.
const FORMAT: &str =
    "select version, coalesce((to_jsonb(format) ->> 'floor')::integer, version) from format";

/// Commits that nobody has settled after this long are forgotten.
const FORGET_TOKENS: &str = "delete from token where made < now() - interval '1 day'";

/// What [`init`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initialized {
    /// It created the store.
    Made,
    /// The store existed.
    WasThere,
}

/// What [`migrate`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The format before.
    pub from: i32,
    /// The format now.
    pub to: i32,
}

/// Creates a store, unless there is one. Of two concurrent calls, one creates it.
pub async fn init(options: &PostgresOptions) -> Result<Initialized, OpenError> {
    let connector = Connector::new(options);
    abilities::check(&connector).await?;
    let client = connector.client().await?;
    check_server(&connector, &client).await?;
    let made = make(&client, &options.schema).await.map_err(OpenError::refused)?;
    check_format(&client, &options.schema).await?;
    Ok(made)
}

async fn make(client: &Client, schema: &str) -> Result<Initialized, Error> {
    begin(client).await?;
    if has_format(client, schema).await? {
        client.batch_execute("commit").await?;
        return Ok(Initialized::WasThere);
    }
    client.batch_execute(&format!("create schema if not exists {schema}")).await?;
    client.batch_execute(TABLES).await?;
    client.execute("insert into format values ($1)", &[&FORMAT_VERSION_MIN]).await?;
    upgrade(client, FORMAT_VERSION_MIN).await?;
    client.batch_execute("commit").await?;
    Ok(Initialized::Made)
}

/// Upgrades an older store to the format of this version. Its servers may keep running.
pub async fn migrate(options: &PostgresOptions) -> Result<Migrated, OpenError> {
    let connector = Connector::new(options);
    let client = connector.client().await?;
    check_server(&connector, &client).await?;
    begin(&client).await.map_err(OpenError::refused)?;
    let from = format_of(&client, &options.schema).await?.version;
    upgrade(&client, from).await.map_err(OpenError::refused)?;
    client.batch_execute("commit").await.map_err(OpenError::refused)?;
    check_format(&client, &options.schema).await?;
    Ok(Migrated { from, to: from.max(FORMAT_VERSION) })
}

/// Marks a store as unfinished, so that nobody can open it: while it is copied into, it holds a
/// part of what it will.
pub async fn mark_unfinished(options: &PostgresOptions) -> Result<(), OpenError> {
    mark(options, UNFINISHED).await
}

/// Takes the mark away.
pub async fn mark_finished(options: &PostgresOptions) -> Result<(), OpenError> {
    mark(options, 0).await
}

async fn mark(options: &PostgresOptions, raised_by: i32) -> Result<(), OpenError> {
    let client = Connector::new(options).client().await?;
    let mark = format!("update format set floor = floor % {UNFINISHED} + {raised_by}");
    client.execute(&mark, &[]).await.map_err(OpenError::refused)?;
    Ok(())
}

/// Begins a transaction that changes the layout. Only one of them runs at a time.
async fn begin(client: &Client) -> Result<(), Error> {
    client.batch_execute("begin; select pg_advisory_xact_lock(hashtext('monotable init'))").await
}

/// Applies the missing steps.
async fn upgrade(client: &Client, from: i32) -> Result<(), Error> {
    for (version, step) in STEPS.iter().filter(|(version, _)| *version > from) {
        client.batch_execute(step).await?;
        client.execute("update format set version = $1", &[version]).await?;
    }
    Ok(())
}

/// Refuses an unusable database: wrong version, no store, other format.
pub(crate) async fn check(connector: &Connector, schema: &str) -> Result<(), OpenError> {
    let client = connector.client().await?;
    check_server(connector, &client).await?;
    check_format(&client, schema).await?;
    client.execute(FORGET_TOKENS, &[]).await.map_err(OpenError::refused)?;
    Ok(())
}

/// Refuses a server that is too old. One that takes no writes is refused by every connection.
pub(crate) async fn check_server(connector: &Connector, client: &Client) -> Result<(), OpenError> {
    const QUESTION: &str = "select current_setting('server_version_num')::integer / 10000";
    let row = client.query_one(QUESTION, &[]).await.map_err(OpenError::refused)?;
    connector.abilities(client).await?.check_version(row.get(0))
}

async fn check_format(client: &Client, schema: &str) -> Result<(), OpenError> {
    let Format { version: found, floor, is_unfinished } = format_of(client, schema).await?;
    let known = FORMAT_VERSION;
    if is_unfinished {
        return Err(OpenError::Unfinished(schema.to_owned()));
    }
    if floor > known {
        return Err(OpenError::NewerFormat { found, known });
    }
    if found < known {
        return Err(OpenError::OlderFormat { found, known });
    }
    Ok(())
}

/// What a store says about its layout.
pub(crate) struct Format {
    pub(crate) version: i32,
    /// The oldest one whose servers may use it.
    pub(crate) floor: i32,
    pub(crate) is_unfinished: bool,
}

/// The format of a store.
pub(crate) async fn format_of(client: &Client, schema: &str) -> Result<Format, OpenError> {
    if !has_format(client, schema).await.map_err(OpenError::refused)? {
        return Err(OpenError::Missing(schema.to_owned()));
    }
    let row = client.query_one(FORMAT, &[]).await.map_err(OpenError::refused)?;
    let (version, floor): (i32, i32) = (row.get(0), row.get(1));
    Ok(Format { version, floor: floor % UNFINISHED, is_unfinished: floor >= UNFINISHED })
}

async fn has_format(client: &Client, schema: &str) -> Result<bool, Error> {
    let table = format!("{schema}.format");
    let row = client.query_one("select to_regclass($1::text) is not null", &[&table]).await?;
    Ok(row.get(0))
}
