//! What a transaction writes: a [`Batch`] of operations, carried by a [`Decision`].

use bytes::Bytes;

use crate::{KEY_BYTES_MAX, Key, KeyRange};

/// What a transaction does after it has read its keys.
#[derive(Debug)]
pub enum Decision<T> {
    /// Writes the batch, all or nothing, and answers.
    Commit(Batch, T),
    /// Writes nothing and answers.
    Keep(T),
}

/// One operation of a [`Batch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// See [`Batch::put`].
    Put {
        /// The key to write.
        key: Key,
        /// Its value.
        value: Bytes,
    },
    /// See [`Batch::delete`].
    Delete {
        /// The key to remove.
        key: Key,
    },
    /// See [`Batch::delete_range`].
    DeleteRange {
        /// The keys to remove.
        range: KeyRange,
    },
    /// See [`Batch::append`].
    Append {
        /// The log to append to.
        log: Key,
        /// The entry's value.
        value: Bytes,
    },
    /// See [`Batch::add`].
    Add {
        /// The counter to change.
        counter: Key,
        /// By how much.
        delta: i64,
    },
}

/// Operations that commit together or not at all.
///
/// They take effect in the order in which they were given, so the later of two writes to one key
/// is the one that stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    operations: Vec<Operation>,
}

impl Batch {
    /// A batch without operations.
    pub fn new() -> Batch {
        Batch::default()
    }

    /// Writes `value` at `key`, whether or not there was one before.
    pub fn put(&mut self, key: Key, value: impl Into<Bytes>) {
        debug_assert!((1..=KEY_BYTES_MAX).contains(&key.len()), "key of {} bytes", key.len());
        self.operations.push(Operation::Put { key, value: value.into() });
    }

    /// Removes `key`, if it is there.
    pub fn delete(&mut self, key: Key) {
        self.operations.push(Operation::Delete { key });
    }

    /// Removes every key of `range` that is there at the moment of the commit, those included
    /// that earlier operations of this batch wrote.
    ///
    /// The cost grows with the entries removed, and the commits behind this one wait for it: a
    /// large range is better removed in pieces.
    pub fn delete_range(&mut self, range: KeyRange) {
        self.operations.push(Operation::DeleteRange { range });
    }

    /// Stores `value` under [`log_entry_key`](crate::log_entry_key)`(log, position)`, where the
    /// position comes from one sequence that grows in **commit order** over the whole store and
    /// over restarts. A reader that has seen position n, in this log or another, never finds a
    /// smaller one later. Positions start at 1; they may leave gaps.
    pub fn append(&mut self, log: Key, value: impl Into<Bytes>) {
        debug_assert!(log.len() + crate::POSITION_BYTES <= KEY_BYTES_MAX, "log key too long");
        self.operations.push(Operation::Append { log, value: value.into() });
    }

    /// Adds `delta` to the counter at `counter`, which starts at 0, without reading or locking it:
    /// any number of transactions may change one counter without waiting for one another.
    ///
    /// A key used as a counter is never put by other means; deleting it sets it back to 0. Read
    /// it with [`counter_value`](crate::counter_value). The sum wraps around at 64 bits.
    pub fn add(&mut self, counter: Key, delta: i64) {
        debug_assert!((1..=KEY_BYTES_MAX).contains(&counter.len()), "counter key length");
        self.operations.push(Operation::Add { counter, delta });
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The operations, in the order in which they take effect.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operations, in the order in which they take effect.
    pub fn into_operations(self) -> Vec<Operation> {
        self.operations
    }

    /// About how much memory the batch holds, for bounds on queues and groups.
    pub fn size_bytes(&self) -> usize {
        self.operations.iter().map(|operation| size_of::<Operation>() + operation.bytes()).sum()
    }
}

impl Operation {
    fn bytes(&self) -> usize {
        match self {
            Operation::Put { key, value } => key.len() + value.len(),
            Operation::Delete { key } => key.len(),
            Operation::DeleteRange { .. } => 0,
            Operation::Append { log, value } => log.len() + crate::POSITION_BYTES + value.len(),
            Operation::Add { counter, .. } => counter.len() + size_of::<i64>(),
        }
    }
}
