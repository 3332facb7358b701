//! Bills: what a table costs in a month, in each way of paying for it.

use monotable_model::document::TableClass;

use super::month::{HOURS, SECONDS};
use super::price::{ClassPrices, Prices, RESERVED_BLOCK_UNITS, ReservedPrices, UnitPrices};
use super::usage::Load;

/// A way of paying for capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payment {
    /// By request.
    OnDemand,
    /// By the hour, for the peak.
    Provisioned,
    /// By the hour, for capacity that follows the load.
    Scaled,
    /// By the hour, for the capacity that the model gives the table and its indexes.
    Declared,
    /// As provisioned, with whole hundreds of units reserved for a year.
    ReservedOneYear,
    /// As provisioned, with whole hundreds of units reserved for three years.
    ReservedThreeYears,
}

/// The load of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Demand {
    /// Units a second of the table, local indexes included, and of each global index.
    pub loads: Vec<Load>,
    /// Capacity that the model gives to each of them, if it does.
    pub declared: Option<Vec<Load>>,
    /// Write units a second of each replica.
    pub replicated: f64,
    /// The prices of the regions of the replicas.
    pub replicas: Vec<Prices>,
    /// Requests a second to the stream.
    pub stream_reads: f64,
    /// Gigabytes that are stored in the table and its indexes.
    pub stored_gigabytes: f64,
    /// Gigabytes that a backup holds: the table and its local indexes.
    pub backup_gigabytes: f64,
    /// Whether the table can be restored to any second.
    pub point_in_time: bool,
    /// How many full backups are kept.
    pub backups: f64,
}

/// How capacity is provided for a load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Provision {
    /// Which part of the capacity is used when it is right.
    pub target_utilisation: f64,
    /// How many times the average the peak is.
    pub peak_factor: f64,
}

/// What a table costs in a month.
#[derive(Debug, Clone, PartialEq)]
pub struct Bill {
    /// How capacity is paid for.
    pub payment: Payment,
    /// The table class.
    pub class: TableClass,
    /// What is paid for, and how much; nothing where the price is not known.
    pub lines: Vec<(BillLine, Option<f64>)>,
}

/// Something that is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillLine {
    /// Reading.
    Reads,
    /// Writing.
    Writes,
    /// Writing in the regions of replicas.
    ReplicatedWrites,
    /// Storing the table and its indexes.
    Storage,
    /// Storing the replicas.
    ReplicaStorage,
    /// Being able to restore the table to any second.
    PointInTime,
    /// Full backups.
    Backups,
    /// Requests to the stream.
    StreamReads,
}

impl Bill {
    /// Everything whose price is known; nothing if that of capacity is not.
    pub fn total(&self) -> Option<f64> {
        let is_capacity = |line: BillLine| matches!(line, BillLine::Reads | BillLine::Writes);
        if self.lines.iter().any(|(line, amount)| is_capacity(*line) && amount.is_none()) {
            return None;
        }
        Some(self.lines.iter().filter_map(|(_, amount)| *amount).sum())
    }

    /// The amount of one line.
    pub fn amount(&self, line: BillLine) -> Option<f64> {
        self.lines.iter().find(|(other, _)| *other == line).and_then(|(_, amount)| *amount)
    }
}

impl Prices {
    /// The prices of a table class, if they are known.
    pub fn class(&self, class: TableClass) -> Option<ClassPrices> {
        match class {
            TableClass::Standard => Some(self.standard),
            TableClass::InfrequentAccess => self.infrequent_access,
        }
    }

    fn reserved(&self, payment: Payment) -> Option<ReservedPrices> {
        match payment {
            Payment::ReservedOneYear => self.reserved_one_year,
            Payment::ReservedThreeYears => self.reserved_three_years,
            Payment::OnDemand | Payment::Provisioned | Payment::Scaled | Payment::Declared => None,
        }
    }
}

impl Provision {
    /// The capacity for a load: at least one unit, as a table must have.
    pub fn capacity(&self, load: f64, payment: Payment) -> f64 {
        match payment {
            Payment::OnDemand => load,
            Payment::Scaled => (load / self.target_utilisation).max(1.0),
            Payment::Provisioned
            | Payment::Declared
            | Payment::ReservedOneYear
            | Payment::ReservedThreeYears => {
                (load * self.peak_factor / self.target_utilisation).ceil().max(1.0)
            }
        }
    }
}

