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
pub const THRESHOLDS: &[Threshold] = &[FILTER_HIT_RATE, INDEX_KEY_CHANGES, PAD_SHARE];

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
