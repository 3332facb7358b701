//! `monotable store copy`: everything of one store into an empty one, whatever engine each has.
//!
//! The store is read three times: what it holds is counted and digested, then it is copied, and
//! then the copy is read back and compared. Entries of logs keep their positions, so that the
//! sequence numbers that clients of streams have remembered stay good.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use monotable_node::Store;
use monotable_storage::{Batch, Decision, Engine, ErrorKind, Reads, Wants};
use monotable_storage_local::{Durability, LocalEngine, Options};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions};

use super::copy_report::{self, Copied};
use super::copy_target::CopyTarget;
use super::fingerprint::{Fingerprint, Fingerprinting, Held, read_all};
use super::{Output, refuse_servers};
use crate::outcome::Outcome;
use crate::postgres::{StoreAddress, explain};
use crate::progress_line::ProgressLine;

/// A log that nothing else uses: its position says which one was given last.
const PROBE: &[u8] = b"\0monotable-copy";

/// How often a chunk is tried while the database is away for a moment.
const TRIES_MAX: usize = 5;

/// Copies, compares, and says so.
pub(super) async fn run(from: &str, to: &str, output: Output) -> Result<Outcome> {
    let source = open_source(from).await.context("the store to copy cannot be used")?;
    let target = CopyTarget::new(to).context("the store to copy into cannot be used")?;
    let copied = copy_to(&source, &target).await;
    let closed = source.close().await.context("the store cannot be closed");
    match copied.and_then(|copied| closed.map(|()| copied)) {
        Ok(copied) if copied.is_same() => {
            target.finish().await.context("the copy is whole, and cannot be used yet")?;
            copy_report::print(&copied, output)?;
            Ok(Outcome::Done)
        }
        Ok(copied) => {
            target.abandon();
            copy_report::print(&copied, output)?;
            Ok(Outcome::Negative)
        }
        Err(error) => {
            target.abandon();
            Err(error)
        }
    }
}

async fn copy_to(source: &Store, target: &CopyTarget) -> Result<Copied> {
    let store = target.open().await.context("the store to copy into cannot be used")?;
    let copied = async {
        if fingerprint(&store, None, "looked at").await?.total() > 0 {
            bail!("the store to copy into is not empty; {}", target.how_to_empty());
        }
        target.begin().await?;
        copy(source, &store).await
    };
    let copied = copied.await;
    // What was copied is durable when the store is closed.
    let closed = store.close().await.context("the copy cannot be closed");
    copied.and_then(|copied| closed.map(|()| copied))
}

async fn copy(source: &Store, target: &Store) -> Result<Copied> {
    let before = fingerprint(source, None, "counted").await?;
    let line = Progress::new(Some(before.total()), "copied");
    read_all(source, |chunk| {
        line.add(chunk.len());
        write(target, batch_of(chunk))
    })
    .await
    .context("the copying was stopped")?;
    drop(line);
    let last = last_position(source).await.context("the positions of logs cannot be read")?;
    advance(target, last).await.context("the positions of logs cannot be copied")?;
    let after = fingerprint(target, Some(before.total()), "compared").await?;
    Ok(Copied { before, after })
}

/// Reads a whole store.
async fn fingerprint(store: &Store, total: Option<u64>, done: &str) -> Result<Fingerprint> {
    let sum = RefCell::new(Fingerprinting::default());
    let line = Progress::new(total, done);
    let read = read_all(store, |chunk| {
        line.add(chunk.len());
        chunk.iter().for_each(|held| sum.borrow_mut().add(held));
        std::future::ready(Ok(()))
    });
    read.await.context("a store cannot be read")?;
    Ok(sum.into_inner().finish())
}

fn batch_of(chunk: Vec<Held>) -> Batch {
    let mut batch = Batch::new();
    for held in chunk {
        match held {
            Held::Entry { key, value } => batch.put(key, value),
            Held::LogEntry { log, position, value } => batch.place(log, position, value),
            // Never added twice: a chunk that may have been written is not tried again.
            Held::Counter { name, value } => batch.add(name, value),
        }
    }
    batch
}

/// Writes a chunk. One of which it is known that it was not written is tried again.
async fn write(target: &Store, batch: Batch) -> monotable_storage::Result<()> {
    let mut tries = 1;
    loop {
        let written = target
            .transact(Wants::nothing(), |_: &Reads| Decision::Commit(batch.clone(), ()))
            .await;
        match written {
            Err(error) if error.kind() == ErrorKind::Unavailable && tries < TRIES_MAX => tries += 1,
            written => return written,
        }
    }
}

/// The last position that the store has given to an entry of a log.
async fn last_position(store: &Store) -> monotable_storage::Result<u64> {
    let mut batch = Batch::new();
    batch.append(PROBE.to_vec(), "");
    write(store, batch).await?;
    let logs = [PROBE.to_vec()];
    let wants = Wants::nothing().and_ends(&logs);
    let last = store.transact(wants, |reads: &Reads| Decision::Keep(reads.end(0))).await?;
    let mut batch = Batch::new();
    batch.trim(PROBE.to_vec(), last);
    write(store, batch).await?;
    Ok(last)
}

/// Has a store give positions after this one only.
async fn advance(store: &Store, last: u64) -> monotable_storage::Result<()> {
    let mut batch = Batch::new();
    batch.place(PROBE.to_vec(), last, "");
    write(store, batch).await?;
    let mut batch = Batch::new();
    batch.trim(PROBE.to_vec(), last);
    write(store, batch).await
}

async fn open_source(text: &str) -> Result<Store> {
    if StoreAddress::is_of_database(text) {
        return open_database(&text.parse::<StoreAddress>()?.options()?).await;
    }
    let path = Path::new(text);
    if !holds_something(path) {
        bail!("{text} is no data directory of monotable; give the one of serve --data");
    }
    open_directory(path)
}

/// Whether there is anything in a directory.
pub(super) fn holds_something(path: &Path) -> bool {
    std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
}

pub(super) fn open_directory(path: &Path) -> Result<Store> {
    // It is made durable when it is closed, and is worth nothing before.
    let durability = Durability::Interval(Duration::from_secs(1));
    let options = Options { durability, ..Options::default() };
    let engine = LocalEngine::open(path, &options);
    let engine =
        engine.map_err(|error| anyhow!("{error}; stop the server that uses it, if any"))?;
    Ok(Store::Local(Arc::new(engine)))
}

pub(super) async fn open_database(options: &PostgresOptions) -> Result<Store> {
    refuse_servers(options).await?;
    let engine = PostgresEngine::open(options).await.map_err(|error| explain(&error))?;
    Ok(Store::Postgres(Arc::new(engine)))
}

/// A line that shows how far it is.
struct Progress<'a> {
    line: ProgressLine,
    state: RefCell<usize>,
    total: Option<u64>,
    done: &'a str,
}

impl<'a> Progress<'a> {
    fn new(total: Option<u64>, done: &'a str) -> Progress<'a> {
        Progress { line: ProgressLine::new(), state: RefCell::new(0), total, done }
    }

    fn add(&self, count: usize) {
        let mut so_far = self.state.borrow_mut();
        *so_far += count;
        match self.total.and_then(|total| usize::try_from(total).ok()) {
            Some(total) => self.line.count(*so_far, total, self.done),
            None => self.line.say(&format!("{so_far} {}", self.done)),
        }
    }
}
