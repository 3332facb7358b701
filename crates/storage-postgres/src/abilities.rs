//! Which kinds of servers there are, and what each can do.
//!
//! Several databases speak PostgreSQL's protocol and dialect, each with its own gaps. The engine
//! needs advisory locks that last for a transaction, a sequence, and transactions in which each
//! statement sees what was committed before it. A server that lacks one of these is refused before
//! it is used.
//!
//! | server | is | locks | sequences |
//! |---|---|---|---|
//! | PostgreSQL 15 to 18 | tested | yes | yes |
//! | CockroachDB | expected, not tested | since 26, before that they do nothing | yes |
//! | YugabyteDB | expected, not tested | since 2025.1 | yes |
//! | Aurora DSQL | refused | no | no |
//!
//! All of them ask the client to retry with the codes 40001 and 40P01.
//!
//! Some servers have lock functions that do nothing, so the locks are tried out whatever the server
//! claims to be.

use tokio_postgres::{Client, SimpleQueryMessage};

use crate::OpenError;
use crate::connection::Connector;

/// What a kind of server can do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// Its name.
    pub(crate) name: &'static str,
    /// How certain it is that it works.
    pub(crate) standing: Standing,
    /// The oldest version of PostgreSQL that it may say it is.
    pub(crate) version_min: i32,
    /// Settings for every session.
    pub(crate) settings: &'static str,
}

/// How certain it is that a server works.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The tests run on it.
    Tested,
    /// Its documentation says that it can do what is needed, but nobody has tried.
    Expected,
    /// It cannot, for this reason.
    Refused(&'static str),
}

static POSTGRESQL: Abilities = Abilities {
    name: "PostgreSQL",
    standing: Standing::Tested,
    version_min: 15,
    settings: POSTGRESQL_SETTINGS,
};

/// All versions of it say that they are PostgreSQL 13.
static COCKROACHDB: Abilities = Abilities {
    name: "CockroachDB",
    standing: Standing::Expected,
    version_min: 13,
    settings: OTHER_SETTINGS,
};

/// The versions with advisory locks are made from PostgreSQL 15.
static YUGABYTEDB: Abilities = Abilities {
    name: "YugabyteDB",
    standing: Standing::Expected,
    version_min: 15,
    settings: OTHER_SETTINGS,
};

static AURORA_DSQL: Abilities = Abilities {
    name: "Aurora DSQL",
    standing: Standing::Refused("it has neither advisory locks nor sequences"),
    version_min: 0,
    settings: "",
};

/// - Plans are cached and never assume an empty table that has since grown: the index is always
///   used.
/// - A session that waits for a lock gives up in time, and one that holds a lock but falls silent
///   in the middle of a transaction loses it. There is no limit on the time of a statement, which
///   does not cover the wait of a commit for its standby: whoever waits for an answer has one.
/// - An answer means that the commit is on disk.
const POSTGRESQL_SETTINGS: &str = "
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

/// The subset of these settings that other servers know.
const OTHER_SETTINGS: &str = "
    set lock_timeout = '5s';
    set idle_in_transaction_session_timeout = '15s';
";

impl Abilities {
    /// Refuses a server that is too old, by the version of PostgreSQL that it says it is.
    pub(crate) fn check_version(&self, found: i32) -> Result<(), OpenError> {
        let Abilities { name, version_min: needed, .. } = *self;
        if found < needed {
            return Err(OpenError::Version { name, found, needed });
        }
        Ok(())
    }
}

/// The host name of an Aurora DSQL cluster, which calls itself PostgreSQL.
const DSQL_HOST: (&str, &str) = (".dsql.", ".on.aws");

/// Returns what a server can do, judged by its version text and its host name.
pub(crate) fn recognise(version: &str, host: &str) -> &'static Abilities {
    if host.contains(DSQL_HOST.0) && host.ends_with(DSQL_HOST.1) {
        &AURORA_DSQL
    } else if version.contains("CockroachDB") {
        &COCKROACHDB
    } else if version.contains("-YB-") {
        &YUGABYTEDB
    } else {
        &POSTGRESQL
    }
}

