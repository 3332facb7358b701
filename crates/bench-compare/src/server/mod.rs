//! The servers that are compared, each a process of its own.

mod binary;
mod contestant;
mod kind;
mod peers;
mod process;
mod redis;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use monotable_bench::http::{Connection, frame};
use monotable_bench::target::{Protocol, Target};
use monotable_bench::usage::{self, Memory};
use monotable_bench::{clock, resp};
use tempfile::TempDir;

use crate::settings::Settings;
use process::Process;

pub(crate) use binary::find as find_binary;
pub(crate) use contestant::{Contestant, parse_running};
pub(crate) use kind::{Role, ServerKind};
pub(crate) use peers::install as install_peers;
pub(crate) use redis::is_installed as has_redis;

/// How long a server may take to answer for the first time.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it is asked meanwhile; this is also how exact the time of a start is.
const START_INTERVAL: Duration = Duration::from_micros(200);
/// Servers that use less processor time than this in [`QUIET_INTERVAL`] are quiet.
const QUIET_CPU: Duration = Duration::from_millis(10);
const QUIET_INTERVAL: Duration = Duration::from_millis(50);

/// A running server. It is killed when this is dropped, and its data is removed.
#[derive(Debug)]
pub(crate) struct Server {
    kind: ServerKind,
    options: Vec<String>,
    target: Target,
    process: Process,
    /// Held so that the directory lives as long as the process.
    directory: TempDir,
}

/// How a server ends before it is started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It is asked to, and closes its data.
    Clean,
    /// It is killed, as by a crash.
    Killed,
}

impl Server {
    /// Starts a server with nothing in it and waits for its first answer.
    pub(crate) async fn start(kind: ServerKind, settings: &Settings) -> Result<Server> {
        Server::start_with(kind, settings, &[]).await
    }

    /// The same with more options on its command line.
    pub(crate) async fn start_with(
        kind: ServerKind,
        settings: &Settings,
        options: &[&str],
    ) -> Result<Server> {
        let directory = tempfile::Builder::new().prefix("bench-").tempdir_in(&settings.data)?;
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let (process, target) = launch(kind, settings, &options, directory.path())?;
        let mut server = Server { kind, options, target, process, directory };
        server.await_first_answer().await.with_context(|| kind.title())?;
        Ok(server)
    }

    /// Ends the process and starts another on the same data; returns the time to its first answer.
    pub(crate) async fn restart(
        &mut self,
        settings: &Settings,
        ending: Ending,
        prepare: impl FnOnce() -> Result<()>,
    ) -> Result<Duration> {
        match ending {
            Ending::Clean => self.process.end().await?,
            Ending::Killed => self.process.kill()?,
        }
        prepare()?;
        let started = clock::now();
        (self.process, self.target) =
            launch(self.kind, settings, &self.options, self.directory.path())?;
        self.await_first_answer().await.with_context(|| self.kind.title())?;
        Ok(started.elapsed())
    }

    /// Which one it is.
    pub(crate) fn kind(&self) -> ServerKind {
        self.kind
    }

    /// Where it listens.
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// The directory of its data.
    pub(crate) fn data(&self) -> PathBuf {
        data_of(self.directory.path())
    }

    /// The memory that it has resident; none where the system does not tell.
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        usage::resident_bytes(self.process.id())
    }

    /// The same by what it holds.
    pub(crate) fn memory(&self) -> Option<Memory> {
        usage::memory(self.process.id())
    }

    /// Adds to an error that the process has ended, and what it said, if that is why.
    pub(crate) fn explain(&mut self, error: anyhow::Error) -> anyhow::Error {
        match self.process.ensure_running() {
            Ok(()) => error,
            Err(ended) => error.context(format!("{}: {ended:#}", self.target.title)),
        }
    }

    async fn await_first_answer(&mut self) -> Result<()> {
        let deadline = clock::now() + START_TIMEOUT;
        let request = frame(&self.target.host, "ListTables", "{}");
        loop {
            self.process.ensure_running()?;
            match first_answer(&self.target, &request).await {
                Ok(()) => return Ok(()),
                Err(error) if clock::now() > deadline => {
                    return Err(error.context("the server does not answer"));
                }
                Err(_) => clock::wait(START_INTERVAL).await,
            }
        }
    }
}

/// Waits until no server works on in the background, such as after many writes, lest that falls on
/// the next sample. Says whether that came within the patience that there is.
pub(crate) async fn await_quiet<'a>(
    servers: impl IntoIterator<Item = &'a Target>,
    patience: Duration,
) -> bool {
    let processes: Vec<u32> = servers.into_iter().filter_map(|target| target.process).collect();
    let cpu = || processes.iter().filter_map(|id| usage::cpu(*id)).sum::<Duration>();
    let deadline = clock::now() + patience;
    while clock::now() < deadline {
        let before = cpu();
        clock::wait(QUIET_INTERVAL).await;
        if cpu().saturating_sub(before) <= QUIET_CPU {
            return true;
        }
    }
    false
}

fn data_of(directory: &Path) -> PathBuf {
    directory.join("data")
}

/// Starts the process on a free port.
fn launch(
    kind: ServerKind,
    settings: &Settings,
    options: &[String],
    directory: &Path,
) -> Result<(Process, Target)> {
    let address = free_address()?;
    let command = kind.command(settings, address.port(), &data_of(directory))?;
    let Some(mut command) = command else { bail!("{} is no server", kind.title()) };
    command.args(options);
    let process = Process::spawn(command, &directory.join("log"))?;
    let target = Target::started(kind.title(), address, process.id()).speaking(kind.protocol());
    Ok((process, target))
}

async fn first_answer(target: &Target, request: &[u8]) -> Result<()> {
    match target.protocol {
        Protocol::Http => {
            Connection::open(target).await?.exchange(request).await?.success()?;
        }
        Protocol::Resp => {
            resp::Connection::open(target).await?.exchange(resp::PING).await?.success()?;
        }
    }
    Ok(())
}

/// A loopback address that nobody listens on. Somebody may take it before the server does; then the
/// server says so.
fn free_address() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
    Ok(listener.local_addr()?)
}
