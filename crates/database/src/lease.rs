//! Leases: who does a job of the background.
//!
//! A store that only this process uses needs none: a job is done by one task, which the process
//! keeps track of. On a shared store a record says who does a job and until when. Others take it
//! over once that time has passed by the store's clock; the owner puts it off while it works.
//!
//! Time alone would not do. A process that was paused for an hour does not know it. So everything a
//! job writes shares the record, and stands only if the record still names this owner and this
//! epoch: a server that takes a job over changes the record, and from then on the old owner can
//! write nothing more.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Direction, Engine, Key, Reads, Result as StorageResult, Snapshot, Wants,
};
use tokio::sync::Notify;

use crate::Database;
use crate::keyspace;
use crate::keyspace::garbage::Garbage;
use crate::keyspace::lease::{self, LeaseRecord};
use crate::schema::{ExpiryId, IndexId, TableId};

/// How long a lease holds.
const LEASE_MILLIS: u64 = 10_000;
/// How long before its end it is put off.
const RENEWAL_MILLIS: u64 = 6_000;

/// How long after its end it is forgotten: an owner that was merely slow has extended it by then.
const FORGOTTEN_AFTER_MILLIS: u64 = 10_000;

/// A job that one process does at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// Old tokens, shards and records.
    Upkeep,
    /// Expired items.
    Sweep,
    /// Data that belongs to nothing.
    Purge(Garbage),
    /// A new index.
    Fill(TableId, IndexId),
    /// An index that goes.
    RemoveIndex(TableId, IndexId),
    /// A new expiry index.
    FillExpiry(TableId, ExpiryId),
}

impl Job {
    /// The name of the job in the key of its lease. The first byte is never used for another kind
    /// of job.
    fn name(self) -> Vec<u8> {
        let numbered = |kind: u8, table: TableId, number: u32| {
            [&[kind][..], &table.0.to_be_bytes(), &number.to_be_bytes()].concat()
        };
        match self {
            Job::Upkeep => vec![1],
            Job::Sweep => vec![2],
            Job::Purge(garbage) => [vec![3], garbage.encode_key()].concat(),
            Job::Fill(table, index) => numbered(4, table, index.0),
            Job::RemoveIndex(table, index) => numbered(5, table, index.0),
            Job::FillExpiry(table, expiry) => numbered(6, table, expiry.0),
        }
    }
}

/// Returns whether these bytes name a job, as [`Job::name`] writes them.
pub(crate) fn is_job_name(name: &[u8]) -> bool {
    match name.split_first() {
        Some((1 | 2, [])) => true,
        Some((3, garbage)) => Garbage::decode_key(garbage).is_some(),
        Some((4..=6, numbers)) => numbers.len() == 2 * size_of::<u32>(),
        Some(_) | None => false,
    }
}

/// What a lease is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeasedJob {
    /// Old tokens, shards and records.
    Upkeep,
    /// Expired items.
    Sweep,
    /// Data that belongs to nothing.
    Purge,
    /// A new index.
    Fill,
    /// An index that goes.
    RemoveIndex,
    /// A new expiry index.
    FillExpiry,
}

/// A lease of a shared store, for those who monitor its servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseStatus {
    /// What it is for.
    pub job: LeasedJob,
    /// The table that the job is about, if it is about one that is still there.
    pub table: Option<String>,
    /// The server that holds it.
    pub owner: u128,
    /// How long it holds, unless it is put off.
    pub left: Duration,
}

/// The leases of a store that hold.
pub async fn leases<E: Engine>(engine: &E) -> StorageResult<Vec<LeaseStatus>> {
    let now_millis = engine.now_millis().await?.unwrap_or(0);
    let snapshot = engine.snapshot().await?;
    let mut tables = BTreeMap::new();
    let visit = |_: &[u8], value: Bytes| {
        if let Ok(schema) = keyspace::table::decode_value(&value) {
            tables.insert(schema.id.0, schema.name);
        }
        ControlFlow::Continue(())
    };
    let all = keyspace::table::range();
    snapshot.visit(&all, Direction::Forward, usize::MAX, visit).await?;
    let mut found = Vec::new();
    let visit = |key: &[u8], value: Bytes| {
        let job = key.split_first().and_then(|(_, name)| leased_job(name));
        if let Some(((job, table), record)) = job.zip(lease::decode_value(&value)) {
            let left_millis = record.until_millis.saturating_sub(now_millis);
            found.push(LeaseStatus {
                job,
                table: table.and_then(|table| tables.get(&table).cloned()),
                owner: record.owner,
                left: Duration::from_millis(left_millis),
            });
        }
        ControlFlow::Continue(())
    };
    snapshot.visit(&lease::range(), Direction::Forward, usize::MAX, visit).await?;
    found.retain(|lease| lease.left > Duration::ZERO);
    Ok(found)
}

