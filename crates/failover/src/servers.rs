//! The servers of Monotable, each with its own way to the databases.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use monotable_conformance::server::Server;
use tokio::runtime::Handle;

use crate::clock::until;
use crate::proxy::Proxy;

/// How many servers there are.
pub(crate) const SERVERS: usize = 3;

/// Shards close several times in a round, and what a dead server left is gone on with soon.
const FLAGS: &[&str] = &["--stream-shard-age", "10s"];

const START_LIMIT: Duration = Duration::from_secs(120);

/// Where the servers are. Their ports change when they are started again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endpoints(Arc<Mutex<[String; SERVERS]>>);

impl Endpoints {
    pub(crate) fn get(&self, server: usize) -> String {
        let endpoints = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        endpoints.get(server).cloned().unwrap_or_default()
    }

    fn set(&self, server: usize, endpoint: &str) {
        let mut endpoints = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = endpoints.get_mut(server) {
            endpoint.clone_into(slot);
        }
    }
}

/// All servers.
pub(crate) struct Servers {
    binary: PathBuf,
    directory: PathBuf,
    proxies: Vec<Proxy>,
    running: [Option<Server>; SERVERS],
    endpoints: Endpoints,
}

impl Servers {
    /// Makes a store and starts all servers on it.
    pub(crate) fn start(
        runtime: &Handle,
        binary: &Path,
        directory: &Path,
        databases: &[u16],
    ) -> Result<Servers> {
        let proxies = (0..SERVERS).map(|_| Proxy::start(runtime, databases));
        let mut servers = Servers {
            binary: binary.to_owned(),
            directory: directory.to_owned(),
            proxies: proxies.collect::<Result<_>>()?,
            running: [const { None }; SERVERS],
            endpoints: Endpoints::default(),
        };
        let made = Command::new(binary).args(["store", "init"]).arg(address(databases)).output()?;
        let error = String::from_utf8_lossy(&made.stderr);
        ensure!(made.status.success(), "the store cannot be made: {error}");
        for server in 0..SERVERS {
            servers.start_one(server)?;
        }
        Ok(servers)
    }

    pub(crate) fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    pub(crate) fn proxy(&self, server: usize) -> Result<&Proxy> {
        self.proxies.get(server).context("there is such a server")
    }

    /// Starts a server, again and again until it runs, as a service manager does.
    pub(crate) fn start_one(&mut self, server: usize) -> Result<()> {
        let address = address(self.proxy(server)?.ports());
        let mut last = None;
        let started = until(START_LIMIT, || {
            let log = self.log(server).ok()?;
            match Server::start_on_store(&self.binary, &address, FLAGS, log) {
                Ok(started) => Some(started),
                Err(error) => {
                    last = Some(error);
                    None
                }
            }
        });
        let started = started.with_context(|| format!("server {server}: {last:?}"))?;
        self.endpoints.set(server, started.endpoint());
        self.running.get_mut(server).context("there is such a server")?.replace(started);
        Ok(())
    }

    /// Ends a server as `kill -9` does.
    pub(crate) fn kill(&mut self, server: usize) -> Result<()> {
        let running = self.running.get_mut(server).and_then(Option::take);
        running.map_or(Ok(()), Server::kill)
    }

    /// Sends a signal such as `STOP`.
    pub(crate) fn signal(&self, server: usize, signal: &str) -> Result<()> {
        let Some(running) = self.running.get(server).and_then(Option::as_ref) else {
            return Ok(());
        };
        let id = running.process_id().to_string();
        let sent = Command::new("kill").args([&format!("-{signal}"), &id]).status()?;
        ensure!(sent.success(), "the signal cannot be sent");
        Ok(())
    }

    fn log(&self, server: usize) -> Result<File> {
        let path = self.directory.join(format!("server{server}.log"));
        Ok(OpenOptions::new().create(true).append(true).open(path)?)
    }
}

/// A store on whichever of the databases takes writes.
fn address(ports: &[u16]) -> String {
    let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    let hosts = hosts.join(",");
    format!("postgres://postgres@{hosts}/postgres?target_session_attrs=read-write")
}
