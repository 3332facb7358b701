//! The keys of an entity: their names in the code, and their parts in the order in which they are
//! given.

use monotable_item::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};
use monotable_model::document::{Attribute, Entity, Keys, Model, Table};
use monotable_model::template::{Domain, Domains, KeySet, Segment, Template};

use super::identifier::{field_name, marker_name, module_name, type_name};
use crate::renaming::rename;

/// A key of an entity: of the table, or of an index.
#[derive(Debug, Clone)]
pub(super) struct EntityKey<'m> {
    /// The index; nothing for the table itself.
    pub(super) index: Option<&'m str>,
    /// The name of the access pattern.
    pub(super) name: String,
    pub(super) keys: &'m Keys,
}

/// The keys of an entity that the client can have, the table's first, then global indexes, then
/// local ones.
pub(super) fn keys_of<'m>(table: &'m Table, entity: &'m Entity) -> Vec<EntityKey<'m>> {
    let mut keys: Vec<EntityKey<'m>> = Vec::new();
    let own = entity.key.iter().map(|keys| (None, keys));
    let in_table = table.indexes.iter().rev().filter_map(|index| {
        entity.index_key(&index.name).map(|keys| (index, Some(index.name.as_str()), &keys.keys))
    });
    let mut indexed: Vec<_> = in_table.collect();
    indexed.reverse();
    indexed.sort_by_key(|(index, ..)| index.kind == monotable_model::document::IndexKind::Local);
    let indexed = indexed.into_iter().map(|(_, name, keys)| (name, keys));
    for (index, of_key) in own.chain(indexed) {
        let parts = part_names(&of_key.partition);
        let fields: Vec<String> = parts.iter().map(|name| field_name(name)).collect();
        let by = match fields.as_slice() {
            [] => "only".to_owned(),
            [first, _, _, ..] => format!("by_{}_and_more", first.trim_end_matches('_')),
            fields => format!("by_{}", fields.join("_and_").trim_end_matches('_')),
        };
        let is_taken = keys.iter().any(|key| key.name == by);
        let name = match index {
            Some(index) if is_taken => format!("{by}_in_{}", field_name(index)),
            Some(_) | None => by,
        };
        keys.push(EntityKey { index, name, keys: of_key });
    }
    keys
}

/// The attributes whose values templates write, in order and without repetition.
pub(super) fn part_names(templates: &[Template]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in templates.iter().flat_map(Template::attributes) {
        if !names.contains(&part.path.root) {
            names.push(part.path.root.clone());
        }
    }
    names
}

impl EntityKey<'_> {
    /// The attributes of the partition key.
    pub(super) fn partition(&self) -> Vec<String> {
        part_names(&self.keys.partition)
    }

    /// The attributes of the sort key that the partition key does not write whole.
    pub(super) fn sort(&self) -> Vec<String> {
        let whole = |name: &String| {
            let mut parts = self.keys.partition.iter().flat_map(Template::attributes);
            parts.any(|part| part.path.root == *name && part.encoding.is_lossless())
        };
        let mut names = part_names(&self.keys.sort);
        names.retain(|name| !whole(name));
        names
    }

    /// The attributes that a shard follows from and that the key does not write.
    pub(super) fn shard_inputs(&self) -> Vec<String> {
        let written: Vec<String> = self.partition().into_iter().chain(self.sort()).collect();
        let mut names: Vec<String> = Vec::new();
        for path in self.keys.partition.iter().chain(&self.keys.sort).flat_map(Template::paths) {
            if !written.contains(&path.root) && !names.contains(&path.root) {
                names.push(path.root.clone());
            }
        }
        names
    }

    /// The path of the access pattern's type: `order::ByCustomer`.
    pub(super) fn marker(&self, entity: &Entity) -> String {
        format!("{}::{}", module_name(&type_name(&entity.name)), marker_name(&self.name))
    }
}

/// Why the client cannot have a key, if it cannot.
pub(super) fn obstacle(keys: &Keys) -> Option<String> {
    for template in keys.partition.iter().chain(&keys.sort) {
        if let Some(path) = template.paths().find(|path| !path.is_attribute()) {
            return Some(format!("{path}: a part of a key is a whole field"));
        }
        let chosen = |segment: &Segment| match segment {
            Segment::Shard(shard) => shard.rule().input().is_none(),
            Segment::Literal(_) | Segment::Attribute(_) => false,
        };
        if template.segments().iter().any(chosen) {
            return Some("the shard must follow from a field".to_owned());
        }
    }
    None
}

/// The table that an entity's struct belongs to: the first of those that share it.
pub(super) fn table_of<'m>(model: &'m Model, entity: &'m Entity) -> Option<&'m Table> {
    model.tables_of(entity).next()
}

/// How many bytes a text has at most, where the derive can be told: not if it would take a key for
/// too long, since it counts what each of them can become in a key.
pub(super) fn max_len(table: &Table, entity: &Entity, attribute: &Attribute) -> Option<u64> {
    attribute.max_bytes?;
    let bounded = entity.attributes.iter().filter_map(|attribute| {
        let bytes = usize::try_from(attribute.max_bytes?).ok()?;
        Some((field_name(&attribute.name), Domain::text_of_bytes(bytes)))
    });
    let domains =
        bounded.fold(Domains::new(), |domains, (name, domain)| domains.with(&name, domain));
    let is_too_long = |template: &Template, bytes_max: usize| {
        let is_part = template.paths().any(|path| path.root == attribute.name);
        if !is_part || rough_bytes(template, entity) <= bytes_max {
            return false;
        }
        let renamed = rename(template, &|name| field_name(name));
        let longest = renamed.and_then(|template| KeySet::new(&template, &domains).bytes_max());
        longest.is_some_and(|bytes| bytes > bytes_max)
    };
    let breaks = keys_of(table, entity).iter().any(|key| {
        key.keys.partition.iter().any(|it| is_too_long(it, PARTITION_KEY_BYTES_MAX))
            || key.keys.sort.iter().any(|it| is_too_long(it, SORT_KEY_BYTES_MAX))
    });
    attribute.max_bytes.filter(|_| !breaks)
}

/// More bytes than any key of a template has, at little cost: what is longest is decided only for
/// templates that come near the limit.
fn rough_bytes(template: &Template, entity: &Entity) -> usize {
    /// A byte may be one that is escaped, or of a character that becomes several in another case.
    const BYTES_OF_BYTE: usize = 3;
    /// Forms of a fixed width.
    const BYTES_OF_FORM: usize = 64;
    let bytes = |segment: &Segment| match segment {
        Segment::Literal(text) => text.len(),
        Segment::Attribute(part) => {
            let max = entity.attribute(&part.path.root).and_then(|it| it.max_bytes);
            let max = max.and_then(|max| usize::try_from(max).ok());
            max.map_or(BYTES_OF_FORM, |max| max.saturating_mul(BYTES_OF_BYTE))
        }
        Segment::Shard(_) => BYTES_OF_FORM,
    };
    template.segments().iter().map(bytes).fold(0, usize::saturating_add)
}
