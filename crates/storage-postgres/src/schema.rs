//! The tables of a store.
//!
//! | table | holds |
//! |---|---|
//! | `kv` | keys of up to 2,600 bytes and their values |
//! | `kv_long` | longer keys, found by their SHA-256, and in ranges by their first 2,600 bytes |
//! | `log` | entries of logs by position, from the sequence `position` that all logs share |
//! | `counter` | what was added to a counter, by slot; a counter is the sum of its slots |
//! | `token` | one row per commit that may still have to be settled |
//! | `format` | one row: the version of this layout |

use tokio_postgres::{Client, Error};

use crate::abilities;
use crate::connection::Connector;
use crate::{OpenError, PostgresOptions};

/// The version of the layout.
pub const FORMAT_VERSION: i32 = 1;

const VERSION_MIN: i32 = 15;

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

/// Commits that nobody has settled after so long are forgotten.
const FORGET_TOKENS: &str = "delete from token where made < now() - interval '1 day'";

/// Makes a store, unless there is one. Two that do it at once make one.
pub async fn init(options: &PostgresOptions) -> Result<(), OpenError> {
    let connector = Connector::new(options);
    abilities::check(&connector).await?;
    let client = connector.client().await?;
    check_server(&client).await?;
    make(&client, &options.schema).await.map_err(OpenError::Refused)?;
    check_format(&client, &options.schema).await
}

async fn make(client: &Client, schema: &str) -> Result<(), Error> {
    client.batch_execute("begin; select pg_advisory_xact_lock(hashtext('monotable init'))").await?;
    if !has_format(client, schema).await? {
        client.batch_execute(&format!("create schema if not exists {schema}")).await?;
        client.batch_execute(TABLES).await?;
        client.execute("insert into format values ($1)", &[&FORMAT_VERSION]).await?;
    }
    client.batch_execute("commit").await
}

/// Refuses a database that cannot be used: wrong version, standby, no store, other format.
pub(crate) async fn check(client: &Client, schema: &str) -> Result<(), OpenError> {
    check_server(client).await?;
    check_format(client, schema).await?;
    client.execute(FORGET_TOKENS, &[]).await.map_err(OpenError::Refused)?;
    Ok(())
}

async fn check_server(client: &Client) -> Result<(), OpenError> {
    const QUESTION: &str = "select current_setting('server_version_num')::integer / 10000, \
         current_setting('transaction_read_only')::boolean";
    let row = client.query_one(QUESTION, &[]).await.map_err(OpenError::Refused)?;
    let (found, is_read_only): (i32, bool) = (row.get(0), row.get(1));
    if found < VERSION_MIN {
        return Err(OpenError::Version { found });
    }
    if is_read_only {
        return Err(OpenError::ReadOnly);
    }
    Ok(())
}

async fn check_format(client: &Client, schema: &str) -> Result<(), OpenError> {
    if !has_format(client, schema).await.map_err(OpenError::Refused)? {
        return Err(OpenError::Missing(schema.to_owned()));
    }
    let row = client.query_one("select version from format", &[]).await;
    let found: i32 = row.map_err(OpenError::Refused)?.get(0);
    if found != FORMAT_VERSION {
        return Err(OpenError::Format { found, known: FORMAT_VERSION });
    }
    Ok(())
}

async fn has_format(client: &Client, schema: &str) -> Result<bool, Error> {
    let table = format!("{schema}.format");
    let row = client.query_one("select to_regclass($1::text) is not null", &[&table]).await?;
    Ok(row.get(0))
}
