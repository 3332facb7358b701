//! The backfill: all segments at once, from where they were.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::bucket::Bucket;
use crate::checkpoint::SegmentCheckpoint;
use crate::checkpoint_store::CheckpointStore;
use crate::error::Error;
use crate::job::{Job, Prepared};
use crate::progress::{Counts, Progress};
use crate::segment::{Segment, SegmentEnd};
use crate::settings::{Mode, Settings};
use crate::stop::Stop;
use crate::writing::{BlockedItem, Shared};

/// What a backfill has done.
#[derive(Debug, Clone)]
pub struct BackfillReport {
    /// The counters of this run.
    pub counts: Counts,
    /// Whether every segment was read to its end. A run that was told to stop goes on when it is
    /// started again.
    pub finished: bool,
    /// Whether it went on where an earlier run had stopped.
    pub resumed: bool,
    /// Items that stay as they are, with the reasons.
    pub blocked: Vec<BlockedItem>,
}

/// Takes the items of a table to their new form.
pub async fn backfill(
    job: &Job,
    prepared: &Prepared,
    settings: &Settings,
    progress: &Arc<Progress>,
    stop: &Stop,
) -> Result<BackfillReport, Error> {
    let store = match settings.mode {
        Mode::Write => Some(Arc::new(CheckpointStore::open(job, prepared, settings).await?)),
        Mode::DryRun => None,
    };
    let checkpoints = match &store {
        Some(store) => store.resume(settings.segments, settings.restart).await?,
        None => (0..settings.segments).map(|_| SegmentCheckpoint::default()).collect(),
    };
    let resumed = checkpoints.iter().any(|checkpoint| *checkpoint != SegmentCheckpoint::default());
    progress.scanned(checkpoints.iter().map(|checkpoint| checkpoint.scanned).sum());
    let now = job.endpoint.clock().now_millis();
    let shared = Arc::new(Shared {
        job: job.clone(),
        prepared: prepared.clone(),
        bucket: Bucket::new(settings.write_units_per_second, now),
        progress: Arc::clone(progress),
        stop: stop.clone(),
    });
    let ends = run_segments(&shared, settings, store, checkpoints).await?;
    Ok(BackfillReport {
        counts: progress.counts(),
        finished: ends.iter().all(|end| end.done),
        resumed,
        blocked: ends.into_iter().flat_map(|end| end.blocked).collect(),
    })
}

/// Forgets how far a migration has come, since it is done.
pub async fn forget(job: &Job, prepared: &Prepared, settings: &Settings) -> Result<(), Error> {
    CheckpointStore::open(job, prepared, settings).await?.forget().await
}

async fn run_segments(
    shared: &Arc<Shared>,
    settings: &Settings,
    store: Option<Arc<CheckpointStore>>,
    checkpoints: Vec<SegmentCheckpoint>,
) -> Result<Vec<SegmentEnd>, Error> {
    let segments = u32::try_from(checkpoints.len()).unwrap_or(u32::MAX);
    let mut tasks = JoinSet::new();
    for (number, checkpoint) in (0..segments).zip(checkpoints) {
        let segment = Segment {
            shared: Arc::clone(shared),
            settings: settings.clone(),
            store: store.clone(),
            number,
            segments,
            checkpoint,
        };
        tasks.spawn(segment.run());
    }
    let mut ends = Vec::new();
    while let Some(ended) = tasks.join_next().await {
        // The first error ends all: dropping the set cancels the others, whose pages will be read
        // again.
        ends.push(ended.map_err(|error| Error::LostSegment { reason: error.to_string() })??);
    }
    Ok(ends)
}
