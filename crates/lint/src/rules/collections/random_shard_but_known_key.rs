//! A random shard where one could be calculated.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Operation, Pattern};
use monotable_model::template::{Segment, Shard, ShardRule, Template};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "random-shard-but-known-key",
    Info,
    Collections,
    Model,
    "a shard is chosen at random, although readers know a value that could tell it",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for entity in &subject.model.entities {
        let own = entity.key.iter().map(|keys| (keys, Place::entity(&entity.name).member("key")));
        let of_indexes = entity.indexes.iter().map(|keys| {
            (&keys.keys, Place::entity(&entity.name).member("indexes").member(&keys.index))
        });
        for (keys, place) in own.chain(of_indexes) {
            let shard = keys.partition.iter().find_map(random_shard);
            let known =
                shard.and_then(|shard| Some((shard, known_attribute(subject, entity, keys)?)));
            found.extend(known.map(|(shard, known)| finding(entity, shard, known, &place)));
        }
    }
    found
}

fn random_shard(template: &Template) -> Option<&Shard> {
    template.segments().iter().find_map(|segment| match segment {
        Segment::Shard(shard) => Some(shard).filter(|shard| *shard.rule() == ShardRule::Chosen),
        Segment::Literal(_) | Segment::Attribute(_) => None,
    })
}

/// An attribute outside of the partition key that every item has and a pattern that wants one item
/// knows.
fn known_attribute<'s>(
    subject: &'s Subject<'_>,
    entity: &Entity,
    keys: &monotable_model::document::Keys,
) -> Option<(&'s Pattern, &'s str)> {
    let in_partition: Vec<&str> =
        keys.partition.iter().flat_map(Template::paths).map(|path| path.root.as_str()).collect();
    let patterns = subject.model.patterns.iter().filter(|pattern| {
        let names_one = matches!(
            pattern.operation,
            Operation::Get | Operation::Update | Operation::Delete | Operation::Query
        );
        names_one && pattern.entities.contains(&entity.name)
    });
    patterns.into_iter().find_map(|pattern| {
        let known = pattern.by.iter().find(|known| {
            let is_required = entity.attribute(&known.attribute).is_some_and(|one| one.required);
            is_required && !in_partition.contains(&known.attribute.as_str())
        })?;
        Some((pattern, known.attribute.as_str()))
    })
}

fn finding(
    entity: &Entity,
    shard: &Shard,
    (pattern, known): (&Pattern, &str),
    place: &Place,
) -> Diagnostic {
    let count = shard.count();
    let message = format!(
        "{} is in a random one of {count} shards, and \"{}\" knows {known}: a calculated shard \
         would be found with one request instead of {count}",
        entity.name, pattern.name
    );
    let suggestion = format!("{{shard({known}, {count})}}");
    Diagnostic::info(RULE.code, place.member("partition"), message).with_suggestion(suggestion)
}
