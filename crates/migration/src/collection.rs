//! Who shares a collection with a new entity.

use monotable_model::document::{Entity, Keys, Model, Table};
use monotable_model::template::{Domains, KeySet, Template};

/// A table or index in which two entities can have the same partition key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Neighbour {
    /// The other entity.
    pub(super) entity: String,
    /// The index; nothing for the table itself.
    pub(super) index: Option<String>,
}

/// The entities among `others` that can lie in a collection of an entity, table and indexes one by
/// one.
pub(super) fn neighbours<'m>(
    model: &'m Model,
    entity: &'m Entity,
    others: &[&'m Entity],
) -> Vec<Neighbour> {
    let mut neighbours = Vec::new();
    for table in model.tables_of(entity) {
        for (index, keys) in places(table, entity) {
            let shares = |other: &&&Entity| {
                other.tables.contains(&table.name)
                    && keys_at(other, index).is_some_and(|other| may_meet(keys, other))
            };
            neighbours.extend(others.iter().filter(shares).map(|other| Neighbour {
                entity: other.name.clone(),
                index: index.map(str::to_owned),
            }));
        }
    }
    neighbours
}

/// The keys of an entity in its table and in every index of it.
fn places<'m>(
    table: &'m Table,
    entity: &'m Entity,
) -> impl Iterator<Item = (Option<&'m str>, &'m Keys)> {
    let of_table = entity.key.iter().map(|keys| (None, keys));
    let of_indexes = entity.indexes.iter().filter_map(move |keys| {
        table.index(&keys.index).map(|index| (Some(index.name.as_str()), &keys.keys))
    });
    of_table.chain(of_indexes)
}

/// The keys of an entity in an index, or in its table.
pub(super) fn keys_at<'m>(entity: &'m Entity, index: Option<&str>) -> Option<&'m Keys> {
    match index {
        Some(name) => entity.index_key(name).map(|keys| &keys.keys),
        None => entity.key.as_ref(),
    }
}

/// Whether items of both can have the same partition key.
fn may_meet(a: &Keys, b: &Keys) -> bool {
    let set = |template: &Template| KeySet::new(template, &Domains::new());
    a.partition.iter().zip(&b.partition).all(|(a, b)| !set(a).same_key(&set(b)).is_never())
}
