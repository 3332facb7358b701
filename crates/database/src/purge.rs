//! Removing the data of deleted tables and indexes, in the background.
//!
//! Deleting notes the data as garbage in the transaction that takes it out of the catalogue. The
//! note is removed after the data, so a purge that was interrupted is resumed at the next start, or
//! on another server.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Engine, Key, KeyRange, Reads, Result as StorageResult, Snapshot, Wants,
};

use crate::Database;
use crate::database::{commit_some, rest_after};
use crate::keyspace::garbage::{self, Garbage};
use crate::lease::{Job, Lease};

/// How many counters one transaction resets.
const CHUNK_COUNTERS: usize = 256;

impl<E: Engine> Database<E> {
    /// Starts on all garbage that is noted.
    pub(crate) async fn resume_purges(self: &Arc<Self>) -> StorageResult<()> {
        let mut rest = garbage::range();
        let mut found = Vec::new();
        while let Some(last) =
            self.visit_chunk(&rest, |key, _| found.extend(Garbage::decode_key(key))).await?
        {
            rest = rest_after(&rest, last);
        }
        found.into_iter().for_each(|garbage| self.start_purge(garbage));
        Ok(())
    }

    /// Removes what `garbage` names, in the background.
    pub(crate) fn start_purge(self: &Arc<Self>, garbage: Garbage) {
        let database = self.clone();
        self.spawn(async move {
            if let Err(error) = database.purge(garbage).await {
                tracing::error!(%error, ?garbage, "deleted data could not be removed; it is tried \
                    again");
            }
        });
    }

    /// Removes the data, then the note, unless another server is doing that.
    async fn purge(&self, garbage: Garbage) -> StorageResult<()> {
        let Some(mut lease) = self.take(Job::Purge(garbage)).await? else { return Ok(()) };
        if self.purge_data(garbage, &mut lease).await? {
            let mut batch = Batch::new();
            batch.delete(garbage.encode_key());
            self.commit_as(&lease, batch).await?;
        }
        self.give_back(lease).await
    }

    /// Removes the data piece by piece. Ends early when the database closes or another server has
    /// taken over; returns whether everything was removed.
    pub(crate) async fn purge_data(
        &self,
        garbage: Garbage,
        lease: &mut Lease<'_>,
    ) -> StorageResult<bool> {
        for range in garbage.ranges() {
            if !self.delete_all(range, lease).await? {
                return Ok(false);
            }
        }
        if let Some(prefix) = garbage.counter_prefix()
            && !self.reset_all(&prefix, lease).await?
        {
            return Ok(false);
        }
        let mut batch = Batch::new();
        garbage.counters().into_iter().for_each(|counter| batch.reset(counter));
        self.commit_as(lease, batch).await
    }

    /// Removes a range: at once if the engine can, or else piece by piece. Each piece continues
    /// where the last one ended: an engine may keep a mark of what was removed.
    async fn delete_all(&self, range: KeyRange, lease: &mut Lease<'_>) -> StorageResult<bool> {
        if self.engine.removes_ranges_whole() {
            let mut batch = Batch::new();
            batch.delete_range(range);
            return self.commit_as(lease, batch).await;
        }
        let mut rest = range;
        while let Some(last) = self.visit_chunk(&rest, |_: &[u8], _: Bytes| {}).await? {
            if !self.may_go_on(lease).await? {
                return Ok(false);
            }
            let mut batch = Batch::new();
            let start = rest.start().map(<[u8]>::to_vec);
            batch.delete_range(KeyRange::new(start, Bound::Included(last.clone())));
            self.commit_as(lease, batch).await?;
            rest = rest_after(&rest, last);
        }
        Ok(true)
    }

    /// Resets all counters whose names begin with a prefix.
    async fn reset_all(&self, prefix: &[u8], lease: &mut Lease<'_>) -> StorageResult<bool> {
        let mut last: Option<Key> = None;
        loop {
            let mut counters = Vec::new();
            let visit = |counter: &[u8], _: i64| {
                counters.push(counter.to_vec());
                let is_full = counters.len() == CHUNK_COUNTERS;
                if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let snapshot = self.engine.snapshot().await?;
            snapshot.visit_counters(prefix, last.as_deref(), CHUNK_COUNTERS, visit).await?;
            if counters.is_empty() {
                return Ok(true);
            }
            if !self.may_go_on(lease).await? {
                return Ok(false);
            }
            last = counters.last().cloned();
            let mut batch = Batch::new();
            counters.into_iter().for_each(|counter| batch.reset(counter));
            self.commit_as(lease, batch).await?;
        }
    }

    /// Removes the entries of a range that are old.
    pub(crate) async fn forget(
        &self,
        range: KeyRange,
        is_old: impl Fn(&Bytes) -> bool + Send + Sync,
        lease: &Lease<'_>,
    ) -> StorageResult<()> {
        let mut rest = range;
        loop {
            let mut keys: Vec<Key> = Vec::new();
            let visit =
                |key: &[u8], value: Bytes| keys.extend(is_old(&value).then(|| key.to_vec()));
            let Some(last) = self.visit_chunk(&rest, visit).await? else { return Ok(()) };
            // They may have been used again since they were looked at.
            let decide = |reads: &Reads| {
                let mut batch = Batch::new();
                for (key, value) in keys.iter().zip(reads.iter()) {
                    if lease.stands(reads.shared(0)) && value.is_some_and(&is_old) {
                        batch.delete(key.clone());
                    }
                }
                commit_some(batch, ())
            };
            if !keys.is_empty() {
                let shared: Vec<Key> = lease.key().cloned().into_iter().collect();
                self.transact(Wants::locked(&keys).and_shared(&shared), decide).await?;
            }
            rest = rest_after(&rest, last);
        }
    }

    async fn may_go_on(&self, lease: &mut Lease<'_>) -> StorageResult<bool> {
        // Requests go first.
        tokio::task::yield_now().await;
        Ok(!self.is_stopping() && self.keep(lease).await?)
    }

    /// Commits a batch if the job that it belongs to is still ours, and returns whether it is.
    pub(crate) async fn commit_as(&self, lease: &Lease<'_>, batch: Batch) -> StorageResult<bool> {
        let decide = |reads: &Reads| {
            if lease.stands(reads.shared(0)) {
                Decision::Commit(batch.clone(), true)
            } else {
                Decision::Keep(false)
            }
        };
        let shared: Vec<Key> = lease.key().cloned().into_iter().collect();
        self.transact(Wants::nothing().and_shared(&shared), decide).await
    }
}
