//! How a store is reached.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode as DriverMode, TargetSessionAttrs};

use crate::OpenError;
use crate::address::{Address, SslMode};
use crate::hosts::each_host;
use crate::tls::Tls;

/// How long one host may take to accept a connection, unless the address says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A connection is given up after this long without an acknowledgement.
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection that has been silent for this long probes the other end, and then probes at this
/// interval. A client that waits for an answer sends nothing that could stay unacknowledged.
const KEEPALIVES_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVES_INTERVAL: Duration = Duration::from_secs(2);

/// A commit that is not answered within this time is abandoned together with its connection, and
/// settled. A network that drops everything is noticed earlier; this is for a database, or a proxy
/// in front of it, that acknowledges packets but never answers.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections that a server has besides those of its snapshots: to commit, to read, to settle lost
/// answers, and to report its presence.
const CONNECTIONS_BESIDE: usize = 10;

/// The fewest connections that a server can do its work with.
pub const CONNECTIONS_MIN: usize = CONNECTIONS_BESIDE + 4;

/// How stale a standby may be by default.
const STALENESS_MAX: Duration = Duration::from_secs(2);

/// Where the store is, and how many connections a server opens to it.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    pub(crate) config: Config,
    pub(crate) tls: Tls,
    pub(crate) schema: String,
    pub(crate) writers: usize,
    pub(crate) getters: usize,
    pub(crate) snapshots: usize,
    pub(crate) answer_timeout: Duration,
    pub(crate) standby: Option<Box<PostgresOptions>>,
    /// How stale the standby may be.
    pub(crate) staleness_max: Duration,
}

