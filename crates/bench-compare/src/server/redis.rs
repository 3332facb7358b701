//! Redis, or Valkey, if the machine has it. It is never installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// The names of the program.
const PROGRAMS: [&str; 2] = ["redis-server", "valkey-server"];

/// Whether there is one.
pub(crate) fn is_installed() -> bool {
    find().is_some()
}

/// The command, but for its port. Every write is in its log, and on disk, before it is answered.
pub(super) fn command(data: &Path) -> Result<Command> {
    let program = find().context("neither redis-server nor valkey-server is installed")?;
    fs::create_dir_all(data)?;
    let mut command = Command::new(program);
    command.args(["--bind", "127.0.0.1", "--save", "", "--dir"]).arg(data);
    command.args(["--appendonly", "yes", "--appendfsync", "always"]);
    Ok(command)
}

fn find() -> Option<PathBuf> {
    let directories = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&directories).collect();
    let places = PROGRAMS.iter().flat_map(|name| directories.iter().map(move |one| one.join(name)));
    places.into_iter().find(|path| path.is_file())
}
