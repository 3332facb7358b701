//! A server under load for an hour, with a restart every few minutes: does it lose anything?
//!
//! Clients write, read and query items of their own at a share of the most that the server can do,
//! while a consumer follows the table's stream. Every few minutes the server is ended, by `SIGTERM`
//! and `SIGKILL` in turn, and started again on the same directory. Before the load goes on,
//! everything is compared: each item with what its client knows, each index with the table, and the
//! stream with the changes that were acknowledged. The first difference ends the run, and leaves
//! the data where it is.
//!
//! - a [`ledger`] is what a client knows of its items,
//! - a [`writer`] is a client, and [`requests`] are what it sends,
//! - a [`consumer`] follows the stream,
//! - [`verification`] compares.

mod consumer;
mod ledger;
mod requests;
mod table;
mod verification;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use monotable_bench::clock;
use monotable_bench::load::Histogram;
use monotable_bench::usage::{self, Memory};
use monotable_conformance::client::Client;
use monotable_conformance::server::Server;
use tempfile::TempDir;

use crate::server::find_binary;
use consumer::Consumer;
use verification::Verified;
use writer::{Pace, Traffic, Writer};

/// How long the most that the server can do is measured, at least.
const PEAK_LENGTH: Duration = Duration::from_secs(10);

/// How often memory is looked at.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);

/// How long a run takes, and what is done in it.
#[derive(Debug, Clone, Args)]
pub(crate) struct SoakArguments {
    /// How long the load lasts in all, in minutes
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,

    /// How often the server is ended and started again, such as 5m or 30s
    #[arg(long, value_name = "DURATION", default_value = "5m",
        value_parser = humantime::parse_duration)]
    restart_every: Duration,

    /// The load, as a share of the most that the server did at the beginning
    #[arg(long, default_value_t = 0.8)]
    share: f64,

    /// Clients, each with items of its own
    #[arg(long, default_value_t = 16)]
    clients: usize,

    /// Items of each client
    #[arg(long, default_value_t = 2_000)]
    items: usize,

    /// Binary of the server [default: build it]
    #[arg(long, value_name = "FILE", env = "MONOTABLE_BINARY")]
    binary: Option<PathBuf>,

    /// Existing directory for the data, on the disk to use [default: beside the binary]
    #[arg(long, value_name = "DIRECTORY")]
    data: Option<PathBuf>,
}

/// What a run does, after defaults are filled in.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) length: Duration,
    pub(crate) restart_every: Duration,
    pub(crate) share: f64,
    pub(crate) clients: usize,
    pub(crate) items: usize,
    binary: PathBuf,
    data: Option<PathBuf>,
}

impl Plan {
    /// The plan for what was asked.
    pub(crate) fn new(arguments: SoakArguments) -> Result<Plan> {
        let SoakArguments { minutes, restart_every, share, clients, items, binary, data } =
            arguments;
        ensure!((0.05..=100_000.0).contains(&minutes), "--minutes is a few seconds at least");
        ensure!(restart_every >= Duration::from_secs(1), "--restart-every is a second at least");
        ensure!((0.01..=1.0).contains(&share), "--share is between 0.01 and 1");
        ensure!((1..=1_000).contains(&clients), "--clients is between 1 and 1,000");
        ensure!(
            (requests::BATCH..=requests::ITEMS_MAX).contains(&items),
            "--items is between {} and {}",
            requests::BATCH,
            requests::ITEMS_MAX
        );
        let length = Duration::from_secs_f64(minutes * 60.0);
        let binary = find_binary(binary)?;
        Ok(Plan { length, restart_every, share, clients, items, binary, data })
    }

    /// A directory for the data, which is removed if nothing is wrong with it.
    fn directory(&self) -> Result<TempDir> {
        let beside = self.data.as_deref().or_else(|| self.binary.parent());
        let beside = beside.unwrap_or_else(|| Path::new("."));
        tempfile::Builder::new()
            .prefix("soak-")
            .tempdir_in(beside)
            .with_context(|| format!("{} holds no directory for the data", beside.display()))
    }
}

/// How a server is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It is asked to stop.
    Terminated,
    /// It gets no chance to do anything.
    Killed,
}

impl Ending {
    /// Its name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Ending::Terminated => "SIGTERM",
            Ending::Killed => "SIGKILL",
        }
    }

    fn end(self, server: Server) -> Result<()> {
        match self {
            Ending::Terminated => server.terminate(),
            Ending::Killed => server.kill(),
        }
    }
}

/// The memory of the server at a moment of the run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemorySample {
    /// How long the load had lasted.
    pub(crate) at: Duration,
    pub(crate) memory: Memory,
}

/// From one start of the server to its end, and what was found after that.
#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) ending: Ending,
    pub(crate) length: Duration,
    pub(crate) traffic: Traffic,
    pub(crate) memory: Vec<MemorySample>,
    /// How long the server took to end.
    pub(crate) end_took: Duration,
    /// How long it took until it listened again.
    pub(crate) start_took: Duration,
    pub(crate) verified: Verified,
}

/// What a run found.
#[derive(Debug)]
pub(crate) struct Soak {
    /// Requests per second that the server did as fast as answers came.
    pub(crate) peak: f64,
    pub(crate) rounds: Vec<Round>,
}

