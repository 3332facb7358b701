//! A PostgreSQL of one's own, and stores in it that are filled by the database itself.

use std::sync::Arc;

use anyhow::{Context, Result};
use monotable_postgres_fixture::{Postgres, Programs, Setup, Syncs};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions, init};
use tokio_postgres::{Client, NoTls};

use super::Plan;
use super::work::{ITEM_PREFIX, RECORD_KEY};

/// Enough for the rows that are in use, and no checkpoint during a sample.
const SETTINGS: &str =
    "-c shared_buffers=512MB -c max_wal_size=16GB -c checkpoint_timeout=1h -c autovacuum=off";

/// How many rows are loaded in one statement.
const LOAD_ROWS: u64 = 100_000;

/// The database, with its programs.
#[derive(Debug)]
pub(super) struct Database {
    pub(super) programs: Programs,
    pub(super) server: Postgres,
}

/// Starts a database that syncs each commit.
pub(super) fn start() -> Result<Database> {
    let programs = Programs::find()?;
    let server = Postgres::start_with(
        &programs,
        Syncs::Each,
        Setup { options: SETTINGS, ..Setup::default() },
    )?;
    Ok(Database { programs, server })
}

/// A store with rows in it.
#[derive(Debug)]
pub(super) struct LoadedStore<'a> {
    pub(super) database: &'a Database,
    pub(super) options: PostgresOptions,
    pub(super) schema: String,
}

impl<'a> LoadedStore<'a> {
    /// Makes a store with this many rows.
    pub(super) async fn load(
        database: &'a Database,
        rows: u64,
        plan: &Plan,
    ) -> Result<LoadedStore<'a>> {
        let (schema, value_bytes) = (format!("rows_{rows}"), plan.value_bytes);
        let options = PostgresOptions::new(&database.server.address())?.schema(&schema)?;
        let (writers, getters) = (options.writer_count(), options.getter_count());
        let options = options
            .writers(plan.writers.unwrap_or(writers))
            .getters(plan.getters.unwrap_or(getters));
        init(&options).await?;
        let store = LoadedStore { database, options, schema };
        let client = store.connect().await?;
        client.batch_execute("set synchronous_commit = off").await?;
        for first in (0..rows).step_by(LOAD_ROWS as usize) {
            let last = (first + LOAD_ROWS).min(rows) - 1;
            let insert = format!(
                "insert into kv select convert_to('{ITEM_PREFIX}', 'UTF8') || int8send(row), \
                 convert_to(repeat('v', {value_bytes}), 'UTF8') \
                 from generate_series({first}, {last}) as row"
            );
            client.batch_execute(&insert).await.context("rows cannot be loaded")?;
        }
        let record = format!(
            "insert into kv values (convert_to('{RECORD_KEY}', 'UTF8'), \
             convert_to(repeat('r', 300), 'UTF8'))"
        );
        client.batch_execute(&record).await?;
        client.batch_execute("vacuum analyze kv").await?;
        client.batch_execute("checkpoint").await?;
        Ok(store)
    }

    /// A connection that sees the tables of the store.
    pub(super) async fn connect(&self) -> Result<Client> {
        let address = self.database.server.address();
        let (client, driver) = tokio_postgres::connect(&address, NoTls).await?;
        tokio::spawn(driver);
        client.batch_execute(&format!("set search_path = {}", self.schema)).await?;
        Ok(client)
    }

    /// Engines on the store, as so many servers have them.
    pub(super) async fn open(&self, count: usize) -> Result<Vec<Arc<PostgresEngine>>> {
        let mut engines = Vec::with_capacity(count);
        for _ in 0..count {
            engines.push(Arc::new(PostgresEngine::open(&self.options).await?));
        }
        Ok(engines)
    }
}
