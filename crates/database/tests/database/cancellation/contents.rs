//! Everything that a store holds, to be compared byte by byte.

use std::fmt;

use monotable_storage::KeyRange;

use crate::support::harness::Harness;
use crate::support::json::print_hex;
use crate::support::store::Store;

/// The entries and the counters of a store. How a stream's records are kept differs between
/// engines, so they are left to the tests of streams.
#[derive(PartialEq, Eq)]
pub(super) struct Contents {
    entries: Vec<(Vec<u8>, Vec<u8>)>,
    counters: Vec<(Vec<u8>, i64)>,
}

impl Contents {
    pub(super) fn of<S: Store>(harness: &Harness<S>) -> Contents {
        let entries = harness.entries(&KeyRange::all()).into_iter();
        let mut counters = harness.counters();
        // One that stands at nothing may be listed or not.
        counters.retain(|(_, value)| *value != 0);
        Contents { entries: entries.map(|(key, value)| (key, value.to_vec())).collect(), counters }
    }
}

impl fmt::Debug for Contents {
    /// The keys by family: enough to see what differs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in self.entries.iter().filter(|(key, _)| !matches!(key[0], 2 | 3 | 0x0B)) {
            writeln!(f, "{} {}", print_hex(key), String::from_utf8_lossy(value))?;
        }
        for family in [2, 3, 0x0B] {
            let count = self.entries.iter().filter(|(key, _)| key[0] == family).count();
            writeln!(f, "{count} of family {family}")?;
        }
        writeln!(f, "{:?}", self.counters)
    }
}
