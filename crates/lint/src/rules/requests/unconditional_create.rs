//! An item that is created without asking whether it is there.

use monotable_expr::Condition;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{ActionKind, AttributeFormat, Entity, Model, Operation};
use monotable_model::template::{Form, Template};

use crate::Subject;
use crate::condition_shape::{condition_of, leaves};
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unconditional-create",
    Warning,
    Requests,
    Model,
    "an item is created by a put that replaces one with the same key",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let puts = all_writes(subject.model).into_iter().filter(is_unconditional_put);
    let replacing = puts.filter(|write| can_replace(subject.model, write));
    let found = replacing.map(|write| {
        let key = partition_key(subject.model, write.entity);
        let message = format!(
            "{} is put without a condition, and replaces whatever has the same key",
            write.entity.name
        );
        let suggestion = format!("condition = \"attribute_not_exists({key})\"");
        Diagnostic::warning(RULE.code, write.place, message).with_suggestion(suggestion)
    });
    found.collect()
}

/// A put that nothing keeps from replacing an item. Batches cannot have conditions.
fn is_unconditional_put(write: &PatternWrite<'_>) -> bool {
    write.kind == ActionKind::Put
        && write.condition.is_none()
        && write.pattern.operation != Operation::BatchWrite
}

/// Whether a put can replace an item that somebody else made, and lose what it holds. What the
/// pattern is called says nothing about it.
fn can_replace(model: &Model, write: &PatternWrite<'_>) -> bool {
    let entity = write.entity;
    let is_derived = entity.copy_of.is_some() || entity.copies.is_some() || entity.singleton;
    !is_derived
        && !has_generated_key(entity)
        && holds_more_than_key(entity)
        && !is_created_elsewhere(model, write)
}

/// Whether items hold anything that their keys do not: if not, a second put changes nothing.
fn holds_more_than_key(entity: &Entity) -> bool {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let roots: Vec<&str> =
        templates.flat_map(Template::paths).map(|path| path.root.as_str()).collect();
    entity.attributes.iter().any(|attribute| !roots.contains(&attribute.name.as_str()))
}

/// Whether another pattern creates the entity's items, by a put that asks whether there is one. A
/// put without a condition then replaces on purpose.
fn is_created_elsewhere(model: &Model, write: &PatternWrite<'_>) -> bool {
    all_writes(model).iter().any(|other| {
        let condition = other.condition.and_then(condition_of);
        other.kind == ActionKind::Put
            && other.entity.name == write.entity.name
            && condition.is_some_and(|condition| refuses_existing(&condition))
    })
}

fn refuses_existing(condition: &Condition) -> bool {
    leaves(condition).iter().any(|leaf| matches!(leaf, Condition::NotExists(_)))
}

/// Whether the key has an identifier that nobody else can have made: its encoding or the format of
/// its attribute says so.
fn has_generated_key(entity: &Entity) -> bool {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let mut parts = templates.clone().flat_map(Template::attributes);
    if parts.any(|part| matches!(part.encoding.form(), Form::Identifier(_))) {
        return true;
    }
    let mut formats =
        templates.flat_map(Template::paths).filter_map(|path| entity.attribute(&path.root)?.format);
    formats.any(|format| match format {
        AttributeFormat::Ksuid
        | AttributeFormat::Ulid
        | AttributeFormat::Uuid
        | AttributeFormat::UuidV7 => true,
        AttributeFormat::Email
        | AttributeFormat::Rfc3339
        | AttributeFormat::EpochSeconds
        | AttributeFormat::EpochMillis
        | AttributeFormat::Date => false,
    })
}

fn partition_key<'m>(model: &'m Model, entity: &'m Entity) -> &'m str {
    model.tables_of(entity).next().map_or("PK", |table| table.partition_key.name.as_str())
}
