//! What a request consumed.

use std::collections::BTreeMap;

/// How much a request wants to know of what it consumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum CapacityDetail {
    /// Nothing.
    #[default]
    None,
    /// The sum.
    Total,
    /// The sum, and the parts of the table and of each index.
    Indexes,
}

/// The units that a request consumed on one table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConsumedCapacity {
    /// The table, named as the request named it.
    pub table: String,
    /// All units.
    pub units: f64,
    /// The read units; transactions only.
    pub read_units: Option<f64>,
    /// The write units; transactions only.
    pub write_units: Option<f64>,
    /// The table's part, with [`CapacityDetail::Indexes`].
    pub table_units: Option<f64>,
    /// The parts of secondary indexes by name, with [`CapacityDetail::Indexes`].
    pub index_units: BTreeMap<String, f64>,
}
