//! What clients did and heard.
//!
//! Every value is written once, so a value says which write it is from. A write that was answered
//! knows the value that it took the place of, and counts as a read of it at the same moment.

use std::collections::BTreeMap;

/// The name of an item.
pub(crate) type Key = String;

/// A value of an item; none is used twice. 0 means that there is no item.
pub(crate) type Value = u64;

/// One call of a client, on one item or, in a transaction, on several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operation {
    /// When it was sent, in microseconds of the run.
    pub(crate) begin: u64,
    /// When it was answered; none if there was no answer, so that it happens at any time or never.
    pub(crate) end: Option<u64>,
    /// What it read, or what it had to find to be done.
    pub(crate) reads: Vec<(Key, Value)>,
    pub(crate) writes: Vec<(Key, Value)>,
}

/// The values of an item one after the other, as its stream shows them: old and new.
pub(crate) type Chain = Vec<(Value, Value)>;

/// The chains of all items.
pub(crate) type Chains = BTreeMap<Key, Chain>;

/// Increments of a client's own counter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Count {
    pub(crate) answered: u64,
    pub(crate) unanswered: u64,
}

/// All that the clients of a round know.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    pub(crate) operations: Vec<Operation>,
    pub(crate) counts: BTreeMap<Key, Count>,
    /// Calls that were refused or never sent, and so changed nothing.
    pub(crate) refused: u64,
}

impl History {
    pub(crate) fn add(&mut self, other: History) {
        self.operations.extend(other.operations);
        self.counts.extend(other.counts);
        self.refused += other.refused;
    }

    /// When writes were answered, in order.
    pub(crate) fn answered_writes(&self) -> Vec<u64> {
        let writes = self.operations.iter().filter(|operation| !operation.writes.is_empty());
        let mut ends: Vec<u64> = writes.filter_map(|operation| operation.end).collect();
        ends.sort_unstable();
        ends
    }

    pub(crate) fn unanswered(&self) -> usize {
        self.operations.iter().filter(|operation| operation.end.is_none()).count()
    }
}
