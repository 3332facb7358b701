//! The places where templates stand: each attribute of each key of each entity.

use monotable_model::diagnostic::Place;
use monotable_model::document::{
    Attribute, Entity, Index, IndexKind, KeyAttribute, KeySide, Keys, Model, Table,
};
use monotable_model::template::{AttributePart, EntityKeys, KeySet, Template};

use super::attribute_domain::domains_of;
use super::family::base;

/// A template and where it stands.
#[derive(Debug, Clone)]
pub(super) struct KeySite<'m> {
    pub(super) entity: &'m Entity,
    pub(super) table: &'m Table,
    /// The index, if it is not the table's own key.
    pub(super) index: Option<&'m Index>,
    pub(super) side: KeySide,
    /// The attribute of the key.
    pub(super) attribute: &'m KeyAttribute,
    pub(super) template: &'m Template,
    /// All templates of the entity in this table or index.
    pub(super) keys: &'m Keys,
    pub(super) place: Place,
}

/// The templates of an entity in a table or index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Resident<'m> {
    pub(super) entity: &'m Entity,
    pub(super) keys: &'m Keys,
}

/// Every template of the model, once: an entity in several tables has the same keys in all of them,
/// and what a variant takes over from its entity stands there.
pub(super) fn key_sites(model: &Model) -> Vec<KeySite<'_>> {
    model.entities.iter().flat_map(|entity| entity_sites(model, entity)).collect()
}

/// The sites of sort keys alone.
pub(super) fn sort_sites(model: &Model) -> impl Iterator<Item = KeySite<'_>> {
    key_sites(model).into_iter().filter(|site| site.side == KeySide::Sort)
}

/// The entities of a table, or of one of its indexes, without variants that have the same keys.
pub(super) fn residents<'m>(
    model: &'m Model,
    table: &'m Table,
    index: Option<&'m Index>,
) -> Vec<Resident<'m>> {
    let resident = |entity: &'m Entity| {
        let keys = match index {
            Some(index) => &entity.index_key(&index.name)?.keys,
            None => entity.key.as_ref()?,
        };
        Some(Resident { entity, keys })
    };
    model.entities_in(table).filter_map(resident).collect()
}

/// Every table, and every index of one.
pub(super) fn routes(model: &Model) -> impl Iterator<Item = (&Table, Option<&Index>)> {
    model.tables.iter().flat_map(|table| {
        let indexes = table.indexes.iter().map(move |index| (table, Some(index)));
        std::iter::once((table, None)).chain(indexes)
    })
}

/// An attribute of the key of a table or index, and where the model says so.
#[derive(Debug, Clone)]
pub(super) struct RouteKey<'m> {
    pub(super) attribute: &'m KeyAttribute,
    pub(super) place: Place,
}

/// The attributes of the key of a table or index. A local index has the table's partition key,
/// which is not repeated.
pub(super) fn route_keys<'m>(table: &'m Table, index: Option<&'m Index>) -> Vec<RouteKey<'m>> {
    let place = route_place(table, index);
    let (partition, sort) = match index {
        None => (std::slice::from_ref(&table.partition_key), table.sort_key.as_slice()),
        Some(index) if index.kind == IndexKind::Local => (&[] as &[_], index.sort_key.as_slice()),
        Some(index) => (index.partition_key.as_slice(), index.sort_key.as_slice()),
    };
    let of = |member: &'static str, attributes: &'m [KeyAttribute]| {
        let place = place.member(member);
        attributes.iter().map(move |attribute| RouteKey { attribute, place: place.clone() })
    };
    of("partition_key", partition).chain(of("sort_key", sort)).collect()
}

/// The place of a table or index.
pub(super) fn route_place(table: &Table, index: Option<&Index>) -> Place {
    let place = Place::table(&table.name);
    let Some(index) = index else { return place };
    let list = match index.kind {
        IndexKind::Local => "local_indexes",
        IndexKind::Global => "global_indexes",
    };
    place.member(list).member(&index.name)
}

/// Whether two entities are the same one in different states.
pub(super) fn is_same_family(one: &Entity, other: &Entity) -> bool {
    base(one) == base(other)
}

