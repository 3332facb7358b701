//! A time series that keeps everything in the table that is read most.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{
    ActionKind, AttributeFormat, Entity, Model, Operation, Order, RangeComparison,
};
use monotable_model::template::{Form, Identifier, Segment, Template};

use crate::Subject;
use crate::amount::bytes;
use crate::cardinality::is_period;
use crate::family::base;
use crate::pattern_write::all_writes;
use crate::planned_query::{PlannedQuery, queries};
use crate::rule::{Rule, rule};
use crate::threshold::COLD_GIGABYTES;

pub(super) const RULE: Rule = rule!(
    "hot-and-cold-mixed",
    Warning,
    Collections,
    Model,
    "a time series is read at its newest end, and keeps all of its past in the same table",
    check
);

const GIGABYTE: f64 = 1024.0 * 1024.0 * 1024.0;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let entities = subject.model.entities.iter();
    let series = entities.filter(|entity| entity.tables.len() == 1 && is_series(entity));
    let kept = series.filter(|entity| !is_removed(subject.model, entity));
    kept.filter_map(|entity| judge(subject, entity)).collect()
}

/// Whether the entity's own key sorts by time, or holds a period.
fn is_series(entity: &Entity) -> bool {
    let Some(keys) = &entity.key else { return false };
    let partition = keys.partition.iter().flat_map(Template::segments).any(is_period);
    let first = keys.sort.first().and_then(|template| template.attributes().next());
    let sorts_by_time = first.is_some_and(|part| {
        let format = entity.attribute(&part.path.root).and_then(|attribute| attribute.format);
        let is_time = matches!(part.encoding.form(), Form::Time(_))
            || matches!(
                format,
                Some(
                    AttributeFormat::Rfc3339
                        | AttributeFormat::Date
                        | AttributeFormat::EpochSeconds
                        | AttributeFormat::EpochMillis
                )
            );
        is_time
            || matches!(
                part.encoding.form(),
                Form::Identifier(Identifier::Ksuid | Identifier::Ulid | Identifier::Uuid7)
            )
    });
    partition || sorts_by_time
}

/// Whether items go: by expiry, or because a pattern deletes them.
fn is_removed(model: &Model, entity: &Entity) -> bool {
    let expires = model.patterns.iter().any(|pattern| {
        pattern.operation == Operation::Expire && pattern.entities.contains(&entity.name)
    });
    let deletes = all_writes(model)
        .iter()
        .any(|write| write.kind == ActionKind::Delete && base(write.entity) == base(entity));
    entity.ttl.is_some() || expires || deletes
}

fn judge(subject: &Subject<'_>, entity: &Entity) -> Option<Diagnostic> {
    let cost = subject.estimate.entities.iter().find(|cost| cost.name == entity.name)?;
    let item = cost.size.item_bytes.max(entity.average_bytes.unwrap_or(0));
    let stored = cost.size.count? * item as f64;
    let reads =
        queries(subject).into_iter().filter(|query| query.pattern.entities.contains(&entity.name));
    let (newest, other): (Vec<_>, Vec<_>) = reads.partition(|query| reads_newest(query));
    let rate = |queries: &[PlannedQuery<'_>]| -> f64 {
        queries.iter().map(|query| query.pattern.rate.unwrap_or(1.0)).sum()
    };
    let is_large = stored > subject.threshold(&COLD_GIGABYTES) * GIGABYTE;
    if !is_large || newest.is_empty() || rate(&newest) < rate(&other) {
        return None;
    }
    let message = format!(
        "{} of {} lie in one table, most reads want the newest of them, and nothing removes the \
         rest",
        bytes(stored),
        entity.name
    );
    let suggestion = "add ttl and archive what expires, or keep a table for each period";
    Some(
        Diagnostic::warning(RULE.code, Place::entity(&entity.name), message)
            .with_suggestion(suggestion),
    )
}

/// Whether a query begins at the newest end, or says from when on.
fn reads_newest(query: &PlannedQuery<'_>) -> bool {
    let since = query.pattern.range.as_ref().is_some_and(|range| {
        matches!(range.comparison, RangeComparison::Greater(_) | RangeComparison::GreaterOrEqual(_))
    });
    let partition = query.query.partition.iter().any(|part| {
        let template = part.text.pieces().iter();
        template.into_iter().any(|piece| match piece {
            monotable_plan::Piece::Value { part, .. } => {
                is_period(&Segment::Attribute(part.clone()))
            }
            _ => false,
        })
    });
    since || partition || query.query.order == Order::Descending && query.pattern.limit.is_some()
}
