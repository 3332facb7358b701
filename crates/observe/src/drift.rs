//! The items that did not fit: a bounded list with counts, and the newest example of each kind.

use std::sync::{Mutex, PoisonError};

use crate::misfit::{Misfit, MisfitOutcome};

/// How many kinds of misfits are told apart. All others are counted together.
pub const DRIFT_KINDS_MAX: usize = 100;

/// A kind of misfit: the same entity, attribute and fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriftEntry {
    /// The newest example.
    pub newest: Misfit,
    /// How many there were.
    pub count: u64,
    /// How many of them were refused.
    pub refused: u64,
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct DriftLog {
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    kinds: Vec<DriftEntry>,
    others: u64,
}

impl DriftLog {
    /// Notes a misfit.
    pub(crate) fn note(&self, misfit: Misfit, became: MisfitOutcome) {
        let refused = u64::from(became == MisfitOutcome::Refused);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |entry: &&mut DriftEntry| {
            let known = &entry.newest;
            (&known.table, &known.entity, &known.attribute, known.fault)
                == (&misfit.table, &misfit.entity, &misfit.attribute, misfit.fault)
        };
        if let Some(entry) = entries.kinds.iter_mut().find(is_same) {
            entry.newest = misfit;
            entry.count += 1;
            entry.refused += refused;
        } else if entries.kinds.len() < DRIFT_KINDS_MAX {
            let entry = DriftEntry { newest: misfit, count: 1, refused };
            entries.kinds.push(entry);
        } else {
            entries.others += 1;
        }
    }

    /// All kinds, the most frequent first, and how many misfits are of none of them.
    pub(crate) fn entries(&self) -> (Vec<DriftEntry>, u64) {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kinds = entries.kinds.clone();
        kinds.sort_by_key(|entry| std::cmp::Reverse(entry.count));
        (kinds, entries.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::misfit::Fault;

    fn misfit(attribute: usize, found: &str) -> Misfit {
        Misfit {
            table: "t".to_owned(),
            entity: Some("Order".to_owned()),
            attribute: attribute.to_string(),
            index: None,
            fault: Fault::StaleKey,
            found: found.to_owned(),
            expected: None,
        }
    }

    #[test]
    fn a_kind_keeps_its_count_and_its_newest_example() {
        let log = DriftLog::default();
        log.note(misfit(1, "old"), MisfitOutcome::Written);
        log.note(misfit(2, "other"), MisfitOutcome::Written);
        log.note(misfit(1, "new"), MisfitOutcome::Refused);
        let (entries, others) = log.entries();
        assert_eq!((entries[0].newest.found.as_str(), entries[0].count), ("new", 2));
        assert_eq!((entries[0].refused, entries.len(), others), (1, 2, 0));
    }

    #[test]
    fn only_so_many_kinds_are_told_apart() {
        let log = DriftLog::default();
        (0..DRIFT_KINDS_MAX + 5)
            .for_each(|number| log.note(misfit(number, ""), MisfitOutcome::Written));
        let (entries, others) = log.entries();
        assert_eq!((entries.len(), others), (DRIFT_KINDS_MAX, 5));
    }
}
