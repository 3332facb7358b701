//! What a transaction has read.

use bytes::Bytes;

use crate::Key;

/// The values that a transaction asked for, each in the order in which it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The locked keys, then the shared ones.
    values: Vec<Option<Bytes>>,
    locked_count: usize,
    ranges: Vec<Vec<(Key, Bytes)>>,
    ends: Vec<u64>,
}

impl Reads {
    /// Makes the reads of a transaction from the values of its locked keys, followed by those of
    /// its shared ones; only an engine has reason to.
    pub fn new(values: Vec<Option<Bytes>>, locked_count: usize) -> Reads {
        Reads { values, locked_count, ranges: Vec::new(), ends: Vec::new() }
    }

    /// Adds the ranges and the ends of logs.
    #[must_use]
    pub fn with(self, ranges: Vec<Vec<(Key, Bytes)>>, ends: Vec<u64>) -> Reads {
        Reads { ranges, ends, ..self }
    }

    /// The value of the locked key at `index`, or `None` if the store has no such key.
    pub fn get(&self, index: usize) -> Option<&Bytes> {
        if index < self.locked_count { self.values.get(index)?.as_ref() } else { None }
    }

    /// The values of all locked keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&Bytes>> {
        let locked = self.values.get(..self.locked_count).unwrap_or_default();
        locked.iter().map(Option::as_ref)
    }

    /// The value of the shared key at `index`, or `None` if the store has no such key.
    pub fn shared(&self, index: usize) -> Option<&Bytes> {
        self.values.get(self.locked_count + index)?.as_ref()
    }

    /// The entries of the range at `index`, in the direction in which they were asked for.
    pub fn range(&self, index: usize) -> &[(Key, Bytes)] {
        self.ranges.get(index).map_or(&[], Vec::as_slice)
    }

    /// The position of the last entry that the log at `index` holds, 0 if it holds none.
    pub fn end(&self, index: usize) -> u64 {
        self.ends.get(index).copied().unwrap_or(0)
    }
}
