//! Whether an index holds all the items that a pattern wants.

use monotable_item::{Item, Value};
use monotable_model::document::{Attribute, Expression, IndexChoice, Pattern, Source};
use monotable_model::template::{Segment, Template};

use super::reason::Reason;
use super::route::Route;
use super::wanted_group::WantedEntity;

/// Why an index lacks wanted items of an entity. A pattern that names the index knows what it does.
///
/// An index that is sorted by an attribute of the items themselves lacks those without it, which is
/// what who sorts by it expects: that is [`Reason::Unsorted`], and no obstacle.
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
    let optional = |templates| optional_attribute(templates, wanted, pattern);
    let (natural, built): (Vec<&Template>, Vec<&Template>) =
        wanted.keys.sort.iter().partition(|template| is_natural(template));
    let built = wanted.keys.partition.iter().chain(built).collect();
    match (optional(built), optional(natural)) {
        (Some(name), _) => Some(Reason::Sparse { entity, when: format!("the attribute {name}") }),
        (None, Some(attribute)) => Some(Reason::Unsorted { entity, attribute }),
        (None, None) => None,
    }
}

/// Returns whether a key is the value of one attribute, and nothing else.
fn is_natural(template: &Template) -> bool {
    matches!(template.segments(), [Segment::Attribute(_)])
}

/// Returns whether the pattern wants only items that meet the condition.
pub(super) fn is_implied(when: &Expression, wanted: &WantedEntity<'_>, pattern: &Pattern) -> bool {
    let is_filtered = pattern.filter.as_ref().is_some_and(|filter| demands(filter, when));
    is_filtered || is_met(when, wanted)
}

/// Returns whether all items that pass a filter meet a condition: everything that the condition
/// asks for is among what the filter asks for in any case.
fn demands(filter: &Expression, when: &Expression) -> bool {
    // No value that a model gives is like this one, so what a parameter is compared with is never
    // taken for what the condition asks for.
    let unlike = |name: &str| Some(Value::String(format!("\0{name}")));
    match (filter.condition(unlike), when.condition(|_| None)) {
        (Ok(filter), Ok(when)) => {
            let asked = filter.conjuncts();
            when.conjuncts().iter().all(|one| asked.contains(one))
        }
        (_, _) => false,
    }
}

/// Returns whether values that the model itself gives meet the condition.
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

/// Returns whether all items that meet the condition have this value of an attribute: the condition
/// is about nothing else, and of the values that the attribute can have only this one meets it.
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

/// An attribute of these parts of the index's key that items may lack, unless the pattern knows it.
fn optional_attribute(
    templates: Vec<&Template>,
    wanted: &WantedEntity<'_>,
    pattern: &Pattern,
) -> Option<String> {
    let mut paths = templates.into_iter().flat_map(|template| template.required_paths());
    let lacking = paths.find(|path| {
        let attribute = wanted.entity.attribute(&path.root);
        let is_ranged = pattern.range.as_ref().is_some_and(|range| range.attribute == path.root);
        let is_known = wanted.bindings.source(path).is_some() || is_ranged;
        !is_known && attribute.is_some_and(|attribute| !attribute.required)
    });
    lacking.map(|path| path.root.clone())
}
