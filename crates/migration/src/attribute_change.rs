//! Changes of attributes.
//!
//! An attribute that comes is additive: items get it when they are next written, and readers take
//! its default until then. What stored values cannot follow by themselves is another name, another
//! type, and less room.

use monotable_item::Type;
use monotable_model::diagnostic::Place;
use monotable_model::document::{Attribute, Entity, attribute_tree};

use super::change::{Change, ChangeKind, Class, Mark};
use super::diff::{Difference, differences};

/// Compares the attributes of two versions of an entity.
pub(super) fn compare(old: &Entity, new: &Entity, changes: &mut Vec<Change>) {
    for attribute in &new.attributes {
        match old.attribute(&attribute.name) {
            Some(before) => members(new, before, attribute, changes),
            None => changes.push(added(new, attribute)),
        }
    }
    for attribute in &old.attributes {
        if new.attribute(&attribute.name).is_none() {
            changes.push(removed(new, attribute));
        }
    }
}

fn place(entity: &Entity, attribute: &Attribute) -> Place {
    Place::entity(&entity.name).member("attributes").member(&attribute.name)
}

fn added(entity: &Entity, attribute: &Attribute) -> Change {
    let change = Change::new(Mark::Added, ChangeKind::Attribute, place(entity, attribute))
        .between(None, Some(attribute.kind.code().to_owned()));
    match (&attribute.default, attribute.required) {
        (Some(_), _) => change.noting("readers take the default where an item lacks it"),
        (None, true) => change
            .noting("items that are there lack it: give it a default, or let readers expect that"),
        (None, false) => change,
    }
}

fn removed(entity: &Entity, attribute: &Attribute) -> Change {
    let change = Change::new(Mark::Removed, ChangeKind::Attribute, place(entity, attribute))
        .between(Some(attribute.kind.code().to_owned()), None)
        .noting("stored values stay where they are");
    if attribute.required { change.breaking() } else { change }
}

fn members(entity: &Entity, old: &Attribute, new: &Attribute, changes: &mut Vec<Change>) {
    for difference in differences(&attribute_tree(old), &attribute_tree(new)) {
        changes.push(member(entity, old, new, difference));
    }
}

fn member(entity: &Entity, old: &Attribute, new: &Attribute, difference: Difference) -> Change {
    let mark = difference.mark();
    let place = place(entity, new).member(&difference.member);
    let change = Change::new(mark, ChangeKind::Attribute, place)
        .between(difference.before, difference.after);
    match difference.member.as_str() {
        "name" => change.of_class(Class::Decorate).breaking().noting(format!(
            "{} becomes {}",
            old.item_name(),
            new.item_name()
        )),
        "type" => change
            .of_class(Class::Convert)
            .breaking()
            .noting("a new attribute beside the old one lets readers cope with both"),
        "enum" => enumeration(change, old, new),
        "required" if new.required && new.default.is_none() => {
            change.noting("items that are there may lack it")
        }
        "default" if is_in_a_key(entity, &new.name) => change.of_class(Class::Decorate).breaking(),
        "members" | "items" if matches!(new.kind, Type::Map | Type::List) => {
            change.noting("stored values stay as they are")
        }
        "max_bytes" | "digits" | "min" | "max" | "charset" | "format" => {
            change.noting("stored values are not checked against it")
        }
        _ => change,
    }
}

/// Values that may come are news to readers; values that may not are still stored.
fn enumeration(change: Change, old: &Attribute, new: &Attribute) -> Change {
    let is_open = |attribute: &Attribute| attribute.values.is_empty();
    let gone =
        !is_open(new) && (is_open(old) || !old.values.iter().all(|v| new.values.contains(v)));
    let came =
        !is_open(old) && (is_open(new) || !new.values.iter().all(|v| old.values.contains(v)));
    let change =
        if came { change.breaking().noting("old readers do not know every value") } else { change };
    if gone {
        change.noting("items that are there may have a value that is none any more")
    } else {
        change
    }
}

/// Whether a key of the entity is built from an attribute.
fn is_in_a_key(entity: &Entity, name: &str) -> bool {
    let of_indexes = entity.indexes.iter().map(|keys| &keys.keys);
    let templates = entity
        .key
        .iter()
        .chain(of_indexes)
        .flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates.flat_map(|template| template.paths()).any(|path| path.root == name)
}
