//! Reads of a few keys by many callers, joined into one query.
//!
//! The query is sent after all of them have arrived, so each sees every commit that was answered
//! before it. The tasks belong to the engine: a caller that is dropped takes nothing with it.

use std::sync::Arc;

use bytes::Bytes;
use monotable_storage::{ErrorKind, Key, Result};
use tokio::sync::{mpsc, oneshot};

use crate::error::Tries;
use crate::joining::{JoinedCounts, Joining};
use crate::queries::{self, Found};
use crate::readers::Readers;
use crate::timing::within;

/// Reads of more keys than this get a query of their own.
const KEYS_MAX: usize = 8;

/// How many reads may wait before callers do.
const WAITING_READS_MAX: usize = 4096;

/// How many reads are joined at most.
const JOINED_READS_MAX: usize = 128;

/// The approximate size of a good answer. In a larger one, a small read would wait for all the
/// others.
const ANSWER_BYTES: usize = 4 << 20;

type Values = Vec<Option<Bytes>>;

/// One caller's read.
struct Read {
    keys: Vec<Key>,
    answer: oneshot::Sender<Result<Values>>,
}

/// The queue that callers put their reads into.
pub(crate) struct JoinedReads {
    queue: mpsc::Sender<Read>,
    joining: Arc<Joining<Read>>,
    readers: Arc<Readers>,
}

impl JoinedReads {
    /// Starts a task for each connection that single reads share. They end when this is dropped.
    pub(crate) fn start(readers: &Arc<Readers>) -> JoinedReads {
        let (queue, joining) = Joining::new(WAITING_READS_MAX);
        for getter in 0..readers.getters() {
            let asker = Asker { readers: readers.clone(), getter, reads_max: JOINED_READS_MAX };
            readers.handle().spawn(asker.run(joining.clone()));
        }
        JoinedReads { queue, joining, readers: readers.clone() }
    }

    /// How much was joined so far.
    pub(crate) fn counts(&self) -> JoinedCounts {
        self.joining.counts()
    }

    /// Reads values of one moment, answered in the order of `keys`.
    pub(crate) async fn get_many(&self, keys: &[Key]) -> Result<Values> {
        if keys.len() <= KEYS_MAX {
            return self.get(keys.to_vec()).await;
        }
        let found = self.readers.ask(|connection| async move {
            queries::get_many(&connection, keys.iter().map(Vec::as_slice)).await
        });
        let found = found.await?;
        Ok(keys.iter().map(|key| found.get(key).cloned()).collect())
    }

    /// Reads a few values in a query with those of others.
    pub(crate) async fn get(&self, keys: Vec<Key>) -> Result<Values> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Read { keys, answer }).await.map_err(|_| ErrorKind::Closed)?;
        answered.await.map_err(|_| ErrorKind::Closed)?
    }
}

/// A task that sends one query at a time.
struct Asker {
    readers: Arc<Readers>,
    getter: usize,
    /// How many reads make up an answer of a good size.
    reads_max: usize,
}

impl Asker {
    async fn run(mut self, joining: Arc<Joining<Read>>) {
        while let Some(joined) = joining.take(self.reads_max).await {
            let mut reads = joined.works;
            reads.retain(|read| !read.answer.is_closed());
            if !reads.is_empty() {
                self.answer(reads).await;
            }
        }
    }

    async fn answer(&mut self, reads: Vec<Read>) {
        match self.ask(&reads).await {
            Ok(found) => {
                self.reads_max = reads_max(&found, reads.len());
                reads.into_iter().for_each(|read| read.answer_from(&found));
            }
            // A damaged row only concerns those who asked for it.
            Err(error) if error.kind() == ErrorKind::Corrupt && reads.len() > 1 => {
                for read in reads {
                    Box::pin(self.answer(vec![read])).await;
                }
            }
            Err(error) => reads.into_iter().for_each(|read| read.refuse(error.kind())),
        }
    }

    async fn ask(&self, reads: &[Read]) -> Result<Found> {
        let mut keys: Vec<&[u8]> =
            reads.iter().flat_map(|read| &read.keys).map(Vec::as_slice).collect();
        // Many reads want the record of the same table.
        keys.sort_unstable();
        keys.dedup();
        let mut tries = Tries::new();
        loop {
            let connection = self.readers.getter_at(self.getter).await?;
            let asked = queries::get_many(&connection, keys.iter().copied());
            match within(self.readers.answer_timeout(), asked).await {
                Ok(found) => {
                    drop(connection);
                    self.readers.done_at(self.getter);
                    if let Some(found) = tries.judge(found) {
                        self.readers.note(&found);
                        return found;
                    }
                }
                Err(_) => {
                    self.readers.give_up(self.getter, &connection).await;
                    tries.again()?;
                }
            }
        }
    }
}

impl Read {
    fn answer_from(self, found: &Found) {
        let values = self.keys.iter().map(|key| found.get(key).cloned()).collect();
        // A caller that is gone needs no answer.
        let _ = self.answer.send(Ok(values));
    }

    fn refuse(self, kind: ErrorKind) {
        let _ = self.answer.send(Err(kind.into()));
    }
}

/// How many reads of this size make up an answer of a good size.
fn reads_max(found: &Found, reads: usize) -> usize {
    let bytes: usize = found.values().map(Bytes::len).sum();
    let read_bytes = (bytes / reads.max(1)).max(1);
    (ANSWER_BYTES / read_bytes).clamp(1, JOINED_READS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_large_values_are_read_together() {
        let found = |bytes: usize| {
            let value = |number: u8| (vec![number], Bytes::from(vec![0; bytes]));
            (0..16).map(value).collect::<Found>()
        };
        assert_eq!(reads_max(&found(400 << 10), 16), 10);
        assert_eq!(reads_max(&found(1000), 16), JOINED_READS_MAX);
        assert_eq!(reads_max(&Found::new(), 16), JOINED_READS_MAX);
    }
}
