//! Items as samples of the entities that were found.

use std::collections::BTreeMap;

use monotable_item::Item;
use monotable_model::diagnostic::Place;
use monotable_model::document::{Entity, ItemSource, Sample, Table, build_item};

use super::Inference;
use super::grouping::Group;
use crate::foreign::note;

/// How many samples of an entity a model keeps.
const SAMPLES_MAX: usize = 5;

/// Adds every item that its entity builds again, byte for byte.
pub(super) fn add(inference: &mut Inference, table: &Table, items: &[Item], groups: &[Group]) {
    let mut typed = table.clone();
    typed.type_attribute.clone_from(&inference.type_attribute);
    let mut misfits: BTreeMap<String, usize> = BTreeMap::new();
    for (member, item) in items.iter().enumerate() {
        let name = inference.assignment.get(member).cloned().unwrap_or_default();
        let group = groups.iter().find(|group| group.members.contains(&member));
        let entity = inference.entities.iter().find(|entity| entity.name == name);
        let (Some(group), Some(entity)) = (group, entity) else { continue };
        match sample(&typed, entity, group, member, item) {
            Some(sample) => inference.samples.push(sample),
            None => *misfits.entry(name).or_default() += 1,
        }
    }
    for (name, count) in misfits {
        let message = format!("{count} of its items are not built by it, and are no samples");
        inference.notes.push(note(&Place::entity(&name), message));
    }
}

/// The first samples of each entity, taken out of a list.
pub(super) fn few(samples: &mut Vec<Sample>) -> Vec<Sample> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut few = Vec::new();
    for sample in samples.drain(..) {
        let count = counts.entry(sample.entity.clone()).or_default();
        *count += 1;
        if *count <= SAMPLES_MAX {
            few.push(sample);
        }
    }
    few
}

fn sample(
    table: &Table,
    entity: &Entity,
    group: &Group,
    member: usize,
    item: &Item,
) -> Option<Sample> {
    let declared = entity.attributes.iter().filter(|attribute| attribute.stored);
    let mut attributes: Item = declared
        .filter_map(|attribute| {
            let value = item.get(attribute.item_name())?;
            (value.kind() == attribute.kind).then(|| (attribute.name.clone(), value.clone()))
        })
        .collect();
    attributes.extend(group.inventions.of(member));
    let mut sample = Sample {
        entity: entity.name.clone(),
        table: None,
        without: Vec::new(),
        shard: None,
        attributes,
    };
    let build = |sample: &Sample| {
        build_item(&ItemSource {
            table,
            entity,
            attributes: &sample.attributes,
            without: &sample.without,
            shard: None,
        })
    };
    let built = build(&sample).ok()?;
    let lacks = |index: &&monotable_model::document::Index| {
        index
            .key_attributes()
            .any(|key| built.contains_key(&key.name) && !item.contains_key(&key.name))
    };
    sample.without = table.indexes.iter().filter(lacks).map(|index| index.name.clone()).collect();
    (build(&sample).ok()? == *item).then_some(sample)
}
