//! Where mistakes begin: numbers that a model or a command can change.

use std::collections::BTreeMap;

/// A number that a rule compares with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// What it is called: lower case with dashes.
    pub name: &'static str,
    /// What holds by default.
    pub default: f64,
    /// What it means.
    pub meaning: &'static str,
}

/// All thresholds, by name.
pub const THRESHOLDS: &[Threshold] = &[
    CHILD_FLOOD,
    COLD_GIGABYTES,
    COLLECTION_GIGABYTES,
    COLLECTION_ITEMS,
    CONSTANT_PARTITION_ITEMS,
    CONTENDED_TRANSACTION_ACTIONS,
    CONTENDED_TRANSACTION_RATE,
    COPY_WRITES,
    DATA_ITEMS,
    DISTINCT_SHARE,
    FILTER_BYTES,
    FILTER_HIT_RATE,
    HOT_KEY_SHARE,
    INDEX_KEY_CHANGES,
    ITEM_BYTES,
    LIST_ITEM_BYTES,
    LIST_USED_SHARE,
    NAME_ITEMS,
    NAME_SHARE,
    PAD_SHARE,
    PARTITION_SHARE,
    PARTITION_SKEW,
    SINGLETON_READS,
    SPARSE_SHARE,
    STREAM_LAG_HOURS,
    TIME_COLLISIONS,
    TRANSACTION_ACTIONS,
];

pub(super) const CHILD_FLOOD: Threshold = Threshold {
    name: "child-flood-ratio",
    default: 10.0,
    meaning: "how many unwanted items may lie among each wanted one",
};

pub(super) const COLD_GIGABYTES: Threshold = Threshold {
    name: "cold-gigabytes",
    default: 100.0,
    meaning: "how much of a time series may lie in one table that nothing is removed from",
};

pub(super) const COLLECTION_GIGABYTES: Threshold = Threshold {
    name: "collection-gigabytes",
    default: 7.0,
    meaning: "how large a collection in a table with a local index may be, of the 10 that it can \
              be",
};

pub(super) const COLLECTION_ITEMS: Threshold = Threshold {
    name: "collection-items",
    default: 10_000.0,
    meaning: "how many stored items may have one partition key",
};

pub(super) const CONSTANT_PARTITION_ITEMS: Threshold = Threshold {
    name: "constant-partition-items",
    default: 1000.0,
    meaning: "how many items may have one partition key by design",
};

pub(super) const CONTENDED_TRANSACTION_ACTIONS: Threshold = Threshold {
    name: "contended-transaction-actions",
    default: 25.0,
    meaning: "the actions of a transaction above which it is likely to be cancelled by others",
};

pub(super) const CONTENDED_TRANSACTION_RATE: Threshold = Threshold {
    name: "contended-transaction-rate",
    default: 10.0,
    meaning: "the transactions a second on one item above which they cancel each other",
};

pub(super) const COPY_WRITES: Threshold = Threshold {
    name: "copy-writes",
    default: 100.0,
    meaning: "how many copies a second may have to be written because what they repeat changes",
};

pub(super) const DATA_ITEMS: Threshold = Threshold {
    name: "data-items",
    default: 100.0,
    meaning: "how many stored items it takes to judge how they are spread",
};

pub(super) const DISTINCT_SHARE: Threshold = Threshold {
    name: "distinct-share",
    default: 0.01,
    meaning: "how many partition keys there must be for each item",
};

pub(super) const FILTER_BYTES: Threshold = Threshold {
    name: "filter-bytes",
    default: 102_400.0,
    meaning: "the bytes read above which a filter that drops most of them is a mistake",
};

pub(super) const FILTER_HIT_RATE: Threshold = Threshold {
    name: "filter-hit-rate",
    default: 0.3,
    meaning: "the part of the items read that a filter lets through, below which it is a mistake",
};

pub(super) const HOT_KEY_SHARE: Threshold = Threshold {
    name: "hot-key-share",
    default: 0.1,
    meaning: "which part of the stored items may have one partition key",
};

pub(super) const INDEX_KEY_CHANGES: Threshold = Threshold {
    name: "index-key-changes",
    default: 100.0,
    meaning: "the changes of an index's keys in a second above which they are a mistake",
};

pub(super) const ITEM_BYTES: Threshold =
    Threshold { name: "item-bytes", default: 102_400.0, meaning: "how large an item may be" };

pub(super) const LIST_ITEM_BYTES: Threshold = Threshold {
    name: "list-item-bytes",
    default: 4096.0,
    meaning: "how large the items of a list may be if most of each is not wanted",
};

pub(super) const LIST_USED_SHARE: Threshold = Threshold {
    name: "list-used-share",
    default: 0.2,
    meaning: "the part of the bytes read that a list must want",
};

pub(super) const NAME_ITEMS: Threshold = Threshold {
    name: "name-items",
    default: 1_000_000_000.0,
    meaning: "from how many items on the length of attribute names matters",
};

pub(super) const NAME_SHARE: Threshold = Threshold {
    name: "name-share",
    default: 0.2,
    meaning: "the part of an item that attribute names may be",
};

pub(super) const PAD_SHARE: Threshold = Threshold {
    name: "pad-share",
    default: 0.3,
    meaning: "the part of a padded number's range that may be used up",
};

pub(super) const PARTITION_SHARE: Threshold = Threshold {
    name: "partition-share",
    default: 0.5,
    meaning: "the part of what a partition can bear that one key may use",
};

pub(super) const PARTITION_SKEW: Threshold = Threshold {
    name: "partition-skew",
    default: 5.0,
    meaning: "how many times the average the busiest key bears",
};

pub(super) const SINGLETON_READS: Threshold = Threshold {
    name: "singleton-reads",
    default: 500.0,
    meaning: "how often a second an item that exists once may be read",
};

pub(super) const SPARSE_SHARE: Threshold = Threshold {
    name: "sparse-share",
    default: 0.9,
    meaning: "the part of an entity's items that a sparse index may hold",
};

pub(super) const STREAM_LAG_HOURS: Threshold = Threshold {
    name: "stream-lag-hours",
    default: 24.0,
    meaning: "for how many hours a stream keeps its records",
};

pub(super) const TIME_COLLISIONS: Threshold = Threshold {
    name: "time-collisions",
    default: 0.1,
    meaning: "how many items a key may be given within the resolution of a time that alone tells \
              them apart",
};

pub(super) const TRANSACTION_ACTIONS: Threshold = Threshold {
    name: "transaction-actions",
    default: 100.0,
    meaning: "the most actions of a transaction; older tools stop at 25 or at 10",
};

/// The thresholds that hold: the defaults, but for those that were set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thresholds {
    set: BTreeMap<&'static str, f64>,
}

impl Thresholds {
    /// Sets a threshold. Whether there is one of this name.
    pub fn set(&mut self, name: &str, value: f64) -> bool {
        let found = THRESHOLDS.iter().find(|threshold| threshold.name == name);
        if let Some(threshold) = found {
            self.set.insert(threshold.name, value);
        }
        found.is_some()
    }

    /// The number that holds.
    pub fn get(&self, threshold: &Threshold) -> f64 {
        self.set.get(threshold.name).copied().unwrap_or(threshold.default)
    }
}
