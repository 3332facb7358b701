//! One segment of the table, page by page.

use std::sync::Arc;

use monotable_item::Item;
use monotable_migration::Migration;
use tokio::task::JoinSet;

use crate::checkpoint::{SegmentCheckpoint, is_checkpoint};
use crate::checkpoint_store::CheckpointStore;
use crate::error::Error;
use crate::page::{self, PageRequest};
use crate::progress::Event;
use crate::settings::{Mode, Settings};
use crate::writing::{BlockedItem, Change, RevisionOutcome, Shared, Written};

/// A segment and where it stands.
pub(crate) struct Segment {
    pub(crate) shared: Arc<Shared>,
    pub(crate) settings: Settings,
    pub(crate) store: Option<Arc<CheckpointStore>>,
    pub(crate) number: u32,
    pub(crate) segments: u32,
    pub(crate) checkpoint: SegmentCheckpoint,
}

/// How a segment ended.
pub(crate) struct SegmentEnd {
    /// Whether all pages were read.
    pub(crate) done: bool,
    /// Items that stay as they are.
    pub(crate) blocked: Vec<BlockedItem>,
}

impl Segment {
    /// Works through the pages that are left.
    pub(crate) async fn run(mut self) -> Result<SegmentEnd, Error> {
        let shared = Arc::clone(&self.shared);
        let migration = shared.job.migration()?;
        let mut blocked = Vec::new();
        while !self.checkpoint.done {
            if shared.stop.is_asked() {
                return Ok(SegmentEnd { done: false, blocked });
            }
            if !self.page(&migration, &mut blocked).await? {
                return Ok(SegmentEnd { done: false, blocked });
            }
        }
        Ok(SegmentEnd { done: true, blocked })
    }

    /// Reads a page, writes its items and notes that in the checkpoint. Says whether it was not
    /// told to stop.
    async fn page(
        &mut self,
        migration: &Migration<'_>,
        blocked: &mut Vec<BlockedItem>,
    ) -> Result<bool, Error> {
        let shared = Arc::clone(&self.shared);
        let wanted = PageRequest {
            table: &shared.job.table,
            segment: self.number,
            segments: self.segments,
            items_max: self.settings.page_items,
            filter: shared.prepared.filter.as_ref(),
            after: self.checkpoint.last_key.as_ref(),
        };
        let page = page::read(&shared.job.endpoint, &wanted).await?;
        let Some(changed) = self.items(migration, &page.items, blocked).await? else {
            return Ok(false);
        };
        shared.progress.scanned(page.scanned);
        self.checkpoint.scanned += page.scanned;
        self.checkpoint.changed += changed;
        self.checkpoint.done = page.last_key.is_none();
        self.checkpoint.last_key = page.last_key;
        if let Some(store) = &self.store {
            store.save(self.number, &self.checkpoint).await?;
        }
        Ok(true)
    }

    /// Writes the items of a page, several at a time. Gives how many were changed, unless it was
    /// told to stop.
    async fn items(
        &self,
        migration: &Migration<'_>,
        items: &[Item],
        blocked: &mut Vec<BlockedItem>,
    ) -> Result<Option<u64>, Error> {
        let mut writes = JoinSet::new();
        let mut changed = 0;
        let mut is_stopped = false;
        for item in items.iter().filter(|item| !is_checkpoint(item)) {
            let Some(change) = self.decide(migration, item, blocked) else { continue };
            while writes.len() >= self.settings.writes_in_flight {
                changed += settle(writes.join_next().await, blocked)?;
            }
            is_stopped = self.shared.stop.is_asked();
            if is_stopped {
                break;
            }
            let shared = Arc::clone(&self.shared);
            writes.spawn(async move { shared.write(change).await });
        }
        while !writes.is_empty() {
            changed += settle(writes.join_next().await, blocked)?;
        }
        Ok((!is_stopped).then_some(changed))
    }

    /// What is to be written of an item, if anything is.
    fn decide(
        &self,
        migration: &Migration<'_>,
        item: &Item,
        blocked: &mut Vec<BlockedItem>,
    ) -> Option<Change> {
        let event = match (RevisionOutcome::from(migration.revise(item)), self.settings.mode) {
            (RevisionOutcome::Write(change), Mode::Write) => return Some(change),
            (RevisionOutcome::Write(change), Mode::DryRun) => change.event(),
            (RevisionOutcome::Settled(event), _) => event,
            (RevisionOutcome::Blocked(reason), _) => {
                blocked.push(BlockedItem { key: migration.key_of(item), reason });
                Event::Blocked
            }
        };
        self.shared.progress.note(event);
        None
    }
}

/// Takes up how a write ended. Returns whether the item was changed, as a count.
fn settle(
    ended: Option<Result<Result<Written, Error>, tokio::task::JoinError>>,
    blocked: &mut Vec<BlockedItem>,
) -> Result<u64, Error> {
    let Some(ended) = ended else { return Ok(0) };
    let written = ended.map_err(|error| Error::LostSegment { reason: error.to_string() })??;
    match written {
        Written::Changed => Ok(1),
        Written::Unchanged => Ok(0),
        Written::Blocked(item) => {
            blocked.push(item);
            Ok(0)
        }
    }
}
