//! A trigger: batches of a table's changes, handed to a destination.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use monotable_remote::Endpoint;

use crate::checkpoint::Checkpoints;
use crate::deliverer::Deliverer;
use crate::destination::Destination;
use crate::error::Error;
use crate::filter::Pattern;
use crate::follow::{Follower, Stop};
use crate::stream::{StreamArn, find_stream};

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
    pub destination: Destination,
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
    /// How long the destination may take for a batch.
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

/// Hands the changes of a table to a destination.
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
        let TriggerOptions { name, table, destination, .. } = &self.options;
        let (name, owner) = (name.clone(), self.owner.clone());
        let checkpoints =
            Checkpoints::open(self.endpoint.clone(), name, owner, stream.clone()).await?;
        let known = checkpoints.load().await?;
        tracing::info!(trigger = self.options.name, "running: {table} → {destination}");
        let (endpoint, options) = (self.endpoint.clone(), self.options.clone());
        let consumer = Deliverer::new(endpoint, options, checkpoints, known, stop.clone());
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
