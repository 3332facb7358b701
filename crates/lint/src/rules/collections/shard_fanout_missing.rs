//! Readers and writers that do not agree on the shards of a key.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Index};
use monotable_model::template::{Segment, Shard, Template};

use crate::Subject;
use crate::cardinality::keys_in;
use crate::kept::{is_migrated, kept_entities};
use crate::planned_query::{PlannedQuery, queries};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "shard-fanout-missing",
    Error,
    Collections,
    Evidence,
    "a reader asks for other shards of a key than were written",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let unequal = queries(subject).into_iter().filter_map(|query| unequal(subject, query));
    let changed = kept_entities(subject).into_iter().flat_map(|(before, after)| {
        if is_migrated(subject, before, after) { Vec::new() } else { changed(before, after) }
    });
    unequal.chain(changed).collect()
}

/// Entities that one query wants and that are divided differently.
fn unequal(subject: &Subject<'_>, query: PlannedQuery<'_>) -> Option<Diagnostic> {
    let table = subject.model.table(&query.request.target.table)?;
    let index = query.request.target.index.as_deref().and_then(|name| table.index(name));
    let entities = query.pattern.entities.iter().filter_map(|name| subject.model.entity(name));
    let counts: Vec<(&str, u32)> = entities
        .filter_map(|entity| Some((entity.name.as_str(), shard_of(entity, index)?.count())))
        .collect();
    let (first, count) = counts.first()?;
    let (other, other_count) = counts.iter().find(|(_, other)| other != count)?;
    let message = format!(
        "{first} is in {count} shards and {other} in {other_count}, and the query wants both"
    );
    let suggestion = format!("give both {} shards", count.max(other_count));
    Some(
        Diagnostic::error(RULE.code, Place::pattern(&query.pattern.name), message)
            .with_suggestion(suggestion),
    )
}

fn shard_of<'m>(entity: &'m Entity, index: Option<&Index>) -> Option<&'m Shard> {
    keys_in(entity, index)?.partition.iter().find_map(shard)
}

fn shard(template: &Template) -> Option<&Shard> {
    template.segments().iter().find_map(|segment| match segment {
        Segment::Shard(shard) => Some(shard),
        Segment::Literal(_) | Segment::Attribute(_) => None,
    })
}

/// Shards that are others than those that the stored items are in.
fn changed(before: &Entity, after: &Entity) -> Vec<Diagnostic> {
    let own = [(before.key.as_ref(), after.key.as_ref(), Place::entity(&after.name).member("key"))];
    let of_indexes = after.indexes.iter().map(|keys| {
        let old = before.index_key(&keys.index).map(|keys| &keys.keys);
        (old, Some(&keys.keys), Place::entity(&after.name).member("indexes").member(&keys.index))
    });
    let found = own.into_iter().chain(of_indexes).filter_map(|(old, new, place)| {
        let old = old?.partition.iter().find_map(shard)?;
        let new = new?.partition.iter().find_map(shard)?;
        if old == new {
            return None;
        }
        let message = format!(
            "{} was written into {} shards and is read from {}: stored items are not where they \
             are looked for",
            after.name,
            old.count(),
            new.count()
        );
        let suggestion =
            format!("keep {} shards, or raise the version and move the stored items", old.count());
        Some(
            Diagnostic::error(RULE.code, place.member("partition"), message)
                .with_suggestion(suggestion),
        )
    });
    found.collect()
}
