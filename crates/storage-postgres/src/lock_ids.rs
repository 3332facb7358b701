//! The numbers under which the database locks keys and logs.
//!
//! Two keys with the same number merely wait for each other without need. Everyone takes the locks
//! of a transaction in the order of their numbers, so that no deadlock is possible.

use std::collections::{BTreeMap, BTreeSet};

use monotable_storage::Key;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How a key is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Exclusively, by one transaction.
    Locked,
    /// Shared by any number of them.
    Shared,
}

/// Maps keys and logs to numbers, which differ between the schemas of one database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LockIds {
    keys_seed: u64,
    logs_seed: u64,
}

impl LockIds {
    pub(crate) fn new(schema: &str) -> LockIds {
        let seed = |space: u64| xxh3_64_with_seed(schema.as_bytes(), space);
        LockIds { keys_seed: seed(1), logs_seed: seed(2) }
    }

    /// The locks that keys need, in the order in which they are taken: their numbers, and whether
    /// each is shared. A number that is both locked and shared is locked.
    pub(crate) fn of_keys<'a>(
        &self,
        keys: impl Iterator<Item = (&'a Key, Hold)>,
    ) -> (Vec<i64>, Vec<bool>) {
        let mut holds = BTreeMap::new();
        for (key, hold) in keys {
            let is_shared = holds.entry(number(key, self.keys_seed)).or_insert(true);
            *is_shared &= hold == Hold::Shared;
        }
        holds.into_iter().unzip()
    }

    /// The locks that logs need, in the order in which they are taken.
    pub(crate) fn of_logs<'a>(&self, logs: impl Iterator<Item = &'a Key>) -> Vec<i64> {
        let numbers: BTreeSet<i64> = logs.map(|log| number(log, self.logs_seed)).collect();
        numbers.into_iter().collect()
    }
}

fn number(key: &[u8], seed: u64) -> i64 {
    xxh3_64_with_seed(key, seed).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_taken_in_one_order_and_each_once() {
        let ids = LockIds::new("monotable");
        let keys: Vec<Key> = (0..50_u8).map(|number| vec![number]).collect();
        let (forward, _) = ids.of_keys(keys.iter().map(|key| (key, Hold::Locked)));
        let twice = keys.iter().rev().chain(&keys).map(|key| (key, Hold::Locked));
        assert!(forward.is_sorted());
        assert_eq!(ids.of_keys(twice).0, forward);
    }

    #[test]
    fn what_is_locked_and_shared_is_locked() {
        let (ids, key) = (LockIds::new("monotable"), vec![7]);
        for holds in [[Hold::Shared, Hold::Locked], [Hold::Locked, Hold::Shared]] {
            let (_, shared) = ids.of_keys(holds.into_iter().map(|hold| (&key, hold)));
            assert_eq!(shared, [false]);
        }
        assert_eq!(ids.of_keys([(&key, Hold::Shared)].into_iter()).1, [true]);
    }

    #[test]
    fn schemas_and_spaces_have_different_numbers() {
        let (one, other, key) = (LockIds::new("a"), LockIds::new("b"), vec![7]);
        let locks = |ids: &LockIds| ids.of_keys([(&key, Hold::Locked)].into_iter()).0;
        assert_ne!(locks(&one), locks(&other));
        assert_ne!(locks(&one), one.of_logs([&key].into_iter()));
    }
}
