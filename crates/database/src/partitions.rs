//! Into how many partitions AWS cuts a table: each can do and hold only so much. A stream has an
//! open shard for each of them.

use crate::schema::{Billing, TableSettings};

/// How many read units a partition can do in a second.
pub const PARTITION_READ_UNITS_MAX: f64 = 3000.0;
/// How many write units a partition can do in a second.
pub const PARTITION_WRITE_UNITS_MAX: f64 = 1000.0;
/// How many bytes a partition holds.
const PARTITION_BYTES_MAX: u64 = 10 << 30;
/// How many write units a new on-demand table takes in a second. Partitions that are enough for
/// them are enough for its 12,000 read units too.
const ON_DEMAND_WRITE_UNITS: f64 = 4000.0;

/// How many partitions a table or index has that does so much in a second and holds so much.
pub fn partition_count(read_units: f64, write_units: f64, size_bytes: u64) -> usize {
    let by_throughput =
        (read_units / PARTITION_READ_UNITS_MAX + write_units / PARTITION_WRITE_UNITS_MAX).ceil();
    let by_size = size_bytes.div_ceil(PARTITION_BYTES_MAX);
    (by_throughput as usize).max(usize::try_from(by_size).unwrap_or(usize::MAX)).max(1)
}

/// How many partitions an on-demand table or index has that holds so much.
pub fn on_demand_partition_count(size_bytes: u64) -> usize {
    partition_count(0.0, ON_DEMAND_WRITE_UNITS, size_bytes)
}

/// How many partitions a table has by its settings and its size.
pub(crate) fn table_partition_count(settings: &TableSettings, size_bytes: u64) -> usize {
    let throughput = settings.throughput;
    match settings.billing {
        Billing::Provisioned => {
            let (read, write) = (throughput.read_units as f64, throughput.write_units as f64);
            partition_count(read, write, size_bytes)
        }
        Billing::OnDemand => on_demand_partition_count(size_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_throughput_or_size_needs() {
        assert_eq!(partition_count(5.0, 5.0, 0), 1);
        assert_eq!(partition_count(3000.0, 1000.0, 0), 2);
        assert_eq!(partition_count(7500.0, 0.0, 0), 3);
        assert_eq!(partition_count(5.0, 5.0, 25 << 30), 3);
        assert_eq!(on_demand_partition_count(0), 4);
        assert_eq!(on_demand_partition_count(55 << 30), 6);
    }
}