fn entity_sites<'m>(model: &'m Model, entity: &'m Entity) -> Vec<KeySite<'m>> {
    let Some(table) = model.tables_of(entity).next() else { return Vec::new() };
    let base = entity.variant_of.as_deref().and_then(|name| model.entity(name));
    let place = Place::entity(&entity.name);
    let mut sites = Vec::new();
    if let Some(keys) = &entity.key
        && base.is_none_or(|base| base.key.as_ref() != Some(keys))
    {
        let partition = std::slice::from_ref(&table.partition_key);
        let sides = (partition, table.sort_key.as_slice());
        sites.extend(sides_of(entity, table, None, keys, sides, &place.member("key")));
    }
    for own in &entity.indexes {
        let is_inherited = base.is_some_and(|base| base.index_key(&own.index) == Some(own));
        let Some(index) = table.index(&own.index).filter(|_| !is_inherited) else { continue };
        let partition = match index.kind {
            IndexKind::Global => index.partition_key.as_slice(),
            IndexKind::Local => &[],
        };
        let place = place.member("indexes").member(&index.name);
        let sides = (partition, index.sort_key.as_slice());
        sites.extend(sides_of(entity, table, Some(index), &own.keys, sides, &place));
    }
    sites
}

fn sides_of<'m>(
    entity: &'m Entity,
    table: &'m Table,
    index: Option<&'m Index>,
    keys: &'m Keys,
    (partition, sort): (&'m [KeyAttribute], &'m [KeyAttribute]),
    place: &Place,
) -> Vec<KeySite<'m>> {
    let sides = [
        (KeySide::Partition, partition, keys.partition.as_slice()),
        (KeySide::Sort, sort, keys.sort.as_slice()),
    ];
    let mut sites = Vec::new();
    for (side, attributes, templates) in sides {
        for (number, (attribute, template)) in attributes.iter().zip(templates).enumerate() {
            let place = place.member(side.name());
            let place = if attributes.len() > 1 { place.index(number) } else { place };
            sites.push(KeySite { entity, table, index, side, attribute, template, keys, place });
        }
    }
    sites
}

impl<'m> KeySite<'m> {
    /// In words: `the sort key of Order in GSI1`.
    pub(super) fn describe(&self) -> String {
        let key = format!("the {} key of {}", self.side.name(), self.entity.name);
        match self.index {
            Some(index) => format!("{key} in {}", index.name),
            None => key,
        }
    }

    /// The parts of the template that write whole attributes, with what is declared about those.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'m AttributePart, &'m Attribute)> {
        let entity = self.entity;
        let of_attributes = self.template.attributes().filter(|part| part.path.is_attribute());
        of_attributes.filter_map(|part| Some((part, entity.attribute(&part.path.root)?)))
    }

    /// The keys of the template.
    pub(super) fn key_set(&self) -> KeySet {
        KeySet::new(self.template, &domains_of(self.entity))
    }

    /// Whether each partition has but one item of the entity, so that the order of sort keys means
    /// nothing.
    pub(super) fn is_alone_in_partition(&self) -> bool {
        let known: Vec<&str> = roots(&self.keys.partition).collect();
        roots(&self.keys.sort).all(|root| known.contains(&root))
    }
}

fn roots(templates: &[Template]) -> impl Iterator<Item = &str> {
    templates.iter().flat_map(|template| template.paths()).map(|path| path.root.as_str())
}

impl<'m> Resident<'m> {
    /// Its keys, unless one of them consists of several attributes.
    pub(super) fn entity_keys(&self) -> Option<EntityKeys> {
        let [partition] = self.keys.partition.as_slice() else { return None };
        let sort = match self.keys.sort.as_slice() {
            [] => None,
            [sort] => Some(sort),
            _ => return None,
        };
        Some(EntityKeys::new(partition, sort, &domains_of(self.entity)))
    }

    /// The attributes that its key is made of, each once.
    pub(super) fn attributes(&self) -> Vec<&'m str> {
        let mut attributes: Vec<&'m str> = roots(&self.keys.partition).collect();
        attributes.extend(roots(&self.keys.sort));
        attributes.sort_unstable();
        attributes.dedup();
        attributes
    }
}
