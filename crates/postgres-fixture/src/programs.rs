//! Where the programs of PostgreSQL are.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// Names the directory of the programs.
const VARIABLE: &str = "MONOTABLE_POSTGRES_BIN";

/// Where Debian has a directory for each version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The programs of one version of PostgreSQL.
#[derive(Clone, Debug)]
pub struct Programs {
    directory: PathBuf,
}

impl Programs {
    /// Finds the programs.
    pub fn find() -> Result<Programs> {
        if let Some(directory) = std::env::var_os(VARIABLE) {
            return Programs::at(directory.into());
        }
        let newest = debian_versions().into_iter().max_by_key(|(version, _)| *version);
        let (_, directory) = newest.with_context(|| {
            format!("PostgreSQL is not installed: install postgresql, or set {VARIABLE}")
        })?;
        Programs::at(directory)
    }

    /// The programs in this directory.
    pub fn at(directory: PathBuf) -> Result<Programs> {
        for program in ["initdb", "pg_ctl", "postgres"] {
            let path = directory.join(program);
            ensure!(path.is_file(), "there is no {}", path.display());
        }
        Ok(Programs { directory })
    }

    /// Where they are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

fn debian_versions() -> Vec<(u32, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(DEBIAN) else { return Vec::new() };
    let version = |path: PathBuf| -> Option<(u32, PathBuf)> {
        Some((path.file_name()?.to_str()?.parse().ok()?, path.join("bin")))
    };
    entries.filter_map(|entry| version(entry.ok()?.path())).collect()
}
