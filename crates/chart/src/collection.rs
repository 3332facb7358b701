//! Item collections: the sample items as a table or index holds them.
//!
//! A partition's items stand in the byte order of the sort key, which is the order in which a query
//! returns them. Partitions themselves have no order; they are shown in that of their keys, so that
//! the chart is always the same. An item is in an index if it has all attributes of the index's
//! key, and only then.

use std::collections::BTreeMap;

use monotable_item::{Item, key_encoding};
use monotable_model::document::{Entity, Index, IndexKeys, Model, Sample, Table};
use monotable_plan::cost::projects;

use super::value_text::value_text;
use super::view::View;

/// The sample items in a table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionTable {
    /// The table or index.
    pub view: View,
    /// Its partitions.
    pub partitions: Vec<Partition>,
    /// The items of the table that the index lacks.
    pub absent: Vec<AbsentItem>,
    /// Samples that no item can be built from, and why.
    pub faults: Vec<String>,
}

/// The items under one partition key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// The partition key.
    pub key: Vec<Cell>,
    /// Its items, in the order of the sort key.
    pub items: Vec<CollectionItem>,
}

/// An item in a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionItem {
    /// Its entity.
    pub entity: String,
    /// Its sort key.
    pub sort: Vec<Cell>,
    /// Its other attributes: keys of the table and of other indexes first, then the entity's in
    /// their order.
    pub attributes: Vec<Cell>,
}

/// An attribute and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The attribute, by its name in items.
    pub name: String,
    /// Its value, on one line.
    pub value: String,
    /// Whether it is an attribute of a key, of the table or of any index.
    pub is_key: bool,
}

/// An item that an index lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentItem {
    /// Its entity.
    pub entity: String,
    /// Its key in the table.
    pub key: Vec<Cell>,
    /// Why the index lacks it.
    pub absence: Absence,
}

/// Why an index lacks an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absence {
    /// Its entity has no key in the index.
    NoKey,
    /// It does not meet the condition of the index.
    Condition(String),
    /// It lacks an attribute that the key is built from.
    Lacks(String),
    /// The sample leaves the key out on purpose.
    LeftOut,
}

/// A sample and its item.
struct BuiltSample<'m> {
    sample: &'m Sample,
    entity: &'m Entity,
    item: Item,
}

impl CollectionTable {
    /// The collections of all tables and indexes.
    pub(super) fn all(model: &Model) -> Vec<CollectionTable> {
        let mut tables = Vec::new();
        for table in &model.tables {
            let (built, faults) = samples_in(model, table);
            for index in std::iter::once(None).chain(table.indexes.iter().map(Some)) {
                let faults = if index.is_none() { faults.clone() } else { Vec::new() };
                tables.push(of_view(table, index, &built, faults));
            }
        }
        tables
    }

    /// How many items it holds.
    pub fn item_count(&self) -> usize {
        self.partitions.iter().map(|partition| partition.items.len()).sum()
    }
}

impl Absence {
    /// Why, in words.
    pub fn words(&self) -> String {
        match self {
            Absence::NoKey => "the entity has no key here".to_owned(),
            Absence::Condition(condition) => format!("not {condition}"),
            Absence::Lacks(attribute) => format!("without {attribute}"),
            Absence::LeftOut => "its key was left out".to_owned(),
        }
    }
}

/// The samples of a table with their items, and what is wrong with those that have none.
fn samples_in<'m>(model: &'m Model, table: &Table) -> (Vec<BuiltSample<'m>>, Vec<String>) {
    let (mut built, mut faults) = (Vec::new(), Vec::new());
    for (sample, place) in model.samples.iter().zip(model.sample_places()) {
        let Some(entity) = model.entity(&sample.entity) else { continue };
        if sample.table.as_ref().or(entity.tables.first()) != Some(&table.name) {
            continue;
        }
        match model.item_of_sample(sample) {
            Ok(item) => built.push(BuiltSample { sample, entity, item }),
            Err(error) => faults.push(format!("{place}: {error}")),
        }
    }
    (built, faults)
}

