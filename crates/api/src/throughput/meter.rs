//! What one table or index may still consume.

use monotable_database::schema::{Billing, IndexSchema, TableSchema};
use monotable_database::{on_demand_partition_count, partition_count};
use monotable_faults::Limit;

use super::Flow;
use super::bucket::Bucket;
use super::growth::{Growth, initial_units};
use super::partitions::Partitions;

/// For how long capacity that is not used is kept.
const BURST_SECS: f64 = 300.0;
/// What an account allows a table or index in a second unless it asks for more.
const ACCOUNT_UNITS_MAX: f64 = 40_000.0;

/// What a table or index has by its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Allowance {
    /// So many read and write units a second.
    Provisioned { read: f64, write: f64 },
    /// What is asked for, up to these units a second if they are given.
    OnDemand { read_max: Option<f64>, write_max: Option<f64> },
}

impl Allowance {
    pub(super) fn of(schema: &TableSchema, index: Option<&IndexSchema>) -> Allowance {
        let settings = &schema.settings;
        let throughput = index.map_or(settings.throughput, |index| index.throughput);
        let ceiling = index.map_or(settings.ceiling, |index| index.ceiling);
        // A ceiling of -1 is none.
        let max = |units: Option<i64>| units.filter(|units| *units >= 0).map(|units| units as f64);
        match settings.billing {
            Billing::Provisioned => Allowance::Provisioned {
                read: throughput.read_units as f64,
                write: throughput.write_units as f64,
            },
            Billing::OnDemand => Allowance::OnDemand {
                read_max: max(ceiling.read_units),
                write_max: max(ceiling.write_units),
            },
        }
    }

    /// What is got a second, if that is known in advance.
    fn provisioned(&self, flow: Flow) -> Option<f64> {
        match (self, flow) {
            (Allowance::Provisioned { read, .. }, Flow::Read) => Some(*read),
            (Allowance::Provisioned { write, .. }, Flow::Write) => Some(*write),
            (Allowance::OnDemand { .. }, Flow::Read | Flow::Write) => None,
        }
    }

    fn ceiling(&self, flow: Flow) -> Option<f64> {
        match (self, flow) {
            (Allowance::OnDemand { read_max, .. }, Flow::Read) => *read_max,
            (Allowance::OnDemand { write_max, .. }, Flow::Write) => *write_max,
            (Allowance::Provisioned { .. }, Flow::Read | Flow::Write) => None,
        }
    }

    fn partition_count(&self, size_bytes: u64) -> usize {
        match *self {
            Allowance::Provisioned { read, write } => partition_count(read, write, size_bytes),
            Allowance::OnDemand { .. } => on_demand_partition_count(size_bytes),
        }
    }
}

/// What a table or index may still consume.
#[derive(Debug)]
pub(super) struct Meter {
    allowance: Allowance,
    size_bytes: u64,
    read: FlowMeter,
    write: FlowMeter,
    partitions: Partitions,
    /// When it was last asked.
    pub(super) used_millis: u64,
}

/// The same, in one direction.
#[derive(Debug)]
struct FlowMeter {
    flow: Flow,
    is_on_demand: bool,
    /// What the settings or, on demand, the past allow.
    bucket: Bucket,
    /// What the ceiling of an on-demand table allows.
    ceiling: Option<Bucket>,
    growth: Growth,
}

impl Meter {
    pub(super) fn new(allowance: Allowance, size_bytes: u64, now_millis: u64) -> Meter {
        Meter {
            allowance,
            size_bytes,
            read: FlowMeter::new(allowance, Flow::Read, now_millis),
            write: FlowMeter::new(allowance, Flow::Write, now_millis),
            partitions: Partitions::new(allowance.partition_count(size_bytes), now_millis),
            used_millis: now_millis,
        }
    }

    /// Takes note of other settings.
    pub(super) fn update(&mut self, allowance: Allowance, now_millis: u64) {
        self.used_millis = now_millis;
        if allowance == self.allowance {
            return;
        }
        self.read.update(self.allowance, allowance, now_millis);
        self.write.update(self.allowance, allowance, now_millis);
        self.partitions.grow(allowance.partition_count(self.size_bytes), now_millis);
        self.allowance = allowance;
    }

    /// The limit that a call meets, if any.
    pub(super) fn met(&mut self, flow: Flow, hash: Option<u64>, now_millis: u64) -> Option<Limit> {
        let limit = self.flow(flow).met(now_millis);
        let has_room = |hash| self.partitions.has_any(hash, flow, now_millis);
        limit.or_else(|| (!hash.is_none_or(has_room)).then_some(Limit::KeyRange))
    }

    /// Takes units, or puts some back.
    pub(super) fn take(&mut self, flow: Flow, hash: Option<u64>, units: f64, now_millis: u64) {
        self.flow(flow).take(units, now_millis);
        if let Some(hash) = hash {
            self.partitions.take(hash, flow, units, now_millis);
        }
    }

    fn flow(&mut self, flow: Flow) -> &mut FlowMeter {
        match flow {
            Flow::Read => &mut self.read,
            Flow::Write => &mut self.write,
        }
    }
}

impl FlowMeter {
    fn new(allowance: Allowance, flow: Flow, now_millis: u64) -> FlowMeter {
        let bucket = match allowance.provisioned(flow) {
            Some(units) => Bucket::new(units, BURST_SECS, now_millis),
            None => Bucket::new(initial_units(flow), 1.0, now_millis),
        };
        let ceiling = allowance.ceiling(flow).map(|units| Bucket::new(units, 1.0, now_millis));
        let is_on_demand = allowance.provisioned(flow).is_none();
        FlowMeter { flow, is_on_demand, bucket, ceiling, growth: Growth::new(now_millis) }
    }

    fn update(&mut self, old: Allowance, new: Allowance, now_millis: u64) {
        let fresh = FlowMeter::new(new, self.flow, now_millis);
        match (old.provisioned(self.flow), new.provisioned(self.flow)) {
            (Some(_), Some(units)) => self.bucket.resize(units, BURST_SECS, now_millis),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => {
                (self.bucket, self.is_on_demand) = (fresh.bucket, fresh.is_on_demand);
            }
        }
        if old.ceiling(self.flow) != new.ceiling(self.flow) {
            self.ceiling = fresh.ceiling;
        }
    }

    fn met(&mut self, now_millis: u64) -> Option<Limit> {
        if self.ceiling.as_mut().is_some_and(|ceiling| !ceiling.has_any(now_millis)) {
            return Some(Limit::MaxOnDemand);
        }
        if !self.is_on_demand {
            return (!self.bucket.has_any(now_millis)).then_some(Limit::Provisioned);
        }
        let units = self.growth.units_per_sec(self.flow, now_millis);
        let allowed = units.min(ACCOUNT_UNITS_MAX);
        self.bucket.resize(allowed, 1.0, now_millis);
        if self.bucket.has_any(now_millis) {
            return None;
        }
        // What an on-demand table cannot take yet, its partitions cannot.
        Some(if allowed < units { Limit::Account } else { Limit::KeyRange })
    }

    fn take(&mut self, units: f64, now_millis: u64) {
        self.bucket.take(units, now_millis);
        self.growth.note(units, now_millis);
        if let Some(ceiling) = &mut self.ceiling {
            ceiling.take(units, now_millis);
        }
    }
}
