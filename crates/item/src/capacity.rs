//! Capacity units, counted as AWS bills them.
//!
//! Everything is counted in half units, so that an eventually consistent read of 4 KB (0.5) stays
//! exact.

use std::ops::{Add, AddAssign};

use crate::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};

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

    /// The amount in half units.
    pub fn halves(self) -> u64 {
        self.0
    }

    /// Twice as much, as transactions cost.
    pub fn doubled(self) -> HalfUnits {
        self.times(2)
    }

    /// So many times as much.
    pub fn times(self, count: u64) -> HalfUnits {
        HalfUnits(self.0 * count)
    }

    /// Returns whether it is nothing.
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

/// What reading so many bytes costs: 4 KB a unit, half of it if the read may be stale. Reading
/// nothing costs as much as reading a little.
pub fn read_units(size_bytes: usize, consistency: Consistency) -> HalfUnits {
    let units = size_bytes.div_ceil(READ_UNIT_BYTES).max(1) as u64;
    match consistency {
        Consistency::Eventual => HalfUnits(units),
        Consistency::Strong => HalfUnits::whole(units),
    }
}

/// What writing an item of this many bytes costs: 1 KB a unit, at least one.
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
}
