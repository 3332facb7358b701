//! The `monotable` binary as a process: on a free port, with a data directory of its own.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

/// Names the binary to test; without it the target directory of the running test is searched.
pub const BINARY_VARIABLE: &str = "MONOTABLE_BINARY";

/// Where a server keeps its data.
#[derive(Clone, Copy, Debug)]
pub enum Storage {
    /// In a temporary directory.
    Disk,
    /// Nowhere.
    Memory,
}

/// A running server. It is killed when this is dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    endpoint: String,
    /// Held so that the directory lives as long as the server.
    _directory: Option<TempDir>,
}

impl Server {
    /// Starts a server with nothing in it.
    pub fn start(binary: &Path, storage: Storage) -> Result<Self> {
        Self::start_with(binary, storage, &[])
    }

    /// Starts a server with nothing in it, with more flags of `monotable serve`.
    pub fn start_with(binary: &Path, storage: Storage, flags: &[&str]) -> Result<Self> {
        match storage {
            Storage::Memory => Self::spawn(binary, &["--in-memory".as_ref()], flags),
            Storage::Disk => {
                let directory = tempfile::tempdir()?;
                let data = directory.path().join("data");
                let mut server = Self::start_in_with(binary, &data, flags)?;
                server._directory = Some(directory);
                Ok(server)
            }
        }
    }

    /// Starts a server on a data directory, which it makes if there is none.
    pub fn start_in(binary: &Path, directory: &Path) -> Result<Self> {
        Self::start_in_with(binary, directory, &[])
    }

    /// Starts a server on a data directory, with more flags of `monotable serve`.
    pub fn start_in_with(binary: &Path, directory: &Path, flags: &[&str]) -> Result<Self> {
        Self::spawn(binary, &["--data".as_ref(), directory], flags)
    }

    /// Starts a server on a store that servers share, such as `postgres://host/db`, with more flags of
    /// `monotable serve`. What it logs goes to `log`.
    pub fn start_on_store(binary: &Path, store: &str, flags: &[&str], log: File) -> Result<Self> {
        Self::spawn_logging(binary, &["--store".as_ref(), store.as_ref()], flags, log.into())
    }

    fn spawn(binary: &Path, storage: &[&Path], flags: &[&str]) -> Result<Self> {
        Self::spawn_logging(binary, storage, flags, Stdio::inherit())
    }

    fn spawn_logging(binary: &Path, storage: &[&Path], flags: &[&str], log: Stdio) -> Result<Self> {
        let mut process = Command::new(binary)
            .args(["serve", "--host", "127.0.0.1", "--port", "0"])
            .args(storage)
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .with_context(|| format!("{} cannot be started", binary.display()))?;
        let mut output = BufReader::new(process.stdout.take().expect("standard output is piped"));
        let Some(endpoint) = read_endpoint(&mut output)? else {
            bail!("the server ended before it listened: {}", process.wait()?);
        };
        drain(output);
        Ok(Self { process, endpoint, _directory: None })
    }

    /// The address, such as `http://127.0.0.1:49152`, or with `https` if the server encrypts.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// The id of the process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Ends the server at once, as `kill -9` does: it gets no chance to write anything.
    pub fn kill(mut self) -> Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    /// Asks the server to stop, as Ctrl-C does, and waits until it has.
    pub fn stop(self) -> Result<()> {
        self.stop_by("-INT")
    }

    /// Asks the server to stop, as service managers do, and waits until it has.
    pub fn terminate(self) -> Result<()> {
        self.stop_by("-TERM")
    }

    fn stop_by(mut self, signal: &str) -> Result<()> {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status()?;
        ensure!(sent.success(), "the signal cannot be sent");
        let status = self.process.wait()?;
        ensure!(status.success(), "the server stopped with {status}");
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads lines until one names the address. None if the output ends before.
fn read_endpoint(output: impl BufRead) -> Result<Option<String>> {
    for line in output.lines() {
        let line = line?;
        if let Some((before, rest)) = line.split_once("://127.0.0.1:") {
            let scheme = if before.ends_with("https") { "https" } else { "http" };
            let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
            return Ok(Some(format!("{scheme}://127.0.0.1:{port}")));
        }
    }
    Ok(None)
}

/// Reads on, lest the server wait for room in the pipe.
fn drain(mut output: BufReader<ChildStdout>) {
    thread::spawn(move || {
        // An error here means that the server is gone, and its output with it.
        let _ = std::io::copy(&mut output, &mut std::io::sink());
    });
}

/// Finds the binary to test: the one that [`BINARY_VARIABLE`] names, or the newest build beside this test.
pub fn binary() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os(BINARY_VARIABLE) {
        return Ok(PathBuf::from(path));
    }
    let this = std::env::current_exe()?;
    let target = this.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    let target = target.context("this program is not in a target directory")?;
    let name = format!("monotable{}", std::env::consts::EXE_SUFFIX);
    let builds = ["release", "debug"].map(|profile| target.join(profile).join(&name));
    let newest =
        builds.into_iter().max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    newest.filter(|path| path.is_file()).with_context(|| {
        format!("no server to test: run `cargo build --release` or set {BINARY_VARIABLE}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_found_within_a_line() {
        let output = "starting\nlistening on http://127.0.0.1:4321, data in memory\nmore\n";
        let endpoint = read_endpoint(output.as_bytes()).unwrap();
        assert_eq!(endpoint.as_deref(), Some("http://127.0.0.1:4321"));
        let output = "listening on https://127.0.0.1:4321 \u{b7} data in memory\n";
        let endpoint = read_endpoint(output.as_bytes()).unwrap();
        assert_eq!(endpoint.as_deref(), Some("https://127.0.0.1:4321"));
        assert_eq!(read_endpoint("starting\n".as_bytes()).unwrap(), None);
    }
}