fn of_view(
    table: &Table,
    index: Option<&Index>,
    built: &[BuiltSample<'_>],
    faults: Vec<String>,
) -> CollectionTable {
    let view = View::of(table, index);
    let mut partitions: BTreeMap<Vec<u8>, Vec<(Vec<u8>, &BuiltSample<'_>)>> = BTreeMap::new();
    let mut absent = Vec::new();
    for sample in built {
        let keys = (key_bytes(&view.partition_key, sample), key_bytes(&view.sort_key, sample));
        match (keys, index) {
            ((Some(partition), Some(sort)), _) => {
                // Items of the same index key stand in the order of their keys in the table.
                let own = table.key_attributes().map(|key| key.name.clone()).collect::<Vec<_>>();
                let place = [sort, key_bytes(&own, sample).unwrap_or_default()].concat();
                partitions.entry(partition).or_default().push((place, sample));
            }
            (_, Some(index)) => absent.push(absent_item(table, index, sample)),
            (_, None) => {}
        }
    }
    let shown = |items| partition(table, index, &view, items);
    CollectionTable {
        partitions: partitions.into_values().map(shown).collect(),
        view,
        absent,
        faults,
    }
}

/// The bytes by which a key sorts, if the item has all of it.
fn key_bytes(names: &[String], sample: &BuiltSample<'_>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for name in names {
        if !key_encoding::encode(sample.item.get(name)?, &mut bytes) {
            return None;
        }
    }
    Some(bytes)
}

fn partition(
    table: &Table,
    index: Option<&Index>,
    view: &View,
    mut items: Vec<(Vec<u8>, &BuiltSample<'_>)>,
) -> Partition {
    items.sort_by(|(left, _), (right, _)| left.cmp(right));
    let key = items.first().map(|(_, sample)| cells(table, &view.partition_key, sample));
    let item = |(_, sample): &(Vec<u8>, &BuiltSample<'_>)| CollectionItem {
        entity: sample.entity.name.clone(),
        sort: cells(table, &view.sort_key, sample),
        attributes: cells(table, &others(table, index, view, sample), sample),
    };
    Partition { key: key.unwrap_or_default(), items: items.iter().map(item).collect() }
}

/// The attributes that stand beside the key of the view: keys first, then those of the entity in
/// their order, then what nothing declares.
fn others(
    table: &Table,
    index: Option<&Index>,
    view: &View,
    sample: &BuiltSample<'_>,
) -> Vec<String> {
    let of_indexes = table.indexes.iter().flat_map(Index::key_attributes);
    let keys = table.key_attributes().chain(of_indexes).map(|key| key.name.clone());
    let declared =
        sample.entity.attributes.iter().map(|attribute| attribute.item_name().to_owned());
    let mut names: Vec<String> = Vec::new();
    for name in keys.chain(declared).chain(sample.item.keys().cloned()) {
        let is_held = index.is_none_or(|index| projects(table, index, &index.projection, &name));
        let is_shown = view.key().any(|(_, key)| key == name) || names.contains(&name);
        if is_held && !is_shown && sample.item.contains_key(&name) {
            names.push(name);
        }
    }
    names
}

fn cells(table: &Table, names: &[String], sample: &BuiltSample<'_>) -> Vec<Cell> {
    let of_indexes = || table.indexes.iter().flat_map(Index::key_attributes);
    let is_key =
        |name: &str| table.key_attributes().chain(of_indexes()).any(|key| key.name == name);
    let cell = |name: &String| {
        let value = value_text(sample.item.get(name)?);
        Some(Cell { name: name.clone(), value, is_key: is_key(name) })
    };
    names.iter().filter_map(cell).collect()
}

fn absent_item(table: &Table, index: &Index, sample: &BuiltSample<'_>) -> AbsentItem {
    let own: Vec<String> = table.key_attributes().map(|key| key.name.clone()).collect();
    let absence = match sample.entity.index_key(&index.name) {
        None => Absence::NoKey,
        Some(_) if sample.sample.without.contains(&index.name) => Absence::LeftOut,
        Some(keys) => why_absent(keys, sample),
    };
    AbsentItem { entity: sample.entity.name.clone(), key: cells(table, &own, sample), absence }
}

/// Why an item of an entity with a key in the index is not there: what the key needs and the item
/// lacks, or else the condition.
fn why_absent(keys: &IndexKeys, sample: &BuiltSample<'_>) -> Absence {
    let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
    let mut paths = templates.flat_map(|template| template.required_paths());
    let lacking = paths.find(|path| !sample.sample.attributes.contains_key(&path.root));
    match (&keys.when, lacking) {
        (Some(when), None) => Absence::Condition(when.text.clone()),
        (_, Some(path)) => Absence::Lacks(path.to_string()),
        (None, None) => Absence::LeftOut,
    }
}
