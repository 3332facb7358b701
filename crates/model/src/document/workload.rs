//! The load that the tables bear.

/// What holds for the model as a whole, and for patterns that do not say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Workload {
    /// How often a reading pattern without a rate is asked.
    pub reads_per_second: Option<f64>,
    /// How often a writing pattern without a rate is asked.
    pub writes_per_second: Option<f64>,
    /// How many times the average the busiest hour is.
    pub peak_factor: Option<f64>,
    /// The region whose prices hold.
    pub region: Option<String>,
    /// By which part the data grows in a month: 0.1 is a tenth.
    pub growth_per_month: Option<f64>,
}
