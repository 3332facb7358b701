//! What a transaction writes: a [`Batch`] of operations, carried by a [`Decision`].

use bytes::Bytes;

use crate::{Error, ErrorKind, KEY_BYTES_MAX, Key, KeyRange, RESERVED, Result};

/// The largest batch that an engine takes, by [`Batch::size_bytes`]. It holds the largest
/// transaction of DynamoDB with the entries of all its indexes, and bounds what a commit can ask of
/// a store.
pub const BATCH_BYTES_MAX: usize = 512 << 20;

/// What a transaction does after it has read its keys.
#[derive(Debug)]
pub enum Decision<T> {
    /// Writes the batch, all or nothing, and answers.
    Commit(Batch, T),
    /// Writes nothing and answers.
    Keep(T),
}

impl<T> Decision<T> {
    /// Leaves the answer in `place`. What is left is the same type for all transactions, so that
    /// what runs it need not be compiled for each of them.
    pub fn answer_in(self, place: &mut Option<T>) -> Decision<()> {
        match self {
            Decision::Commit(batch, answer) => {
                *place = Some(answer);
                Decision::Commit(batch, ())
            }
            Decision::Keep(answer) => {
                *place = Some(answer);
                Decision::Keep(())
            }
        }
    }
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
    /// See [`Batch::place`]. Boxed, because it is rare and larger than all others.
    Place(Box<PlacedEntry>),
    /// See [`Batch::add`].
    Add {
        /// The counter to change.
        counter: Key,
        /// By how much.
        delta: i64,
    },
    /// See [`Batch::trim`].
    Trim {
        /// The log that becomes shorter.
        log: Key,
        /// The last position that is removed.
        through: u64,
    },
    /// See [`Batch::reset`].
    Reset {
        /// The counter that starts again.
        counter: Key,
    },
}

/// An entry of a log with the position that another store gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedEntry {
    /// The log that it belongs to.
    pub log: Key,
    /// Its position.
    pub position: u64,
    /// Its value.
    pub value: Bytes,
}

/// Operations that commit together or not at all.
///
/// They take effect in the order in which they were given, so the later of two writes to one key
/// is the one that stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    operations: Vec<Operation>,
    size_bytes: usize,
}

impl Batch {
    /// A batch without operations.
    pub fn new() -> Batch {
        Batch::default()
    }

    /// Writes `value` at `key`, whether or not there was one before.
    pub fn put(&mut self, key: Key, value: impl Into<Bytes>) {
        debug_assert!((1..=KEY_BYTES_MAX).contains(&key.len()), "key of {} bytes", key.len());
        debug_assert!(key.first().is_some_and(|first| *first < RESERVED), "key of the engine");
        self.push(Operation::Put { key, value: value.into() });
    }

    /// Removes `key`, if it is there.
    pub fn delete(&mut self, key: Key) {
        self.push(Operation::Delete { key });
    }

    /// Removes every key of `range` that is there at the moment of the commit, those included
    /// that earlier operations of this batch wrote.
    ///
    /// Unless the engine [removes ranges whole](crate::Engine::removes_ranges_whole), the cost
    /// grows with the entries removed, and the commits behind this one wait for it: a large range
    /// is then better removed in pieces.
    pub fn delete_range(&mut self, range: KeyRange) {
        self.push(Operation::DeleteRange { range });
    }

    /// Appends `value` to a log, at a position that grows in **commit order**: whoever has seen
    /// position n of this log never finds a smaller one later, over restarts too. The order of two
    /// logs says nothing. Positions start at 1 or above, and may leave gaps.
    pub fn append(&mut self, log: Key, value: impl Into<Bytes>) {
        debug_assert!(log.len() < KEY_BYTES_MAX, "log of {} bytes", log.len());
        self.push(Operation::Append { log, value: value.into() });
    }

    /// Writes an entry of a log at the position that another store gave it, for copies of stores.
    /// Nobody may use the store meanwhile. Later appends to any log get larger positions.
    pub fn place(&mut self, log: Key, position: u64, value: impl Into<Bytes>) {
        debug_assert!(log.len() < KEY_BYTES_MAX, "log of {} bytes", log.len());
        let entry = PlacedEntry { log, position, value: value.into() };
        self.push(Operation::Place(Box::new(entry)));
    }

    /// Removes the entries of a log up to a position. Their positions are not used again.
    ///
    /// The cost grows with the entries removed, as that of [`Batch::delete_range`] does.
    pub fn trim(&mut self, log: Key, through: u64) {
        self.push(Operation::Trim { log, through });
    }

    /// Adds `delta` to a counter, which starts at 0, without reading or locking it: any number of
    /// transactions may change one counter without waiting for one another. The sum wraps around
    /// at 64 bits.
    pub fn add(&mut self, counter: Key, delta: i64) {
        debug_assert!(counter.len() < KEY_BYTES_MAX, "counter of {} bytes", counter.len());
        self.push(Operation::Add { counter, delta });
    }

    /// Sets a counter to 0.
    pub fn reset(&mut self, counter: Key) {
        self.push(Operation::Reset { counter });
    }

    fn push(&mut self, operation: Operation) {
        self.size_bytes += size_of::<Operation>() + operation.bytes();
        self.operations.push(operation);
    }

    /// Returns whether there is nothing to write.
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

    /// Refuses a batch that is larger than batches may be.
    pub fn check_size(&self) -> Result<()> {
        if self.size_bytes() > BATCH_BYTES_MAX {
            return Err(Error::new(ErrorKind::TooLarge));
        }
        Ok(())
    }

    /// About how much memory the batch holds, for bounds on queues and groups.
    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }
}

impl Operation {
    fn bytes(&self) -> usize {
        match self {
            Operation::Put { key, value } => key.len() + value.len(),
            Operation::Delete { key } => key.len(),
            Operation::DeleteRange { .. } => 0,
            Operation::Append { log, value } => log.len() + value.len(),
            Operation::Place(entry) => {
                size_of::<PlacedEntry>() + entry.log.len() + entry.value.len()
            }
            Operation::Add { counter, .. } | Operation::Reset { counter } => counter.len(),
            Operation::Trim { log, .. } => log.len(),
        }
    }
}
