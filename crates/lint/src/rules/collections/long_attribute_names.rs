//! Attribute names that are a large part of very many items.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Table};
use monotable_plan::cost::attribute_sizes;

use crate::Subject;
use crate::amount::{amount, bytes};
use crate::rule::{Rule, rule};
use crate::threshold::{NAME_ITEMS, NAME_SHARE};

pub(super) const RULE: Rule = rule!(
    "long-attribute-names",
    Info,
    Collections,
    Model,
    "attribute names are a large part of very many items",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let entities = subject.model.entities.iter();
    let stored =
        entities.filter_map(|entity| Some((entity, subject.model.tables_of(entity).next()?)));
    stored.filter_map(|(entity, table)| judge(subject, entity, table)).collect()
}

fn judge(subject: &Subject<'_>, entity: &Entity, table: &Table) -> Option<Diagnostic> {
    let cost = subject.estimate.entities.iter().find(|cost| cost.name == entity.name)?;
    let count = cost.size.count?;
    let item = cost.size.item_bytes.max(entity.average_bytes.unwrap_or(0)) as f64;
    let sizes = attribute_sizes(table, entity);
    let names: usize = sizes.keys().map(String::len).sum();
    let share = names as f64 / item.max(1.0);
    if count <= subject.threshold(&NAME_ITEMS) || share <= subject.threshold(&NAME_SHARE) {
        return None;
    }
    let longest = sizes.keys().max_by_key(|name| name.len())?;
    let message = format!(
        "names are {} % of each {}, {} in all",
        amount((share * 100.0).round()),
        entity.name,
        bytes(names as f64 * count)
    );
    let suggestion =
        format!("store long names short: {longest} = {{ name = \"{}\" }}", initials(longest));
    Some(
        Diagnostic::info(RULE.code, Place::entity(&entity.name), message)
            .with_suggestion(suggestion),
    )
}

fn initials(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| c.is_uppercase()).collect();
    let first: String = name.chars().take(1).collect();
    if capitals.is_empty() { first } else { capitals.to_lowercase() }
}
