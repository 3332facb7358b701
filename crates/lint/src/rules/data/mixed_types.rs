//! An attribute that has several types.

use std::collections::BTreeMap;

use monotable_item::{Type, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity};

use crate::Subject;
use crate::rule::{Rule, rule};
use crate::stored_entity::{KnownItem, known_items};

pub(super) const RULE: Rule = rule!(
    "mixed-types",
    Warning,
    Data,
    Evidence,
    "an attribute has another type in some stored items than in others, or than the model says",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let items = known_items(subject);
    let mut found = Vec::new();
    for entity in &subject.model.entities {
        let own: Vec<&KnownItem<'_>> =
            items.iter().filter(|known| known.entity.name == entity.name).collect();
        let mut types: BTreeMap<&str, BTreeMap<Type, &KnownItem<'_>>> = BTreeMap::new();
        for known in own {
            for (name, value) in known.item.iter().filter(|(_, value)| **value != Value::Null) {
                types.entry(name).or_default().entry(value.kind()).or_insert(known);
            }
        }
        found.extend(types.into_iter().filter_map(|(name, types)| judge(entity, name, &types)));
    }
    found
}

fn judge(
    entity: &Entity,
    name: &str,
    types: &BTreeMap<Type, &KnownItem<'_>>,
) -> Option<Diagnostic> {
    let attribute = entity.attributes.iter().find(|attribute| attribute.item_name() == name);
    let expected = attribute.map_or_else(|| types.keys().next().copied(), |one| Some(one.kind))?;
    let (other, example) = types.iter().find(|(kind, _)| **kind != expected)?;
    let message = format!(
        "{name} of {} is {}, and {} in {}",
        entity.name,
        expected.code(),
        other.code(),
        example.key()
    );
    let suggestion = format!(
        "write {name} as {} everywhere: comparisons and sorting never mix types",
        expected.code()
    );
    Some(
        Diagnostic::warning(RULE.code, place(entity, attribute), message)
            .with_suggestion(suggestion),
    )
}

fn place(entity: &Entity, attribute: Option<&Attribute>) -> Place {
    let place = Place::entity(&entity.name);
    attribute.map_or_else(|| place.clone(), |one| place.member("attributes").member(&one.name))
}
