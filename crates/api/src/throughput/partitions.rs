//! The partitions of a table or index, each of which can do only so much.
//!
//! A partition holds a range of hashes. It takes from the table's whole capacity whatever it needs,
//! up to 3,000 read and 1,000 write units a second. One that meets that limit is divided, so that
//! what is hot ends up alone; a single hot item goes on meeting it.

use monotable_database::{PARTITION_READ_UNITS_MAX, PARTITION_WRITE_UNITS_MAX};

use super::Flow;
use super::bucket::Bucket;

/// How long a partition stands before it is divided because of its heat.
const DIVISION_MILLIS: u64 = 5 * 60 * 1000;
/// How many partitions are distinguished.
const PARTITIONS_MAX: usize = 1024;

#[derive(Debug)]
pub(super) struct Partitions {
    /// In the order of their hashes; the first begins at 0.
    partitions: Vec<Partition>,
}

#[derive(Debug, Clone)]
struct Partition {
    first_hash: u64,
    read: Bucket,
    write: Bucket,
    since_millis: u64,
}

impl Partitions {
    pub(super) fn new(count: usize, now_millis: u64) -> Partitions {
        let count = count.clamp(1, PARTITIONS_MAX);
        let partition = |number: usize| Partition {
            first_hash: u64::try_from(((number as u128) << 64) / count as u128).unwrap_or(u64::MAX),
            read: Bucket::new(PARTITION_READ_UNITS_MAX, 1.0, now_millis),
            write: Bucket::new(PARTITION_WRITE_UNITS_MAX, 1.0, now_millis),
            since_millis: now_millis,
        };
        Partitions { partitions: (0..count).map(partition).collect() }
    }

    /// Makes them more, if more are needed.
    pub(super) fn grow(&mut self, count: usize, now_millis: u64) {
        if count.min(PARTITIONS_MAX) > self.partitions.len() {
            *self = Partitions::new(count, now_millis);
        }
    }

    /// Whether the partition of a hash takes another call. One that does not is divided, if it has
    /// stood for a while.
    pub(super) fn has_any(&mut self, hash: u64, flow: Flow, now_millis: u64) -> bool {
        let position = self.position(hash);
        let Some(partition) = self.partitions.get_mut(position) else { return true };
        if partition.bucket(flow).has_any(now_millis) {
            return true;
        }
        self.divide(position, now_millis);
        false
    }

    pub(super) fn take(&mut self, hash: u64, flow: Flow, units: f64, now_millis: u64) {
        let position = self.position(hash);
        if let Some(partition) = self.partitions.get_mut(position) {
            partition.bucket(flow).take(units, now_millis);
        }
    }

    fn position(&self, hash: u64) -> usize {
        self.partitions.partition_point(|partition| partition.first_hash <= hash).saturating_sub(1)
    }

    fn divide(&mut self, position: usize, now_millis: u64) {
        let end = self.partitions.get(position + 1).map_or(u64::MAX, |next| next.first_hash);
        let is_full = self.partitions.len() >= PARTITIONS_MAX;
        let Some(partition) = self.partitions.get_mut(position) else { return };
        let has_stood = now_millis.saturating_sub(partition.since_millis) >= DIVISION_MILLIS;
        let middle = partition.first_hash + (end - partition.first_hash) / 2;
        if is_full || !has_stood || middle == partition.first_hash {
            return;
        }
        partition.since_millis = now_millis;
        let second = Partition { first_hash: middle, ..partition.clone() };
        self.partitions.insert(position + 1, second);
    }
}

impl Partition {
    fn bucket(&mut self, flow: Flow) -> &mut Bucket {
        match flow {
            Flow::Read => &mut self.read,
            Flow::Write => &mut self.write,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOT: u64 = 7;
    const FAR: u64 = u64::MAX - 7;

    #[test]
    fn a_partition_does_so_much_a_second_whatever_the_others_do() {
        let mut partitions = Partitions::new(2, 0);
        partitions.take(HOT, Flow::Write, 1000.0, 0);
        assert!(!partitions.has_any(HOT, Flow::Write, 0));
        assert!(partitions.has_any(HOT, Flow::Read, 0));
        assert!(partitions.has_any(FAR, Flow::Write, 0));
        assert!(partitions.has_any(HOT, Flow::Write, 1));
    }

    #[test]
    fn hot_neighbours_are_parted_and_a_hot_item_stays_hot() {
        let mut partitions = Partitions::new(1, 0);
        let mut now = 0;
        let mut is_shared = Vec::new();
        for _ in 0..2 {
            partitions.take(HOT, Flow::Write, 2000.0, now);
            is_shared.push(!partitions.has_any(FAR, Flow::Write, now));
            assert!(!partitions.has_any(HOT, Flow::Write, now));
            now += DIVISION_MILLIS;
        }
        assert_eq!(is_shared, [true, true]);
        partitions.take(HOT, Flow::Write, 2000.0, now);
        assert!(partitions.has_any(FAR, Flow::Write, now));
        assert!(!partitions.has_any(HOT, Flow::Write, now));
    }
}
