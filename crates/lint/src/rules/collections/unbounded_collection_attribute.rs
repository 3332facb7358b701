//! A list, map or set that grows without a limit.

use monotable_expr::Section;
use monotable_item::{Type, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity, Expression, Model, NameSource};
use monotable_plan::Change;

use crate::Subject;
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unbounded-collection-attribute",
    Warning,
    Collections,
    Model,
    "a list, map or set inside an item grows without a limit",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for write in all_writes(subject.model) {
        let containers = write.entity.attributes.iter().filter(|attribute| is_container(attribute));
        for attribute in containers.filter(|attribute| grows(&write, attribute)) {
            let place =
                Place::entity(&write.entity.name).member("attributes").member(&attribute.name);
            let is_known = found.iter().any(|known| known.place == place);
            if !is_known && !is_bounded(subject.model, &write, attribute) {
                found.push(finding(&write, attribute, place));
            }
        }
    }
    found
}

fn is_container(attribute: &Attribute) -> bool {
    match attribute.kind {
        Type::List | Type::Map | Type::StringSet | Type::NumberSet | Type::BinarySet => true,
        Type::String | Type::Number | Type::Binary | Type::Bool | Type::Null => false,
    }
}

/// Whether an update makes the attribute longer: `ADD` to a set, `list_append`, or a map member
/// that a parameter names. A number inside a map that is raised has to be there already.
fn grows(write: &PatternWrite<'_>, attribute: &Attribute) -> bool {
    let Some(change) = write.change else { return false };
    let name = attribute.item_name();
    let effect = Change::of(change);
    let is_changed = effect.changes(name);
    let text = &change.rewritten;
    let is_set = matches!(attribute.kind, Type::StringSet | Type::NumberSet | Type::BinarySet);
    let is_added = |(own, how): &(String, Section)| own == name && *how == Section::Add;
    let by_add = is_set && effect.sections.iter().any(is_added);
    let by_append = attribute.kind == Type::List && text.contains("list_append");
    is_changed
        && (by_add || by_append || attribute.kind == Type::Map && sets_any_member(change, name))
}

/// Whether a member that a parameter names is set to a value.
fn sets_any_member(change: &Expression, name: &str) -> bool {
    let words: Vec<&str> =
        change.rewritten.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let mut triples = words.windows(3);
    triples.any(|triple| match triple {
        [path, "=", value] => value.starts_with(':') && is_any_member(change, path, name),
        _ => false,
    })
}

/// Whether a path is one member of an attribute, and a parameter says which.
fn is_any_member(change: &Expression, path: &str, name: &str) -> bool {
    let Some((root, member)) = path.split_once('.') else { return false };
    let root = match change.names.get(root) {
        Some(NameSource::Name(root)) => root.as_str(),
        Some(NameSource::Parameter(_)) | None => root,
    };
    root == name && matches!(change.names.get(member), Some(NameSource::Parameter(_)))
}

/// Whether the model says where it ends.
fn is_bounded(model: &Model, write: &PatternWrite<'_>, attribute: &Attribute) -> bool {
    let is_checked = write.condition.is_some_and(|condition| {
        let any = |_: &str| Some(Value::from("any"));
        condition.condition(any).is_ok_and(|one| one.measures(attribute.item_name()))
    });
    attribute.max_bytes.is_some()
        || attribute.max.is_some()
        || !attribute.members.is_empty()
        || is_checked
        || embedded_max(model, write.entity, attribute)
}

/// Whether a relationship says how many embedded documents there are at most.
fn embedded_max(model: &Model, entity: &Entity, attribute: &Attribute) -> bool {
    let is_here = |embedded: &Entity| {
        let mut places = embedded.embedded_in.iter();
        places.any(|place| place.entity == entity.name && place.attribute == attribute.name)
    };
    let embedded = model.entities.iter().filter(|other| is_here(other));
    let has_max = |embedded: &Entity| {
        let mut relationships = model.relationships.iter();
        relationships.any(|relationship| {
            relationship.from == entity.name
                && relationship.to == embedded.name
                && relationship.max.is_some()
        })
    };
    embedded.into_iter().any(has_max)
}

fn finding(write: &PatternWrite<'_>, attribute: &Attribute, place: Place) -> Diagnostic {
    let message = format!(
        "\"{}\" adds to {} of {}, and nothing says where it ends: the item ends at 400 KB",
        write.pattern.name, attribute.name, write.entity.name
    );
    let suggestion = format!(
        "make each member an item in the same partition, or check it: condition = \"size({}) < \
         :max\"",
        attribute.name
    );
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}