impl PostgresOptions {
    /// The store at an address as PostgreSQL writes them, such as
    /// `postgres://user@host1,host2/db?target_session_attrs=read-write`. The parameters `sslmode`,
    /// `sslrootcert`, `sslcert` and `sslkey` say how connections are encrypted, and `schema` where
    /// in the database the store is.
    pub fn new(address: &str) -> Result<PostgresOptions, OpenError> {
        let address = Address::parse(address)?;
        let tls = Tls::new(&address.security)?;
        let mut config = Config::from_str(&address.uri).map_err(OpenError::Address)?;
        config.ssl_mode(match address.security.mode {
            SslMode::Disable => DriverMode::Disable,
            SslMode::Prefer => DriverMode::Prefer,
            SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => DriverMode::Require,
        });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TCP_USER_TIMEOUT);
        }
        if !address.names("keepalives_idle") {
            config.keepalives_idle(KEEPALIVES_IDLE);
        }
        if config.get_keepalives_interval().is_none() {
            config.keepalives_interval(KEEPALIVES_INTERVAL);
        }
        if config.get_application_name().is_none() {
            config.application_name("monotable");
        }
        // What a standby has may be old. One host is no promise either: after a failover, a name or
        // a port may lead to the standby for a while.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        if config.get_hosts().len() > 1 {
            // Do not always start with the same host: it may accept connections and never answer.
            config.load_balance_hosts(LoadBalanceHosts::Random);
        }
        let schema = "monotable".to_owned();
        let options = PostgresOptions {
            config,
            tls,
            schema,
            writers: 4,
            getters: 4,
            snapshots: 32,
            answer_timeout: ANSWER_TIMEOUT,
            standby: None,
            staleness_max: STALENESS_MAX,
        };
        match address.schema {
            Some(schema) => options.schema(&schema),
            None => Ok(options),
        }
    }

    /// The password, unless the address has one.
    #[must_use]
    pub fn password_if_none(mut self, password: &str) -> PostgresOptions {
        if self.config.get_password().is_none() {
            self.config.password(password);
        }
        self
    }

    /// Opens at most so many connections at once to the primary, and to each standby,
    /// [`CONNECTIONS_MIN`] at least.
    #[must_use]
    pub fn connections(self, connections: usize) -> PostgresOptions {
        let connections = connections.max(CONNECTIONS_MIN);
        PostgresOptions { snapshots: connections - CONNECTIONS_BESIDE, ..self }
    }

    /// Serves reads that may be stale from a standby, as long as it is reachable and lags by at
    /// most this time, two seconds by default. Of several hosts, those that are fresh are used in
    /// turn. The store has the same schema there.
    #[must_use]
    pub fn standby(
        mut self,
        mut standby: PostgresOptions,
        staleness_max: Option<Duration>,
    ) -> PostgresOptions {
        standby.config.target_session_attrs(TargetSessionAttrs::Any);
        standby.schema.clone_from(&self.schema);
        standby.staleness_max = staleness_max.unwrap_or(STALENESS_MAX);
        self.standby = Some(Box::new(standby));
        self
    }

    /// How each standby is reached: every host by itself, because each lags in its own way. As
    /// many snapshots may be open on one as on the primary.
    pub(crate) fn standbys(&self) -> Vec<PostgresOptions> {
        let Some(standby) = &self.standby else { return Vec::new() };
        let alone = |config| PostgresOptions {
            config,
            snapshots: self.snapshots,
            getters: self.getters,
            ..PostgresOptions::clone(standby)
        };
        each_host(&standby.config).map(alone).collect()
    }

    /// Keeps the store in this schema of the database, `monotable` by default.
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

    /// The schema of the database that the store is in.
    pub fn schema_name(&self) -> &str {
        &self.schema
    }

    /// How many groups of transactions are under way at once, each on a connection of its own.
    #[must_use]
    pub fn writers(self, writers: usize) -> PostgresOptions {
        PostgresOptions { writers: writers.max(1), ..self }
    }

    /// How many connections single reads share, with one query at a time on each.
    #[must_use]
    pub fn getters(self, getters: usize) -> PostgresOptions {
        PostgresOptions { getters: getters.max(1), ..self }
    }

    /// Gives up on a commit that is not answered within this time, ten seconds by default, and
    /// finds out on another connection what became of it.
    #[must_use]
    pub fn answer_timeout(self, answer_timeout: Duration) -> PostgresOptions {
        PostgresOptions { answer_timeout, ..self }
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

/// The address without secrets, with the schema if it is not the usual one.
impl fmt::Display for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.config.get_user() {
            write!(f, "{user}@")?;
        }
        let ports = self.config.get_ports();
        for (number, host) in self.config.get_hosts().iter().enumerate() {
            if number > 0 {
                f.write_str(",")?;
            }
            match host {
                Host::Tcp(name) => f.write_str(name)?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{}", path.display())?,
            }
            match ports.get(number).or(ports.first()) {
                Some(5432) | None => {}
                Some(port) => write!(f, ":{port}")?,
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())?;
        match self.schema.as_str() {
            "monotable" => Ok(()),
            schema => write!(f, "?schema={schema}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_end_is_noticed_within_ten_seconds_unless_the_address_says_otherwise() {
        let timeouts = |address: &str| {
            let options = PostgresOptions::new(address).unwrap();
            assert_eq!(options.answer_timeout, Duration::from_secs(10));
            let config = options.config;
            let seconds = |duration: Option<Duration>| duration.unwrap_or_default().as_secs();
            [
                seconds(Some(config.get_keepalives_idle())),
                seconds(config.get_keepalives_interval()),
                seconds(config.get_tcp_user_timeout().copied()),
            ]
        };
        assert_eq!(timeouts("postgres://a/db"), [5, 2, 10]);
        let said = "keepalives_idle=60&keepalives_interval=9&tcp_user_timeout=30";
        assert_eq!(timeouts(&format!("postgres://a/db?{said}")), [60, 9, 30]);
    }

    #[test]
    fn what_is_shown_of_an_address_has_no_secrets() {
        let shown = |address: &str| PostgresOptions::new(address).unwrap().to_string();
        assert_eq!(
            shown("postgres://u:secret@a:1,b/db?schema=x"),
            "postgres://u@a:1,b/db?schema=x"
        );
        assert_eq!(shown("postgres://a/db?password=secret&sslmode=disable"), "postgres://a/db");
        let options = PostgresOptions::new("postgres://u:secret@a/db").unwrap();
        assert!(!format!("{options:?}").contains("secret"));
    }

    #[test]
    fn a_password_of_the_address_goes_first() {
        let password = |address: &str| {
            let options = PostgresOptions::new(address).unwrap().password_if_none("other");
            options.config.get_password().map(<[u8]>::to_vec)
        };
        assert_eq!(password("postgres://u:own@a/db"), Some(b"own".to_vec()));
        assert_eq!(password("postgres://u@a/db"), Some(b"other".to_vec()));
    }

    #[test]
    fn only_a_host_that_takes_writes_is_meant_even_if_there_is_one() {
        for address in ["postgres://u@a,b/db", "postgres://u@a/db?target_session_attrs=any"] {
            let attributes = PostgresOptions::new(address).unwrap().config;
            assert_eq!(attributes.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        }
    }

    #[test]
    fn each_standby_is_reached_by_itself_with_as_many_connections_as_the_primary() {
        let options = |address: &str| PostgresOptions::new(address).unwrap();
        let standby = options("postgres://u@b:1,c:2/db");
        let standbys = options("postgres://u@a/db?schema=s")
            .standby(standby, Some(Duration::from_secs(1)))
            .connections(CONNECTIONS_MIN)
            .standbys();
        let shown: Vec<String> = standbys.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["postgres://u@b:1/db?schema=s", "postgres://u@c:2/db?schema=s"]);
        for standby in standbys {
            assert_eq!(standby.snapshots, CONNECTIONS_MIN - CONNECTIONS_BESIDE);
            assert_eq!(standby.staleness_max, Duration::from_secs(1));
            let attributes = standby.config.get_target_session_attrs();
            assert_eq!(attributes, TargetSessionAttrs::Any);
        }
        assert!(options("postgres://u@a/db").standbys().is_empty());
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
