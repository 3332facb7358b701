//! The tables that are told apart: the first ones that were used.
//!
//! A set of names that only grows, up to a bound. It is looked into with every call, so looking
//! takes no lock. A table that is deleted keeps its place, because what was counted of it stays on
//! the page.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The place of a table among all that are told apart, and of what is no single table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TablePlace(pub(super) usize);

impl TablePlace {
    /// The place of calls that are about no table, or were refused before it was known.
    pub(super) const NONE: TablePlace = TablePlace(0);
    /// The place of calls that are about several tables.
    pub(super) const SEVERAL: TablePlace = TablePlace(1);
    /// The place of all tables that are not told apart.
    pub(super) const OTHER: TablePlace = TablePlace(2);
}

/// How many places there are besides those of tables.
const SPECIAL_PLACES: usize = 3;

/// See the module.
#[derive(Debug)]
pub(super) struct TableNames {
    /// A table of hashes with open addressing, never more than half full.
    names: Box<[OnceLock<Box<str>>]>,
    known: AtomicUsize,
    tables_max: usize,
}

impl TableNames {
    pub(super) fn new(tables_max: usize) -> TableNames {
        let length = (2 * tables_max.max(1)).next_power_of_two();
        let names = (0..length).map(|_| OnceLock::new()).collect();
        TableNames { names, known: AtomicUsize::new(0), tables_max }
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        SPECIAL_PLACES + self.names.len()
    }

    /// The place of a table, which gets one of its own if there is any left.
    pub(super) fn place(&self, name: &str) -> TablePlace {
        let start = hash(name) as usize;
        for step in 0..self.names.len() {
            let number = (start + step) & (self.names.len() - 1);
            let Some(slot) = self.names.get(number) else { break };
            match slot.get() {
                Some(known) if **known == *name => return TablePlace(SPECIAL_PLACES + number),
                Some(_) => {}
                None if !self.reserve() => return TablePlace::OTHER,
                None => {
                    let mut is_new = false;
                    let taken = slot.get_or_init(|| {
                        is_new = true;
                        name.into()
                    });
                    if !is_new {
                        self.known.fetch_sub(1, Ordering::Relaxed);
                    }
                    if **taken == *name {
                        return TablePlace(SPECIAL_PLACES + number);
                    }
                }
            }
        }
        TablePlace::OTHER
    }

    /// Counts one more table, unless there are enough.
    fn reserve(&self) -> bool {
        let one_more = |known: usize| (known < self.tables_max).then_some(known + 1);
        self.known.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }

    /// What a place is called.
    pub(super) fn name(&self, place: TablePlace) -> &str {
        match place {
            TablePlace::NONE => "",
            TablePlace::SEVERAL => "_several",
            TablePlace::OTHER => "_other",
            TablePlace(number) => {
                let slot = number.checked_sub(SPECIAL_PLACES).and_then(|at| self.names.get(at));
                slot.and_then(OnceLock::get).map_or("", |name| name)
            }
        }
    }
}

/// FNV-1a: names are short, and nobody gains anything from two with the same hash.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_first_tables_have_places_of_their_own_and_all_others_share_one() {
        let names = TableNames::new(10);
        let places: Vec<usize> =
            (0..10).map(|number| names.place(&format!("table-{number}")).0).collect();
        assert_eq!(places.iter().collect::<HashSet<_>>().len(), 10);
        for number in 10..1000 {
            assert_eq!(names.place(&format!("table-{number}")), TablePlace::OTHER);
        }
        for (number, place) in places.into_iter().enumerate() {
            let name = format!("table-{number}");
            assert_eq!(names.place(&name).0, place);
            assert_eq!(names.name(TablePlace(place)), name);
        }
    }

    #[test]
    fn threads_that_come_at_once_agree() {
        let names = TableNames::new(8);
        let find = |_| -> Vec<usize> {
            (0..8).map(|number| names.place(&format!("table-{number}")).0).collect()
        };
        let found: Vec<Vec<usize>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || find(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        // Whoever lost a race may have left a table without a place, but never two with one.
        for places in &found {
            let own: Vec<_> = places.iter().filter(|place| **place >= SPECIAL_PLACES).collect();
            assert_eq!(own.iter().collect::<HashSet<_>>().len(), own.len());
        }
        let last = find(0);
        assert!(last.iter().all(|place| *place >= SPECIAL_PLACES), "{last:?}");
    }

    #[test]
    fn none_may_be_told_apart() {
        assert_eq!(TableNames::new(0).place("orders"), TablePlace::OTHER);
    }
}
