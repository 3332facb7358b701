//! Whether an index holds all the items that a pattern wants.

use monotable_item::{Item, Value};
use monotable_model::document::{Attribute, Expression, IndexChoice, Pattern, Source};

use super::reason::Reason;
use super::route::Route;
use super::wanted_group::WantedEntity;

/// Why an index lacks wanted items of an entity. A pattern that names the index knows what it does.
pub(super) fn sparseness(
    route: Route<'_>,
    wanted: &WantedEntity<'_>,
    pattern: &Pattern,
) -> Option<Reason> {
    let insists = matches!(pattern.index, Some(IndexChoice::Named(_)));
    if route.index.is_none() || insists {
        return None;
    }
    let entity = wanted.entity.name.clone();
    if let Some(when) =
        route.when_of(wanted.entity).filter(|when| !is_implied(when, wanted, pattern))
    {
        return Some(Reason::Sparse { entity, when: when.text.clone() });
    }
    let optional = optional_attribute(wanted, pattern)?;
    Some(Reason::Sparse { entity, when: format!("the attribute {optional}") })
}

/// Whether the pattern wants only items that meet the condition.
pub(super) fn is_implied(when: &Expression, wanted: &WantedEntity<'_>, pattern: &Pattern) -> bool {
    let filter = pattern.filter.as_ref().map(|filter| filter.text.as_str());
    let parts = filter.unwrap_or_default().split(" AND ");
    let is_filtered = filter == Some(when.text.as_str())
        || parts.into_iter().any(|part| part.trim() == when.text);
    is_filtered || is_met(when, wanted)
}

/// Whether values that the model itself gives meet the condition.
fn is_met(when: &Expression, wanted: &WantedEntity<'_>) -> bool {
    let mut item = Item::new();
    for name in &when.attributes {
        let Some(Source::Literal(value)) = wanted.bindings.attribute(name) else { return false };
        let attribute = wanted.entity.attribute(name);
        let stored = attribute.map_or(name.as_str(), |attribute| attribute.item_name());
        item.insert(stored.to_owned(), value.clone());
    }
    when.condition(|_| None).is_ok_and(|condition| condition.matches(&item))
}

/// Whether all items that meet the condition have this value of an attribute: the condition is
/// about nothing else, and of the values that the attribute can have only this one meets it.
pub(super) fn settles(when: &Expression, attribute: &Attribute, known: &Source) -> bool {
    let Source::Literal(value) = known else { return false };
    let meets = |value: &Value| {
        let item = Item::from([(attribute.item_name().to_owned(), value.clone())]);
        when.condition(|_| None).is_ok_and(|condition| condition.matches(&item))
    };
    when.attributes.iter().all(|name| *name == attribute.name)
        && attribute.values.contains(value)
        && attribute.values.iter().all(|other| meets(other) == (other == value))
}

/// An attribute of the index's key that items may lack, unless the pattern knows it.
fn optional_attribute(wanted: &WantedEntity<'_>, pattern: &Pattern) -> Option<String> {
    let templates = wanted.keys.partition.iter().chain(&wanted.keys.sort);
    let mut paths = templates.flat_map(|template| template.paths());
    let lacking = paths.find(|path| {
        let attribute = wanted.entity.attribute(&path.root);
        let is_ranged = pattern.range.as_ref().is_some_and(|range| range.attribute == path.root);
        let is_known = wanted.bindings.source(path).is_some() || is_ranged;
        !is_known && attribute.is_some_and(|attribute| !attribute.required)
    });
    lacking.map(|path| path.root.clone())
}
