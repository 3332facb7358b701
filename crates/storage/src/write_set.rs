//! What a batch, or a group of batches joined into one commit, comes to: one write per key.
//!
//! An engine applies batches to a [`WriteSet`] in commit order and stores what is in it at the end.
//! This is the one place that says what the operations of a batch mean. Appends get their positions
//! here; additions to one counter become one write, however many batches made them; and of several
//! writes to one key the last stays, so that an engine whose commits have one sequence number never
//! has to order two writes of one key. What a removed range had before the commit is for the engine
//! to find.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bytes::Bytes;

use crate::space::{
    counter_key, counter_value, encode_counter, end_of_keys, log_entry_key, log_range,
};
use crate::{Batch, Key, KeyRange, Operation, PlacedEntry, Result};

/// The state that a commit starts from: everything committed before it.
pub trait CommittedState {
    /// The value at `key`.
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>>;
}

/// One write per key, in key order, and the ranges that are emptied before those writes.
#[derive(Debug)]
pub struct WriteSet {
    /// `None` deletes.
    writes: BTreeMap<Key, Option<Bytes>>,
    removed: Vec<KeyRange>,
    last_position: u64,
}

impl WriteSet {
    /// Starts a commit; the first append gets the position after `last_position`.
    pub fn new(last_position: u64) -> WriteSet {
        WriteSet { writes: BTreeMap::new(), removed: Vec::new(), last_position }
    }

    /// Adds what `batch` does, in the order of its operations.
    ///
    /// After an error the set may hold a part of the batch and must not be committed.
    pub fn apply(&mut self, batch: Batch, state: &impl CommittedState) -> Result<()> {
        batch.into_operations().into_iter().try_for_each(|operation| match operation {
            Operation::Put { key, value } => self.put(key, value),
            Operation::Delete { key } => self.delete(key),
            Operation::DeleteRange { range } => self.delete_keys(&range),
            Operation::Append { log, value } => self.append(&log, value),
            Operation::Place(entry) => self.place(*entry),
            Operation::Trim { log, through } => self.delete_range(log_range(&log, &(0..=through))),
            Operation::Add { counter, delta } => self.add(counter_key(counter), delta, state),
            Operation::Reset { counter } => self.delete(counter_key(counter)),
        })
    }

    /// The position of the last append, whether of this set or from before it.
    pub fn last_position(&self) -> u64 {
        self.last_position
    }

    /// The ranges of which everything goes that was there before, and then the writes in key order;
    /// `None` deletes.
    pub fn into_parts(self) -> (Vec<KeyRange>, impl Iterator<Item = (Key, Option<Bytes>)>) {
        (self.removed, self.writes.into_iter())
    }

    fn put(&mut self, key: Key, value: Bytes) -> Result<()> {
        self.writes.insert(key, Some(value));
        Ok(())
    }

    fn delete(&mut self, key: Key) -> Result<()> {
        self.writes.insert(key, None);
        Ok(())
    }

    /// Removes a range of keys, and nothing of the other spaces.
    fn delete_keys(&mut self, range: &KeyRange) -> Result<()> {
        let (start, end) = (range.start().map(<[u8]>::to_vec), end_of_keys(range));
        self.delete_range(KeyRange::new(start, end.map(<[u8]>::to_vec)))
    }

    fn delete_range(&mut self, range: KeyRange) -> Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let bounds = (range.start().map(<[u8]>::to_vec), range.end().map(<[u8]>::to_vec));
        self.writes.extract_if(bounds, |_, _| true).for_each(drop);
        self.removed.push(range);
        Ok(())
    }

    fn append(&mut self, log: &[u8], value: Bytes) -> Result<()> {
        self.last_position += 1;
        self.put(log_entry_key(log, self.last_position), value)
    }

    fn place(&mut self, entry: PlacedEntry) -> Result<()> {
        self.last_position = self.last_position.max(entry.position);
        self.put(log_entry_key(&entry.log, entry.position), entry.value)
    }

    fn add(&mut self, counter: Key, delta: i64, state: &impl CommittedState) -> Result<()> {
        let value = match self.writes.entry(counter) {
            Entry::Occupied(write) => write.into_mut(),
            Entry::Vacant(write) => {
                let stored = state.get(write.key())?;
                write.insert(stored)
            }
        };
        let sum = counter_value(value.as_deref())?.wrapping_add(delta);
        *value = Some(Bytes::copy_from_slice(&encode_counter(sum)));
        Ok(())
    }
}
