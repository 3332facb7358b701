//! Runs a scenario under callgrind, valgrind's tool that counts instructions by function.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::profile;
use crate::debian;
use crate::workspace::Workspace;

/// What is inside this function counts; the rest is set-up.
const COUNTED_FUNCTION: &str = "hot_paths::repeat::counted*";
/// The C library copies and compares bytes as the processor does it best, which is worth up to 4 %.
/// Valgrind shows it one of a few processors, by what the real one can do. Without these features,
/// all of them are the same to it. Names that a version of the library does not know have no
/// effect.
const C_LIBRARY: &str =
    "glibc.cpu.hwcaps=-AVX,-AVX_Usable,-AVX_Fast_Unaligned_Load,-AVX2,-AVX2_Usable,-ERMS";

/// The program, and the folder that its profiles go to.
pub(super) struct Valgrind<'w> {
    workspace: &'w Workspace,
    profiles: PathBuf,
}

impl<'w> Valgrind<'w> {
    /// Finds valgrind, or installs it where that can be done.
    pub(super) fn find(workspace: &'w Workspace) -> Result<Valgrind<'w>> {
        if !is_installed(workspace) {
            debian::install(workspace, "valgrind", "counting instructions")?;
        }
        let profiles = profiles(workspace);
        fs::create_dir_all(&profiles)?;
        Ok(Valgrind { workspace, profiles })
    }

    /// How many instructions the counted calls of a scenario take together.
    pub(super) fn count(&self, binary: &Path, scenario: &str, iterations: u64) -> Result<u64> {
        let profile = self.profiles.join(scenario).with_extension("out");
        self.workspace
            .program("valgrind")
            .args(["--tool=callgrind", &format!("--toggle-collect={COUNTED_FUNCTION}")])
            .args([format!("--callgrind-out-file={}", profile.display())])
            .args([binary])
            .args([scenario, &iterations.to_string()])
            .env("GLIBC_TUNABLES", C_LIBRARY)
            .output()?;
        let text = fs::read_to_string(&profile)
            .with_context(|| format!("{} cannot be read", profile.display()))?;
        profile::total_instructions(&text).with_context(|| format!("scenario {scenario}"))
    }
}

/// Where the profiles go.
pub(super) fn profiles(workspace: &Workspace) -> PathBuf {
    workspace.target.join("instructions")
}

fn is_installed(workspace: &Workspace) -> bool {
    workspace.program("valgrind").args(["--version"]).output().is_ok()
}
