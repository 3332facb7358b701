//! A server with everything that a case needs to ask of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use monotable_bench::http::{Connection, frame};
use monotable_bench::load::{Flow, MakeRequest, Meter, run_each, run_flow};
use monotable_bench::numbered::{self, Numbering};
use monotable_bench::target::Target;
use monotable_bench::{clock, usage};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::finding::{Finding, Track};
use super::timeline;
use crate::disk::{directory_bytes, tree_bytes};
use crate::server::{Server, ServerKind, await_quiet};
use crate::settings::Settings;

/// How many connections fill tables.
const LOADERS: u64 = 16;
/// Items of a batch.
pub(super) const BATCH: u64 = 25;
/// A server is idle when it was quiet so many times in a row, with a pause between them.
const QUIET_TIMES: usize = 4;
const QUIET_PAUSE: Duration = Duration::from_millis(250);
const QUIET_ATTEMPTS: usize = 480;
/// How often a table is asked whether it is ready, and for how long.
const STATUS_INTERVAL: Duration = Duration::from_millis(10);
const STATUS_MAX: Duration = Duration::from_secs(600);

/// A running server.
pub(super) struct Stage {
    server: Server,
}

impl Stage {
    /// Starts a durable server with nothing in it.
    pub(super) async fn start(settings: &Settings, options: &[&str]) -> Result<Stage> {
        Ok(Stage { server: Server::start_with(ServerKind::Durable, settings, options).await? })
    }

    /// Where it listens.
    pub(super) fn target(&self) -> &Target {
        self.server.target()
    }

    /// Makes requests out of a body with marks.
    pub(super) fn requests(&self, operation: &str, body: &Value) -> MakeRequest {
        self.requests_numbered(operation, body, Numbering::default())
    }

    /// The same for this many items, which are written over and over.
    pub(super) fn requests_over(&self, operation: &str, body: &Value, items: u64) -> MakeRequest {
        let numbering = Numbering { items: Some(items), ..Numbering::default() };
        self.requests_numbered(operation, body, numbering)
    }

    /// The same with numbers of another kind.
    pub(super) fn requests_numbered(
        &self,
        operation: &str,
        body: &Value,
        numbering: Numbering,
    ) -> MakeRequest {
        numbered::requests(&self.target().host, operation, body, numbering)
    }

    /// A flow of such requests.
    pub(super) fn flow(&self, title: &str, per_second: f64, request: MakeRequest) -> Flow {
        // As many connections as a slow answer needs, so that one does not hold up all others.
        Flow { title: title.to_owned(), per_second, connections: 16, request }
    }

    /// Calls an operation that must succeed.
    pub(super) async fn call(&self, operation: &str, body: &Value) -> Result<Value> {
        Connection::open(self.target()).await?.call(operation, body).await
    }

    /// Calls an operation that may fail; returns the status, the answer and the time, in which
    /// making the request does not count.
    pub(super) async fn try_call(
        &self,
        operation: &str,
        body: &str,
    ) -> Result<(u16, String, Duration)> {
        let request = frame(&self.target().host, operation, body);
        let mut connection = Connection::open(self.target()).await?;
        let started = clock::now();
        let answer = connection.exchange(&request).await?;
        let text = String::from_utf8_lossy(answer.body).into_owned();
        Ok((answer.status, text, started.elapsed()))
    }

    /// Creates a table and waits until it is ready.
    pub(super) async fn create_table(&self, definition: &Value) -> Result<()> {
        self.call("CreateTable", definition).await?;
        let name = definition.get("TableName").cloned().unwrap_or_default();
        self.await_table(&name, |answer| {
            answer.pointer("/Table/TableStatus").and_then(Value::as_str) == Some("ACTIVE")
        })
        .await
    }

    /// Asks about a table until the answer is as it should be.
    pub(super) async fn await_table(
        &self,
        name: &Value,
        is_so: impl Fn(&Value) -> bool,
    ) -> Result<()> {
        let mut connection = Connection::open(self.target()).await?;
        let deadline = clock::now() + STATUS_MAX;
        while clock::now() < deadline {
            let answer = connection.call("DescribeTable", &json!({ "TableName": name })).await?;
            if is_so(&answer) {
                return Ok(());
            }
            clock::wait(STATUS_INTERVAL).await;
        }
        bail!("the table {name} does not become as it should")
    }

    /// Sends batches as fast as they are answered: the request of each has 25 items.
    pub(super) async fn send_batches(&self, request: &MakeRequest, items: u64) -> Result<()> {
        let numbers = (0..items.div_ceil(BATCH)).map(|batch| batch * BATCH);
        run_each(self.target(), request, numbers, LOADERS).await
    }

    /// Sends flows beside one another, and watches the server, while something happens.
    pub(super) async fn during<T>(
        &self,
        flows: &[Flow],
        something: impl Future<Output = Result<T>>,
    ) -> Result<(Finding, T)> {
        let stopped = Arc::new(AtomicBool::new(false));
        let mut running = JoinSet::new();
        for (place, flow) in flows.iter().cloned().enumerate() {
            let (target, stopped) = (self.target().clone(), stopped.clone());
            running.spawn(async move {
                let burst = run_flow(&target, &flow, stopped).await?;
                anyhow::Ok((place, Track { title: flow.title, burst }))
            });
        }
        let watching = timeline::watch(self.target().clone(), self.server.data(), stopped.clone());
        let watching = tokio::spawn(watching);
        let meter = Meter::start(self.target().process);
        let outcome = something.await;
        let reading = meter.read();
        let seconds = reading.elapsed.as_secs_f64().round() as usize;
        stopped.store(true, Ordering::Relaxed);
        let mut tracks = Vec::new();
        while let Some(track) = running.join_next().await {
            tracks.push(track??);
        }
        tracks.sort_by_key(|(place, _)| *place);
        let mut tracks: Vec<Track> = tracks.into_iter().map(|(_, track)| track).collect();
        tracks.iter_mut().for_each(|track| track.burst.end_after(seconds));
        let timeline = watching.await?;
        let disturbance = reading.disturbance();
        Ok((Finding { figures: Vec::new(), tracks, timeline, disturbance }, outcome?))
    }

    /// The processor time that the server has used.
    pub(super) fn cpu(&self) -> Option<Duration> {
        usage::cpu(self.target().process?)
    }

    /// Waits until the server does nothing; gives when that began, or none if it never came.
    pub(super) async fn await_idle(&self) -> Option<Instant> {
        let (mut quiet_times, mut since) = (0, clock::now());
        for _ in 0..QUIET_ATTEMPTS {
            let begin = clock::now();
            if !await_quiet([self.target()], QUIET_PAUSE).await {
                quiet_times = 0;
                continue;
            }
            if quiet_times == 0 {
                since = begin;
            }
            quiet_times += 1;
            if quiet_times == QUIET_TIMES {
                return Some(since);
            }
            clock::wait(QUIET_PAUSE).await;
        }
        None
    }

    /// What its tables take on disk. The journal is left out, which keeps its files for later use.
    pub(super) fn tree_bytes(&self) -> u64 {
        // Files may go while they are counted.
        tree_bytes(&self.server.data()).unwrap_or_default()
    }

    /// What everything of it takes on disk.
    pub(super) fn disk_bytes(&self) -> u64 {
        directory_bytes(&self.server.data()).unwrap_or_default()
    }
}
