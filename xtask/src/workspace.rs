//! Where things are: the root of the repository, the target directory, and the tools.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::Program;
use crate::transcript::Transcript;

/// The workspace that this program belongs to, as a check sees it.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    /// The folder with the root `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Where builds go; environments for the client suites are installed there too.
    pub(crate) target: PathBuf,
    /// What the check says.
    pub(crate) transcript: Transcript,
    /// Checks that run beside each other need the same packages.
    installing: Arc<Mutex<()>>,
}

impl Workspace {
    /// Asks cargo where the workspace is, so that `CARGO_TARGET_DIR` and cargo's configuration
    /// count.
    pub(crate) fn find() -> Result<Self> {
        let metadata = metadata(Path::new(env!("CARGO_MANIFEST_DIR")), &["--no-deps"])?;
        let path = |member: &str| -> Result<PathBuf> {
            let text = metadata.get(member).and_then(Value::as_str);
            Ok(PathBuf::from(text.with_context(|| format!("cargo metadata has no {member}"))?))
        };
        Ok(Self {
            root: path("workspace_root")?,
            target: path("target_directory")?,
            transcript: Transcript::default(),
            installing: Arc::default(),
        })
    }

    /// The same workspace for a check whose lines are kept.
    pub(crate) fn with_transcript(&self, transcript: &Transcript) -> Workspace {
        Workspace { transcript: transcript.clone(), ..self.clone() }
    }

    /// Writes a line of the check.
    pub(crate) fn say(&self, line: impl Display) {
        self.transcript.say(line);
    }

    /// Held by whoever installs something that several checks need.
    pub(crate) fn installing(&self) -> MutexGuard<'_, ()> {
        self.installing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `cargo metadata` says about the workspace, and about its dependencies unless
    /// `--no-deps` is given.
    pub(crate) fn metadata(&self, arguments: &[&str]) -> Result<Value> {
        metadata(&self.root, arguments)
    }

    /// A cargo command that runs at the root.
    pub(crate) fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Program {
        self.program(cargo()).args(arguments)
    }

    /// Builds the server and the scenarios whose instructions are counted. They are always built
    /// together: then their dependencies have the same features and are compiled once, and two
    /// processors are busy where each of the programs would keep only one.
    pub(crate) fn release_build(&self) -> Program {
        let packages = ["--package", "monotable-cli", "--package", "monotable-hot-paths"];
        self.cargo(["build", "--release"]).args(packages)
    }

    /// A command that runs at the root.
    pub(crate) fn program(&self, program: impl AsRef<Path>) -> Program {
        Program::new(program.as_ref()).directory(&self.root).transcript(&self.transcript)
    }

    /// The release build of the server.
    pub(crate) fn server_binary(&self) -> PathBuf {
        self.target.join("release").join(format!("monotable{}", std::env::consts::EXE_SUFFIX))
    }

    /// Every file of the repository that git does not ignore, relative to the root, in order.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>> {
        let listing = self
            .program("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
            .output()?;
        let mut files: Vec<PathBuf> =
            listing.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
        // A file that is deleted but not committed is still in git's index.
        files.retain(|file| self.root.join(file).is_file());
        files.sort();
        files.dedup();
        Ok(files)
    }
}

/// The cargo that runs this program, so that a toolchain override holds for the commands below it.
fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

fn metadata(directory: &Path, arguments: &[&str]) -> Result<Value> {
    let output = Program::new(&cargo())
        .directory(directory)
        .args(["metadata", "--format-version", "1"])
        .args(arguments)
        .output()?;
    serde_json::from_str(&output).context("cargo metadata printed no JSON")
}
