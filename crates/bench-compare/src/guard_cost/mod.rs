//! What signatures, policies, encryption and the audit log cost a GetItem.
//!
//! Servers that differ in one guard each run side by side, and are asked in turn, in closed loops
//! of threads that block. Requests are made and signed beforehand, so that the load generator does
//! the same for all of them: what differs is what the server does, and what TLS costs on both
//! sides.
//!
//! - a [`guarded_server`] is a server with a guard,
//! - [`requests`] are the bytes that are sent to it,
//! - a [`wire`] is a connection, encrypted or not.

mod guarded_server;
mod requests;
mod wire;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use monotable_bench::clock;
use monotable_bench::progress::Progress;

use crate::rounds::turns;
use guarded_server::GuardedServer;
use requests::Requests;
use wire::Wire;

/// What is measured, and for how long.
#[derive(Debug, Clone, Args)]
pub(crate) struct GuardArguments {
    /// How long each sample takes, in seconds
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,

    /// Connections, each of a thread that waits for its answer
    #[arg(long, default_value_t = 16)]
    connections: usize,
}

/// What a run does, after defaults are filled in.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    length: Duration,
    pub(crate) connections: usize,
    pub(crate) rounds: usize,
}

impl Plan {
    /// The plan for what was asked.
    pub(crate) fn new(arguments: &GuardArguments, rounds: usize, is_quick: bool) -> Plan {
        let seconds = if is_quick { QUICK_SECONDS } else { arguments.seconds };
        let length = Duration::from_secs_f64(seconds);
        Plan { length, connections: arguments.connections, rounds }
    }
}

/// The length of a sample that only shows that everything works.
const QUICK_SECONDS: f64 = 0.2;

/// What stands between a request and its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Nothing.
    Nothing,
    /// A signature, and a policy that allows everything.
    Signature,
    /// A signature, and a policy that looks at the partition key.
    LeadingKeys,
    /// An audit log.
    Audit,
    /// TLS.
    Encryption,
    /// All of them.
    Everything,
}

impl Guard {
    pub(crate) const ALL: [Guard; 6] = [
        Guard::Nothing,
        Guard::Signature,
        Guard::LeadingKeys,
        Guard::Audit,
        Guard::Encryption,
        Guard::Everything,
    ];

    /// Its name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Guard::Nothing => "nothing",
            Guard::Signature => "signature",
            Guard::LeadingKeys => "signature, policy with LeadingKeys",
            Guard::Audit => "audit log",
            Guard::Encryption => "TLS",
            Guard::Everything => "all of them",
        }
    }

    fn signs(self) -> bool {
        matches!(self, Guard::Signature | Guard::LeadingKeys | Guard::Everything)
    }

    fn encrypts(self) -> bool {
        matches!(self, Guard::Encryption | Guard::Everything)
    }

    fn audits(self) -> bool {
        matches!(self, Guard::Audit | Guard::Everything)
    }
}

/// What was measured of one guard in one round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GuardSample {
    pub(crate) requests_per_second: f64,
    /// Processor time of the server for a request.
    pub(crate) cpu_us: Option<f64>,
}

/// All samples of one guard.
#[derive(Debug, Clone)]
pub(crate) struct GuardCost {
    pub(crate) guard: Guard,
    pub(crate) samples: Vec<GuardSample>,
}

/// Measures every guard, in turn.
pub(crate) fn measure(plan: &Plan, binary: &Path) -> Result<Vec<GuardCost>> {
    let mut servers = Vec::with_capacity(Guard::ALL.len());
    for guard in Guard::ALL {
        let server = GuardedServer::start(binary, guard)?;
        let requests = Requests::new(&server);
        requests.load(&server).with_context(|| format!("cannot load: {}", guard.title()))?;
        servers.push((server, requests, Vec::new()));
    }
    let mut progress = Progress::new(plan.rounds * servers.len());
    for (place, _) in turns(servers.len(), plan.rounds) {
        let Some((server, requests, samples)) = servers.get_mut(place) else { continue };
        progress.begin(&format!("GetItem behind {}", server.guard.title()));
        samples.push(sample(server, requests, plan)?);
    }
    let found = servers.into_iter();
    Ok(found.map(|(server, _, samples)| GuardCost { guard: server.guard, samples }).collect())
}

/// Asks one server for a while, on many connections.
fn sample(server: &GuardedServer, requests: &Requests, plan: &Plan) -> Result<GuardSample> {
    let wires: Result<Vec<Wire>> = (0..plan.connections).map(|_| Wire::connect(server)).collect();
    let is_over = AtomicBool::new(false);
    let (used_before, began) = (server.cpu_time(), clock::now());
    let asked: Result<u64> = thread::scope(|scope| {
        let threads: Vec<_> = wires?
            .into_iter()
            .enumerate()
            .map(|(number, wire)| {
                let is_over = &is_over;
                scope.spawn(move || ask(wire, requests, number, is_over))
            })
            .collect();
        clock::sleep_until(began + plan.length);
        is_over.store(true, Ordering::Relaxed);
        let counts = threads.into_iter().map(|thread| {
            thread.join().map_err(|_| anyhow!("a thread that sends requests has panicked"))?
        });
        counts.sum()
    });
    let (asked, elapsed) = (asked?, clock::now() - began);
    let used =
        used_before.zip(server.cpu_time()).map(|(before, after)| after.saturating_sub(before));
    Ok(GuardSample {
        requests_per_second: asked as f64 / elapsed.as_secs_f64(),
        cpu_us: used.map(|used| used.as_secs_f64() * 1e6 / asked.max(1) as f64),
    })
}

/// Sends requests one after the other; gives how many were answered.
fn ask(mut wire: Wire, requests: &Requests, number: usize, is_over: &AtomicBool) -> Result<u64> {
    let mut asked = 0;
    for request in requests.gets_from(number) {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        wire.call(request)?;
        asked += 1;
    }
    Ok(asked)
}
