//! Stores on PostgreSQL: their addresses on the command line, and what to do about one that cannot
//! be used.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use anyhow::{Result, anyhow};
use monotable_storage_postgres::{OpenError, PostgresOptions};

/// Has the password of the database, as PostgreSQL's own programs take it.
const PASSWORD: &str = "PGPASSWORD";

/// The address of a store. It may have a password in it, so it is never printed.
#[derive(Clone)]
pub(crate) struct StoreAddress(String);

impl StoreAddress {
    /// What the address says, with the password of the environment if it has none.
    pub(crate) fn options(&self) -> Result<PostgresOptions> {
        let options = PostgresOptions::new(&self.0).map_err(|error| explain(&error))?;
        Ok(match std::env::var(PASSWORD) {
            Ok(password) if !password.is_empty() => options.password_if_none(&password),
            _ => options,
        })
    }

    /// Whether this is the address of a database, and not the path of a directory.
    pub(crate) fn is_of_database(text: &str) -> bool {
        ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
    }
}

impl FromStr for StoreAddress {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<StoreAddress, Infallible> {
        Ok(StoreAddress(text.to_owned()))
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreAddress")
    }
}

/// What to do about a store that cannot be used.
pub(crate) fn explain(error: &OpenError) -> anyhow::Error {
    match (error, advice(error)) {
        (OpenError::Unfinished(schema), _) => anyhow!(
            "{error}; remove it with drop schema {schema} cascade, make it again with monotable \
             store init ADDRESS, and copy again"
        ),
        (_, Some(advice)) => anyhow!("{error}; {advice}"),
        (_, None) => anyhow!("{error}"),
    }
}

fn advice(error: &OpenError) -> Option<&'static str> {
    Some(match error {
        OpenError::Scheme => {
            "write it as postgres://user@host/database; a directory is given with --data"
        }
        OpenError::Address(_) => "write it as postgres://user@host1,host2/database",
        OpenError::NoAuthority => {
            "add sslrootcert=FILE to the address, with the authority that signed the certificate \
             of the database, or /etc/ssl/certs/ca-certificates.crt for those that this machine \
             trusts"
        }
        OpenError::Connect(_) | OpenError::Silent => {
            "see that the host and the port are right, and that PostgreSQL runs and takes \
             connections from this machine"
        }
        OpenError::Untrusted(_) => {
            "see that sslrootcert has the authority of its certificate, and that the certificate \
             is for the host of the address"
        }
        OpenError::Login(_) => {
            "see that the user is right, and the password, in the address or in PGPASSWORD, and \
             that pg_hba.conf lets them in"
        }
        OpenError::NoDatabase(_) => "make it with createdb, or name another one in the address",
        OpenError::TooManyConnections(_) => {
            "raise max_connections of PostgreSQL, or give each server fewer with \
             --store-connections"
        }
        OpenError::NotReady(_) => "try again when it has started",
        OpenError::Full(_) => "make room on it; nothing was written",
        OpenError::Forbidden(_) => {
            "use the user that the store belongs to, or let this one create a schema: grant create \
             on database … to …"
        }
        OpenError::Missing(_) => "make one with monotable store init ADDRESS",
        OpenError::NewerFormat { .. } => "run a newer version of monotable",
        OpenError::OlderFormat { .. } => {
            "upgrade it with monotable store migrate ADDRESS; servers may go on meanwhile"
        }
        _ => return None,
    })
}
