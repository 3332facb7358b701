//! The suites of all clients at servers that share a store: PostgreSQL 15 and 18, one server and
//! three behind a proxy that hands connections to them in turn.
//!
//! Three servers on the newer version play everything. The others play the Rust suites whole, and
//! of the rest something of every kind; everything too, if [`WHOLE_VARIABLE`] is set.

use anyhow::Result;
use monotable_conformance::fleet::{DATABASE_VARIABLE, Fleet, Home, SERVERS_VARIABLE};
use monotable_postgres_fixture::{Postgres, Programs, Syncs};

use super::python::SHORT_SHARDS;
use super::{counted, javascript, models, postgres, python, rust, server_binary};
use crate::command::Program;
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

/// The black-box suites in Rust, which start their servers themselves.
const RUST_SUITES: [&str; 3] = ["rust_sdk", "concurrency", "stream_consumer"];

/// Has everything played everywhere, which takes too long for each change.
const WHOLE_VARIABLE: &str = "MONOTABLE_WHOLE_FLEETS";

/// How many changes the suite of streams makes.
const STREAM_CHANGES: &str = "4000";
const STREAM_CHANGES_OF_PART: &str = "1600";

/// Of the boto3 suite a part; with the parts of the others it has something of every kind.
const PYTHON_PART: [&str; 6] = [
    "tests/python/test_conditions.py",
    "tests/python/test_transact_write.py",
    "tests/python/test_online_indexes.py",
    "tests/python/test_partiql_batch.py",
    "tests/python/test_streams.py",
    "tests/python/test_retries.py",
];

/// Of the JavaScript suite a part.
const JAVASCRIPT_PART: [&str; 6] = [
    "conditional-writes.test.js",
    "transact-get.test.js",
    "query-paging.test.js",
    "global-indexes.test.js",
    "ttl.test.js",
    "retries.test.js",
];

/// Of the models some that use streams, expiry, transactions and indexes.
const MODELS_PART: [&str; 6] = [
    "e-commerce",
    "github-backend",
    "scheduled-delete",
    "session-store",
    "stream-view-types",
    "unique-user-email",
];

/// How much of the suites is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Part,
}

/// Plays the suites on both versions, with one server and with three.
pub(super) fn all(workspace: &Workspace) -> Result<Counts> {
    let older = postgres::of_system(workspace)?;
    let newer = postgres::of_npm(workspace)?;
    let is_whole = std::env::var_os(WHOLE_VARIABLE).is_some();
    let part = if is_whole { Extent::Whole } else { Extent::Part };
    let mut total = Counts::default();
    for (programs, servers, extent) in
        [(&older, 1, part), (&older, 3, part), (&newer, 1, part), (&newer, 3, Extent::Whole)]
    {
        let plural = if servers == 1 { "" } else { "s" };
        workspace.say(format!("{servers} server{plural} on {}", programs.directory().display()));
        total += Play::begin(workspace, programs, servers, extent)?.all()?;
    }
    Ok(total)
}

/// The suites on one version with so many servers.
struct Play<'w> {
    workspace: &'w Workspace,
    database: Postgres,
    servers: usize,
    extent: Extent,
}

impl<'w> Play<'w> {
    fn begin(
        workspace: &'w Workspace,
        programs: &Programs,
        servers: usize,
        extent: Extent,
    ) -> Result<Play<'w>> {
        let database = Postgres::start(programs, Syncs::Never)?;
        Ok(Play { workspace, database, servers, extent })
    }

    fn all(&self) -> Result<Counts> {
        let mut total = self.rust()?;
        let database = self.database.address();
        let home = Home::Shared { database, servers: self.servers };
        let fleet = Fleet::start(&server_binary(self.workspace)?, &home, SHORT_SHARDS)?;
        total += self.python(&fleet)?;
        total += self.javascript(&fleet)?;
        total += match self.extent {
            Extent::Whole => models::play_at(self.workspace, fleet.endpoint(), |_| true)?,
            Extent::Part => models::play_at(self.workspace, fleet.endpoint(), |name| {
                MODELS_PART.contains(&name)
            })?,
        };
        Ok(total)
    }

    fn rust(&self) -> Result<Counts> {
        let changes = match self.extent {
            Extent::Whole => STREAM_CHANGES,
            Extent::Part => STREAM_CHANGES_OF_PART,
        };
        let finished = rust::test_build(self.workspace, &["test", "--no-fail-fast"])
            .args(RUST_SUITES.iter().flat_map(|suite| ["--test", *suite]))
            .env("MONOTABLE_BINARY", server_binary(self.workspace)?)
            .env(DATABASE_VARIABLE, self.database.address())
            .env(SERVERS_VARIABLE, self.servers.to_string())
            .env("MONOTABLE_STREAM_CHANGES", changes)
            .tee()?;
        counted(&finished, counts::cargo_test)
    }

    fn python(&self, fleet: &Fleet) -> Result<Counts> {
        let files: &[&str] = match self.extent {
            Extent::Whole => &["tests/python"],
            Extent::Part => &PYTHON_PART,
        };
        let suite = python::suite(self.workspace, fleet.endpoint(), files)?;
        counted(&at(suite, fleet).tee()?, counts::pytest)
    }

    fn javascript(&self, fleet: &Fleet) -> Result<Counts> {
        let files: &[&str] = match self.extent {
            Extent::Whole => &[],
            Extent::Part => &JAVASCRIPT_PART,
        };
        let suite = javascript::suite(self.workspace, fleet.endpoint(), files)?;
        counted(&at(suite, fleet).tee()?, counts::node)
    }
}

/// Tells a suite how many servers there are, and where one of them is.
fn at(suite: Program, fleet: &Fleet) -> Program {
    let suite = suite.env("MONOTABLE_ONE_SERVER", fleet.first().endpoint());
    if fleet.count() == 1 { suite } else { suite.env("MONOTABLE_SEVERAL_SERVERS", "1") }
}
