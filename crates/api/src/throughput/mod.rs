//! Capacity as AWS limits it: by table, by index and by partition.
//!
//! Calls are let in by what is left before them, and charged for what they have consumed after
//! them. What they consume at least is taken at once, so that calls at the same moment see each
//! other.
//!
//! - A provisioned table or global index gets its units every second, and keeps those of five
//!   minutes that it did not use ([`bucket`]). It begins with those of one second.
//! - An on-demand one takes twice its earlier peak ([`growth`]), up to its ceiling and the
//!   account's quota.
//! - A partition takes no more than 3,000 read and 1,000 write units a second, whatever is left of
//!   its table ([`partitions`]).

mod bucket;
mod growth;
mod meter;
mod partitions;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use monotable_database::schema::{Billing, IndexId, TableId, TableSchema};
use monotable_faults::Limit;

use self::meter::{Allowance, Meter};

/// Whether something is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Read,
    Write,
}

/// A limit that a call meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Throttled {
    pub(crate) table: String,
    pub(crate) index: Option<String>,
    pub(crate) flow: Flow,
    pub(crate) limit: Limit,
    pub(crate) billing: Billing,
}

/// A part of a table, or of a global index, that is read or written.
#[derive(Debug, Clone)]
pub(crate) struct MeteredPart {
    pub(crate) schema: Arc<TableSchema>,
    pub(crate) index: Option<IndexId>,
    pub(crate) flow: Flow,
    /// The hash of its partition key, if it has one.
    pub(crate) hash: Option<u64>,
}

/// How many tables and indexes are remembered that nobody uses.
const IDLE_METERS_MAX: usize = 4096;
/// When a meter is as good as a new one: everything in it is full again.
const IDLE_MILLIS: u64 = 30 * 60 * 1000;

/// What all tables and indexes may still consume.
#[derive(Debug, Default)]
pub(crate) struct Throughput {
    meters: Mutex<HashMap<(TableId, Option<IndexId>), Meter>>,
}

impl Throughput {
    /// Whether the size of a table is not known yet.
    pub(crate) fn is_new(&self, place: &MeteredPart) -> bool {
        !self.lock().contains_key(&place.resource())
    }

    /// Takes note of how much a table or index holds.
    pub(crate) fn introduce(&self, place: &MeteredPart, size_bytes: u64, now_millis: u64) {
        let mut meters = self.lock();
        if meters.len() >= IDLE_METERS_MAX {
            meters.retain(|_, meter| now_millis.saturating_sub(meter.used_millis) < IDLE_MILLIS);
        }
        let meter = || Meter::new(place.allowance(), size_bytes, now_millis);
        meters.entry(place.resource()).or_insert_with(meter);
    }

    /// The limit that a call meets at a place, if any.
    pub(crate) fn met(&self, place: &MeteredPart, now_millis: u64) -> Option<Throttled> {
        let limit = self
            .with_meter(place, now_millis, |meter| meter.met(place.flow, place.hash, now_millis))?;
        Some(place.throttled(limit))
    }

    /// Takes units at a place, or puts some back.
    pub(crate) fn take(&self, place: &MeteredPart, units: f64, now_millis: u64) {
        self.with_meter(place, now_millis, |meter| {
            meter.take(place.flow, place.hash, units, now_millis);
        });
    }

    fn with_meter<T>(
        &self,
        place: &MeteredPart,
        now_millis: u64,
        work: impl FnOnce(&mut Meter) -> T,
    ) -> T {
        let allowance = place.allowance();
        let mut meters = self.lock();
        let meter = meters.entry(place.resource());
        let meter = meter.or_insert_with(|| Meter::new(allowance, 0, now_millis));
        meter.update(allowance, now_millis);
        work(meter)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(TableId, Option<IndexId>), Meter>> {
        self.meters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MeteredPart {
    fn resource(&self) -> (TableId, Option<IndexId>) {
        (self.schema.id, self.index)
    }

    fn allowance(&self) -> Allowance {
        let index = self.index.and_then(|index| self.schema.index_by_id(index));
        Allowance::of(&self.schema, index)
    }

    /// What a call is told that meets a limit here.
    pub(crate) fn throttled(&self, limit: Limit) -> Throttled {
        let index = self.index.and_then(|index| self.schema.index_by_id(index));
        Throttled {
            table: self.schema.name.clone(),
            index: index.map(|index| index.name.clone()),
            flow: self.flow,
            limit,
            billing: self.schema.settings.billing,
        }
    }
}
