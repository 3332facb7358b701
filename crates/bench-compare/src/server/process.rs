//! A child process whose output goes to a file.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use monotable_bench::clock;

/// How long a process may take to end when it is asked to.
const END_MAX: Duration = Duration::from_secs(120);
const END_INTERVAL: Duration = Duration::from_millis(2);

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

    /// Asks the process to end, and waits until it has.
    pub(super) async fn end(&mut self) -> Result<()> {
        self.ask_to_end()?;
        let deadline = clock::now() + END_MAX;
        while self.child.try_wait()?.is_none() {
            ensure!(clock::now() < deadline, "the server does not end when it is asked to");
            clock::wait(END_INTERVAL).await;
        }
        Ok(())
    }

    /// Ends the process at once.
    pub(super) fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    #[cfg(unix)]
    fn ask_to_end(&mut self) -> Result<()> {
        use rustix::process::{Pid, Signal, kill_process};

        let id = i32::try_from(self.id()).ok().and_then(Pid::from_raw);
        Ok(kill_process(id.context("the process has no id")?, Signal::TERM)?)
    }

    /// There is no gentle way here.
    #[cfg(not(unix))]
    fn ask_to_end(&mut self) -> Result<()> {
        Ok(self.child.kill()?)
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
