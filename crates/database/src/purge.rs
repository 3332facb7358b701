//! Removing the data of deleted tables and indexes, in the background.
//!
//! Deleting notes the data as garbage in the transaction that takes it out of the catalog. The note goes
//! when the data has gone, so a purge that was cut short goes on at the next start.

use std::sync::Arc;

use bytes::Bytes;
use monotable_storage::{Batch, Decision, Engine, KeyRange, Reads, Result as StorageResult};

use crate::Database;
use crate::keyspace::garbage::{self, Garbage};

impl<E: Engine> Database<E> {
    /// Starts on all garbage that is noted.
    pub(crate) async fn resume_purges(self: &Arc<Self>) -> StorageResult<()> {
        let mut rest = garbage::range();
        let mut found = Vec::new();
        while let Some(last) =
            self.visit_chunk(&rest, |key, _| found.extend(Garbage::decode_key(key))).await?
        {
            rest = KeyRange::new(std::ops::Bound::Excluded(last), rest.end().map(<[u8]>::to_vec));
        }
        found.into_iter().for_each(|garbage| self.start_purge(garbage));
        Ok(())
    }

    /// Removes what `garbage` names, in the background.
    pub(crate) fn start_purge(self: &Arc<Self>, garbage: Garbage) {
        let database = self.clone();
        self.spawn(async move {
            if let Err(error) = database.purge(garbage).await {
                tracing::error!(%error, ?garbage, "deleted data could not be removed; the next start tries again");
            }
        });
    }

    /// Removes the data, then the note. Ends early, leaving the note, when the database closes.
    pub(crate) async fn purge(&self, garbage: Garbage) -> StorageResult<()> {
        for range in garbage.ranges() {
            self.delete_all(&range).await?;
        }
        if self.is_stopping() {
            return Ok(());
        }
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            garbage.counters().into_iter().for_each(|counter| batch.delete(counter));
            batch.delete(garbage.encode_key());
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }

    /// Removes a range piece by piece, until nothing is left or the database closes.
    pub(crate) async fn delete_all(&self, range: &KeyRange) -> StorageResult<()> {
        while let Some(piece) = self.first_piece(range).await? {
            if self.is_stopping() {
                return Ok(());
            }
            self.delete_range(piece).await?;
        }
        Ok(())
    }

    /// The part of a range that holds its first entries: a piece small enough to remove at once.
    async fn first_piece(&self, range: &KeyRange) -> StorageResult<Option<KeyRange>> {
        let last = self.visit_chunk(range, |_: &[u8], _: Bytes| {}).await?;
        Ok(last.map(|last| {
            KeyRange::new(range.start().map(<[u8]>::to_vec), std::ops::Bound::Included(last))
        }))
    }

    /// Removes a range at once.
    pub(crate) async fn delete_range(&self, range: KeyRange) -> StorageResult<()> {
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.delete_range(range.clone());
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }
}