/// Makes out the bill of a month, if the region has prices for the table class.
pub fn bill(
    demand: &Demand,
    prices: &Prices,
    provision: Provision,
    payment: Payment,
    class: TableClass,
) -> Option<Bill> {
    let of_class = prices.class(class)?;
    let capacity = Capacity { demand, prices, of_class, provision, payment };
    let mut lines = vec![
        (BillLine::Reads, capacity.reads()),
        (BillLine::Writes, capacity.writes()),
        (BillLine::Storage, Some(demand.stored_gigabytes * of_class.storage)),
    ];
    if !demand.replicas.is_empty() {
        let storage = demand
            .replicas
            .iter()
            .map(|replica| Some(demand.stored_gigabytes * replica.class(class)?.storage));
        lines.push((BillLine::ReplicatedWrites, capacity.replicated_writes(class)));
        lines.push((BillLine::ReplicaStorage, storage.sum()));
    }
    let of_backup = |price: Option<f64>| price.map(|price| price * demand.backup_gigabytes);
    if demand.point_in_time {
        lines.push((BillLine::PointInTime, of_backup(prices.point_in_time)));
    }
    if demand.backups > 0.0 {
        let amount = of_backup(prices.backup).map(|amount| amount * demand.backups);
        lines.push((BillLine::Backups, amount));
    }
    if demand.stream_reads > 0.0 {
        let amount = prices.stream_read.map(|price| price * demand.stream_reads * SECONDS);
        lines.push((BillLine::StreamReads, amount));
    }
    Some(Bill { payment, class, lines })
}

/// What is needed to price capacity.
struct Capacity<'a> {
    demand: &'a Demand,
    prices: &'a Prices,
    of_class: ClassPrices,
    provision: Provision,
    payment: Payment,
}

impl Capacity<'_> {
    fn reads(&self) -> Option<f64> {
        let unit = unit_prices(self.of_class, self.payment)?.read;
        let reserved = self.prices.reserved(self.payment);
        let block = reserved.map(|reserved| reserved.read.month(reserved.months));
        self.month(unit, block, |load| load.read)
    }

    /// Writes of a table with replicas are replicated writes, which cannot be reserved.
    fn writes(&self) -> Option<f64> {
        let prices = unit_prices(self.of_class, self.payment)?;
        if !self.demand.replicas.is_empty() {
            return self.month(prices.replicated_write, Some(f64::INFINITY), |load| load.write);
        }
        let reserved = self.prices.reserved(self.payment);
        let block = reserved.map(|reserved| reserved.write.month(reserved.months));
        self.month(prices.write, block, |load| load.write)
    }

    fn replicated_writes(&self, class: TableClass) -> Option<f64> {
        let capacity = self.provision.capacity(self.demand.replicated, self.payment);
        let units = capacity * if self.payment == Payment::OnDemand { SECONDS } else { HOURS };
        let of_replica = |replica: &Prices| {
            Some(units * unit_prices(replica.class(class)?, self.payment)?.replicated_write)
        };
        self.demand.replicas.iter().map(of_replica).sum()
    }

    fn month(&self, unit: f64, block: Option<f64>, part: fn(&Load) -> f64) -> Option<f64> {
        let units: f64 = if self.payment == Payment::Declared {
            self.demand.declared.as_ref()?.iter().map(part).sum()
        } else {
            let capacity = |load| self.provision.capacity(part(load), self.payment);
            self.demand.loads.iter().map(capacity).sum()
        };
        Some(match self.payment {
            Payment::OnDemand => units * SECONDS * unit,
            Payment::Provisioned | Payment::Scaled | Payment::Declared => units * HOURS * unit,
            Payment::ReservedOneYear | Payment::ReservedThreeYears => {
                reserved_month(units, unit, block?)
            }
        })
    }
}

/// Whole hundreds are reserved where that is cheaper; the rest is paid by the hour.
fn reserved_month(units: f64, unit: f64, block: f64) -> f64 {
    let blocks = (units / RESERVED_BLOCK_UNITS).floor();
    let block = block.min(RESERVED_BLOCK_UNITS * HOURS * unit);
    blocks * block + (units - blocks * RESERVED_BLOCK_UNITS) * HOURS * unit
}

fn unit_prices(class: ClassPrices, payment: Payment) -> Option<UnitPrices> {
    match payment {
        Payment::OnDemand => class.on_demand,
        Payment::Provisioned
        | Payment::Scaled
        | Payment::Declared
        | Payment::ReservedOneYear
        | Payment::ReservedThreeYears => class.provisioned,
    }
}
