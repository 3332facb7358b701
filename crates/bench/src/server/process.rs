//! A child process whose output goes to a file.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

/// A running process. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a process that writes what it says to a file.
    pub(super) fn spawn(mut command: Command, log: &Path) -> Result<Process> {
        let file = File::create(log)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let program = Path::new(command.get_program()).display().to_string();
        let child = command.spawn().with_context(|| format!("cannot start {program}"))?;
        Ok(Process { child, log: log.to_owned() })
    }

    /// Its id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Fails with what the process said if it has ended.
    pub(super) fn ensure_running(&mut self) -> Result<()> {
        if let Some(status) = self.child.try_wait()? {
            let said = fs::read_to_string(&self.log).unwrap_or_default();
            bail!("the server ended with {status}: {}", said.trim());
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already; then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_ended_is_reported_with_what_it_said() {
        let directory = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo port in use >&2; exit 2"]);
        let mut process = Process::spawn(command, &directory.path().join("log")).unwrap();
        process.child.wait().unwrap();
        let error = process.ensure_running().unwrap_err().to_string();
        assert!(error.ends_with("exit status: 2: port in use"), "{error}");
    }
}
