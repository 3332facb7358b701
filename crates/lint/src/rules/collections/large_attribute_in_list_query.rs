//! A list that reads large items for a few attributes of each.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, IndexProjection, Table};
use monotable_plan::cost::attribute_sizes;

use crate::Subject;
use crate::amount::{amount, bytes};
use crate::planned_query::{PlannedQuery, queries};
use crate::rule::{Rule, rule};
use crate::threshold::{LIST_ITEM_BYTES, LIST_USED_SHARE};

pub(super) const RULE: Rule = rule!(
    "large-attribute-in-list-query",
    Warning,
    Collections,
    Model,
    "a list reads large items and wants a small part of each",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    queries(subject).into_iter().filter_map(|query| judge(subject, query)).collect()
}

fn judge(subject: &Subject<'_>, query: PlannedQuery<'_>) -> Option<Diagnostic> {
    let pattern = query.pattern;
    let table = subject.model.table(&query.request.target.table)?;
    let index = query.request.target.index.as_deref().and_then(|name| table.index(name));
    if index.is_some_and(|index| index.projection != IndexProjection::All) {
        return None;
    }
    let wanted = &pattern.project.as_ref()?.attributes;
    let rows = pattern.rows.or(pattern.limit.map(|limit| limit as f64)).unwrap_or(1.0);
    let entity = pattern.entities.iter().find_map(|name| subject.model.entity(name))?;
    let cost = subject.estimate.entities.iter().find(|cost| cost.name == entity.name)?;
    let item = cost.size.item_bytes.max(entity.average_bytes.unwrap_or(0)) as f64;
    let used = used_bytes(table, entity, wanted) / item;
    if rows <= 1.0
        || item <= subject.threshold(&LIST_ITEM_BYTES)
        || used >= subject.threshold(&LIST_USED_SHARE)
    {
        return None;
    }
    let message = format!(
        "each row is {}, of which the list wants {} %: {} read units for {} rows",
        bytes(item),
        amount((used * 100.0).max(1.0).round()),
        amount((rows * item / 4096.0 / 2.0).ceil()),
        amount(rows)
    );
    let suggestion = format!(
        "list from an index with projection = [{}], or keep the large attributes in items of their \
         own",
        wanted.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    );
    let place = Place::pattern(&pattern.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// What the wanted attributes of an item come to, on average.
fn used_bytes(table: &Table, entity: &Entity, wanted: &[String]) -> f64 {
    let sizes = attribute_sizes(table, entity);
    let stored = |name: &String| {
        entity.attribute(name).map_or(name.as_str(), |one| one.item_name()).to_owned()
    };
    let size = |name: String| sizes.get(&name).map(|bytes| name.len() as f64 + *bytes as f64);
    wanted.iter().map(stored).filter_map(size).sum()
}
