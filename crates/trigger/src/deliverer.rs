//! The consumer of a trigger: gathers the records of a shard into batches, and sees each through.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use monotable_remote::{Backoff, Endpoint};

use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::dead_letters::DeadLetters;
use crate::delivery::{Delivery, Step};
use crate::destination::Sender;
use crate::error::Error;
use crate::follow::{Origin, ShardConsumer, ShardEnd, Stop};
use crate::queue::Queue;
use crate::reader::{Position, ShardReader};
use crate::trigger::{StartAt, TriggerOptions};

/// The longest pause before a batch is sent again.
const DELAY_LONGEST: Duration = Duration::from_secs(30);

/// Delivers the shards of one stream.
pub(crate) struct Deliverer {
    endpoint: Arc<Endpoint>,
    options: TriggerOptions,
    sender: Sender,
    dead_letters: DeadLetters,
    checkpoints: Checkpoints,
    /// The checkpoints of earlier runs.
    known: BTreeMap<String, Checkpoint>,
    stop: Stop,
}

impl ShardConsumer for Deliverer {
    async fn consume(&self, mut reader: ShardReader, origin: Origin) -> Result<ShardEnd, Error> {
        if self.begin(&mut reader, origin).await? == Begin::AtEnd {
            return Ok(ShardEnd::Finished);
        }
        let shard = reader.shard().id.clone();
        let mut queue = Queue::default();
        loop {
            let mut stop = self.stop.clone();
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return Ok(ShardEnd::Stopped),
                gathered = self.gather(&mut reader, &mut queue) => gathered?,
            }
            let batch = queue.take_batch(self.options.batch_size);
            if !batch.is_empty() {
                let delivery = Delivery::new(batch, self.options.retry);
                if self.deliver(&shard, delivery).await? == ShardEnd::Stopped {
                    return Ok(ShardEnd::Stopped);
                }
            }
            if !queue.is_empty() {
                continue;
            }
            if queue.is_end() {
                self.checkpoints.finish(&shard).await?;
                return Ok(ShardEnd::Finished);
            }
            self.save_skipped(&reader, &mut queue).await?;
        }
    }
}

/// Where the first record of a shard is.
#[derive(Debug, PartialEq, Eq)]
enum Begin {
    AtReader,
    /// There is none.
    AtEnd,
}

impl Deliverer {
    pub(crate) fn new(
        endpoint: Arc<Endpoint>,
        options: TriggerOptions,
        checkpoints: Checkpoints,
        known: BTreeMap<String, Checkpoint>,
        stop: Stop,
    ) -> Deliverer {
        let clock = endpoint.clock().clone();
        let sender = Sender::new(options.destination.clone(), options.timeout, clock);
        let dead_letters = DeadLetters::new(options.dead_letters.clone());
        Deliverer { endpoint, options, sender, dead_letters, checkpoints, known, stop }
    }

    /// Claims a shard and goes where its delivery begins. A trigger that has any checkpoints has
    /// run before, so shards that it has not seen came while it did not run, and it owes all of
    /// their records.
    async fn begin(&self, reader: &mut ShardReader, origin: Origin) -> Result<Begin, Error> {
        let shard = reader.shard().id.clone();
        let known = self.known.get(&shard);
        if known.is_some_and(|checkpoint| checkpoint.is_finished) {
            return Ok(Begin::AtEnd);
        }
        self.checkpoints.claim(&shard).await?;
        if let Some(position) = known.and_then(|checkpoint| checkpoint.position.clone()) {
            reader.seek(Position::After(position));
            return Ok(Begin::AtReader);
        }
        let is_first_run = self.known.is_empty() && origin == Origin::Present;
        if self.options.from == StartAt::TrimHorizon || !is_first_run {
            return Ok(Begin::AtReader);
        }
        if reader.seek_end().await? {
            self.checkpoints.finish(&shard).await?;
            return Ok(Begin::AtEnd);
        }
        if let Position::After(position) = reader.position() {
            self.checkpoints.save(&shard, position).await?;
        }
        Ok(Begin::AtReader)
    }

    /// Reads until there is a batch, the shard has ended, or a page had nothing that is wanted.
    async fn gather(&self, reader: &mut ShardReader, queue: &mut Queue) -> Result<(), Error> {
        if queue.is_empty() && !queue.is_end() {
            let page = reader.next().await?;
            queue.push(page, &self.options.filters);
        }
        if queue.is_empty() || self.options.window.is_zero() {
            return Ok(());
        }
        tokio::select! {
            () = self.endpoint.clock().sleep(self.options.window) => Ok(()),
            filled = self.fill(reader, queue) => filled,
        }
    }

    async fn fill(&self, reader: &mut ShardReader, queue: &mut Queue) -> Result<(), Error> {
        while !queue.is_end() && !queue.has_batch(self.options.batch_size) {
            let page = reader.next().await?;
            queue.push(page, &self.options.filters);
        }
        Ok(())
    }

    /// Sends a batch until all of it is taken or given up.
    async fn deliver(&self, shard: &str, mut delivery: Delivery) -> Result<ShardEnd, Error> {
        let mut backoff = Backoff::new(self.options.retry.delay, DELAY_LONGEST);
        loop {
            if let Some(step) = delivery.expire(self.endpoint.clock().now_millis()) {
                self.settle(shard, &step).await?;
            }
            let Some(records) = delivery.next() else { return Ok(ShardEnd::Finished) };
            let count = records.len();
            let outcome = self.sender.send(records).await;
            let step = delivery.note(outcome);
            self.settle(shard, &step).await?;
            let trigger = self.options.name.as_str();
            let Some(reason) = step.failure else {
                tracing::debug!(trigger, shard, records = count, "delivered");
                backoff.reset();
                continue;
            };
            tracing::warn!(trigger, shard, records = count, reason, "not taken");
            let mut stop = self.stop.clone();
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return Ok(ShardEnd::Stopped),
                () = self.endpoint.clock().sleep(backoff.pause()) => {}
            }
        }
    }

    /// Puts aside what was given up, and only then says that it is settled.
    async fn settle(&self, shard: &str, step: &Step) -> Result<(), Error> {
        if let Some(given_up) = &step.given_up {
            let now_millis = self.endpoint.clock().now_millis();
            let trigger = self.options.name.as_str();
            self.dead_letters.write(trigger, shard, given_up, now_millis).await?;
            let (records, reason) = (given_up.records.len(), &given_up.reason);
            let file = self.options.dead_letters.display();
            tracing::warn!(trigger, shard, records, reason, "given up; see {file}");
        }
        match &step.settled {
            Some(position) => self.checkpoints.save(shard, position).await,
            None => Ok(()),
        }
    }

    /// Notes that records which are not wanted need not be read again.
    async fn save_skipped(&self, reader: &ShardReader, queue: &mut Queue) -> Result<(), Error> {
        match reader.position() {
            Position::After(position) if queue.take_skipped() => {
                self.checkpoints.save(&reader.shard().id, position).await
            }
            Position::After(_) | Position::Start => Ok(()),
        }
    }
}
