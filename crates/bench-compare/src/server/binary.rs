//! The server's binary: the one that is named, or the one that cargo builds beside this program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Finds the binary. Without a name cargo is asked to build it first, in the profile of this
/// program: that takes no time if nothing has changed, and figures of an old build are worse than
/// none.
pub(crate) fn find(named: Option<PathBuf>) -> Result<PathBuf> {
    let binary = match named {
        Some(binary) => binary,
        None => build()?,
    };
    ensure!(binary.is_file(), "there is no server at {}", binary.display());
    Ok(binary)
}

fn build() -> Result<PathBuf> {
    let this = std::env::current_exe().context("this program cannot be found")?;
    let profile = this.parent().context("this program is in no directory")?;
    let target = profile.parent().context("this program is in no target directory")?;
    let mut command = cargo();
    command.args(["build", "--package", "monotable-cli", "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        command.arg("--release");
    }
    // What the benchmark finds goes to standard output, and nothing else does.
    let status = command.stdout(Stdio::null()).status().context("cargo cannot be started")?;
    ensure!(status.success(), "the server cannot be built; --binary takes one that is");
    Ok(profile.join(format!("monotable{}", std::env::consts::EXE_SUFFIX)))
}

/// The cargo that runs this program, if one does, at the root of the workspace.
fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
    let mut command = Command::new(cargo);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command
}
