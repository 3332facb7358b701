//! What a store holds, as counts and digests: two stores with the same fingerprint hold the same.
//!
//! Entries are read in key order, logs in the order of their names, counters in that of theirs. So
//! the digest does not depend on the engine.

use std::ops::{Bound, ControlFlow};

use bytes::Bytes;
use monotable_storage::{Direction, Engine, Key, KeyRange, Result, Snapshot};
use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3;

/// How much is read at a time: entries, and about how many bytes.
const CHUNK_ENTRIES: usize = 1000;
const CHUNK_BYTES: usize = 4 << 20;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub(super) entries: Part,
    pub(super) log_entries: Part,
    pub(super) counters: Part,
}

/// How many there are of something, and the digest of all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) count: u64,
    pub(super) digest: u128,
}

impl Fingerprint {
    /// How many things there are in all.
    pub(super) fn total(&self) -> u64 {
        self.entries.count + self.log_entries.count + self.counters.count
    }

    /// For programs.
    pub(super) fn object(&self) -> Value {
        let part =
            |part: &Part| json!({ "count": part.count, "digest": format!("{:032x}", part.digest) });
        json!({
            "entries": part(&self.entries),
            "logEntries": part(&self.log_entries),
            "counters": part(&self.counters),
        })
    }
}

/// Something that a store holds.
#[derive(Debug)]
pub(super) enum Held {
    Entry { key: Key, value: Bytes },
    LogEntry { log: Key, position: u64, value: Bytes },
    Counter { name: Key, value: i64 },
}

/// Reads a whole store in chunks, each at a moment of its own: nobody may change it meanwhile.
pub(super) async fn read_all<E: Engine, F: Future<Output = Result<()>>>(
    engine: &E,
    mut take: impl FnMut(Vec<Held>) -> F,
) -> Result<()> {
    let mut after = None;
    loop {
        let chunk = entries(engine, after).await?;
        let Some((last, _)) = chunk.last() else { break };
        after = Some(last.clone());
        take(chunk.into_iter().map(|(key, value)| Held::Entry { key, value }).collect()).await?;
    }
    let mut logs = engine.snapshot().await?.logs().await?;
    logs.sort_unstable();
    for log in logs {
        let mut first = 0;
        loop {
            let chunk = log_entries(engine, &log, first).await?;
            let Some((last, _)) = chunk.last() else { break };
            first = last + 1;
            let held = |(position, value)| Held::LogEntry { log: log.clone(), position, value };
            take(chunk.into_iter().map(held).collect()).await?;
        }
    }
    let mut after = None;
    loop {
        let chunk = counters(engine, after.as_deref()).await?;
        let Some((last, _)) = chunk.last() else { return Ok(()) };
        after = Some(last.clone());
        // One at 0 is as good as none, and engines differ in whether they keep it.
        let chunk = chunk.into_iter().filter(|(_, value)| *value != 0);
        take(chunk.map(|(name, value)| Held::Counter { name, value }).collect()).await?;
    }
}

async fn entries<E: Engine>(engine: &E, after: Option<Key>) -> Result<Vec<(Key, Bytes)>> {
    let start = after.map_or(Bound::Unbounded, Bound::Excluded);
    let (mut found, mut bytes) = (Vec::new(), 0);
    let visit = |key: &[u8], value: Bytes| {
        bytes += key.len() + value.len();
        found.push((key.to_vec(), value));
        more(found.len(), bytes)
    };
    let range = KeyRange::new(start, Bound::Unbounded);
    engine.snapshot().await?.visit(&range, Direction::Forward, CHUNK_ENTRIES, visit).await?;
    Ok(found)
}

async fn log_entries<E: Engine>(engine: &E, log: &[u8], first: u64) -> Result<Vec<(u64, Bytes)>> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    let visit = |position: u64, value: Bytes| {
        bytes += value.len();
        found.push((position, value));
        more(found.len(), bytes)
    };
    let (snapshot, positions) = (engine.snapshot().await?, first..=u64::MAX);
    snapshot.visit_log(log, positions, Direction::Forward, CHUNK_ENTRIES, visit).await?;
    Ok(found)
}

async fn counters<E: Engine>(engine: &E, after: Option<&[u8]>) -> Result<Vec<(Key, i64)>> {
    let mut found = Vec::new();
    let visit = |name: &[u8], value: i64| {
        found.push((name.to_vec(), value));
        more(found.len(), 0)
    };
    engine.snapshot().await?.visit_counters(&[], after, CHUNK_ENTRIES, visit).await?;
    Ok(found)
}

fn more(entries: usize, bytes: usize) -> ControlFlow<()> {
    if entries < CHUNK_ENTRIES && bytes < CHUNK_BYTES {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// Adds things up to a fingerprint.
#[derive(Default)]
pub(super) struct Fingerprinting {
    entries: Sum,
    log_entries: Sum,
    counters: Sum,
}

#[derive(Default)]
struct Sum {
    count: u64,
    digest: Xxh3,
}

impl Sum {
    /// Adds one thing. Lengths keep its parts apart.
    fn add(&mut self, parts: &[&[u8]]) {
        self.count += 1;
        for part in parts {
            self.digest.update(&(part.len() as u64).to_le_bytes());
            self.digest.update(part);
        }
    }

    fn part(&self) -> Part {
        Part { count: self.count, digest: self.digest.digest128() }
    }
}

impl Fingerprinting {
    pub(super) fn add(&mut self, held: &Held) {
        match held {
            Held::Entry { key, value } => self.entries.add(&[key, value]),
            Held::LogEntry { log, position, value } => {
                self.log_entries.add(&[log, &position.to_le_bytes(), value]);
            }
            Held::Counter { name, value } => self.counters.add(&[name, &value.to_le_bytes()]),
        }
    }

    pub(super) fn finish(&self) -> Fingerprint {
        Fingerprint {
            entries: self.entries.part(),
            log_entries: self.log_entries.part(),
            counters: self.counters.part(),
        }
    }
}
