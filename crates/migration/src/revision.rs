//! What becomes of an item.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::{Item, Value};
use monotable_model::document::ItemError;
use thiserror::Error;

use super::expectation::Expectation;

/// What takes an item to its new form.
#[derive(Debug, Clone, PartialEq)]
pub enum Revision {
    /// Nothing: it is an item of neither model.
    Foreign,
    /// Nothing: the items of its entity stay as they are.
    Unaffected {
        /// The entity in the new model.
        entity: String,
    },
    /// Nothing: it has the new form already.
    Current {
        /// The entity in the new model.
        entity: String,
    },
    /// Attributes are set and removed.
    Update(Updated),
    /// It is put under another primary key, and deleted under its own.
    Move(Moved),
    /// It cannot be decided what its new form is.
    Blocked(Blocked),
}

/// An update in place.
#[derive(Debug, Clone, PartialEq)]
pub struct Updated {
    /// The entity in the new model.
    pub entity: String,
    /// The primary key.
    pub key: Item,
    /// The attributes that are set.
    pub set: BTreeMap<String, Value>,
    /// The attributes that are removed.
    pub remove: BTreeSet<String>,
    /// Everything that was read to decide so.
    pub expects: BTreeMap<String, Expectation>,
}

/// An item that gets another primary key.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The entity in the new model.
    pub entity: String,
    /// The primary key that it has.
    pub key: Item,
    /// The whole item under its new key.
    pub item: Item,
    /// The whole item that was read, and which attributes of either model it did not have.
    pub expects: BTreeMap<String, Expectation>,
}

/// Why it cannot be decided what the new form of an item is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Blocked {
    /// Several entities fit equally well, and would give different items.
    #[error("it could be any of {}", entities.join(", "))]
    Ambiguous {
        /// The entities in the new model.
        entities: Vec<String>,
    },
    /// An attribute that got another name has both, with different values.
    #[error("{old} and {new} are the same attribute, and have different values")]
    TwoNames {
        /// The name in the old model.
        old: String,
        /// The name in the new model.
        new: String,
    },
    /// A key cannot be built.
    #[error("{entity}: {reason}")]
    Unbuildable {
        /// The entity in the new model.
        entity: String,
        /// What is wrong.
        reason: ItemError,
    },
}

impl Updated {
    /// The item after the update, if it is what was expected.
    pub fn apply(&self, item: &Item) -> Option<Item> {
        if !meets(&self.expects, item) {
            return None;
        }
        let mut after = item.clone();
        after.retain(|name, _| !self.remove.contains(name));
        after.extend(self.set.clone());
        Some(after)
    }
}

impl Moved {
    /// The item under its new key, if the old one is what was expected.
    pub fn apply(&self, item: &Item) -> Option<Item> {
        meets(&self.expects, item).then(|| self.item.clone())
    }
}

fn meets(expects: &BTreeMap<String, Expectation>, item: &Item) -> bool {
    expects.iter().all(|(name, expectation)| expectation.holds(item, name))
}