/// Those that play together, whatever becomes of the server.
struct Cast {
    writers: Vec<Writer>,
    consumer: Consumer,
}

/// Runs it all. An error is the first thing that was not as it should be.
pub(crate) fn run(plan: &Plan) -> Result<Soak> {
    let directory = plan.directory()?;
    let found = play(plan, directory.path());
    if found.is_err() {
        let kept = directory.keep();
        eprintln!("the data is left in {}", kept.display());
    }
    found
}

fn play(plan: &Plan, directory: &Path) -> Result<Soak> {
    let mut server = Server::start_in(&plan.binary, directory)?;
    let stream = table::create(&mut Client::new(server.endpoint()))?;
    let writers = (0..plan.clients).map(|number| Writer::new(number, plan.items)).collect();
    let mut cast = Cast { writers, consumer: Consumer::new(stream) };
    let peak_length = PEAK_LENGTH.min(plan.restart_every);
    let (peak, _) = load(server.endpoint(), &mut cast, Pace::Unlimited, Duration::ZERO, |stop| {
        clock::sleep_until(clock::now() + peak_length);
        stop.store(true, Ordering::Relaxed);
        Ok(())
    })?;
    let peak = peak.requests() as f64 / peak_length.as_secs_f64();
    eprintln!("the most is {peak:.0} requests/s; going on at {:.0} %", plan.share * 100.0);
    let pace = Pace::of(peak * plan.share, plan.clients);
    let mut rounds: Vec<Round> = Vec::new();
    let mut begin = Duration::ZERO;
    while begin < plan.length {
        let length = plan.restart_every.min(plan.length - begin);
        let ending =
            if rounds.len().is_multiple_of(2) { Ending::Terminated } else { Ending::Killed };
        let script = Script { pace, ending, begin, length };
        let restart = || Server::start_in(&plan.binary, directory);
        let (round, next) = script.play(server, &mut cast, restart)?;
        eprintln!("{}", crate::report::soak::progress(rounds.len() + 1, &round));
        server = next;
        rounds.push(round);
        begin += length;
    }
    server.terminate()?;
    Ok(Soak { peak, rounds })
}

/// What happens in a round.
struct Script {
    pace: Pace,
    ending: Ending,
    begin: Duration,
    length: Duration,
}

impl Script {
    /// Plays a round; returns the server that was started after it too.
    fn play(
        &self,
        server: Server,
        cast: &mut Cast,
        restart: impl FnOnce() -> Result<Server>,
    ) -> Result<(Round, Server)> {
        let &Script { pace, ending, begin, length } = self;
        let endpoint = server.endpoint().to_owned();
        let (traffic, (memory, end_took)) = load(&endpoint, cast, pace, begin, |stop| {
            let samples = watch(&server, begin, length, stop);
            let (ended, took) = timed(|| ending.end(server));
            ended.map(|()| (samples, took))
        })?;
        let (next, start_took) = timed(restart);
        let next = next?;
        let verified = verification::verify(&mut Client::new(next.endpoint()), cast)
            .with_context(|| format!("after {}", ending.title()))?;
        let round = Round { ending, length, traffic, memory, end_took, start_took, verified };
        Ok((round, next))
    }
}

/// Lets all clients and the consumer work until `direct` has ended, which says when they are to
/// stop or ends the server.
fn load<T>(
    endpoint: &str,
    cast: &mut Cast,
    pace: Pace,
    begin: Duration,
    direct: impl FnOnce(&AtomicBool) -> Result<T>,
) -> Result<(Traffic, T)> {
    let stop = &AtomicBool::new(false);
    let Cast { writers, consumer } = cast;
    thread::scope(|scope| {
        let consumer = scope.spawn(move || consumer.follow(endpoint, stop));
        let start = clock::now();
        let clients: Vec<_> = writers
            .iter_mut()
            .map(|writer| {
                scope.spawn(move || {
                    let traffic = writer.write(endpoint, pace, start, begin, stop);
                    // One that has found something wrong ends the run.
                    stop.fetch_or(traffic.is_err(), Ordering::Relaxed);
                    traffic
                })
            })
            .collect();
        let directed = direct(stop);
        stop.store(true, Ordering::Relaxed);
        let mut total = Traffic::default();
        for client in clients {
            total.merge(&client.join().expect("a client does not panic")?);
        }
        consumer.join().expect("the consumer does not panic")?;
        Ok((total, directed?))
    })
}

/// Looks at the server's memory until the round is over, or something is wrong.
fn watch(
    server: &Server,
    begin: Duration,
    length: Duration,
    stop: &AtomicBool,
) -> Vec<MemorySample> {
    let start = clock::now();
    let mut samples = Vec::new();
    while start.elapsed() < length && !stop.load(Ordering::Relaxed) {
        let next = clock::now() + SAMPLE_INTERVAL;
        clock::sleep_until(next.min(start + length));
        if let Some(memory) = usage::memory(server.process_id()) {
            samples.push(MemorySample { at: begin + start.elapsed(), memory });
        }
    }
    samples
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start: Instant = clock::now();
    let result = work();
    (result, start.elapsed())
}

impl Soak {
    /// How long each request took, over all rounds.
    pub(crate) fn latencies(&self) -> Histogram {
        let mut total = Histogram::new();
        for round in &self.rounds {
            total.merge(&round.traffic.latencies());
        }
        total
    }
}
