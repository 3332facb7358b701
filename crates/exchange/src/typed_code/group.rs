//! What a patch may change, and which attributes it changes together.
//!
//! The key of an index is made of attributes. Whoever changes one of them must know the others, or
//! the key goes stale: they are a group, and a patch has all of them or none. Attributes of the
//! table's own key are known anyway. Indexes that share an attribute share their group.

use monotable_model::document::{Entity, Index, IndexKeys, Table};
use monotable_model::template::Template;

use super::kind::Field;
use super::type_name::free;
use crate::case::{camel, pascal};

/// A member of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PatchField {
    /// An attribute that is changed alone.
    Attribute(Field),
    /// Attributes that are changed together.
    Group(Group),
}

impl PatchField {
    /// The name of the member.
    pub(crate) fn name(&self) -> &str {
        match self {
            PatchField::Attribute(field) => &field.name,
            PatchField::Group(group) => &group.name,
        }
    }
}

/// Attributes that are changed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The name of the member.
    pub(crate) name: String,
    /// The name of its type, behind that of the entity.
    pub(crate) type_name: String,
    /// The indexes whose keys change with it.
    pub(crate) indexes: Vec<String>,
    /// The attributes.
    pub(crate) fields: Vec<Field>,
}

/// The key of an index, as far as patches write it.
pub(crate) struct WrittenKey<'m> {
    pub(crate) keys: &'m IndexKeys,
    /// Attributes of the key with their templates: neither of the table's own key, nor attributes
    /// that the entity has anyway.
    pub(crate) parts: Vec<(&'m str, &'m Template)>,
    /// The attributes that it is made of and that are not in the table's own key.
    pub(crate) open: Vec<&'m str>,
}

/// The keys of indexes that are written because of their templates.
pub(crate) fn written_keys<'m>(table: &'m Table, entity: &'m Entity) -> Vec<WrittenKey<'m>> {
    let indexes = entity.indexes.iter().filter_map(|keys| Some((keys, table.index(&keys.index)?)));
    let written = indexes.map(|(keys, index)| WrittenKey {
        keys,
        parts: parts(table, entity, keys, index),
        open: open(entity, keys, &parts(table, entity, keys, index)),
    });
    written.filter(|key| !key.parts.is_empty()).collect()
}

fn parts<'m>(
    table: &'m Table,
    entity: &'m Entity,
    keys: &'m IndexKeys,
    index: &'m Index,
) -> Vec<(&'m str, &'m Template)> {
    let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
    let is_own = |name: &str| {
        table.key_attributes().any(|key| key.name == name)
            || entity.attributes.iter().any(|own| own.stored && own.item_name() == name)
    };
    let pairs = index.key_attributes().map(|key| key.name.as_str()).zip(templates);
    pairs.filter(|(name, _)| !is_own(name)).collect()
}

fn open<'m>(
    entity: &'m Entity,
    keys: &'m IndexKeys,
    parts: &[(&'m str, &'m Template)],
) -> Vec<&'m str> {
    let own = key_roots(entity);
    let of_templates = parts.iter().flat_map(|(_, template)| template.paths());
    let roots = of_templates.map(|path| path.root.as_str());
    let conditions = keys.when.iter().flat_map(|when| when.attributes.iter().map(String::as_str));
    let mut open: Vec<&str> = Vec::new();
    for name in roots.chain(conditions) {
        if !own.contains(&name) && !open.contains(&name) {
            open.push(name);
        }
    }
    open
}

/// The attributes of the table's own key.
pub(crate) fn key_roots(entity: &Entity) -> Vec<&str> {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let mut roots: Vec<&str> = Vec::new();
    for path in templates.flat_map(Template::paths) {
        if !roots.contains(&path.root.as_str()) {
            roots.push(&path.root);
        }
    }
    roots
}

/// What the types are called that every entity has, behind its own name.
const OWN_TYPES: [&str; 4] = ["Entity", "Key", "Part", "Patch"];

/// The members of an entity's patch.
pub(crate) fn patch_fields(
    entity: &Entity,
    fields: &[Field],
    written: &[WrittenKey<'_>],
) -> Vec<PatchField> {
    let groups = connected(written);
    let own = key_roots(entity);
    let is_free = |field: &&Field| {
        let attribute = entity.attribute(&field.name);
        let changes = attribute.is_some_and(|one| one.stored && one.mutable != Some(false));
        changes && !own.contains(&field.name.as_str()) && entity.lock.as_ref() != Some(&field.name)
    };
    let mut found: Vec<PatchField> = Vec::new();
    for field in fields.iter().filter(is_free) {
        let group = groups.iter().find(|group| group.names.contains(&field.name.as_str()));
        match group {
            Some(group) if group.names.len() > 1 => {}
            Some(_) | None => found.push(PatchField::Attribute(field.clone())),
        }
    }
    let mut members: Vec<String> = found.iter().map(|field| field.name().to_owned()).collect();
    let mut types: Vec<String> = OWN_TYPES.map(str::to_owned).to_vec();
    for group in groups.iter().filter(|group| group.names.len() > 1) {
        let own = fields.iter().filter(|field| group.names.contains(&field.name.as_str()));
        let own: Vec<Field> = own.cloned().collect();
        let title = group.indexes.join(" and ");
        found.push(PatchField::Group(Group {
            name: free(camel(&title), &mut members),
            type_name: free(pascal(&title), &mut types),
            indexes: group.indexes.iter().map(|index| (*index).to_owned()).collect(),
            fields: own,
        }));
    }
    found
}

struct Connected<'m> {
    indexes: Vec<&'m str>,
    names: Vec<&'m str>,
}

/// Joins the indexes that share an attribute.
fn connected<'m>(written: &[WrittenKey<'m>]) -> Vec<Connected<'m>> {
    let mut groups: Vec<Connected<'m>> = Vec::new();
    for key in written.iter().filter(|key| !key.open.is_empty()) {
        let mut joined =
            Connected { indexes: vec![key.keys.index.as_str()], names: key.open.clone() };
        let shares = |group: &Connected<'_>| group.names.iter().any(|name| key.open.contains(name));
        let (sharing, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
        for group in sharing.into_iter().rev() {
            joined.indexes.splice(0..0, group.indexes);
            joined.names.splice(0..0, group.names);
        }
        joined.names.sort_unstable();
        joined.names.dedup();
        groups = others;
        groups.push(joined);
    }
    groups
}
