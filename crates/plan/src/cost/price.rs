//! Prices of one region, as a file states them.

/// The prices of a region at a date.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    /// The region, such as `eu-west-1`.
    pub region: String,
    /// The day for which they hold: `2026-08-15`.
    pub date: String,
    /// Where they come from.
    pub source: String,
    /// The currency: `USD`.
    pub currency: String,
    /// Of tables of the class Standard.
    pub standard: ClassPrices,
    /// Of tables of the class Standard-Infrequent Access.
    pub infrequent_access: Option<ClassPrices>,
    /// Of capacity that is reserved for a year.
    pub reserved_one_year: Option<ReservedPrices>,
    /// Of capacity that is reserved for three years.
    pub reserved_three_years: Option<ReservedPrices>,
    /// Of a gigabyte of a table that can be restored to any second, for a month.
    pub point_in_time: Option<f64>,
    /// Of a gigabyte of a backup, for a month.
    pub backup: Option<f64>,
    /// Of one request to a stream.
    pub stream_read: Option<f64>,
}

/// The prices of a table class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassPrices {
    /// Of a gigabyte, for a month.
    pub storage: f64,
    /// Of one unit that is paid by request.
    pub on_demand: Option<UnitPrices>,
    /// Of one unit of each second, for an hour.
    pub provisioned: Option<UnitPrices>,
}

/// The prices of units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitPrices {
    /// Of a read unit.
    pub read: f64,
    /// Of a write unit.
    pub write: f64,
    /// Of a write unit of a table with replicas, in each of its regions.
    pub replicated_write: f64,
}

/// The prices of reserved capacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReservedPrices {
    /// How long it is reserved.
    pub months: f64,
    /// Of 100 read units.
    pub read: ReservedBlock,
    /// Of 100 write units.
    pub write: ReservedBlock,
}

/// The price of 100 reserved units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReservedBlock {
    /// At the beginning.
    pub upfront: f64,
    /// For each hour.
    pub hour: f64,
}

/// How many units are reserved together.
pub const RESERVED_BLOCK_UNITS: f64 = 100.0;

impl ReservedBlock {
    /// What a block costs in a month of its term.
    pub fn month(self, months: f64) -> f64 {
        self.upfront / months + self.hour * super::month::HOURS
    }
}