/// The job of this name, and the number of the table that it is about.
fn leased_job(name: &[u8]) -> Option<(LeasedJob, Option<u32>)> {
    let (kind, rest) = name.split_first()?;
    let table = || rest.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    Some(match kind {
        1 => (LeasedJob::Upkeep, None),
        2 => (LeasedJob::Sweep, None),
        3 => (LeasedJob::Purge, None),
        4 => (LeasedJob::Fill, table()),
        5 => (LeasedJob::RemoveIndex, table()),
        6 => (LeasedJob::FillExpiry, table()),
        _ => return None,
    })
}

/// The jobs that this process does.
#[derive(Debug, Default)]
pub(crate) struct RunningJobs {
    names: Mutex<BTreeSet<Vec<u8>>>,
    ended: Notify,
}

impl RunningJobs {
    fn begin(&self, name: Vec<u8>) -> Option<RunningJob<'_>> {
        let is_new = self.lock().insert(name.clone());
        is_new.then(|| RunningJob { jobs: self, name })
    }

    /// Ends when this process does not do a job, or does not any more.
    pub(crate) async fn wait_for_end(&self, job: Job) {
        let name = job.name();
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            // From here on no end is missed.
            ended.as_mut().enable();
            if !self.lock().contains(&name) {
                return;
            }
            ended.await;
        }
    }

    /// Every change is a single step, so what a panicking thread left is good.
    fn lock(&self) -> MutexGuard<'_, BTreeSet<Vec<u8>>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job that is being done, until this is dropped.
#[derive(Debug)]
struct RunningJob<'a> {
    jobs: &'a RunningJobs,
    name: Vec<u8>,
}

impl Drop for RunningJob<'_> {
    fn drop(&mut self) {
        self.jobs.lock().remove(&self.name);
        self.jobs.ended.notify_waiters();
    }
}

/// The right to do a job.
#[derive(Debug)]
pub(crate) struct Lease<'a> {
    _running: RunningJob<'a>,
    /// On a shared store: where the record lies, and what it says.
    record: Option<(Key, LeaseRecord)>,
}

impl Lease<'_> {
    /// The key that everything the job writes must share, if there is one.
    pub(crate) fn key(&self) -> Option<&Key> {
        self.record.as_ref().map(|(key, _)| key)
    }

    /// Returns whether the job is still ours, by what was read at [`Lease::key`].
    pub(crate) fn stands(&self, read: Option<&Bytes>) -> bool {
        let Some((_, ours)) = &self.record else { return true };
        let found = read.and_then(|value| lease::decode_value(value));
        found.is_some_and(|found| (found.owner, found.epoch) == (ours.owner, ours.epoch))
    }
}

impl<E: Engine> Database<E> {
    /// Takes on a job, unless another server has it.
    pub(crate) async fn take(&self, job: Job) -> StorageResult<Option<Lease<'_>>> {
        let Some(running) = self.jobs.begin(job.name()) else { return Ok(None) };
        if !self.engine.is_shared() {
            return Ok(Some(Lease { _running: running, record: None }));
        }
        let key = lease::encode_key(&job.name());
        let now_millis = self.store_now_millis().await?;
        let record = self.write_lease(&key, |found| claim(found, self.owner, now_millis)).await?;
        Ok(record.map(|record| Lease { _running: running, record: Some((key, record)) }))
    }

    /// Puts the end of a lease off when it is near; returns whether the job is still ours.
    pub(crate) async fn keep(&self, held: &mut Lease<'_>) -> StorageResult<bool> {
        let Some((key, ours)) = &mut held.record else { return Ok(true) };
        let now_millis = self.store_now_millis().await?;
        if now_millis + RENEWAL_MILLIS < ours.until_millis {
            return Ok(true);
        }
        let renewed = self.write_lease(key, |found| renew(found, *ours, now_millis)).await?;
        *ours = renewed.unwrap_or(*ours);
        Ok(renewed.is_some())
    }

    /// Releases a job that is done.
    pub(crate) async fn give_back(&self, held: Lease<'_>) -> StorageResult<()> {
        let Some((key, _)) = &held.record else { return Ok(()) };
        let decide = |reads: &Reads| {
            if !held.stands(reads.get(0)) {
                return Decision::Keep(());
            }
            let mut batch = Batch::new();
            batch.delete(key.clone());
            Decision::Commit(batch, ())
        };
        self.transact(Wants::locked(std::slice::from_ref(key)), decide).await
    }

    /// Forgets leases that were over long ago. Their owner died, perhaps after the last step of its
    /// job, so that no server takes them over.
    pub(crate) async fn forget_leases(&self, upkeep: &Lease<'_>) -> StorageResult<()> {
        if !self.engine.is_shared() {
            return Ok(());
        }
        let now_millis = self.store_now_millis().await?;
        let is_old = |value: &Bytes| {
            lease::decode_value(value)
                .is_none_or(|record| record.until_millis + FORGOTTEN_AFTER_MILLIS <= now_millis)
        };
        self.forget(lease::range(), is_old, upkeep).await
    }

    async fn write_lease(
        &self,
        key: &Key,
        next: impl Fn(Option<LeaseRecord>) -> Option<LeaseRecord> + Send + Sync,
    ) -> StorageResult<Option<LeaseRecord>> {
        let decide = |reads: &Reads| {
            let found = reads.get(0).and_then(|value| lease::decode_value(value));
            let Some(record) = next(found) else { return Decision::Keep(None) };
            if found == Some(record) {
                return Decision::Keep(found);
            }
            let mut batch = Batch::new();
            batch.put(key.clone(), lease::encode_value(record));
            Decision::Commit(batch, Some(record))
        };
        self.transact(Wants::locked(std::slice::from_ref(key)), decide).await
    }
}

