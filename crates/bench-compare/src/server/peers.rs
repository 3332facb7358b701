//! Servers of others with an open licence: where they are installed, and how they are started.
//!
//! They are installed below the target directory, from the registries of their languages, in the
//! versions that are named here. Nothing of them is part of this repository or of its tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::kind::ServerKind;

/// The version of dynoxide that is measured.
pub(super) const DYNOXIDE_VERSION: &str = "3.2.0";
/// The version of dynalite that is measured.
pub(super) const DYNALITE_VERSION: &str = "4.0.0";

/// Installs the peers among these servers, unless they are there.
pub(crate) fn install(kinds: &[ServerKind]) -> Result<()> {
    let wants = |peers: &[ServerKind]| kinds.iter().any(|kind| peers.contains(kind));
    if wants(&[ServerKind::Dynoxide, ServerKind::DynoxideFile]) && !dynoxide_path()?.is_file() {
        eprintln!("installing dynoxide {DYNOXIDE_VERSION} with cargo, which takes some minutes");
        run(cargo_install(&dynoxide_root()?)).context("dynoxide cannot be installed")?;
    }
    if wants(&[ServerKind::Dynalite]) && !dynalite_path()?.is_file() {
        eprintln!("installing dynalite {DYNALITE_VERSION} with npm");
        run(npm_install(&dynalite_root()?))
            .context("dynalite cannot be installed; it needs Node.js")?;
    }
    Ok(())
}

/// The command of dynoxide, but for where it keeps its data and on which port it listens.
pub(super) fn dynoxide() -> Result<Command> {
    let mut command = Command::new(dynoxide_path()?);
    command.args(["serve", "--host", "127.0.0.1", "--log", "quiet"]);
    Ok(command)
}

/// The command of dynalite, but for its port. Its tables are ready at once.
pub(super) fn dynalite() -> Result<Command> {
    let mut command = Command::new("node");
    command.arg(dynalite_path()?).args(["--host", "127.0.0.1"]);
    command.args(["--createTableMs", "0", "--deleteTableMs", "0"]);
    Ok(command)
}

fn cargo_install(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let features = "native-sqlite,http-server,cli";
    command.args(["install", "--locked", "--no-default-features", "--features", features]);
    command.args(["dynoxide-rs", "--version", DYNOXIDE_VERSION, "--root"]).arg(root);
    command.env("CARGO_TARGET_DIR", root.join("build"));
    command
}

fn npm_install(root: &Path) -> Command {
    let mut command = Command::new("npm");
    command.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]).arg(root);
    command.arg(format!("dynalite@{DYNALITE_VERSION}"));
    command
}

fn run(mut command: Command) -> Result<()> {
    // What the benchmark finds goes to standard output, and nothing else does.
    let status = command.stdout(Stdio::null()).status().context("it cannot be started")?;
    ensure!(status.success(), "the installation ended with {status}");
    Ok(())
}

fn dynoxide_path() -> Result<PathBuf> {
    Ok(dynoxide_root()?.join("bin").join(format!("dynoxide{}", std::env::consts::EXE_SUFFIX)))
}

fn dynalite_path() -> Result<PathBuf> {
    Ok(dynalite_root()?.join("node_modules/dynalite/cli.js"))
}

fn dynoxide_root() -> Result<PathBuf> {
    root(&format!("dynoxide-{DYNOXIDE_VERSION}"))
}

fn dynalite_root() -> Result<PathBuf> {
    root(&format!("dynalite-{DYNALITE_VERSION}"))
}

/// A directory within the target directory, which is two above this program. Each version has its
/// own, so that another one is installed when the version changes.
fn root(name: &str) -> Result<PathBuf> {
    let this = std::env::current_exe().context("this program cannot be found")?;
    let target = this.parent().and_then(Path::parent);
    let peers = target.context("this program is in no target directory")?.join("peers");
    let root = peers.join(name);
    std::fs::create_dir_all(&root)?;
    Ok(root)
}
