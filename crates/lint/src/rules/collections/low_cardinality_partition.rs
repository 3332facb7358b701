//! A partition key with few values for many items.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Index, IndexKind, Table};
use monotable_model::template::{Segment, Template};

use crate::Subject;
use crate::amount::amount;
use crate::cardinality::{distinct_values, is_period, item_count, keys_in, telling_attribute};
use crate::rule::{Rule, rule};
use crate::threshold::DISTINCT_SHARE;

pub(super) const RULE: Rule = rule!(
    "low-cardinality-partition",
    Warning,
    Collections,
    Model,
    "a partition key has few values for many items",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for table in &subject.model.tables {
        for entity in subject.model.entities_in(table) {
            found.extend(judge(subject, table, None, entity));
            let global = table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
            found.extend(global.filter_map(|index| judge(subject, table, Some(index), entity)));
        }
    }
    found
}

fn judge(
    subject: &Subject<'_>,
    table: &Table,
    index: Option<&Index>,
    entity: &Entity,
) -> Option<Diagnostic> {
    let keys = keys_in(entity, index)?;
    let values = values(entity, &keys.partition)?;
    let share = subject.threshold(&DISTINCT_SHARE);
    let items = item_count(subject, table, index, entity);
    if entity.copies.is_some() || items.is_some_and(|items| values / items >= share) {
        return None;
    }
    let place = Place::entity(&entity.name);
    let place = match index {
        Some(index) => place.member("indexes").member(&index.name).member("partition"),
        None => place.member("key").member("partition"),
    };
    let template = keys.partition.first()?;
    let of = items.map_or(String::new(), |items| format!(" for {} items", amount(items)));
    let message = format!(
        "{template} of {} has {} values{of}: each is a partition",
        entity.name,
        amount(values)
    );
    let suggestion = format!(
        "add an attribute with many values to it, or a shard: \"{template}#{{shard({}, 10)}}\"",
        telling_attribute(entity)
    );
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// How many values the key has, if it holds nothing but attributes with few. A shard is the remedy
/// already.
fn values(entity: &Entity, templates: &[Template]) -> Option<f64> {
    let mut product = 1.0;
    let mut has_attribute = false;
    for segment in templates.iter().flat_map(Template::segments) {
        match segment {
            Segment::Literal(_) => {}
            Segment::Shard(_) => return None,
            Segment::Attribute(_) if is_period(segment) => return None,
            Segment::Attribute(part) => {
                has_attribute = true;
                product *= distinct_values(entity.attribute(&part.path.root)?)?;
            }
        }
    }
    has_attribute.then_some(product)
}
