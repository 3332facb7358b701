//! Packages of the system that checks need.

use anyhow::{Result, bail};

use crate::workspace::Workspace;

/// Installs a package as root, and in CI by way of sudo too: nobody else's machine is changed
/// unasked. `purpose` says what needs it.
pub(crate) fn install(workspace: &Workspace, package: &str, purpose: &str) -> Result<()> {
    let _installing = workspace.installing();
    workspace.say(format!("installing {package}"));
    let in_ci = std::env::var_os("CI").is_some();
    let attempts: &[&[&str]] = if in_ci { &[&[], &["sudo", "-n"]] } else { &[&[]] };
    for prefix in attempts {
        let apt = |arguments: &[&str]| {
            let mut words = prefix.iter().chain(&["apt-get"]).chain(arguments);
            let program = words.next().copied().unwrap_or("apt-get");
            workspace.program(program).args(words).env("DEBIAN_FRONTEND", "noninteractive").output()
        };
        // The lists may be too old, or not there at all, but the package can still be in a cache.
        if let Err(error) = apt(&["update", "--quiet"]) {
            workspace.say(format!("{error:#}"));
        }
        match apt(&["install", "--yes", "--no-install-recommends", package]) {
            Ok(_) => return Ok(()),
            Err(error) => workspace.say(format!("{error:#}")),
        }
    }
    bail!("{purpose} needs {package}: install the package of that name of your system")
}
