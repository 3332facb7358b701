//! How many partitions a table has, by the arithmetic that AWS published in its early years.
//!
//! A partition gives at most 3000 read or 1000 write units a second and holds about 10 GB. How a
//! table is divided is not published any more, and capacity moves to where it is needed; the
//! figures tell how far a design is from depending on that, and the maxima of one partition still
//! hold.

/// The read units that one partition gives in a second.
pub const PARTITION_READ_UNITS: f64 = 3000.0;
/// The write units that one partition gives in a second.
pub const PARTITION_WRITE_UNITS: f64 = 1000.0;
/// The gigabytes that one partition holds.
pub const PARTITION_GIGABYTES: f64 = 10.0;

/// An estimate of a table's partitions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Partitions {
    /// How many its throughput needs.
    pub by_throughput: f64,
    /// How many its size needs.
    pub by_size: f64,
    /// The larger of the two, in whole partitions.
    pub count: u64,
    /// The read units of each, if they are divided evenly.
    pub read_units_each: f64,
    /// The write units of each, if they are divided evenly.
    pub write_units_each: f64,
}

impl Partitions {
    /// Of a table of this size, read and written so many units a second.
    pub fn estimate(gigabytes: f64, read_units: f64, write_units: f64) -> Partitions {
        let by_throughput = read_units / PARTITION_READ_UNITS + write_units / PARTITION_WRITE_UNITS;
        let by_size = gigabytes / PARTITION_GIGABYTES;
        let count = by_throughput.max(by_size).ceil().max(1.0);
        Partitions {
            by_throughput,
            by_size,
            count: count as u64,
            read_units_each: read_units / count,
            write_units_each: write_units / count,
        }
    }
}
