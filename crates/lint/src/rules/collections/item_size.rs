//! Items near or over what an item may be.

use monotable_item::limits::ITEM_BYTES_MAX;
use monotable_item::{Type, item_size_bytes};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity};

use crate::Subject;
use crate::amount::bytes;
use crate::rule::{Rule, rule};
use crate::stored_entity::{KnownItem, known_items};
use crate::threshold::ITEM_BYTES;

pub(super) const RULE: Rule = rule!(
    "item-size",
    Error,
    Collections,
    Model,
    "an item is large, or can be larger than an item may be",
    check
);

const LIMIT: f64 = ITEM_BYTES_MAX as f64;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let items = known_items(subject);
    let stored = subject.model.entities.iter().filter(|entity| !entity.is_embedded());
    stored.filter_map(|entity| judge(subject, entity, &items)).collect()
}

fn judge(subject: &Subject<'_>, entity: &Entity, items: &[KnownItem<'_>]) -> Option<Diagnostic> {
    let place = Place::entity(&entity.name);
    let largest = largest_attribute(entity);
    let most = bytes_max(entity);
    if most > LIMIT {
        let message = format!(
            "an item of {} can have {}, and an item has {} at most",
            entity.name,
            bytes(most),
            bytes(LIMIT)
        );
        return Some(Diagnostic::error(RULE.code, place, message).with_suggestion(remedy(largest)));
    }
    let estimated = subject.estimate.entities.iter().find(|cost| cost.name == entity.name);
    let average =
        estimated.map_or(0, |cost| cost.size.item_bytes).max(entity.average_bytes.unwrap_or(0));
    let own = items.iter().filter(|known| known.entity.name == entity.name);
    let measured = own.map(|known| item_size_bytes(known.item)).max().unwrap_or(0);
    let size = (average as f64).max(measured as f64);
    if size <= subject.threshold(&ITEM_BYTES) {
        return None;
    }
    let message = format!(
        "an item of {} has {}: each read costs {} units and each write {}",
        entity.name,
        bytes(size),
        (size / 4096.0 / 2.0).ceil(),
        (size / 1024.0).ceil()
    );
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(remedy(largest)))
}

/// What the attributes with a greatest length come to. Those without count nothing: nothing is
/// known of them.
fn bytes_max(entity: &Entity) -> f64 {
    entity.attributes.iter().filter_map(attribute_bytes_max).sum()
}

fn attribute_bytes_max(attribute: &Attribute) -> Option<f64> {
    let name = attribute.item_name().len() as f64;
    match attribute.max_bytes {
        Some(max) => Some(name + max as f64),
        None if attribute.kind == Type::Map => {
            Some(name + attribute.members.iter().filter_map(attribute_bytes_max).sum::<f64>())
        }
        None => None,
    }
}

fn largest_attribute(entity: &Entity) -> Option<&Attribute> {
    let size = |attribute: &&Attribute| attribute.max_bytes.max(attribute.average_bytes);
    entity.attributes.iter().filter(|attribute| size(attribute).is_some()).max_by_key(size)
}

fn remedy(largest: Option<&Attribute>) -> String {
    let what = largest.map_or("the largest attribute", |attribute| attribute.name.as_str());
    format!(
        "put {what} into items of its own beside this one, or into an object store with its \
         address here"
    )
}