/// Asks a server what it is.
pub(crate) async fn of(client: &Client, host: &str) -> Result<&'static Abilities, OpenError> {
    let said = client.simple_query("select version()").await.map_err(OpenError::refused)?;
    let version = said.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    Ok(recognise(version.unwrap_or_default(), host))
}

/// Refuses a server that cannot do what is needed.
pub(crate) async fn check(connector: &Connector) -> Result<(), OpenError> {
    let (one, other) = tokio::try_join!(connector.client(), connector.client())?;
    let Abilities { name, standing, .. } = connector.abilities(&one).await?;
    match standing {
        Standing::Tested => {}
        Standing::Expected => {
            tracing::warn!("{name} is expected to work as a store; it is not tested");
        }
        Standing::Refused(reason) => return Err(OpenError::Unable { name, reason }),
    }
    let number = getrandom::u64().unwrap_or_default().cast_signed();
    let keeps_out = keeps_out(&one, &other, number).await.map_err(OpenError::refused)?;
    if !keeps_out {
        let reason = "its advisory locks do not keep others out";
        return Err(OpenError::Unable { name, reason });
    }
    Ok(())
}

/// Returns whether a lock held by one session keeps another one out until its transaction ends.
async fn keeps_out(
    one: &Client,
    other: &Client,
    number: i64,
) -> Result<bool, tokio_postgres::Error> {
    const TRY: &str = "select pg_try_advisory_xact_lock($1)";
    let lock =
        format!("begin isolation level read committed; select pg_advisory_xact_lock({number})");
    one.batch_execute(&lock).await?;
    let is_free: bool = other.query_one(TRY, &[&number]).await?.try_get(0)?;
    one.batch_execute("rollback").await?;
    let is_free_then: bool = other.query_one(TRY, &[&number]).await?.try_get(0)?;
    Ok(!is_free && is_free_then)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(version: &str, host: &str) -> &'static str {
        recognise(version, host).name
    }

    #[test]
    fn servers_are_recognised_by_what_they_say() {
        let debian = "PostgreSQL 15.13 (Debian 15.13-0+deb12u1) on x86_64-pc-linux-gnu";
        assert_eq!(name(debian, "127.0.0.1"), "PostgreSQL");
        assert_eq!(name("CockroachDB CCL v25.1.0 (x86_64-pc-linux-gnu)", "a"), "CockroachDB");
        assert_eq!(name("PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64", "a"), "YugabyteDB");
        let cluster = "abc123.dsql.us-east-1.on.aws";
        assert_eq!(name("PostgreSQL 16", cluster), "Aurora DSQL");
    }

    #[test]
    fn each_kind_has_an_oldest_version_of_its_own() {
        let takes = |version, found| recognise(version, "a").check_version(found).is_ok();
        assert!(takes("PostgreSQL 15.13", 15) && !takes("PostgreSQL 14.2", 14));
        assert!(takes("CockroachDB CCL v26.1.0", 13));
        assert!(!takes("PostgreSQL 11.2-YB-2.25.0.0-b0", 11));
        let refused = recognise("PostgreSQL 14.2", "a").check_version(14).unwrap_err();
        let expected = "the database is PostgreSQL of version 14; version 15 or later is needed";
        assert_eq!(refused.to_string(), expected);
    }

    #[test]
    fn only_what_the_tests_run_on_is_called_tested() {
        let tested = [&POSTGRESQL, &COCKROACHDB, &YUGABYTEDB, &AURORA_DSQL]
            .into_iter()
            .filter(|abilities| abilities.standing == Standing::Tested);
        assert_eq!(tested.map(|abilities| abilities.name).collect::<Vec<_>>(), ["PostgreSQL"]);
    }
}
