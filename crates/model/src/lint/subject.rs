//! What rules look at.

use monotable_item::Value;

use super::evidence::{RecordedRequest, StoredItem};
use super::profile::Profile;
use super::threshold::{Threshold, Thresholds};
use crate::cost::Estimate;
use crate::document::{Attribute, Entity, Model, Pattern};
use crate::plan::Plan;

/// All that is known of a design.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// How each access pattern is served, in the order of the file.
    pub plans: Vec<Plan>,
    /// What the model costs.
    pub estimate: Estimate,
    /// Stored items: those of a table or an export or, if there are none, those that the samples make.
    pub items: Vec<StoredItem>,
    /// The entity of each stored item, where it can be told.
    pub kinds: Vec<Option<&'a Entity>>,
    /// Whether the items come from a table or an export, and not from samples.
    pub has_data: bool,
    /// Recorded requests, in the order in which they were made.
    pub requests: &'a [RecordedRequest],
    /// The model as it was before, if it is known.
    pub before: Option<&'a Model>,
    /// How the design is meant.
    pub profile: Profile,
    /// Where mistakes begin.
    pub thresholds: &'a Thresholds,
}

impl<'a> Subject<'a> {
    /// Where a mistake begins.
    pub fn threshold(&self, threshold: &Threshold) -> f64 {
        self.thresholds.get(threshold)
    }

    /// The stored items whose entity can be told, with it.
    pub fn typed_items(&self) -> impl Iterator<Item = (&'a Entity, &StoredItem)> {
        let kinds = self.kinds.iter().zip(&self.items);
        kinds.filter_map(|(entity, stored)| Some(((*entity)?, stored)))
    }

    /// The values that an attribute of an entity has in stored items.
    pub fn values<'s>(
        &'s self,
        entity: &'s Entity,
        attribute: &'s Attribute,
    ) -> impl Iterator<Item = &'s Value> {
        let own = self.typed_items().filter(|(kind, _)| kind.name == entity.name);
        own.filter_map(|(_, stored)| stored.item.get(attribute.item_name()))
    }

    /// Every access pattern with its plan, in the order of the file.
    pub fn planned(&self) -> impl Iterator<Item = (&'a Pattern, &Plan)> {
        self.model.patterns.iter().zip(&self.plans)
    }
}
