//! A trigger: batches of a table's changes, handed to a target.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::backoff::Backoff;
use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::dead_letters::DeadLetters;
use crate::delivery::{Delivery, Step};
use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::filter::Pattern;
use crate::follow::{Follower, Origin, ShardConsumer, ShardEnd, Stop};
use crate::queue::Queue;
use crate::reader::{Position, ShardReader};
use crate::stream::{StreamArn, find_stream};
use crate::target::{Sender, Target};

/// The longest pause before a batch is sent again.
const DELAY_LONGEST: Duration = Duration::from_secs(30);
/// How often to look whether a table has come that has a stream.
const TABLE_INTERVAL: Duration = Duration::from_secs(1);

/// What a trigger does.
#[derive(Debug, Clone)]
pub struct TriggerOptions {
    /// Its name. Checkpoints are kept under it.
    pub name: String,
    /// The table whose changes it hands on.
    pub table: String,
    /// Who takes them.
    pub target: Target,
    /// Where to begin when there are no checkpoints.
    pub from: StartAt,
    /// The most records of a batch.
    pub batch_size: usize,
    /// How long to wait for a batch to fill once it has a record.
    pub window: Duration,
    /// Only records that match one of these are handed on; all are when there is none.
    pub filters: Vec<Pattern>,
    /// What to do when a batch is not taken.
    pub retry: RetryPolicy,
    /// How long the target may take for a batch.
    pub timeout: Duration,
    /// The file for records that are given up.
    pub dead_letters: PathBuf,
}

/// What to do when a batch is not taken.
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    /// How often a batch, or what it was split into, is sent before it is given up.
    pub attempts_max: u32,
    /// Records older than this are given up.
    pub age_max: Option<Duration>,
    /// Whether a batch that failed is split in two.
    pub split: bool,
    /// The first pause before a batch is sent again. Pauses double.
    pub delay: Duration,
}

/// Where to begin in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartAt {
    /// With the oldest record that is kept.
    TrimHorizon,
    /// With the first record that comes.
    Latest,
}

/// Hands the changes of a table to a target.
pub struct Trigger {
    endpoint: Arc<Endpoint>,
    options: TriggerOptions,
    owner: String,
}

impl Trigger {
    /// A trigger that is not running. `owner` is a name that no other process has.
    pub fn new(endpoint: Arc<Endpoint>, options: TriggerOptions, owner: String) -> Trigger {
        Trigger { endpoint, options, owner }
    }

    /// Runs until the table's stream is disabled and all of it is delivered, or until `stop`.
    pub async fn run(&self, stop: Stop) -> Result<(), Error> {
        let stream = find_stream(&self.endpoint, &self.options.table).await?;
        self.follow(stream, stop).await
    }

    /// Runs until `stop`, also while there is no such table or it has no stream.
    pub async fn keep_running(&self, mut stop: Stop) -> Result<(), Error> {
        while !*stop.borrow() {
            match self.run(stop.clone()).await {
                Ok(()) => {}
                Err(error) if may_come(&error) => {}
                Err(error) => return Err(error),
            }
            self.sleep_or_stop(TABLE_INTERVAL, &mut stop).await;
        }
        Ok(())
    }

    async fn follow(&self, stream: StreamArn, stop: Stop) -> Result<(), Error> {
        let TriggerOptions { name, table, target, .. } = &self.options;
        let (name, owner) = (name.clone(), self.owner.clone());
        let checkpoints =
            Checkpoints::open(self.endpoint.clone(), name, owner, stream.clone()).await?;
        let known = checkpoints.load().await?;
        tracing::info!(trigger = self.options.name, "running: {table} → {target}");
        let consumer = Deliverer::new(self, checkpoints, known, stop.clone());
        Follower::new(self.endpoint.clone(), stream).run(Arc::new(consumer), stop).await
    }

    async fn sleep_or_stop(&self, duration: Duration, stop: &mut Stop) {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => {}
            () = self.endpoint.clock().sleep(duration) => {}
        }
    }
}

/// Whether waiting may help: the server or the table is not there yet.
fn may_come(error: &Error) -> bool {
    let is_absent =
        matches!(error, Error::NoStream { .. }) || error.is_refusal("ResourceNotFoundException");
    is_absent || error.is_transient()
}

/// Delivers the shards of one stream.
struct Deliverer {
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
    fn new(
        trigger: &Trigger,
        checkpoints: Checkpoints,
        known: BTreeMap<String, Checkpoint>,
        stop: Stop,
    ) -> Deliverer {
        let (endpoint, options) = (trigger.endpoint.clone(), trigger.options.clone());
        let clock = endpoint.clock().clone();
        let sender = Sender::new(options.target.clone(), options.timeout, clock);
        let dead_letters = DeadLetters::new(options.dead_letters.clone());
        Deliverer { endpoint, options, sender, dead_letters, checkpoints, known, stop }
    }

    /// Claims a shard and goes where its delivery begins. A trigger that has any checkpoints has run before, so
    /// shards that it has not seen came while it did not run, and it owes all of their records.
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
