//! A list, map or set that grows without a limit.

use monotable_expr::Section;
use monotable_item::{Type, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity, Model};
use monotable_plan::Change;

use crate::Subject;
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};
use crate::update_clause::{Clause, clauses};

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
    let clauses = clauses(&change.text);
    let mut of_attribute = clauses.iter().filter(|clause| clause.target.root_name() == name);
    let is_added = |(own, how): &(String, Section)| own == name && *how == Section::Add;
    match attribute.kind {
        Type::List => of_attribute.any(|clause| clause.calls("list_append")),
        Type::Map => of_attribute.any(sets_any_member),
        Type::StringSet | Type::NumberSet | Type::BinarySet => effect.sections.iter().any(is_added),
        Type::String | Type::Number | Type::Binary | Type::Bool | Type::Null => false,
    }
}

/// Whether a member that a parameter names is set to a value.
fn sets_any_member(clause: &Clause<'_>) -> bool {
    clause.section == Section::Set && clause.target.is_any_member() && clause.value().is_some()
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
