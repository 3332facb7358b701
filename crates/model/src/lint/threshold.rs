//! Where mistakes begin: numbers that a model or a command can change.

use std::collections::BTreeMap;

/// A number that a rule compares with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// What it is called: lower case with dashes.
    pub name: &'static str,
    /// What holds if nothing else is said.
    pub default: f64,
    /// What it means.
    pub meaning: &'static str,
}

/// All thresholds, by name.
pub const THRESHOLDS: &[Threshold] = &[
    CONTENDED_TRANSACTION_ACTIONS,
    CONTENDED_TRANSACTION_RATE,
    FILTER_BYTES,
    FILTER_HIT_RATE,
    INDEX_KEY_CHANGES,
    PAD_SHARE,
    TRANSACTION_ACTIONS,
];

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

pub(super) const INDEX_KEY_CHANGES: Threshold = Threshold {
    name: "index-key-changes",
    default: 100.0,
    meaning: "the changes of an index's keys in a second above which they are a mistake",
};

pub(super) const PAD_SHARE: Threshold = Threshold {
    name: "pad-share",
    default: 0.3,
    meaning: "the part of a padded number's range that may be used up",
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
