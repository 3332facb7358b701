//! Verification: every key is built again from the attributes, and compared.

use std::sync::Arc;

use monotable_item::Item;
use monotable_migration::{Drift, Inspection, Migration, inspect};
use monotable_remote::decode_item;
use tokio::task::JoinSet;

use crate::checkpoint::is_checkpoint;
use crate::error::Error;
use crate::job::Job;
use crate::page::{self, PageRequest};
use crate::progress::Progress;
use crate::request;
use crate::settings::Settings;
use crate::stop::Stop;

/// What verification has found.
#[derive(Debug, Clone, Default)]
pub struct DriftReport {
    /// Items that were read.
    pub scanned: u64,
    /// Items that are of no entity of the new model.
    pub foreign: u64,
    /// Items that have drifted.
    pub drifted: Vec<DriftedItem>,
    /// Whether the whole table was read.
    pub finished: bool,
}

/// An item that has drifted.
#[derive(Debug, Clone, PartialEq)]
pub struct DriftedItem {
    /// The primary key.
    pub key: Item,
    /// The entity in the new model, if it is of one.
    pub entity: Option<String>,
    /// What differs.
    pub drifts: Vec<Drift>,
}

/// Builds every key of every item again.
///
/// A scan may read an item in the middle of a change. Whatever seems to have drifted is read again
/// by its key before it is reported.
pub async fn verify(
    job: &Job,
    settings: &Settings,
    progress: &Arc<Progress>,
    stop: &Stop,
) -> Result<DriftReport, Error> {
    progress.begin_verify();
    let mut tasks = JoinSet::new();
    for number in 0..settings.segments {
        let (job, settings) = (job.clone(), settings.clone());
        let (progress, stop) = (Arc::clone(progress), stop.clone());
        tasks.spawn(async move { segment(&job, &settings, number, &progress, &stop).await });
    }
    let mut report = DriftReport { finished: true, ..DriftReport::default() };
    while let Some(ended) = tasks.join_next().await {
        let part = ended.map_err(|error| Error::LostSegment { reason: error.to_string() })??;
        report.scanned += part.scanned;
        report.foreign += part.foreign;
        report.finished &= part.finished;
        report.drifted.extend(part.drifted);
    }
    Ok(report)
}

async fn segment(
    job: &Job,
    settings: &Settings,
    number: u32,
    progress: &Progress,
    stop: &Stop,
) -> Result<DriftReport, Error> {
    let migration = job.migration()?;
    let mut report = DriftReport::default();
    let mut after = None;
    while !stop.is_asked() {
        let wanted = PageRequest {
            table: &job.table,
            segment: number,
            segments: settings.segments,
            items_max: settings.page_items,
            filter: None,
            after: after.as_ref(),
        };
        let page = page::read(&job.endpoint, &wanted).await?;
        progress.scanned(page.scanned);
        for item in page.items.iter().filter(|item| !is_checkpoint(item)) {
            report.scanned += 1;
            examine(job, &migration, item, &mut report).await?;
        }
        after = page.last_key;
        if after.is_none() {
            return Ok(DriftReport { finished: true, ..report });
        }
    }
    Ok(report)
}

async fn examine(
    job: &Job,
    migration: &Migration<'_>,
    item: &Item,
    report: &mut DriftReport,
) -> Result<(), Error> {
    let first = inspect(migration, item);
    if first.drifts.is_empty() {
        report.foreign += u64::from(first.entity.is_none());
        return Ok(());
    }
    let key = migration.key_of(item);
    let answer = job.endpoint.call_patiently("GetItem", &request::get(&job.table, &key)).await?;
    let Some(now) = answer.get("Item").map(decode_item).transpose()? else { return Ok(()) };
    let Inspection { entity, drifts } = inspect(migration, &now);
    if !drifts.is_empty() {
        report.drifted.push(DriftedItem { key, entity, drifts });
    }
    Ok(())
}
