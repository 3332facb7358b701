//! A backfill at full size, with writers at work: `docs/benchmarks/0004-backfill.md` has its
//! figures.
//!
//! ```text
//! monotable serve --data /tmp/load --port 8000 &
//! cargo run --release -p monotable-migrate --example load -- http://127.0.0.1:8000 1000000 16 100000
//! ```
//!
//! Loads a table with items of the old form, migrates it while writers change, create and delete
//! items, and compares the table with every change that was acknowledged.
#![expect(clippy::print_stdout, reason = "a program for people")]

#[path = "../tests/live/clock.rs"]
mod clock;
#[path = "../tests/live/models.rs"]
mod models;
#[path = "../tests/live/table.rs"]
mod table;
#[path = "../tests/live/writer.rs"]
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable_migrate::{Job, Progress, Settings, Stop, backfill, forget, verify};
use monotable_remote::{Clock, Endpoint, Identity};

use clock::SystemClock;
use writer::Writer;

/// Whatever ends the run.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn argument(place: usize, otherwise: &str) -> String {
    std::env::args().nth(place).unwrap_or_else(|| otherwise.to_owned())
}

/// Seconds since a moment.
fn since(began_millis: u64) -> f64 {
    (SystemClock.now_millis() - began_millis) as f64 / 1_000.0
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let endpoint = Endpoint::new(
        &argument(1, "http://127.0.0.1:8000"),
        Identity::anonymous(),
        Arc::new(SystemClock),
    );
    let items: usize = argument(2, "1000000").parse()?;
    let writers: usize = argument(3, "16").parse()?;
    let settings =
        Settings { write_units_per_second: argument(4, "100000").parse()?, ..Settings::default() };
    let job = Job {
        endpoint: Arc::new(endpoint?),
        old: Arc::new(models::old()),
        new: Arc::new(models::new()),
        table: models::TABLE.to_owned(),
    };
    let loaded = load(&job, items, writers).await?;
    let is_done = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> =
        loaded.into_iter().map(|writer| tokio::spawn(work(writer, is_done.clone()))).collect();
    migrate(&job, &settings).await?;
    is_done.store(true, Ordering::Relaxed);
    let mut writers = Vec::new();
    for task in tasks {
        writers.push(task.await?);
    }
    let acknowledged: u64 = writers.iter().map(|writer| writer.acknowledged).sum();
    println!("writers: {acknowledged} changes acknowledged meanwhile");
    let began = SystemClock.now_millis();
    let found = verify(&job, &settings, &Arc::new(Progress::new()), &Stop::new()).await?;
    println!(
        "verified: {} items in {:.1} s, {} drifted",
        found.scanned,
        since(began),
        found.drifted.len()
    );
    let prepared = job.prepare().await?;
    forget(&job, &prepared, &settings).await?;
    let count = table::check(&job.endpoint, &job.new, &writers).await;
    println!("compared: {count} items, every acknowledged change is there");
    Ok(())
}

async fn load(job: &Job, items: usize, writers: usize) -> Result<Vec<Writer>, Failure> {
    table::create(&job.endpoint).await;
    let began = SystemClock.now_millis();
    let mut tasks = Vec::new();
    for number in 0..writers {
        let mut writer = Writer::new(&job.endpoint, (&job.old, &job.new), number);
        let first = writer.first_items(items / writers);
        let endpoint = Arc::clone(&job.endpoint);
        tasks.push(tokio::spawn(async move {
            table::load(&endpoint, &first).await;
            writer
        }));
    }
    let mut loaded = Vec::new();
    for task in tasks {
        loaded.push(task.await?);
    }
    println!("loaded: {items} items in {:.1} s", since(began));
    Ok(loaded)
}

async fn work(mut writer: Writer, is_done: Arc<AtomicBool>) -> Writer {
    while !is_done.load(Ordering::Relaxed) {
        writer.act().await;
    }
    writer
}

async fn migrate(job: &Job, settings: &Settings) -> Result<(), Failure> {
    let prepared = job.prepare().await?;
    let began = SystemClock.now_millis();
    let progress = Arc::new(Progress::new());
    let report = backfill(job, &prepared, settings, &progress, &Stop::new()).await?;
    assert!(report.finished && report.blocked.is_empty(), "{report:?}");
    let counts = report.counts;
    let seconds = since(began);
    println!(
        "migrated: {} items read, {} updated and {} moved in {seconds:.1} s, {:.0}/s; {} read \
         again, {} gone, {} write units",
        counts.scanned,
        counts.updated,
        counts.moved,
        (counts.updated + counts.moved) as f64 / seconds,
        counts.retried,
        counts.gone,
        counts.write_units
    );
    Ok(())
}
