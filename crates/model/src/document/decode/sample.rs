//! Sample data.

use monotable_item::{Item, Value};

use super::context::{At, Context};
use super::object::named;
use super::scalar::{count, text, texts};
use super::value::value;
use crate::diagnostic::{Diagnostic, nearest};
use crate::document::{Entity, Model, Sample};

/// The member of a sample that names its table.
pub(crate) const TABLE: &str = "$table";

/// The member of a sample that names the indexes whose keys it lacks.
pub(crate) const WITHOUT: &str = "$without";

/// The member of a sample that says which shard its writer has chosen.
pub(crate) const SHARD: &str = "$shard";

/// All samples of a document. The model has its entities already.
pub(super) fn samples(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (name, at) in named(cx, at, "samples by entity") {
        let Some(elements) = at.elements() else {
            cx.wrong_type(&at, "a list of items");
            continue;
        };
        let entity = model.entity(name);
        samples.extend(elements.iter().filter_map(|element| sample(cx, name, element, entity)));
    }
    samples
}

fn sample(
    cx: &mut Context<'_>,
    name: &str,
    at: &At<'_>,
    entity: Option<&Entity>,
) -> Option<Sample> {
    let mut sample = Sample {
        entity: name.to_owned(),
        table: None,
        without: Vec::new(),
        shard: None,
        attributes: Item::new(),
    };
    for (member, at) in named(cx, at, "an item") {
        match member {
            TABLE => sample.table = text(cx, &at),
            WITHOUT => sample.without = texts(cx, &at).unwrap_or_default(),
            SHARD => {
                let number = count(cx, &at);
                // A number that no shard has is refused with the item, like any other.
                sample.shard = number.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
            }
            _ => {
                if let Some(value) = attribute_value(cx, member, &at, entity) {
                    sample.attributes.insert(member.to_owned(), value);
                }
            }
        }
    }
    Some(sample)
}

/// The value of an attribute of an entity. Without an entity, something else is wrong.
pub(super) fn attribute_value(
    cx: &mut Context<'_>,
    name: &str,
    at: &At<'_>,
    entity: Option<&Entity>,
) -> Option<Value> {
    let entity = entity?;
    let Some(attribute) = entity.attribute(name) else {
        unknown_attribute(cx, name, at, entity);
        return None;
    };
    value(cx, at, Some(attribute))
}

fn unknown_attribute(cx: &mut Context<'_>, name: &str, at: &At<'_>, entity: &Entity) {
    let message = format!("{} has no attribute {name}", entity.name);
    let mut diagnostic =
        Diagnostic::error("unknown-attribute", at.place.clone(), message).with_span(at.node.span);
    let attributes = entity.attributes.iter().map(|attribute| attribute.name.as_str());
    diagnostic.suggestion = nearest(name, attributes).map(|meant| format!("did you mean {meant}?"));
    cx.report(diagnostic);
}
