//! What a suite is played at: one server, or several that share a store, behind a proxy that hands
//! connections to them in turn.
//!
//! Suites start their servers themselves, and ask here what is wanted. Usually it is a server with
//! a store of its own. Where [`DATABASE_VARIABLE`] names a PostgreSQL server it is as many servers
//! as [`SERVERS_VARIABLE`] says, on a store that is made for them.
//!
//! What belongs to one server, such as its faults, is set and met at [`Fleet::first`].

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use crate::round_robin::RoundRobin;
use crate::server::{Server, Storage};

/// Names the PostgreSQL server whose stores the suites use, such as `postgres://user@host/db`.
pub const DATABASE_VARIABLE: &str = "MONOTABLE_TEST_DATABASE";

/// Says how many servers share a store there; one if it does not.
pub const SERVERS_VARIABLE: &str = "MONOTABLE_TEST_SERVERS";

/// Where the servers of a fleet keep their data, which says how many there are.
#[derive(Clone, Debug)]
pub enum Home {
    /// One server has it all to itself.
    Own(Storage),
    /// Several servers use a store on one database.
    Shared {
        /// The address of the database.
        database: String,
        /// How many servers there are.
        servers: usize,
    },
}

impl Home {
    /// The home that the environment names.
    fn of_environment() -> Result<Option<Home>> {
        let Ok(database) = std::env::var(DATABASE_VARIABLE) else { return Ok(None) };
        let servers = match std::env::var(SERVERS_VARIABLE) {
            Ok(count) => count.parse().with_context(|| format!("{SERVERS_VARIABLE} is {count}"))?,
            Err(_) => 1,
        };
        Ok(Some(Home::Shared { database, servers }))
    }

    /// Where a suite is to be played: where the environment says, or else on each of these.
    pub fn of_suite(otherwise: &[Storage]) -> Result<Vec<Home>> {
        Ok(match Home::of_environment()? {
            Some(home) => vec![home],
            None => otherwise.iter().copied().map(Home::Own).collect(),
        })
    }
}

/// How a server ends.
#[derive(Clone, Copy, Debug)]
pub enum Ending {
    /// As with `kill -9`.
    Killed,
    /// As service managers do it: it answers what it has begun.
    Terminated,
}

/// Running servers, which are killed when this is dropped.
#[derive(Debug)]
pub struct Fleet {
    proxy: RoundRobin,
    endpoint: String,
    servers: Vec<Server>,
    start: Start,
}

/// How a server is started that belongs to the fleet.
#[derive(Debug)]
struct Start {
    binary: PathBuf,
    data: Data,
    flags: Vec<String>,
}

#[derive(Debug)]
enum Data {
    Memory,
    Directory(TempDir),
    Store(String),
}

impl Fleet {
    /// Starts servers with nothing in their store, with more flags of `monotable serve`.
    pub fn start(binary: &Path, home: &Home, flags: &[&str]) -> Result<Fleet> {
        let (data, count) = match home {
            Home::Own(Storage::Memory) => (Data::Memory, 1),
            Home::Own(Storage::Disk) => (Data::Directory(tempfile::tempdir()?), 1),
            Home::Shared { database, servers } => {
                (Data::Store(make_store(binary, database)?), *servers)
            }
        };
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let start = Start { binary: binary.to_owned(), data, flags };
        let servers = (0..count).map(|_| start.server()).collect::<Result<Vec<_>>>()?;
        let endpoints: Vec<&str> = servers.iter().map(Server::endpoint).collect();
        let proxy = RoundRobin::start(&endpoints)?;
        Ok(Fleet { endpoint: proxy.endpoint(), proxy, servers, start })
    }

    /// Where clients reach all servers in turn, a connection each.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// One of the servers, which is always there.
    pub fn first(&self) -> &Server {
        self.servers.first().expect("a proxy has servers")
    }

    /// How many servers there are.
    pub fn count(&self) -> usize {
        self.servers.len()
    }

    /// Has servers that are started from now on run another version of the program, which brings
    /// the store to its format first.
    pub fn upgrade_to(&mut self, binary: &Path) -> Result<()> {
        if let Data::Store(address) = &self.start.data {
            let migrated = Command::new(binary).args(["store", "migrate", address]).output()?;
            let complaint = String::from_utf8_lossy(&migrated.stderr);
            ensure!(migrated.status.success(), "the store cannot be migrated: {complaint}");
        }
        binary.clone_into(&mut self.start.binary);
        Ok(())
    }

    /// Ends a server, and starts another one in its place.
    pub fn replace(&mut self, number: usize, ending: Ending) -> Result<()> {
        ensure!(number < self.servers.len(), "there is no server {number}");
        let old = self.servers.remove(number);
        match ending {
            Ending::Killed => old.kill()?,
            Ending::Terminated => old.terminate()?,
        }
        let new = self.start.server()?;
        self.proxy.replace(number, new.endpoint())?;
        self.servers.insert(number, new);
        Ok(())
    }
}

impl Start {
    fn server(&self) -> Result<Server> {
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        match &self.data {
            Data::Memory => Server::start_with(&self.binary, Storage::Memory, &flags),
            Data::Directory(directory) => {
                Server::start_in_with(&self.binary, &directory.path().join("data"), &flags)
            }
            Data::Store(address) => Server::start_on(&self.binary, address, &flags),
        }
    }
}

/// Makes a store on a database, apart from all others, and returns its address.
fn make_store(binary: &Path, database: &str) -> Result<String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let address = format!("{database}?schema=suite_{}_{number}", std::process::id());
    let made = Command::new(binary).args(["store", "init", &address]).output()?;
    if !made.status.success() {
        bail!("no store can be made: {}", String::from_utf8_lossy(&made.stderr));
    }
    Ok(address)
}
