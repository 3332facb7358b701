//! The servers that are compared, each a process of its own.

mod binary;
mod kind;
mod process;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::clock;
use crate::http::{Connection, frame};
use crate::settings::Settings;
use crate::usage;
use process::Process;

pub(crate) use binary::find as find_binary;
pub(crate) use kind::ServerKind;

/// How long a server may take to answer for the first time.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How often it is asked meanwhile; this is also how exact the time of a start is.
const START_INTERVAL: Duration = Duration::from_micros(200);
/// Servers that use less processor time than this in [`QUIET_INTERVAL`] are quiet.
const QUIET_CPU: Duration = Duration::from_millis(10);
const QUIET_INTERVAL: Duration = Duration::from_millis(50);
/// A server that works in the background for longer than this is measured all the same.
const QUIET_TIMEOUT: Duration = Duration::from_secs(5);

/// A running server. It is killed when this is dropped, and its data is removed.
#[derive(Debug)]
pub(crate) struct Server {
    kind: ServerKind,
    address: SocketAddr,
    process: Process,
    /// Held so that the directory lives as long as the process.
    _data: TempDir,
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
        let address = free_address()?;
        let data = tempfile::Builder::new().prefix("bench-").tempdir_in(&settings.data)?;
        let mut command = kind.command(settings, address.port(), &data.path().join("data"))?;
        command.args(options);
        let process = Process::spawn(command, &data.path().join("log"))?;
        let mut server = Server { kind, address, process, _data: data };
        server.await_first_answer().await.with_context(|| kind.title())?;
        Ok(server)
    }

    /// Which one it is.
    pub(crate) fn kind(&self) -> ServerKind {
        self.kind
    }

    /// Its name in tables.
    pub(crate) fn title(&self) -> &'static str {
        self.kind.title()
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The processor time that it has used so far; none where the system does not tell.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        usage::cpu(self.process.id())
    }

    /// The memory that it has resident; none where the system does not tell.
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        usage::resident_bytes(self.process.id())
    }

    async fn await_first_answer(&mut self) -> Result<()> {
        let deadline = clock::now() + START_TIMEOUT;
        let request = frame(self.address, "ListTables", "{}");
        loop {
            self.process.ensure_running()?;
            match first_answer(self.address, &request).await {
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
/// the next sample.
pub(crate) async fn await_quiet(servers: &[Server]) {
    let cpu = || servers.iter().filter_map(Server::cpu).sum::<Duration>();
    let deadline = clock::now() + QUIET_TIMEOUT;
    while clock::now() < deadline {
        let before = cpu();
        clock::wait(QUIET_INTERVAL).await;
        if cpu().saturating_sub(before) <= QUIET_CPU {
            return;
        }
    }
}

async fn first_answer(address: SocketAddr, request: &[u8]) -> Result<()> {
    Connection::open(address).await?.exchange(request).await?.success()?;
    Ok(())
}

/// A loopback address that nobody listens on. Somebody may take it before the server does; then the
/// server says so.
fn free_address() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
    Ok(listener.local_addr()?)
}
