//! The closed loop: every connection sends its next request when the last one is answered.
//!
//! It finds how much a server can do, and what a request takes under that load. It says nothing about
//! latency at a given rate, because a server that stalls is asked less meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use super::histogram::Histogram;
use super::meter::Meter;
use super::sample::Sample;
use crate::clock;
use crate::data::{Dataset, FIRST_REVISION, REVISIONS};
use crate::http::{Connection, frame};
use crate::random::Random;
use crate::server::Server;
use crate::table::Table;
use crate::template::Template;
use crate::workload::{Workload, check_answer};

/// One in so many answers is parsed and checked; the status and the length of all of them are.
const CHECK_INTERVAL: u64 = 64;

/// What to send, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// The kind of request.
    pub(crate) workload: Workload,
    /// The table that they are sent to.
    pub(crate) table: Table,
    /// The items that there are.
    pub(crate) dataset: Dataset,
    /// How many connections send at once.
    pub(crate) connections: u64,
    /// How long requests are sent before any is counted.
    pub(crate) warm_up: Duration,
    /// How long requests are counted.
    pub(crate) measured: Duration,
    /// Where the random keys start.
    pub(crate) seed: u64,
}

/// What the connections do now. It moves on from one to the next.
const WARM_UP: u8 = 0;
const MEASURE: u8 = 1;
const STOP: u8 = 2;

/// Takes one sample of a server. Any answer that is not right is an error.
pub(crate) async fn run(server: &Server, load: Load) -> Result<Sample> {
    run_during(server, load, clock::wait(load.measured)).await
}

/// Takes one sample for as long as something else takes, which begins after the warm-up.
pub(crate) async fn run_during(
    server: &Server,
    load: Load,
    something: impl Future<Output = ()>,
) -> Result<Sample> {
    let phase = Arc::new(AtomicU8::new(WARM_UP));
    let request =
        frame(server.address(), load.workload.operation(), &load.workload.body(load.table));
    let template = Template::new(request, load.workload.stride(&load.dataset));
    let mut clients = JoinSet::new();
    for number in 0..load.connections {
        let client = Client {
            connection: Connection::open(server.address()).await?,
            template: template.clone(),
            random: Random::new(load.seed.wrapping_add(number << 32)),
            phase: phase.clone(),
        };
        clients.spawn(client.run(load));
    }
    clock::wait(load.warm_up).await;
    let meter = Meter::start(server);
    phase.store(MEASURE, Ordering::Relaxed);
    something.await;
    let reading = meter.read(server);
    phase.store(STOP, Ordering::Relaxed);
    let latencies = gather(clients).await.with_context(|| server.title().to_owned())?;
    Ok(Sample {
        elapsed: reading.elapsed,
        latencies,
        cpu: reading.server_cpu,
        resident_bytes: server.resident_bytes(),
        disturbance: reading.disturbance(),
    })
}

async fn gather(mut clients: JoinSet<Result<Histogram>>) -> Result<Histogram> {
    let mut all = Histogram::new();
    while let Some(latencies) = clients.join_next().await {
        all.merge(&latencies??);
    }
    Ok(all)
}

/// One connection with its own sequence of keys.
struct Client {
    connection: Connection,
    template: Template,
    random: Random,
    phase: Arc<AtomicU8>,
}

impl Client {
    /// Sends requests until it is told to stop, at least one.
    async fn run(mut self, load: Load) -> Result<Histogram> {
        let mut latencies = Histogram::new();
        let mut sent: u64 = 0;
        loop {
            let latency = self.send(&load, sent).await.context(load.workload.title())?;
            sent += 1;
            match self.phase.load(Ordering::Relaxed) {
                WARM_UP => {}
                MEASURE => latencies.record(latency),
                _ => return Ok(latencies),
            }
        }
    }

    async fn send(&mut self, load: &Load, sent: u64) -> Result<Duration> {
        let item = load.dataset.lasting(self.random.below(load.dataset.lasting_items()));
        let revision = FIRST_REVISION + self.random.below(REVISIONS);
        let request = self.template.fill(&load.dataset, item, revision);
        let started = clock::now();
        let answer = self.connection.exchange(request).await?;
        let latency = started.elapsed();
        let body = answer.success()?;
        if sent.is_multiple_of(CHECK_INTERVAL) {
            check_answer(load.workload, body)?;
        }
        Ok(latency)
    }
}
