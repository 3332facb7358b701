//! How large the attributes of an entity are, where no sample shows it.
//!
//! What the model says comes first: `average_bytes`, the values of an enum, the format, the digits.
//! Of a text about which only its greatest length is known, half is taken; of one about which
//! nothing is, 16 bytes.

use std::collections::BTreeMap;

use monotable_item::{Type, value_size_bytes};
use monotable_model::document::{Attribute, AttributeFormat, Entity, KeyAttribute, Keys, Table};
use monotable_model::template::{Segment, Template};

/// The size of a text about which nothing is known.
const TEXT_BYTES: u64 = 16;
/// The size of a number about which nothing is known: up to six digits.
const NUMBER_BYTES: u64 = 4;
/// The size of a list, map or set about which nothing is known.
const CONTAINER_BYTES: u64 = 32;
/// What a map costs besides its members.
const MAP_BYTES: u64 = 3;

/// The sizes of an item's values by their names in the item: a stand-in for an item.
pub(super) type Shape = BTreeMap<String, u64>;

/// How large the values of an entity's items are in a table, by their names in items, as far as the
/// model says or else by a guess. Keys of indexes are among them.
pub fn attribute_sizes(table: &Table, entity: &Entity) -> BTreeMap<String, u64> {
    shape_of(table, entity)
}

/// The shape of an entity's items in a table, with the keys of all indexes.
pub(super) fn shape_of(table: &Table, entity: &Entity) -> Shape {
    let attributes = entity.attributes.iter().filter(|attribute| attribute.stored);
    let mut shape: Shape = attributes
        .map(|attribute| (attribute.item_name().to_owned(), value_bytes(attribute)))
        .collect();
    if let Some(name) = &table.type_attribute {
        shape.insert(name.clone(), length(entity.type_value()));
    }
    if let Some(keys) = &entity.key {
        add_keys(&mut shape, entity, table.key_attributes(), keys);
    }
    for index in &table.indexes {
        if let Some(keys) = entity.index_key(&index.name) {
            add_keys(&mut shape, entity, index.key_attributes(), &keys.keys);
        }
    }
    shape
}

/// The bytes of an item of this shape.
pub(super) fn shape_bytes(shape: &Shape) -> u64 {
    shape.iter().map(|(name, bytes)| length(name) + bytes).sum()
}

fn add_keys<'k>(
    shape: &mut Shape,
    entity: &Entity,
    attributes: impl Iterator<Item = &'k KeyAttribute>,
    keys: &Keys,
) {
    let templates = keys.partition.iter().chain(&keys.sort);
    for (attribute, template) in attributes.zip(templates) {
        shape.entry(attribute.name.clone()).or_insert_with(|| template_bytes(entity, template));
    }
}

fn template_bytes(entity: &Entity, template: &Template) -> u64 {
    let segments = template.segments();
    let delimiters = segments.len().saturating_sub(1) as u64;
    delimiters + segments.iter().map(|segment| segment_bytes(entity, segment)).sum::<u64>()
}

fn segment_bytes(entity: &Entity, segment: &Segment) -> u64 {
    if let Some(width) = segment.fixed_width() {
        return width as u64;
    }
    let path = segment.attribute().map(|part| part.path.root.as_str());
    path.and_then(|name| entity.attribute(name)).map_or(TEXT_BYTES, value_bytes)
}

fn value_bytes(attribute: &Attribute) -> u64 {
    let of_format = || attribute.format.map(format_bytes);
    attribute
        .average_bytes
        .or_else(|| mean_of_values(attribute))
        .or_else(of_format)
        .unwrap_or_else(|| type_bytes(attribute))
}

fn mean_of_values(attribute: &Attribute) -> Option<u64> {
    let count = attribute.values.len() as u64;
    let bytes: u64 = attribute.values.iter().map(|value| value_size_bytes(value) as u64).sum();
    (count > 0).then(|| bytes.div_ceil(count))
}

fn format_bytes(format: AttributeFormat) -> u64 {
    match format {
        AttributeFormat::Ksuid => 27,
        AttributeFormat::Ulid => 26,
        AttributeFormat::Uuid | AttributeFormat::UuidV7 => 36,
        AttributeFormat::Email => 24,
        AttributeFormat::Rfc3339 => 20,
        AttributeFormat::EpochSeconds => 6,
        AttributeFormat::EpochMillis => 8,
        AttributeFormat::Date => 10,
    }
}

fn type_bytes(attribute: &Attribute) -> u64 {
    let half_of_most = attribute.max_bytes.map(|bytes| bytes.div_ceil(2));
    match attribute.kind {
        Type::String | Type::Binary => half_of_most.unwrap_or(TEXT_BYTES),
        Type::Number => attribute.digits.map_or(NUMBER_BYTES, |digits| 1 + digits.div_ceil(2)),
        Type::Bool | Type::Null => 1,
        Type::Map if !attribute.members.is_empty() => {
            let member = |member: &Attribute| 1 + length(member.item_name()) + value_bytes(member);
            MAP_BYTES + attribute.members.iter().map(member).sum::<u64>()
        }
        Type::Map | Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet => {
            half_of_most.unwrap_or(CONTAINER_BYTES)
        }
    }
}

fn length(text: &str) -> u64 {
    text.len() as u64
}
