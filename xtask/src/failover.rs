//! `cargo xtask failover`: servers on a replicated PostgreSQL, while parts of it die.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::suite::postgres;
use crate::workspace::Workspace;

/// Patroni, with Raft instead of another service that would have to run, and a driver.
const PACKAGES: &[&str] = &["patroni[raft]==4.1.5", "psycopg[binary]>=3.2"];

/// What to break, and how often.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many rounds to play; a round takes 10 to 60 seconds
    #[arg(long, default_value_t = 10)]
    rounds: u64,
    /// What breaks when follows from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Installs what is needed, builds the server, and plays. Fails on the first difference.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    postgres::of_system(workspace)?;
    let patroni = patroni(workspace)?;
    let packages = ["--package", "monotable-cli", "--package", "monotable-failover"];
    workspace.cargo(["build"]).args(packages).run_in_terminal()?;
    let programs = workspace.target.join("debug");
    workspace
        .program(programs.join("monotable-failover"))
        .args(["--rounds", &arguments.rounds.to_string(), "--seed", &arguments.seed.to_string()])
        .args(["--patroni".as_ref(), patroni.as_os_str()])
        .env("MONOTABLE_BINARY", programs.join("monotable"))
        .run_in_terminal()
}

/// The programs of Patroni, which are installed below the target directory if they are not there.
fn patroni(workspace: &Workspace) -> Result<PathBuf> {
    let environment = workspace.target.join("patroni");
    let (programs, installed) = (environment.join("bin"), environment.join("installed.txt"));
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(programs);
    }
    println!("installing Patroni into {}", environment.display());
    // An unprivileged user must be able to run it, so one in somebody's home does not do.
    let of_system = Path::new("/usr/bin/python3");
    workspace
        .program(if of_system.is_file() { of_system } else { Path::new("python3") })
        .args(["-m", "venv", "--clear"])
        .args([&environment])
        .output()
        .context(
            "Patroni needs Python 3.10 or later with its venv module: install python3 and \
             python3-venv",
        )?;
    workspace
        .program(programs.join("python"))
        .args(["-m", "pip", "install", "--quiet"])
        .args(PACKAGES)
        .output()
        .context("Patroni cannot be installed")?;
    fs::write(&installed, wanted)?;
    Ok(programs)
}
