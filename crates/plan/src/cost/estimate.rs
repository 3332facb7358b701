//! The estimate: what a model costs, by pattern, entity, index and month.

use std::collections::BTreeMap;

use monotable_model::document::{Model, Operation, TableClass};

use super::bill::{Bill, Payment, Provision};
use super::break_even::{ProjectionSaving, StorageShare, Utilisation};
use super::call::Call;
use super::costing::Costing;
use super::partition::Partitions;
use super::price::Prices;
use super::size::{EntitySize, SizeSource};
use super::usage::{Load, Usage};
use crate::Plan;

/// The peak in averages, where the model does not say.
pub const DEFAULT_PEAK_FACTOR: f64 = 2.0;
/// The target utilisation by default: that of AWS's automatic scaling.
pub const DEFAULT_TARGET_UTILISATION: f64 = 0.7;

/// What an estimate is made with.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The prices of the region.
    pub prices: Prices,
    /// Which part of provisioned capacity is used when it is right.
    pub target_utilisation: f64,
    /// How many full backups are kept.
    pub backups: f64,
}

impl Settings {
    /// With these prices, and what holds by default.
    pub fn new(prices: Prices) -> Settings {
        Settings { prices, target_utilisation: DEFAULT_TARGET_UTILISATION, backups: 0.0 }
    }
}

/// What a model costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The name of the model.
    pub model: String,
    /// The prices that it is made with.
    pub prices: Prices,
    /// How capacity is provided for the load.
    pub provision: Provision,
    /// The patterns, in the order of the file.
    pub patterns: Vec<PatternCost>,
    /// The entities that are items, in the order of the file.
    pub entities: Vec<EntityCost>,
    /// The tables, in the order of the file.
    pub tables: Vec<TableCost>,
    /// What the model does not say, and what was assumed instead.
    pub notes: Vec<String>,
}

/// What a pattern costs.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternCost {
    /// The pattern.
    pub name: String,
    /// What it does.
    pub operation: Operation,
    /// The tables and indexes that it reads or writes.
    pub targets: Vec<String>,
    /// How often it is used, per second, if that is known.
    pub rate: Option<f64>,
    /// The units of one run, by table.
    pub usage: BTreeMap<String, Usage>,
    /// What a month of it costs, paid by request; nothing if the rate or the price is not known.
    pub month: Option<f64>,
    /// The requests of one run.
    pub calls: Vec<Call>,
    /// What had to be assumed.
    pub assumptions: Vec<String>,
}

/// What an entity costs.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityCost {
    /// The entity.
    pub name: String,
    /// The table.
    pub table: String,
    /// Its sizes and how many there are.
    pub size: EntitySize,
    /// What a month of storing it costs, entries in indexes included; nothing if there is no count.
    pub storage: Option<f64>,
    /// What a month of reading it costs, paid by request. What a request reads of several entities
    /// is divided evenly.
    pub reads: f64,
    /// What a month of writing it costs, paid by request.
    pub writes: f64,
}

/// What a table costs.
#[derive(Debug, Clone, PartialEq)]
pub struct TableCost {
    /// The table.
    pub name: String,
    /// The table itself, then its indexes in the order of the file.
    pub arms: Vec<ArmCost>,
    /// How the model says that capacity is paid for.
    pub payment: Payment,
    /// The class that the model says.
    pub class: TableClass,
    /// The bill of each way of paying for which there are prices.
    pub bills: Vec<Bill>,
    /// An estimate of its partitions, at the peak.
    pub partitions: Partitions,
    /// Where provisioned capacity becomes cheaper.
    pub utilisation: Option<Utilisation>,
    /// The part of provisioned capacity that would be used on average.
    pub average_utilisation: f64,
    /// Where the class Standard-Infrequent Access becomes cheaper.
    pub storage_share: Option<StorageShare>,
    /// What narrower projections would save.
    pub projections: Vec<ProjectionSaving>,
}

/// What a table or an index costs.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmCost {
    /// The index; nothing for the table itself.
    pub index: Option<String>,
    /// How many items or entries it holds, as far as that is known.
    pub entries: f64,
    /// The gigabytes that are stored.
    pub gigabytes: f64,
    /// Units a second.
    pub load: Load,
    /// What a month of storage costs.
    pub storage: f64,
    /// What a month of reading costs, paid by request.
    pub reads: Option<f64>,
    /// What a month of writing costs, paid by request.
    pub writes: Option<f64>,
}

impl Estimate {
    /// Estimates a model. Where reads go is what the planner says.
    pub fn of(model: &Model, settings: &Settings) -> Estimate {
        Costing::new(model, settings).estimate()
    }

    /// The same with the plans of all patterns of the model, in the order of the file, for those
    /// who have made them.
    pub fn of_plans(model: &Model, plans: &[Plan], settings: &Settings) -> Estimate {
        Costing::planned(model, plans, settings).estimate()
    }

    /// What the model costs in a month as it says that it is paid for.
    pub fn total(&self) -> f64 {
        self.tables.iter().filter_map(TableCost::total).sum()
    }
}

impl TableCost {
    /// The bill of a way of paying and a class.
    pub fn bill(&self, payment: Payment, class: TableClass) -> Option<&Bill> {
        self.bills.iter().find(|bill| bill.payment == payment && bill.class == class)
    }

    /// What the table costs in a month as the model says that it is paid for.
    pub fn total(&self) -> Option<f64> {
        self.bill(self.payment, self.class).and_then(Bill::total)
    }

    /// The cheapest way of paying for it.
    pub fn cheapest(&self) -> Option<&Bill> {
        let priced = self.bills.iter().filter_map(|bill| Some((bill, bill.total()?)));
        priced.min_by(|(_, left), (_, right)| left.total_cmp(right)).map(|(bill, _)| bill)
    }
}

impl SizeSource {
    /// In words: `3 samples`, `declared`, `attributes`.
    pub fn describe(self) -> String {
        match self {
            SizeSource::Samples(1) => "1 sample".to_owned(),
            SizeSource::Samples(count) => format!("{count} samples"),
            SizeSource::Declared => "declared".to_owned(),
            SizeSource::Attributes => "attributes".to_owned(),
        }
    }
}
