//! Relationships: an entity whose items lie in the partition of another's.
//!
//! Of two entities with the same partition template, one may have a single item in each partition,
//! since its sort key says nothing that the partition key does not say. The other's items belong to
//! it.

use std::collections::BTreeMap;

use monotable_item::{Item, Path, Value};
use monotable_model::document::{Entity, Keys, Relationship, RelationshipKind, Table};

use super::grouping::Group;

/// Who belongs to whom, with the average that the items show.
pub(super) fn find(
    table: &Table,
    entities: &[Entity],
    items: &[Item],
    groups: &[Group],
) -> Vec<Relationship> {
    let mut found = Vec::new();
    for (owner, of_owner) in entities.iter().zip(groups) {
        for (owned, of_owned) in entities.iter().zip(groups) {
            let related = owner.name != owned.name && belongs(owner, owned);
            let is_known = |one: &Relationship| one.to == owned.name;
            if !related || found.iter().any(is_known) {
                continue;
            }
            let owners = partitions(table, items, of_owner);
            let members = partitions(table, items, of_owned);
            let count: usize = owners.keys().filter_map(|key| members.get(key)).sum();
            let average = count as f64 / owners.len().max(1) as f64;
            found.push(Relationship {
                from: owner.name.clone(),
                to: owned.name.clone(),
                kind: RelationshipKind::OneToMany,
                through: None,
                average: (count > 0).then(|| (average * 10.0).round() / 10.0),
                max: None,
                description: None,
            });
        }
    }
    found
}

fn belongs(owner: &Entity, owned: &Entity) -> bool {
    let (Some(owner), Some(owned)) = (&owner.key, &owned.key) else { return false };
    let has_parts = owner.partition.iter().any(|template| !template.is_singleton());
    has_parts && owner.partition == owned.partition && is_one(owner) && !is_one(owned)
}

/// Whether a partition has one item of these keys at most.
fn is_one(keys: &Keys) -> bool {
    let known: Vec<&Path> = keys.partition.iter().flat_map(|template| template.paths()).collect();
    keys.sort.iter().flat_map(|template| template.paths()).all(|path| known.contains(&path))
}

/// How many items of a group each partition has.
fn partitions(table: &Table, items: &[Item], group: &Group) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for member in &group.members {
        let key = items.get(*member).and_then(|item| item.get(&table.partition_key.name));
        if let Some(key @ (Value::String(_) | Value::Number(_) | Value::Binary(_))) = key {
            *counts.entry(format!("{key:?}")).or_default() += 1;
        }
    }
    counts
}
