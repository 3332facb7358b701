//! An item that is created without asking whether it is there.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{ActionKind, AttributeFormat, Entity, Model, Operation};
use monotable_model::template::Template;

use crate::Subject;
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

/// How patterns that create something begin.
const WORDS: [&str; 7] = ["add", "create", "insert", "new", "place", "register", "sign"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let creates = all_writes(subject.model).into_iter().filter(is_create);
    let found = creates.filter(|write| !has_generated_key(write.entity)).map(|write| {
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

/// A put of a pattern that says that it creates. Batches cannot have conditions.
fn is_create(write: &PatternWrite<'_>) -> bool {
    let first = write.pattern.name.split_whitespace().next().unwrap_or_default().to_lowercase();
    WORDS.contains(&first.as_str())
        && write.kind == ActionKind::Put
        && write.condition.is_none()
        && write.pattern.operation != Operation::BatchWrite
}

/// Whether the key has an identifier that nobody else can have made.
fn has_generated_key(entity: &Entity) -> bool {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
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
