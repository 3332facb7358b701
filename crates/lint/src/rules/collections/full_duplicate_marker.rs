//! A marker of uniqueness that repeats the whole item.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity};
use monotable_model::template::Template;

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "full-duplicate-marker",
    Warning,
    Collections,
    Model,
    "the item that makes a value unique repeats all data of the item it stands for",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let entities = subject.model.entities.iter();
    let markers =
        entities.flat_map(|entity| entity.unique.iter().map(move |unique| (entity, unique)));
    let found = markers.filter_map(|(entity, unique)| {
        let marker = subject.model.entity(&unique.by)?;
        judge(entity, &unique.attribute, marker)
    });
    found.collect()
}

fn judge(entity: &Entity, unique: &str, marker: &Entity) -> Option<Diagnostic> {
    let keys: Vec<&str> = entity
        .key
        .iter()
        .flat_map(|keys| keys.partition.iter().chain(&keys.sort))
        .flat_map(Template::paths)
        .map(|path| path.root.as_str())
        .collect();
    let is_data = |attribute: &&Attribute| {
        attribute.name != unique && !keys.contains(&attribute.name.as_str())
    };
    let data: Vec<&str> =
        entity.attributes.iter().filter(is_data).map(|attribute| attribute.name.as_str()).collect();
    let repeats = |name: &&str| marker.attribute(name).is_some();
    if marker.name == entity.name || data.len() < 2 || !data.iter().all(repeats) {
        return None;
    }
    let message = format!(
        "{} repeats all of {} ({}): every change is written twice, in a transaction",
        marker.name,
        entity.name,
        data.join(", ")
    );
    let suggestion = format!(
        "leave {} the key and the key of its {}, and add an index by {unique} if items are read by \
         it",
        marker.name, entity.name
    );
    Some(
        Diagnostic::warning(RULE.code, Place::entity(&marker.name), message)
            .with_suggestion(suggestion),
    )
}
