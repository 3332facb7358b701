//! The storage engine of the durable server, without a server: the limit of its writes.
//!
//! As many threads as there are connections write what a PutItem writes on a table with one index:
//! the item and its index entry, 1 KB each, in one batch that is waited for. The engine joins the
//! batches that wait into one sync, as it does for the server.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};
use bytes::Bytes;
use monotable_bench::clock;
use monotable_bench::data::{Dataset, FIRST_REVISION, Field, ITEM_BYTES, REVISIONS};
use monotable_bench::load::{Histogram, Load, Meter, Sample};
use monotable_bench::random::Random;
use monotable_storage::{Batch, Decision, Engine, Key, Wants};
use monotable_storage_local::{LocalEngine, Options};
use tempfile::TempDir;
use tokio::runtime;

/// How many items are written in one batch while loading.
const LOAD_ITEMS: u64 = 1000;

/// What the threads do now. It moves on from one to the next.
const WARM_UP: u8 = 0;
const MEASURE: u8 = 1;
const STOP: u8 = 2;

/// An engine with the items of a table and their index entries in it.
pub(crate) struct BareEngine {
    engine: Arc<LocalEngine>,
    /// Held so that the directory lives as long as the engine.
    _directory: TempDir,
}

impl BareEngine {
    /// Opens an engine on an empty directory below another one, and loads all items.
    pub(crate) async fn open(directory: &Path, dataset: Dataset) -> Result<BareEngine> {
        let directory = tempfile::Builder::new().prefix("bench-").tempdir_in(directory)?;
        let engine = LocalEngine::open(directory.path().join("data"), &Options::default());
        let engine = Arc::new(engine.context("the engine does not open")?);
        for first in (0..dataset.items()).step_by(LOAD_ITEMS as usize) {
            let mut batch = Batch::new();
            for item in first..(first + LOAD_ITEMS).min(dataset.items()) {
                put(&mut batch, &dataset, item, FIRST_REVISION);
            }
            commit(&engine, batch).await?;
        }
        Ok(BareEngine { engine, _directory: directory })
    }

    /// Takes one sample with a thread for each connection.
    pub(crate) async fn run(&self, load: &Load) -> Result<Sample> {
        let phase = Arc::new(AtomicU8::new(WARM_UP));
        let spawn = |number: u64| {
            let (engine, phase, dataset) = (self.engine.clone(), phase.clone(), load.dataset);
            let random = Random::new(load.seed.wrapping_add(number << 32));
            thread::spawn(move || write(&engine, &dataset, random, &phase))
        };
        let writers: Vec<JoinHandle<Result<Histogram>>> =
            (0..load.connections).map(spawn).collect();
        clock::wait(load.warm_up).await;
        let meter = Meter::start(Some(std::process::id()));
        phase.store(MEASURE, Ordering::Relaxed);
        clock::wait(load.measured).await;
        let reading = meter.read();
        phase.store(STOP, Ordering::Relaxed);
        let mut latencies = Histogram::new();
        for writer in writers {
            let found = writer.join().map_err(|_| anyhow!("a thread that writes has panicked"))?;
            latencies.merge(&found?);
        }
        // This process holds the load generator too, so its memory is not that of the engine.
        Ok(Sample { resident_bytes: None, disturbance: None, ..Sample::new(&reading, latencies) })
    }
}

/// Writes until it is told to stop.
fn write(
    engine: &LocalEngine,
    dataset: &Dataset,
    mut random: Random,
    phase: &AtomicU8,
) -> Result<Histogram> {
    let runtime = runtime::Builder::new_current_thread().build()?;
    let mut latencies = Histogram::new();
    loop {
        let mut batch = Batch::new();
        let revision = FIRST_REVISION + random.below(REVISIONS);
        put(&mut batch, dataset, random.below(dataset.items()), revision);
        let started = clock::now();
        runtime.block_on(commit(engine, batch))?;
        match phase.load(Ordering::Relaxed) {
            WARM_UP => {}
            MEASURE => latencies.record(started.elapsed()),
            _ => return Ok(latencies),
        }
    }
}

async fn commit(engine: &LocalEngine, batch: Batch) -> Result<()> {
    let mut batch = Some(batch);
    // Without keys there is nothing that could conflict, so the batch is asked for once.
    let decide = |_: &_| Decision::Commit(batch.take().unwrap_or_default(), ());
    engine.transact(Wants::nothing(), decide).await.context("the engine does not write")
}

/// Adds an item and its index entry to a batch.
fn put(batch: &mut Batch, dataset: &Dataset, item: u64, revision: u64) {
    let number = |field| dataset.number(field, item, revision);
    let base = format!("STORE#{:08}ORDER#{:08}", number(Field::Store), number(Field::Order));
    let index =
        format!("CUSTOMER#{:08}PLACED#{:08}", number(Field::Customer), number(Field::Placed));
    let mut value = revision.to_be_bytes().to_vec();
    value.resize(ITEM_BYTES, b'~');
    let value = Bytes::from(value);
    batch.put(Key::from(format!("item{base}")), value.clone());
    batch.put(Key::from(format!("index{index}{base}")), value);
}
