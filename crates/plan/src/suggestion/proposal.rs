//! The keys that one pattern proposes for its entities.

use monotable_item::Type;
use monotable_model::document::{Attribute, AttributeFormat, Entity, Model, Pattern};
use monotable_model::template::{AttributePart, Template};

use super::SuggestedKeys;

/// How wide a number is written that does not say how many digits it has.
const DIGITS_DEFAULT: u64 = 12;

/// What a pattern proposes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposal<'p> {
    pub(super) pattern: &'p Pattern,
    pub(super) table: String,
    pub(super) keys: Vec<SuggestedKeys>,
}

/// The keys that would serve a pattern, if any would: the partition of what is known exactly, the
/// sort key of the range and of what distinguishes items.
pub(super) fn propose<'p>(model: &Model, pattern: &'p Pattern) -> Option<Proposal<'p>> {
    if pattern.consistent {
        return None;
    }
    let entities: Vec<&Entity> =
        pattern.entities.iter().map(|name| model.entity(name)).collect::<Option<_>>()?;
    let table = entities.first()?.tables.first()?.clone();
    let is_there = |entity: &&Entity| entity.tables.contains(&table);
    if !entities.iter().all(is_there) {
        return None;
    }
    let keys = entities.into_iter().map(|entity| keys_of(entity, pattern));
    let keys = keys.collect::<Option<Vec<_>>>()?;
    Some(Proposal { pattern, table, keys })
}

fn keys_of(entity: &Entity, pattern: &Pattern) -> Option<SuggestedKeys> {
    let fields = pattern.by.iter().map(|known| {
        let part = part_of(entity, &known.attribute)?;
        Some(format!("{}#{part}", literal(&known.attribute)))
    });
    let fields = fields.collect::<Option<Vec<_>>>()?;
    let partition = if fields.is_empty() {
        // Nothing is known: all items of the entities in one partition.
        literal(pattern.entities.first()?)
    } else {
        fields.join("#")
    };
    let mut parts = vec![literal(&entity.name)];
    if let Some(range) = &pattern.range {
        parts.push(part_of(entity, &range.attribute)?);
    }
    let is_used = |name: &str| {
        pattern.by.iter().any(|known| known.attribute == name)
            || pattern.range.as_ref().is_some_and(|range| range.attribute == name)
    };
    let own = key_parts(entity).filter(|part| !is_used(&part.path.root));
    for part in own {
        let text = part.to_string();
        if !parts.contains(&text) {
            parts.push(text);
        }
    }
    Some(SuggestedKeys {
        entity: entity.name.clone(),
        partition: Template::parse(&partition).ok()?,
        sort: Template::parse(&parts.join("#")).ok()?,
    })
}

/// A name as keys begin with it.
fn literal(name: &str) -> String {
    name.to_uppercase().replace(['{', '}'], "")
}

/// An attribute as a part of a template: as the entity's key writes it, or as its type asks for.
fn part_of(entity: &Entity, name: &str) -> Option<String> {
    let attribute = entity.attribute(name)?;
    let known = key_parts(entity).find(|part| part.path.root == name && part.path.is_attribute());
    match known {
        Some(part) => Some(part.to_string()),
        None => Some(format!("{{{name}{}}}", encoding(attribute)?)),
    }
}

fn key_parts(entity: &Entity) -> impl Iterator<Item = &AttributePart> {
    let templates = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates
        .flat_map(|template| template.attributes())
        .filter(|part| part.encoding.key_type() == Type::String)
}

fn encoding(attribute: &Attribute) -> Option<String> {
    let format = match attribute.format {
        Some(AttributeFormat::Ksuid) => ":ksuid",
        Some(AttributeFormat::Ulid) => ":ulid",
        Some(AttributeFormat::Uuid) => ":uuid",
        Some(AttributeFormat::UuidV7) => ":uuid7",
        Some(AttributeFormat::Rfc3339) => ":time(ms)",
        Some(AttributeFormat::EpochSeconds) => ":epoch(s)",
        Some(AttributeFormat::EpochMillis) => ":epoch(ms)",
        Some(AttributeFormat::Date) => ":day",
        Some(AttributeFormat::Email) | None => "",
    };
    match attribute.kind {
        Type::String => Some(format.to_owned()),
        Type::Number if !format.is_empty() => Some(format.to_owned()),
        Type::Number => Some(format!(":0{}", attribute.digits.unwrap_or(DIGITS_DEFAULT))),
        Type::Bool => Some(":bool".to_owned()),
        Type::Binary
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet
        | Type::NumberSet
        | Type::BinarySet => None,
    }
}
