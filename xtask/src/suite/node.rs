//! Packages of Node.js that suites need.

use std::fs;

use anyhow::{Context, Result};

use crate::workspace::Workspace;

/// Installs the packages that the lock file of a folder names, unless they are there already.
pub(super) fn install(workspace: &Workspace, folder: &str) -> Result<()> {
    let _installing = workspace.installing();
    let path = workspace.root.join(folder);
    let wanted = fs::read_to_string(path.join("package-lock.json"))
        .with_context(|| format!("{folder}/package-lock.json cannot be read"))?;
    let installed = path.join("node_modules").join("installed-lock.json");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    workspace.say(format!("installing the packages of {folder}"));
    workspace
        .program("npm")
        .directory(&path)
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .output()
        .context("this step needs Node.js 20 or later with npm: install node")?;
    fs::write(&installed, wanted)?;
    Ok(())
}
