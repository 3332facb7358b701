//! How large the items of an entity are, and their entries in indexes.
//!
//! Sample data is measured to the byte. Where there is none, `average_bytes` of the entity holds,
//! and where that is not given either, the attributes are added up.

use std::collections::BTreeMap;

use monotable_item::{Item, item_size_bytes};
use monotable_model::document::{Entity, Index, IndexProjection, Model, Table};

use super::shape::{Shape, shape_bytes, shape_of};

/// Where a size comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeSource {
    /// So many samples were measured.
    Samples(usize),
    /// The entity's `average_bytes`.
    Declared,
    /// The sizes of the attributes, added up.
    Attributes,
}

/// The sizes of an entity's items in a table.
#[derive(Debug, Clone, PartialEq)]
pub struct EntitySize {
    /// The size of an item, on average.
    pub item_bytes: u64,
    /// Where it comes from.
    pub source: SizeSource,
    /// How many items there are, if that is known.
    pub count: Option<f64>,
    /// Its entries in indexes, by their names.
    pub entries: BTreeMap<String, EntrySize>,
}

/// The entries of an entity in an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntrySize {
    /// The size of what is projected, on average.
    pub bytes: u64,
    /// Which part of the items is in the index.
    pub share: f64,
}

impl EntitySize {
    /// Measures an entity in a table.
    pub fn of(model: &Model, table: &Table, entity: &Entity) -> EntitySize {
        let samples = samples_of(model, table, entity);
        let shape = shape_of(table, entity);
        let (item_bytes, source) = match mean(samples.iter().map(item_bytes)) {
            Some(bytes) => (bytes, SizeSource::Samples(samples.len())),
            None => match entity.average_bytes {
                Some(bytes) => (bytes, SizeSource::Declared),
                None => (shape_bytes(&shape), SizeSource::Attributes),
            },
        };
        let held = table.indexes.iter().filter(|index| entity.index_key(&index.name).is_some());
        let entries = held.map(|index| {
            let size = entry_size(table, index, &samples, &shape, item_bytes);
            (index.name.clone(), size)
        });
        EntitySize { item_bytes, source, count: count(model, entity), entries: entries.collect() }
    }

    /// The entries in an index: none if the entity is not in it.
    pub fn entry(&self, index: &str) -> Option<EntrySize> {
        self.entries.get(index).copied()
    }

    /// The size of a row in an index, or in the table itself.
    pub fn row_bytes(&self, index: Option<&str>) -> u64 {
        match index {
            None => self.item_bytes,
            Some(index) => self.entry(index).map_or(self.item_bytes, |entry| entry.bytes),
        }
    }
}

/// Returns whether an index holds an attribute.
pub fn projects(table: &Table, index: &Index, projection: &IndexProjection, name: &str) -> bool {
    let is_key = || {
        let mut keys = table.key_attributes().chain(index.key_attributes());
        keys.any(|key| key.name == name)
    };
    match projection {
        IndexProjection::All => true,
        IndexProjection::KeysOnly => is_key(),
        IndexProjection::Include(names) => names.iter().any(|other| other == name) || is_key(),
    }
}

/// An index that no sample is in says nothing about how many items are.
fn entry_size(
    table: &Table,
    index: &Index,
    samples: &[Item],
    shape: &Shape,
    item_size: u64,
) -> EntrySize {
    let in_index = |item: &&Item| index.key_attributes().all(|key| item.contains_key(&key.name));
    let entries: Vec<&Item> = samples.iter().filter(in_index).collect();
    let projected = |name: &str| projects(table, index, &index.projection, name);
    let measured = entries.iter().map(|item| {
        let kept = item.iter().filter(|(name, _)| projected(name));
        item_bytes(&kept.map(|(name, value)| (name.clone(), value.clone())).collect())
    });
    if let Some(bytes) = mean(measured) {
        return EntrySize { bytes, share: entries.len() as f64 / samples.len() as f64 };
    }
    let bytes = match index.projection {
        IndexProjection::All => item_size,
        IndexProjection::KeysOnly | IndexProjection::Include(_) => {
            let kept = shape.iter().filter(|(name, _)| projected(name));
            shape_bytes(&kept.map(|(name, bytes)| (name.clone(), *bytes)).collect()).min(item_size)
        }
    };
    EntrySize { bytes, share: 1.0 }
}

/// The samples of an entity in a table. One that cannot be built is reported by the check of the
/// model.
fn samples_of(model: &Model, table: &Table, entity: &Entity) -> Vec<Item> {
    let is_here = |name: &Option<String>| name.as_ref().is_none_or(|name| *name == table.name);
    let samples = model.samples.iter();
    samples
        .filter(|sample| sample.entity == entity.name && is_here(&sample.table))
        .filter_map(|sample| model.item_of_sample(sample).ok())
        .collect()
}

/// How many items there are: as the entity says, or as its relationships to a counted one do.
pub(super) fn count(model: &Model, entity: &Entity) -> Option<f64> {
    count_below(model, entity, &[])
}

/// The same, but not by way of entities whose count is being looked for: relationships may form a
/// circle.
fn count_below(model: &Model, entity: &Entity, outer: &[&str]) -> Option<f64> {
    if entity.singleton {
        return Some(1.0);
    }
    if let Some(count) = entity.count {
        return Some(count as f64);
    }
    let outer = [outer, &[entity.name.as_str()]].concat();
    let mut parents = model.relationships.iter().filter(|relationship| {
        relationship.counted() == entity.name
            && relationship.tells_count()
            && !outer.contains(&relationship.from.as_str())
    });
    parents.find_map(|relationship| {
        let parents = count_below(model, model.entity(&relationship.from)?, &outer)?;
        Some(parents * relationship.average_count()?)
    })
}

fn item_bytes(item: &Item) -> u64 {
    item_size_bytes(item) as u64
}

/// The mean, rounded up; nothing of nothing.
fn mean(sizes: impl Iterator<Item = u64>) -> Option<u64> {
    let (count, sum) = sizes.fold((0u64, 0u64), |(count, sum), size| (count + 1, sum + size));
    (count > 0).then(|| sum.div_ceil(count))
}
