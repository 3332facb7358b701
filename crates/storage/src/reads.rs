//! What a transaction has read.

use bytes::Bytes;

/// The values of a transaction's keys, in the order in which the keys were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    values: Vec<Option<Bytes>>,
}

impl Reads {
    /// Makes the reads of a transaction; only an engine has reason to.
    pub fn new(values: Vec<Option<Bytes>>) -> Reads {
        Reads { values }
    }

    /// The value of the key at `index`, or `None` if the store has no such key.
    pub fn get(&self, index: usize) -> Option<&Bytes> {
        self.values.get(index)?.as_ref()
    }

    /// All values, in the order of the keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&Bytes>> {
        self.values.iter().map(Option::as_ref)
    }
}
