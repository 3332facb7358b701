//! How a store is reached.

use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{LoadBalanceHosts, TargetSessionAttrs};

use crate::OpenError;

/// How long one host may take to accept a connection, unless the address says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// After so long without an acknowledgement a connection is given up.
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(10);

/// How stale a standby may be, unless it is said otherwise.
const STALENESS_MAX: Duration = Duration::from_secs(2);

/// Where the store is, and how many connections a server opens to it.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    pub(crate) config: Config,
    pub(crate) schema: String,
    pub(crate) writers: usize,
    pub(crate) getters: usize,
    pub(crate) snapshots: usize,
    pub(crate) standby: Option<Box<PostgresOptions>>,
    /// As a standby: how stale it may be.
    pub(crate) staleness_max: Duration,
}

impl PostgresOptions {
    /// The store at an address as PostgreSQL writes them, such as
    /// `postgres://user@host1,host2/db?target_session_attrs=read-write`.
    pub fn new(address: &str) -> Result<PostgresOptions, OpenError> {
        let mut config = Config::from_str(address).map_err(OpenError::Address)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TCP_USER_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("monotable");
        }
        // A standby cannot serve: of several hosts, the one that takes writes is meant.
        if config.get_hosts().len() > 1 {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let schema = "monotable".to_owned();
        Ok(PostgresOptions {
            config,
            schema,
            writers: 4,
            getters: 4,
            snapshots: 32,
            standby: None,
            staleness_max: STALENESS_MAX,
        })
    }

    /// Answers reads that may be stale from a standby at this address, while it is reachable and
    /// lacks at most what was committed in this time. Of several hosts, any one is used.
    pub fn standby(
        mut self,
        address: &str,
        staleness_max: Option<Duration>,
    ) -> Result<PostgresOptions, OpenError> {
        let mut standby = PostgresOptions::new(address)?.schema(&self.schema)?;
        standby.config.target_session_attrs(TargetSessionAttrs::Any);
        standby.config.load_balance_hosts(LoadBalanceHosts::Random);
        standby.staleness_max = staleness_max.unwrap_or(STALENESS_MAX);
        self.standby = Some(Box::new(standby));
        Ok(self)
    }

    /// Keeps the store in this schema of the database, `monotable` unless said otherwise.
    pub fn schema(mut self, schema: &str) -> Result<PostgresOptions, OpenError> {
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if schema.is_empty() || schema.len() > 63 || !schema.bytes().all(is_plain) {
            return Err(OpenError::SchemaName(schema.to_owned()));
        }
        if let Some(standby) = &mut self.standby {
            schema.clone_into(&mut standby.schema);
        }
        schema.clone_into(&mut self.schema);
        Ok(self)
    }

    /// How many groups of transactions are under way at once, each on a connection of its own.
    #[must_use]
    pub fn writers(self, writers: usize) -> PostgresOptions {
        PostgresOptions { writers: writers.max(1), ..self }
    }

    /// How many connections single reads share, one question at a time on each.
    #[must_use]
    pub fn getters(self, getters: usize) -> PostgresOptions {
        PostgresOptions { getters: getters.max(1), ..self }
    }

    /// How many groups of transactions are under way at once.
    pub fn writer_count(&self) -> usize {
        self.writers
    }

    /// How many connections single reads share.
    pub fn getter_count(&self) -> usize {
        self.getters
    }

    /// How many snapshots are open at once, each on a connection of its own.
    #[must_use]
    pub fn snapshots(self, snapshots: usize) -> PostgresOptions {
        PostgresOptions { snapshots: snapshots.max(1), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_hosts_the_one_that_takes_writes_is_meant() {
        let attributes =
            |address| PostgresOptions::new(address).unwrap().config.get_target_session_attrs();
        assert_eq!(attributes("postgres://u@a,b/db"), TargetSessionAttrs::ReadWrite);
        assert_eq!(attributes("postgres://u@a/db"), TargetSessionAttrs::Any);
    }

    #[test]
    fn a_name_of_a_schema_needs_no_quotes() {
        let options = || PostgresOptions::new("postgres://u@a/db").unwrap();
        assert!(options().schema("tenant_7").is_ok());
        for name in ["", "a b", "a\"; drop", "Ä"] {
            assert!(matches!(options().schema(name), Err(OpenError::SchemaName(_))), "{name}");
        }
    }
}
