//! Shards: a partition key spread over several, so that it can be written faster, and read dearer.

use monotable_item::capacity::{Consistency, HalfUnits};

use super::page::Rows;
use super::partition::PARTITION_WRITE_UNITS;

/// What a number of shards means for the items of one logical key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sharding {
    /// How many shards.
    pub shards: u32,
    /// The write units a second of each, if they are used evenly.
    pub write_units_each: f64,
    /// The requests that read all items of the key.
    pub requests: u64,
    /// What those requests consume.
    pub read: HalfUnits,
}

impl Sharding {
    /// So many shards, written so many units a second together, with these rows to read.
    pub fn of(shards: u32, write_units: f64, rows: Rows, consistency: Consistency) -> Sharding {
        let shards = shards.max(1);
        let part = Rows { count: rows.count / f64::from(shards), ..rows };
        let read = part.read(consistency);
        Sharding {
            shards,
            write_units_each: write_units / f64::from(shards),
            requests: read.pages * u64::from(shards),
            read: read.units.times(u64::from(shards)),
        }
    }
}

/// The least number of shards that bears so many write units a second.
pub fn shards_needed(write_units: f64) -> u32 {
    (write_units / PARTITION_WRITE_UNITS).ceil().clamp(1.0, f64::from(u32::MAX)) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shards_multiply_the_least_read() {
        let rows = Rows { count: 20.0, bytes_each: 100 };
        let read = |shards| {
            let sharding = Sharding::of(shards, 4500.0, rows, Consistency::Eventual);
            (sharding.write_units_each, sharding.requests, sharding.read.units())
        };
        assert_eq!(shards_needed(4500.0), 5);
        assert_eq!(read(1), (4500.0, 1, 0.5));
        assert_eq!(read(5), (900.0, 5, 2.5));
    }

    proptest! {
        #[test]
        fn more_shards_never_read_cheaper_by_more_than_rounding(
            shards in 1u32..50, count in 0u32..5000, bytes_each in 1u64..2000,
        ) {
            let rows = Rows { count: f64::from(count), bytes_each };
            let one = Sharding::of(1, 0.0, rows, Consistency::Strong);
            let many = Sharding::of(shards, 0.0, rows, Consistency::Strong);
            prop_assert!(many.read.units() + one.requests as f64 >= one.read.units());
            prop_assert!(many.read.units() >= f64::from(shards));
        }
    }
}
