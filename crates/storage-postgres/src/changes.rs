//! The combined effect of a group of batches: one write per key, one sum per counter, entries per
//! log.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use monotable_storage::{Batch, Error, ErrorKind, Key, Operation, PlacedEntry, Result};

use crate::key_bounds::KeyBounds;
use crate::statements::NAME_BYTES_MAX;

/// Batches in commit order, merged into one set of changes.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Emptied before anything is written.
    pub(crate) removed: Vec<KeyBounds>,
    /// `None` deletes.
    pub(crate) writes: BTreeMap<Key, Option<Bytes>>,
    /// Emptied up to these positions before anything is appended.
    pub(crate) trims: BTreeMap<Key, i64>,
    /// What is appended, in order.
    pub(crate) appends: Vec<(Key, Bytes)>,
    /// What is put at positions of its own.
    pub(crate) placed: Vec<PlacedEntry>,
    /// Set to 0 before anything is added.
    pub(crate) resets: BTreeSet<Key>,
    /// What is added, in total.
    pub(crate) additions: BTreeMap<Key, i64>,
}

impl Changes {
    /// Adds what a batch does, in the order of its operations.
    pub(crate) fn apply(&mut self, batch: Batch) {
        for operation in batch.into_operations() {
            match operation {
                Operation::Put { key, value } => {
                    self.writes.insert(key, Some(value));
                }
                Operation::Delete { key } => {
                    self.writes.insert(key, None);
                }
                Operation::DeleteRange { range } => self.remove(KeyBounds::of(&range)),
                Operation::Append { log, value } => self.appends.push((log, value)),
                Operation::Place(entry) => self.placed.push(*entry),
                Operation::Trim { log, through } => self.trim(log, through),
                Operation::Add { counter, delta } => {
                    let sum = self.additions.entry(counter).or_default();
                    *sum = sum.wrapping_add(delta);
                }
                Operation::Reset { counter } => {
                    self.additions.remove(&counter);
                    self.resets.insert(counter);
                }
            }
        }
    }

    fn remove(&mut self, bounds: Option<KeyBounds>) {
        let Some(bounds) = bounds else { return };
        let inside = bounds.from.clone()..bounds.to.clone();
        self.writes.extract_if(inside, |_, _| true).for_each(drop);
        self.removed.push(bounds);
    }

    /// Positions are assigned when the group commits, and are above any that a trim can name; only
    /// a trim of everything removes what the group itself has appended.
    fn trim(&mut self, log: Key, through: u64) {
        let through = position(through);
        if through == i64::MAX {
            self.appends.retain(|(appended, _)| *appended != log);
        }
        self.placed.retain(|entry| entry.log != log || position(entry.position) > through);
        let trimmed = self.trims.entry(log).or_default();
        *trimmed = through.max(*trimmed);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.writes.is_empty()
            && self.trims.is_empty()
            && self.appends.is_empty()
            && self.placed.is_empty()
            && self.resets.is_empty()
            && self.additions.is_empty()
    }
}

/// A position as a signed number, as the database stores it.
pub(crate) fn position(position: u64) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

/// Refuses a batch that the store cannot hold.
pub(crate) fn check(batch: &Batch) -> Result<()> {
    batch.check_size()?;
    let names = batch.operations().iter().filter_map(|operation| match operation {
        Operation::Append { log, .. } | Operation::Trim { log, .. } => Some(log),
        Operation::Place(entry) => Some(&entry.log),
        Operation::Add { counter, .. } | Operation::Reset { counter } => Some(counter),
        Operation::Put { .. } | Operation::Delete { .. } | Operation::DeleteRange { .. } => None,
    });
    let longest = names.map(Vec::len).max().unwrap_or(0);
    if longest > NAME_BYTES_MAX {
        let source = format!("a log or counter with a name of {longest} bytes");
        return Err(Error::with_source(ErrorKind::TooLarge, source));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use monotable_storage::KeyRange;

    use super::*;

    #[test]
    fn a_removed_range_takes_what_was_written_before_it_only() {
        let mut batch = Batch::new();
        batch.put(b"a".to_vec(), "1");
        batch.delete_range(KeyRange::all());
        batch.put(b"b".to_vec(), "2");
        let mut changes = Changes::default();
        changes.apply(batch);
        assert_eq!(changes.writes.keys().collect::<Vec<_>>(), [b"b"]);
        assert_eq!(changes.removed.len(), 1);
    }

    #[test]
    fn a_reset_forgets_what_was_added_before_it_only() {
        let mut batch = Batch::new();
        batch.add(b"c".to_vec(), 5);
        batch.reset(b"c".to_vec());
        batch.add(b"c".to_vec(), 3);
        let mut changes = Changes::default();
        changes.apply(batch);
        assert_eq!(changes.additions, BTreeMap::from([(b"c".to_vec(), 3)]));
        assert!(changes.resets.contains(b"c".as_slice()));
    }

    #[test]
    fn a_name_that_no_index_holds_is_refused() {
        let mut batch = Batch::new();
        batch.append(vec![0; NAME_BYTES_MAX], "");
        assert!(check(&batch).is_ok());
        batch.add(vec![0; NAME_BYTES_MAX + 1], 1);
        assert_eq!(check(&batch).unwrap_err().kind(), ErrorKind::TooLarge);
    }
}
