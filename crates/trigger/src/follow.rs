//! Following all shards of a stream.
//!
//! A shard is started when its parent has been read to its end, or is gone. So the records of an
//! item are consumed in order even where a shard has given way to its children. Shards that have
//! nothing to do with each other are consumed at the same time.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use monotable_remote::Endpoint;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

use crate::error::Error;
use crate::reader::ShardReader;
use crate::stream::{Shard, ShardList, StreamArn, list_shards};

/// How often to look for shards that have come without a parent ending.
const LIST_INTERVAL: Duration = Duration::from_secs(10);

/// Turns to `true` when following is to end.
pub type Stop = watch::Receiver<bool>;

/// When a shard was first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was there when following began.
    Present,
    /// It came later.
    Later,
}

/// Why a consumer is done with a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardEnd {
    /// It has consumed all records that there will ever be; the shard's children may follow.
    Finished,
    /// It was told to stop.
    Stopped,
}

/// Consumes shards.
pub trait ShardConsumer: Send + Sync + 'static {
    /// Consumes one shard, from where the consumer wants to begin to its end.
    fn consume(
        &self,
        reader: ShardReader,
        origin: Origin,
    ) -> impl Future<Output = Result<ShardEnd, Error>> + Send;
}

/// Runs a consumer on all shards of a stream.
pub struct Follower {
    endpoint: Arc<Endpoint>,
    stream: StreamArn,
    /// The shards of the first list.
    present: Option<BTreeSet<String>>,
    started: BTreeSet<String>,
    finished: BTreeSet<String>,
}

/// A shard whose consumer has ended.
type Ended = Result<(String, Result<ShardEnd, Error>), JoinError>;

impl Follower {
    /// A follower that has not begun.
    pub fn new(endpoint: Arc<Endpoint>, stream: StreamArn) -> Follower {
        let (started, finished) = (BTreeSet::new(), BTreeSet::new());
        Follower { endpoint, stream, present: None, started, finished }
    }

    /// Follows until the stream is disabled and read to its end, or until `stop`. Consumers end by
    /// themselves: this waits for them.
    pub async fn run(
        mut self,
        consumer: Arc<impl ShardConsumer>,
        mut stop: Stop,
    ) -> Result<(), Error> {
        let mut tasks = JoinSet::new();
        while !*stop.borrow() {
            let Some(list) = self.list_or_stop(&mut stop).await? else { break };
            for shard in self.ready(&list) {
                self.start(shard, &consumer, &mut tasks);
            }
            if list.is_disabled && tasks.is_empty() {
                return Ok(());
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => {}
                Some(ended) = tasks.join_next() => self.note_end(ended)?,
                () = self.endpoint.clock().sleep(LIST_INTERVAL) => {}
            }
        }
        while let Some(ended) = tasks.join_next().await {
            self.note_end(ended)?;
        }
        Ok(())
    }

    async fn list_or_stop(&self, stop: &mut Stop) -> Result<Option<ShardList>, Error> {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => Ok(None),
            list = list_shards(&self.endpoint, &self.stream) => list.map(Some),
        }
    }

    /// The shards that can be started: those whose parent is done or gone.
    fn ready(&mut self, list: &ShardList) -> Vec<Shard> {
        let listed: BTreeSet<String> = list.shards.iter().map(|shard| shard.id.clone()).collect();
        self.started.retain(|shard| listed.contains(shard));
        self.finished.retain(|shard| listed.contains(shard));
        let is_done = |parent: &String| self.finished.contains(parent) || !listed.contains(parent);
        let is_ready = |shard: &&Shard| {
            !self.started.contains(&shard.id) && shard.parent.as_ref().is_none_or(is_done)
        };
        let ready = list.shards.iter().filter(is_ready).cloned().collect();
        self.present.get_or_insert(listed);
        ready
    }

    fn origin(&self, shard: &Shard) -> Origin {
        let is_present = self.present.as_ref().is_some_and(|present| present.contains(&shard.id));
        if is_present { Origin::Present } else { Origin::Later }
    }

    fn start(
        &mut self,
        shard: Shard,
        consumer: &Arc<impl ShardConsumer>,
        tasks: &mut JoinSet<(String, Result<ShardEnd, Error>)>,
    ) {
        tracing::debug!(shard = shard.id, "following");
        self.started.insert(shard.id.clone());
        let (id, origin) = (shard.id.clone(), self.origin(&shard));
        let reader = ShardReader::new(self.endpoint.clone(), self.stream.clone(), shard);
        let consumer = consumer.clone();
        tasks.spawn(async move { (id, consumer.consume(reader, origin).await) });
    }

    fn note_end(&mut self, ended: Ended) -> Result<(), Error> {
        let (shard, end) = match ended {
            Ok(ended) => ended,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        match end? {
            ShardEnd::Finished => {
                tracing::debug!(shard, "read to its end");
                self.finished.insert(shard);
            }
            ShardEnd::Stopped => {}
        }
        Ok(())
    }
}
