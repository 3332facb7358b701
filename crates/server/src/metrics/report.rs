//! Everything that was counted, on one page.

use std::collections::BTreeMap;
use std::time::Duration;

use monotable_database::{Lags, VectorStatistics};
use monotable_observe::{DURATION_BOUNDS_MICROS, ModelReport, PatternReport};
use monotable_storage::{EngineStatistics, HistogramCounts, RemoteStatistics, StoreStatistics};

use super::calls::{CallTotals, Totals};
use super::catalogue::*;
use super::process::Memory;
use super::{Metrics, Page};

const NANOS_PER_SEC: f64 = 1e9;
const MICROS_PER_SEC: f64 = 1e6;
/// How many patterns of a model are on the page.
const MODEL_PATTERNS_MAX: usize = 200;

/// What is on the page besides what was counted.
pub(crate) struct Circumstances {
    /// How the store is doing, if it tells.
    pub(crate) storage: Option<StoreStatistics>,
    /// How far the work in the background is behind.
    pub(crate) lags: Lags,
    /// How vectors were searched.
    pub(crate) vectors: VectorStatistics,
    /// Whether the server takes reads and writes.
    pub(crate) is_ready: bool,
    /// The time since the server was started.
    pub(crate) uptime: Duration,
    /// What was seen of the models that are loaded.
    pub(crate) models: Vec<ModelReport>,
}

/// Writes the page.
pub(crate) fn write_page(metrics: &Metrics, circumstances: &Circumstances) -> Page {
    let mut page = Page::default();
    let totals = metrics.calls.totals();
    write_calls(&mut page, &totals);
    write_units(&mut page, &totals);
    write_models(&mut page, &circumstances.models);
    let connections = &metrics.connections;
    page.single(&CONNECTIONS_OPEN, connections.open.get());
    page.single(&CONNECTIONS_ACCEPTED, connections.accepted.get());
    page.single(&CONNECTIONS_REFUSED, connections.refused.get());
    page.single(&READY, u8::from(circumstances.is_ready));
    match &circumstances.storage {
        Some(StoreStatistics::Disk(storage)) => write_storage(&mut page, storage),
        Some(StoreStatistics::Remote(storage)) => write_remote_storage(&mut page, storage),
        None => {}
    }
    write_lags(&mut page, &circumstances.lags);
    write_vectors(&mut page, &circumstances.vectors);
    page.single(&AUDIT_LINES, metrics.audit.written.get());
    page.single(&AUDIT_DROPPED, metrics.audit.dropped.get());
    page.single(&SPANS_SENT, metrics.traces.sent.get());
    page.single(&SPANS_DROPPED, metrics.traces.dropped.get());
    write_process(&mut page, circumstances.uptime);
    page
}

fn write_calls(page: &mut Page, totals: &Totals) {
    page.begin(&REQUESTS);
    for ((operation, table), calls) in &totals.calls {
        write_outcomes(page, operation, table, calls);
    }
    page.begin(&REQUEST_DURATION);
    for ((operation, table), calls) in &totals.calls {
        let labels = [*operation, table];
        page.histogram(&REQUEST_DURATION, &labels, &calls.duration_nanos, NANOS_PER_SEC);
    }
    let mut bytes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for ((operation, _), calls) in &totals.calls {
        let sum = bytes.entry(operation).or_default();
        *sum = (sum.0 + calls.request_bytes, sum.1 + calls.response_bytes);
    }
    page.begin(&REQUEST_BYTES);
    bytes.iter().for_each(|(name, sum)| page.value(&REQUEST_BYTES, &[name], sum.0));
    page.begin(&RESPONSE_BYTES);
    bytes.iter().for_each(|(name, sum)| page.value(&RESPONSE_BYTES, &[name], sum.1));
}

/// Writes how often an operation on a table succeeded, and how often it did not and why.
fn write_outcomes(page: &mut Page, operation: &str, table: &str, calls: &CallTotals) {
    let failed: u64 = calls.errors.values().sum();
    // An error may have been counted after the durations were read.
    let done = calls.duration_nanos.total().saturating_sub(failed);
    if done > 0 {
        page.value(&REQUESTS, &[operation, table, "2xx", ""], done);
    }
    let mut classes: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for ((status, name), count) in &calls.errors {
        *classes.entry((status_class(*status), name)).or_default() += count;
    }
    for ((class, name), count) in classes {
        page.value(&REQUESTS, &[operation, table, class, name], count);
    }
}

