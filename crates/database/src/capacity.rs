//! Capacity, counted as AWS bills it.
//!
//! Everything is counted in half units, so that an eventually consistent read of 4 KB (0.5) stays exact.

use std::ops::{Add, AddAssign};

use monotable_item::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};

use crate::schema::IndexId;

/// Capacity in half units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct HalfUnits(u64);

impl HalfUnits {
    /// Whole units.
    pub fn whole(units: u64) -> HalfUnits {
        HalfUnits(units * 2)
    }

    /// The amount in units.
    pub fn units(self) -> f64 {
        self.0 as f64 / 2.0
    }

    /// Twice as much, as transactions cost.
    pub fn doubled(self) -> HalfUnits {
        HalfUnits(self.0 * 2)
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add for HalfUnits {
    type Output = HalfUnits;

    fn add(self, other: HalfUnits) -> HalfUnits {
        HalfUnits(self.0 + other.0)
    }
}

impl AddAssign for HalfUnits {
    fn add_assign(&mut self, other: HalfUnits) {
        self.0 += other.0;
    }
}

impl std::iter::Sum for HalfUnits {
    fn sum<I: Iterator<Item = HalfUnits>>(amounts: I) -> HalfUnits {
        amounts.fold(HalfUnits::default(), Add::add)
    }
}

/// How fresh a read must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consistency {
    /// May be stale, at half the price.
    Eventual,
    /// Reflects every write that was answered before.
    Strong,
}

/// What one call consumed on a table and its indexes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Consumed {
    /// On the table itself.
    pub table: HalfUnits,
    /// On each index that was touched.
    pub indexes: Vec<(IndexId, HalfUnits)>,
}

impl Consumed {
    /// On the table and all indexes together.
    pub fn total(&self) -> HalfUnits {
        self.table + self.indexes.iter().map(|(_, units)| *units).sum()
    }

    /// Adds what another call on the same table consumed.
    pub fn absorb(&mut self, other: &Consumed) {
        self.table += other.table;
        for (index, units) in &other.indexes {
            self.add_index(*index, *units);
        }
    }

    /// Adds units on an index.
    pub fn add_index(&mut self, index: IndexId, units: HalfUnits) {
        match self.indexes.iter_mut().find(|(known, _)| *known == index) {
            Some((_, sum)) => *sum += units,
            None => self.indexes.push((index, units)),
        }
    }
}

/// What reading so many bytes costs: 4 KB a unit, half of it if the read may be stale. Reading nothing
/// costs as much as reading a little.
pub fn read_units(size_bytes: usize, consistency: Consistency) -> HalfUnits {
    let units = size_bytes.div_ceil(READ_UNIT_BYTES).max(1) as u64;
    match consistency {
        Consistency::Eventual => HalfUnits(units),
        Consistency::Strong => HalfUnits::whole(units),
    }
}

/// What writing an item of so many bytes costs: 1 KB a unit, at least one.
pub fn write_units(size_bytes: usize) -> HalfUnits {
    HalfUnits::whole(size_bytes.div_ceil(WRITE_UNIT_BYTES).max(1) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_round_up_to_four_kilobytes_and_halve_when_eventual() {
        assert_eq!(read_units(0, Consistency::Eventual).units(), 0.5);
        assert_eq!(read_units(4096, Consistency::Strong).units(), 1.0);
        assert_eq!(read_units(4097, Consistency::Strong).units(), 2.0);
        assert_eq!(read_units(4097, Consistency::Eventual).units(), 1.0);
        assert_eq!(read_units(12_000, Consistency::Eventual).units(), 1.5);
    }

    #[test]
    fn writes_round_up_to_one_kilobyte() {
        assert_eq!(write_units(0).units(), 1.0);
        assert_eq!(write_units(1024).units(), 1.0);
        assert_eq!(write_units(1025).units(), 2.0);
        assert_eq!(write_units(1025).doubled().units(), 4.0);
    }

    #[test]
    fn calls_on_one_table_add_up_by_index() {
        let mut sum = Consumed::default();
        let call = Consumed {
            table: HalfUnits::whole(1),
            indexes: vec![(IndexId(1), HalfUnits::whole(2)), (IndexId(0), HalfUnits::whole(1))],
        };
        sum.absorb(&call);
        sum.absorb(&call);
        assert_eq!(sum.indexes.len(), 2);
        assert_eq!(sum.total().units(), 8.0);
    }
}
