//! What rules look at.

use monotable_item::Value;
use monotable_model::document::Profile;
use monotable_model::document::{Attribute, Entity, Model, Pattern};
use monotable_model::recognition::Recognition;
use monotable_plan::Plan;
use monotable_plan::cost::Estimate;

use super::evidence::{RecordedRequest, StoredItem};
use super::threshold::{Threshold, Thresholds};

/// All that is known of a design.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// How each access pattern is served, in the order of the file.
    pub plans: Vec<Plan>,
    /// What the model costs.
    pub estimate: Estimate,
    /// Stored items: those of a table or an export or, if there are none, those that the samples
    /// make.
    pub items: Vec<StoredItem>,
    /// What each stored item is.
    pub recognitions: Vec<Recognition<'a>>,
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

    /// The stored items whose entity is decided, with it.
    pub fn typed_items(&self) -> impl Iterator<Item = (&'a Entity, &StoredItem)> {
        let recognised = self.recognitions.iter().zip(&self.items);
        recognised.filter_map(|(recognition, stored)| Some((recognition.decided()?, stored)))
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