fn status_class(status: u16) -> &'static str {
    match status {
        400..500 => "4xx",
        500..600 => "5xx",
        _ => "_other",
    }
}

/// Writes what access patterns were asked and what did not fit.
fn write_models(page: &mut Page, models: &[ModelReport]) {
    let patterns: Vec<SeenPattern<'_>> = models.iter().flat_map(SeenPattern::all).collect();
    page.begin(&PATTERN_REQUESTS);
    for SeenPattern { model, name, seen } in &patterns {
        let refused = [("refused", seen.errors), ("throttled", seen.throttles)];
        let answered = seen.requests.saturating_sub(seen.errors + seen.throttles);
        for (outcome, count) in [("answered", answered)].into_iter().chain(refused) {
            if count > 0 {
                page.value(&PATTERN_REQUESTS, &[model, name, outcome], count);
            }
        }
    }
    page.begin(&PATTERN_UNITS);
    for SeenPattern { model, name, seen } in &patterns {
        for (kind, units) in [("read", seen.read_units), ("write", seen.write_units)] {
            if units > 0.0 {
                page.value(&PATTERN_UNITS, &[model, name, kind], units);
            }
        }
    }
    page.begin(&PATTERN_DURATION);
    for SeenPattern { model, name, seen } in &patterns {
        let micros = HistogramCounts {
            bounds: &DURATION_BOUNDS_MICROS,
            counts: seen.durations.clone(),
            sum: seen.micros,
        };
        page.histogram(&PATTERN_DURATION, &[model, name], &micros, MICROS_PER_SEC);
    }
    page.begin(&DRIFT);
    for model in models {
        let mut kinds: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for entry in &model.drift {
            let entity = entry.newest.entity.as_deref().unwrap_or_default();
            *kinds.entry((entity, entry.newest.fault.name())).or_default() += entry.count;
        }
        for ((entity, fault), count) in kinds {
            page.value(&DRIFT, &[&model.name, entity, fault], count);
        }
        if model.other_drift > 0 {
            page.value(&DRIFT, &[&model.name, "_other", "_other"], model.other_drift);
        }
    }
}

/// A pattern that was asked.
struct SeenPattern<'a> {
    model: &'a str,
    name: &'a str,
    seen: &'a PatternReport,
}

impl SeenPattern<'_> {
    /// The first patterns of a model that were asked, and what is no pattern. A model names as many
    /// patterns as it likes, and a page has room for some.
    fn all(model: &ModelReport) -> Vec<SeenPattern<'_>> {
        let named = model.patterns.iter().filter(|one| one.requests > 0);
        let named = named.take(MODEL_PATTERNS_MAX).map(|one| (one.name.as_str(), one));
        let rest = [("_undecided", &model.undecided), ("_unmatched", &model.unmatched)];
        let all = named.chain(rest.into_iter().filter(|(_, one)| one.requests > 0));
        all.map(|(name, seen)| SeenPattern { model: &model.name, name, seen }).collect()
    }
}

fn write_units(page: &mut Page, totals: &Totals) {
    page.begin(&READ_UNITS);
    for ((table, index), units) in totals.units.iter().filter(|(_, units)| units.read > 0) {
        let labels = [table.as_str(), index.as_deref().unwrap_or_default()];
        page.value(&READ_UNITS, &labels, units.read as f64 / 2.0);
    }
    page.begin(&WRITE_UNITS);
    for ((table, index), units) in totals.units.iter().filter(|(_, units)| units.write > 0) {
        let labels = [table.as_str(), index.as_deref().unwrap_or_default()];
        page.value(&WRITE_UNITS, &labels, units.write as f64 / 2.0);
    }
}

fn write_storage(page: &mut Page, storage: &EngineStatistics) {
    page.single(&DISK_BYTES, storage.disk_bytes);
    if let Some(free_bytes) = storage.disk_free_bytes {
        page.single(&DISK_FREE, free_bytes);
    }
    page.single(&DISK_RESERVE, storage.disk_reserve_bytes);
    page.single(&WRITABLE, u8::from(storage.is_writable));
    page.single(&TABLE_FILES, storage.table_files);
    page.single(&MEMTABLE_BYTES, storage.memtable_bytes);
    page.single(&JOURNAL_WRITTEN, storage.journal_written_bytes);
    page.begin(&JOURNAL_SYNC);
    page.histogram(&JOURNAL_SYNC, &[], &storage.journal_sync_nanos, NANOS_PER_SEC);
    page.begin(&JOURNAL_GROUP);
    page.histogram(&JOURNAL_GROUP, &[], &storage.group_commits, 1.0);
    page.single(&MERGE_DEBT, storage.merge_debt_bytes);
    page.single(&MERGE_WRITTEN, storage.merged_bytes);
    page.single(&MERGES_RUNNING, storage.merges_running);
}

