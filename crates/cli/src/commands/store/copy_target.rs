//! Where a copy is made.
//!
//! A copy that is interrupted must not be taken for a store. A directory gets its name only when
//! the copy in it is whole; until then it has another one. A database says of itself that it is
//! unfinished, and then nobody opens it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use monotable_node::Store;
use monotable_storage_postgres::{PostgresOptions, mark_finished, mark_unfinished};

use super::copy::{holds_something, open_database, open_directory};
use crate::postgres::{StoreAddress, explain};

/// What is appended to the name of a directory until the copy in it is whole.
const UNFINISHED: &str = ".unfinished";

/// The place of a copy.
pub(super) enum CopyTarget {
    /// A store on a database.
    Database(Box<PostgresOptions>),
    /// A directory, and its name until the copy is whole.
    Directory { path: PathBuf, unfinished: PathBuf },
}

impl CopyTarget {
    /// The place that was named, if nothing is there yet.
    pub(super) fn new(text: &str) -> Result<CopyTarget> {
        if StoreAddress::is_of_database(text) {
            let options = text.parse::<StoreAddress>()?.options()?;
            return Ok(CopyTarget::Database(Box::new(options)));
        }
        let path = PathBuf::from(text);
        if holds_something(&path) {
            bail!("{text} is not empty; give a new or an empty directory");
        }
        let Some(name) = path.file_name() else {
            bail!("{text} has no name; give the path of a new directory");
        };
        let mut unfinished = name.to_owned();
        unfinished.push(UNFINISHED);
        let unfinished = path.with_file_name(unfinished);
        if holds_something(&unfinished) {
            bail!(
                "{} is left of a copy that was interrupted; remove it, and copy again",
                unfinished.display()
            );
        }
        make_way(&path, &unfinished).map_err(|error| {
            anyhow!("{text} cannot be made anew: {error}; give the path of a new directory")
        })?;
        Ok(CopyTarget::Directory { path, unfinished })
    }

    /// Opens the store that is copied into.
    pub(super) async fn open(&self) -> Result<Store> {
        match self {
            CopyTarget::Database(options) => open_database(options).await,
            CopyTarget::Directory { unfinished, .. } => open_directory(unfinished),
        }
    }

    /// Notes that it holds a part of a copy from now on.
    pub(super) async fn begin(&self) -> Result<()> {
        match self {
            CopyTarget::Database(options) => {
                mark_unfinished(options).await.map_err(|error| explain(&error))
            }
            CopyTarget::Directory { .. } => Ok(()),
        }
    }

    /// Makes a store of what was copied, which is whole and has been closed.
    pub(super) async fn finish(self) -> Result<()> {
        match self {
            CopyTarget::Database(options) => {
                mark_finished(&options).await.map_err(|error| explain(&error))
            }
            CopyTarget::Directory { path, unfinished } => {
                let renamed = rename(&unfinished, &path);
                renamed.with_context(|| format!("{} cannot be renamed", unfinished.display()))
            }
        }
    }

    /// Gives up what was copied, which has been closed. A database stays unfinished.
    pub(super) fn abandon(self) {
        if let CopyTarget::Directory { unfinished, .. } = self {
            // Whoever copies again is told what is left of it.
            let _ = fs::remove_dir_all(unfinished);
        }
    }

    /// How to make it empty.
    pub(super) fn how_to_empty(&self) -> String {
        match self {
            CopyTarget::Database(options) => {
                let schema = options.schema_name();
                format!(
                    "give an empty one, or remove this one with drop schema {schema} cascade, and \
                     make it again with monotable store init"
                )
            }
            CopyTarget::Directory { .. } => "give a new or an empty directory".to_owned(),
        }
    }
}

/// Sees to it that the directory can be renamed at the end. It cannot replace a directory that
/// something else keeps in place, such as a mount point.
fn make_way(path: &Path, unfinished: &Path) -> io::Result<()> {
    if path.is_dir() {
        fs::remove_dir(path)?;
    }
    fs::create_dir_all(unfinished)
}

/// Renames a directory, durably.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}
