//! The work of a PutItem and of a GetItem, asked of any engine by many callers at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use monotable_bench::clock;
use monotable_bench::load::{Histogram, Meter, Sample};
use monotable_bench::random::Random;
use monotable_storage::{Batch, Decision, Engine, Key, Wants};
use monotable_storage_postgres::{JoinedCounts, PostgresEngine, PostgresOptions};
use tokio::task::JoinSet;

/// A key begins with it, as long as the keys of a small design are.
pub(super) const ITEM_PREFIX: &str = "item of the table, partition ";

/// The key of the record that says what the table is.
pub(super) const RECORD_KEY: &str = "record of the table";

/// The share of a sample that passes before anything is counted.
const WARM_UP_SHARE: f64 = 0.2;

/// What the callers do now. It moves on from one to the next.
const WARM_UP: u8 = 0;
const MEASURE: u8 = 1;
const STOP: u8 = 2;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    PutItem,
    GetItem,
}

impl Request {
    pub(crate) const ALL: [Request; 2] = [Request::PutItem, Request::GetItem];

    /// Its name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Request::PutItem => "PutItem",
            Request::GetItem => "GetItem",
        }
    }

    /// How often an engine has joined requests of this kind.
    pub(super) fn joined(self, engine: &PostgresEngine) -> JoinedCounts {
        match self {
            Request::PutItem => engine.joined_transactions(),
            Request::GetItem => engine.joined_reads(),
        }
    }

    /// How many connections an engine has for it.
    pub(super) fn connections(self, options: &PostgresOptions) -> usize {
        match self {
            Request::PutItem => options.writer_count(),
            Request::GetItem => options.getter_count(),
        }
    }
}

/// How much is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) request: Request,
    pub(super) rows: u64,
    pub(super) callers: usize,
    pub(super) length: Duration,
    pub(super) value_bytes: usize,
    pub(super) seed: u64,
}

/// Somebody who does the work.
pub(super) trait Worker: Send + Sync + 'static {
    /// Writes a row, whose table is still what it was.
    fn put(&self, row: u64, value: Bytes) -> impl Future<Output = Result<()>> + Send;

    /// Reads a row and the record of its table.
    fn get(&self, row: u64) -> impl Future<Output = Result<()>> + Send;
}

/// The key of a row.
pub(super) fn key(row: u64) -> Key {
    let mut key = ITEM_PREFIX.as_bytes().to_vec();
    key.extend(row.to_be_bytes());
    key
}

impl Worker for PostgresEngine {
    async fn put(&self, row: u64, value: Bytes) -> Result<()> {
        let (keys, record) = ([key(row)], [RECORD_KEY.as_bytes().to_vec()]);
        let wants = Wants::locked(&keys).and_shared(&record);
        let [key] = &keys;
        let was_there = self.transact(wants, |reads| {
            let mut batch = Batch::new();
            batch.put(key.clone(), value.clone());
            Decision::Commit(batch, reads.get(0).is_some())
        });
        ensure!(was_there.await.context("a put fails")?, "row {row} is not there");
        Ok(())
    }

    async fn get(&self, row: u64) -> Result<()> {
        let keys = [key(row), RECORD_KEY.as_bytes().to_vec()];
        let found = Engine::get_many(self, &keys).await.context("a get fails")?;
        ensure!(found.iter().all(Option::is_some), "row {row} is not there");
        Ok(())
    }
}

/// Keeps all callers busy, and takes a sample.
pub(super) async fn run<W: Worker>(load: &Load, workers: &[Arc<W>]) -> Result<Sample> {
    let phase = Arc::new(AtomicU8::new(WARM_UP));
    let mut callers = JoinSet::new();
    for (number, worker) in (0..load.callers).zip(workers.iter().cycle()) {
        let random = Random::new(load.seed.wrapping_add((number as u64) << 32));
        callers.spawn(keep_busy(*load, worker.clone(), random, phase.clone()));
    }
    clock::wait(load.length.mul_f64(WARM_UP_SHARE)).await;
    let meter = Meter::start(Some(std::process::id()));
    phase.store(MEASURE, Ordering::Relaxed);
    clock::wait(load.length).await;
    let reading = meter.read();
    phase.store(STOP, Ordering::Relaxed);
    let mut latencies = Histogram::new();
    while let Some(found) = callers.join_next().await {
        latencies.merge(&found.context("a caller has panicked")??);
    }
    Ok(Sample { resident_bytes: None, disturbance: None, ..Sample::new(&reading, latencies) })
}

async fn keep_busy<W: Worker>(
    load: Load,
    worker: Arc<W>,
    mut random: Random,
    phase: Arc<AtomicU8>,
) -> Result<Histogram> {
    let mut latencies = Histogram::new();
    loop {
        let row = random.below(load.rows);
        let started = clock::now();
        match load.request {
            Request::PutItem => {
                let value = Bytes::from(vec![random.draw().to_be_bytes()[0]; load.value_bytes]);
                worker.put(row, value).await?;
            }
            Request::GetItem => worker.get(row).await?,
        }
        match phase.load(Ordering::Relaxed) {
            WARM_UP => {}
            MEASURE => latencies.record(started.elapsed()),
            _ => return Ok(latencies),
        }
    }
}