/// Writes how a store on a database is doing. How large it is, the database itself tells.
fn write_remote_storage(page: &mut Page, storage: &RemoteStatistics) {
    page.single(&WRITABLE, u8::from(storage.is_writable));
    page.single(&POSTGRES_OPEN, storage.open_connections);
    page.single(&POSTGRES_OPENED, storage.opened_connections);
    page.single(&POSTGRES_FAILED, storage.failed_connections);
    page.single(&POSTGRES_SNAPSHOTS, storage.open_snapshots);
    page.begin(&POSTGRES_ROUND_TRIP);
    for (kind, nanos) in [("read", &storage.read_nanos), ("commit", &storage.commit_nanos)] {
        page.histogram(&POSTGRES_ROUND_TRIP, &[kind], nanos, NANOS_PER_SEC);
    }
    page.begin(&POSTGRES_GROUP);
    page.histogram(&POSTGRES_GROUP, &[], &storage.group_commits, 1.0);
    page.single(&POSTGRES_RETRIES, storage.retries);
    page.begin(&POSTGRES_LOST);
    for (outcome, count) in [
        ("committed", storage.lost_and_committed),
        ("not-committed", storage.lost_and_not_committed),
        ("unknown", storage.lost_and_unknown),
    ] {
        page.value(&POSTGRES_LOST, &[outcome], count);
    }
}

/// Writes how far the work in the background is behind. Tables of one name are taken together: the
/// one that is furthest behind counts.
fn write_lags(page: &mut Page, lags: &Lags) {
    let mut streams: BTreeMap<&str, (Option<u64>, u64)> = BTreeMap::new();
    for stream in &lags.streams {
        let sum = streams.entry(&stream.table).or_default();
        *sum = (sum.0.max(stream.oldest_record_millis), sum.1 + stream.shards);
    }
    page.begin(&STREAM_AGE);
    for (table, (age_millis, _)) in &streams {
        page.value(&STREAM_AGE, &[table], age_millis.unwrap_or(0) as f64 / 1000.0);
    }
    page.begin(&STREAM_SHARDS);
    streams.iter().for_each(|(table, (_, shards))| page.value(&STREAM_SHARDS, &[table], shards));
    let mut expiry: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for table in &lags.expiry {
        let sum = expiry.entry(&table.table).or_default();
        *sum = (sum.0 + table.due_items, sum.1.max(table.oldest_secs));
    }
    page.begin(&TTL_DUE);
    expiry.iter().for_each(|(table, (items, _))| page.value(&TTL_DUE, &[table], items));
    page.begin(&TTL_AGE);
    expiry.iter().for_each(|(table, (_, secs))| page.value(&TTL_AGE, &[table], secs));
}

fn write_vectors(page: &mut Page, vectors: &VectorStatistics) {
    page.begin(&VECTOR_SEARCHES);
    page.value(&VECTOR_SEARCHES, &["sketched"], vectors.sketched_searches);
    page.value(&VECTOR_SEARCHES, &["full"], vectors.full_searches);
    page.single(&SKETCH_BYTES, vectors.sketch_bytes);
    page.single(&SKETCH_BYTES_MAX, vectors.sketch_bytes_max);
    page.single(&SKETCHED_RANGES, vectors.sketched_ranges);
    page.single(&EVICTED_RANGES, vectors.evicted_ranges);
}

fn write_process(page: &mut Page, uptime: Duration) {
    let memory = Memory::now();
    if let Some(bytes) = memory.resident_bytes {
        page.single(&RESIDENT_MEMORY, bytes);
    }
    if let Some(bytes) = memory.anonymous_bytes {
        page.single(&ANONYMOUS_MEMORY, bytes);
    }
    page.single(&UPTIME, uptime.as_secs_f64());
    page.begin(&BUILD);
    page.value(&BUILD, &[env!("CARGO_PKG_VERSION")], 1);
}
