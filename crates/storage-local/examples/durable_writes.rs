//! Measures durable writes on the bare engine: what is left for the server to lose.
//!
//! ```text
//! cargo run --release -p monotable-storage-local --example durable_writes -- --help
//! ```
//!
//! A write is what PutItem does to a table with one index that copies everything: under the lock of
//! the item's key it reads the item, then puts the item and its index entry, and waits until
//! both are on disk. Many tasks write at once, so the engine joins their commits.

#![expect(clippy::print_stdout, reason = "a program that reports")]

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use clap::Parser;
use monotable_storage::{Batch, Decision, Engine, Key, Reads, Wants};
use monotable_storage_local::{LocalEngine, Options};

#[derive(Parser)]
#[command(about = "Measures durable writes of an item and an index entry on the bare engine")]
struct Arguments {
    /// Where the store is made; it must be empty or missing, and stays
    directory: std::path::PathBuf,
    /// How many tasks write at once
    #[arg(long, default_value_t = 16)]
    tasks: u64,
    /// How many threads run them
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// How many items there are before the measurement
    #[arg(long, default_value_t = 100_000)]
    items: u64,
    /// How long to measure, after a fifth as much of warming up
    #[arg(long, default_value_t = 5)]
    seconds: u64,
}

/// The size of an item, and of its copy in the index.
const VALUE_BYTES: usize = 1024;
/// How many items the store is filled with in one transaction.
const LOAD_ITEMS: u64 = 100;

fn main() {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(arguments.threads)
        .build()
        .expect("a runtime without I/O starts");
    let options = Options::default();
    let engine = Arc::new(LocalEngine::open(&arguments.directory, &options).expect("it opens"));
    runtime.block_on(load(&engine, &arguments));
    runtime.block_on(measure(&engine, &arguments, Duration::from_secs(arguments.seconds) / 5));
    let cpu = cpu_micros();
    let latencies =
        runtime.block_on(measure(&engine, &arguments, Duration::from_secs(arguments.seconds)));
    report(&arguments, &latencies, cpu_micros() - cpu);
    runtime.block_on(engine.close()).expect("the store closes");
    drop(engine);
    report_store(&arguments, &options);
}

/// Fills the store.
async fn load(engine: &LocalEngine, arguments: &Arguments) {
    let start = now();
    let mut longest = Duration::ZERO;
    for first in (0..arguments.items).step_by(LOAD_ITEMS as usize) {
        let mut batch = Batch::new();
        let items = first..(first + LOAD_ITEMS).min(arguments.items);
        items.for_each(|item| put(&mut batch, item, first));
        let begin = now();
        let decide = |_: &Reads| Decision::Commit(batch.clone(), ());
        engine.transact(Wants::nothing(), decide).await.expect("it is written");
        longest = longest.max(begin.elapsed());
    }
    let rate = arguments.items as f64 / start.elapsed().as_secs_f64();
    println!(
        "load      {rate:>9.0} items/s, longest transaction of {LOAD_ITEMS} {:.1} ms, {} MB \
         resident",
        longest.as_secs_f64() * 1e3,
        resident_bytes() >> 20
    );
}

/// Says how much room the store takes, and how long it takes to open.
fn report_store(arguments: &Arguments, options: &Options) {
    let stored = arguments.items * 2 * (VALUE_BYTES + item_key(0).len()) as u64;
    let disk = directory_bytes(&arguments.directory).expect("the directory can be read");
    let start = now();
    let engine = LocalEngine::open(&arguments.directory, options).expect("it opens");
    let opening = start.elapsed();
    drop(engine);
    println!(
        "store     {:>9.2} bytes on disk per byte, {} MB, opens in {:.1} ms",
        disk as f64 / stored as f64,
        disk >> 20,
        opening.as_secs_f64() * 1e3
    );
}

/// Writes from all tasks for so long; returns how long each write took, in microseconds, ascending.
async fn measure(engine: &Arc<LocalEngine>, arguments: &Arguments, duration: Duration) -> Vec<u64> {
    let mut tasks = tokio::task::JoinSet::new();
    let (end, items) = (now() + duration, arguments.items);
    for task in 0..arguments.tasks {
        let engine = engine.clone();
        tasks.spawn(async move {
            let (mut latencies, mut random) = (Vec::new(), Random(task + 1));
            while now() < end {
                let item = random.next() % items;
                let begin = now();
                write(&engine, item, random.next()).await;
                latencies.push(begin.elapsed().as_micros() as u64);
            }
            latencies
        });
    }
    let mut latencies = tasks.join_all().await.concat();
    latencies.sort_unstable();
    latencies
}

async fn write(engine: &LocalEngine, item: u64, seed: u64) {
    let decide = |reads: &Reads| {
        assert!(reads.get(0).is_some(), "item {item} is missing");
        let mut batch = Batch::new();
        put(&mut batch, item, seed);
        Decision::Commit(batch, ())
    };
    engine.transact(Wants::locked(&[item_key(item)]), decide).await.expect("it is written");
}

fn put(batch: &mut Batch, item: u64, seed: u64) {
    let value = bytes::Bytes::from(value(seed));
    batch.put(item_key(item), value.clone());
    batch.put(index_key(item), value);
}

/// Keys as the database makes them: a family, a table, the hash of the partition key, and the key.
fn item_key(item: u64) -> Key {
    let hash = Random(item).next().to_be_bytes();
    [
        &[2, 0, 0, 0, 1],
        &hash[..],
        format!("customer#{:06}\0\0order#{item:010}", item / 25).as_bytes(),
    ]
    .concat()
}

fn index_key(item: u64) -> Key {
    let hash = Random(item % 1000).next().to_be_bytes();
    let head = [3, 0, 0, 0, 1, 0, 0, 0, 0];
    [&head, &hash[..], format!("status#{:04}\0\0{item:010}", item % 1000).as_bytes()].concat()
}

/// A value that differs from all others in its first bytes, and that a compressor can halve.
fn value(seed: u64) -> Vec<u8> {
    static REST: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut random = Random(0);
        let words = (0..VALUE_BYTES / 16).map(|_| format!("{:016x}", random.next()));
        words.collect::<String>().into_bytes()
    });
    let mut value = REST.clone();
    value.iter_mut().zip(seed.to_be_bytes()).for_each(|(to, from)| *to = from);
    value
}

fn report(arguments: &Arguments, latencies: &[u64], cpu_micros: u64) {
    let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize];
    println!(
        "write     {:>9.0} writes/s, {:.1} µs of CPU, p50 {} µs, p99 {} µs, p99.9 {} µs, longest \
         {} µs, {} MB resident",
        latencies.len() as f64 / arguments.seconds as f64,
        cpu_micros as f64 / latencies.len() as f64,
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        resident_bytes() >> 20
    );
}

/// The blocks that the files of a directory take. The journal is made larger than what is in it, so
/// lengths say nothing.
fn directory_bytes(path: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() {
            directory_bytes(&entry.path())?
        } else {
            std::os::unix::fs::MetadataExt::blocks(&entry.metadata()?) * 512
        };
    }
    Ok(bytes)
}

/// Processor time of this process, user and kernel, in microseconds.
fn cpu_micros() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|word| word.parse::<u64>().ok());
    ticks.sum::<u64>() * 10_000
}

fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

#[expect(clippy::disallowed_methods, reason = "a measurement needs the real time")]
fn now() -> Instant {
    Instant::now()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
