//! Where a server keeps its data: a directory, memory, or a database that it shares with others.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use monotable_node::Store;
use monotable_storage::MemoryEngine;
use monotable_storage_local::{self as storage_local, LocalEngine, OpenError};
use monotable_storage_postgres::{CONNECTIONS_MIN, PostgresEngine};

use crate::disk_reserve;
use crate::postgres::{self, StoreAddress};

/// How often `--durability interval` makes writes durable.
const SYNC_INTERVAL: Duration = Duration::from_millis(100);
/// More connections than this would help nobody.
const CONNECTIONS_MAX: i64 = 1000;

/// Where the data is.
#[derive(Debug, Args)]
pub(super) struct DataArguments {
    /// Directory for the data; created if it does not exist
    #[arg(long, value_name = "DIR", default_value = "./monotable-data")]
    data: PathBuf,

    /// Keep the data in memory only; it is lost when the server stops
    #[arg(long, conflicts_with_all = ["data", "durability"])]
    in_memory: bool,

    /// Keep the data in PostgreSQL, in a store that any number of servers can share, such as
    /// postgres://user@host1,host2/database. Create the store first, with monotable store init
    #[arg(long, value_name = "ADDRESS", env = "MONOTABLE_STORE", hide_env_values = true,
          conflicts_with_all = ["data", "in_memory", "durability", "disk_reserve"])]
    store: Option<StoreAddress>,

    /// Most connections to open to the database of --store, and to each standby
    #[arg(long, value_name = "COUNT", default_value_t = 40,
          value_parser = clap::value_parser!(u16).range(CONNECTIONS_MIN as i64..=CONNECTIONS_MAX))]
    store_connections: u16,

    /// Answer reads that need not be consistent from standbys of that database, at this address,
    /// while they are at most two seconds behind. Name each standby as a host of its own
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "MONOTABLE_STORE_STANDBY",
        hide_env_values = true,
        requires = "store"
    )]
    store_standby: Option<StoreAddress>,

    /// When a write is answered
    #[arg(long, value_enum, default_value_t = Durability::Sync)]
    durability: Durability,
}

/// When a write is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Durability {
    /// When it is on disk; nothing that was answered is ever lost
    Sync,
    /// When the operating system has it; a sync follows within 100 ms
    Interval,
}

/// Where a running server keeps its data, in words.
pub(super) enum DataLocation {
    Directory { path: PathBuf, words: &'static str },
    Memory,
    Database { address: String },
}

impl DataArguments {
    /// Opens the store; at least this many bytes of its disk are left free.
    pub(super) async fn open(&self, disk_reserve: Option<u64>) -> Result<(Store, DataLocation)> {
        match &self.store {
            Some(address) => self.open_database(address).await,
            None if self.in_memory => {
                Ok((Store::Memory(MemoryEngine::new()), DataLocation::Memory))
            }
            None => self.open_directory(disk_reserve),
        }
    }

    async fn open_database(&self, address: &StoreAddress) -> Result<(Store, DataLocation)> {
        let mut options = address.options()?.connections(usize::from(self.store_connections));
        if let Some(standby) = &self.store_standby {
            options = options.standby(standby.options()?, None);
        }
        let engine = PostgresEngine::open(&options).await;
        let engine = engine.map_err(|error| postgres::explain(&error))?;
        let place = DataLocation::Database { address: options.to_string() };
        Ok((Store::Postgres(Arc::new(engine)), place))
    }

    fn open_directory(&self, disk_reserve: Option<u64>) -> Result<(Store, DataLocation)> {
        let (durability, words) = match self.durability {
            Durability::Sync => (storage_local::Durability::Sync, "sync"),
            Durability::Interval => {
                (storage_local::Durability::Interval(SYNC_INTERVAL), "interval")
            }
        };
        let disk_reserve_bytes = disk_reserve::bytes(disk_reserve, &self.data);
        let options = storage_local::Options {
            durability,
            disk_reserve_bytes,
            ..storage_local::Options::default()
        };
        let engine =
            LocalEngine::open(&self.data, &options).map_err(|error| explain_open(&error))?;
        let place = DataLocation::Directory { path: self.data.clone(), words };
        Ok((Store::Local(Arc::new(engine)), place))
    }
}

impl DataLocation {
    /// What has become of the data once the server has stopped.
    pub(super) fn after(&self) -> String {
        match self {
            DataLocation::Directory { path, .. } => {
                format!("every answered write is in {}", path.display())
            }
            DataLocation::Memory => "its data was in memory and is gone".to_owned(),
            DataLocation::Database { address } => format!("every answered write is in {address}"),
        }
    }
}

impl fmt::Display for DataLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataLocation::Directory { path, words } => {
                write!(f, "data in {} (durable: {words})", path.display())
            }
            DataLocation::Memory => f.write_str("data in memory only"),
            DataLocation::Database { address } => write!(f, "data in {address} (shared)"),
        }
    }
}

/// What to do about data that cannot be opened.
fn explain_open(error: &OpenError) -> anyhow::Error {
    let advice = match error {
        OpenError::InUse { .. } => "stop it, or choose another directory with --data",
        OpenError::NotMonotable { .. } => "choose an empty or a new directory with --data",
        OpenError::NewerFormat { .. } => "run a newer version of monotable",
        OpenError::Corrupt { .. } => "restore the directory from a copy; nothing in it was changed",
        OpenError::Io { .. } => "choose a directory that you may write to with --data",
        _ => "choose another directory with --data",
    };
    anyhow!("{error}; {advice}")
}