/// The record with which `owner` takes on a job; none if another one has it. A job that is done
/// from time to time is kept in between.
fn claim(found: Option<LeaseRecord>, owner: u128, now_millis: u64) -> Option<LeaseRecord> {
    if let Some(held) = found {
        if held.owner == owner && held.until_millis > now_millis + RENEWAL_MILLIS {
            return Some(held);
        }
        if held.owner != owner && held.until_millis > now_millis {
            return None;
        }
    }
    let epoch = found.map_or(1, |found| found.epoch + 1);
    Some(LeaseRecord { owner, epoch, until_millis: now_millis + LEASE_MILLIS })
}

/// The record with which an owner puts off the end; none if the job is not its own any more.
fn renew(found: Option<LeaseRecord>, ours: LeaseRecord, now_millis: u64) -> Option<LeaseRecord> {
    let is_ours = |found: &LeaseRecord| (found.owner, found.epoch) == (ours.owner, ours.epoch);
    let found = found.filter(is_ours)?;
    Some(LeaseRecord { until_millis: now_millis + LEASE_MILLIS, ..found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_taken_over_when_its_time_is_over_and_not_before() {
        let first = claim(None, 1, 100).unwrap();
        assert_eq!(claim(Some(first), 2, 100 + LEASE_MILLIS - 1), None);
        let second = claim(Some(first), 2, 100 + LEASE_MILLIS).unwrap();
        assert_eq!((second.owner, second.epoch), (2, first.epoch + 1));
        assert_eq!(renew(Some(second), first, 0), None);
        assert_eq!(renew(None, first, 0), None);
        assert_eq!(claim(Some(second), 2, 100 + LEASE_MILLIS + 1), Some(second));
        let later = renew(Some(second), second, 200_000).unwrap();
        assert_eq!((later.epoch, later.until_millis), (second.epoch, 200_000 + LEASE_MILLIS));
    }

    #[test]
    fn jobs_are_known_by_their_names() {
        let (table, index, expiry) = (TableId(7), IndexId(1), ExpiryId(2));
        for job in [
            Job::Upkeep,
            Job::Sweep,
            Job::Purge(Garbage::Index(table, index)),
            Job::Fill(table, index),
            Job::RemoveIndex(table, index),
            Job::FillExpiry(table, expiry),
        ] {
            assert!(is_job_name(&job.name()), "{job:?}");
            assert!(!is_job_name(&[job.name(), vec![0]].concat()), "{job:?}");
            let (kind, of) = leased_job(&job.name()).unwrap();
            let is_of_table =
                matches!(job, Job::Fill(..) | Job::RemoveIndex(..) | Job::FillExpiry(..));
            assert_eq!(of, is_of_table.then_some(table.0), "{kind:?}");
        }
        assert!(!is_job_name(&[]) && !is_job_name(&[9]));
    }

    #[test]
    fn a_job_runs_once_in_a_process() {
        let jobs = RunningJobs::default();
        let running = jobs.begin(Job::Sweep.name()).unwrap();
        assert!(jobs.begin(Job::Sweep.name()).is_none());
        assert!(jobs.begin(Job::Upkeep.name()).is_some());
        drop(running);
        assert!(jobs.begin(Job::Sweep.name()).is_some());
    }
}
