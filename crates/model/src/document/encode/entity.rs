//! Entities and attributes.

use super::members::{Members, by_name, text, texts};
use super::value::value;
use crate::document::words::{FORMATS, TYPES, word};
use crate::document::{
    Attribute, Copies, EmbeddedIn, Entity, IndexKeys, IndexKind, Keys, Model, Tree, Unique,
};
use crate::template::Template;

/// An entity; what a variant shares with its base is not written again.
pub(super) fn entity(model: &Model, entity: &Entity) -> Tree {
    let base = entity.variant_of.as_ref().and_then(|name| model.entity(name));
    let mut members = Members::new();
    members.text("description", entity.description.as_deref());
    tables(&mut members, model, entity, base);
    members.text("variant_of", entity.variant_of.as_deref());
    members.put_some("embedded_in", embedded_in(&entity.embedded_in));
    let inherited_type = base.is_some_and(|base| base.type_value() == entity.type_value());
    let stored_type = entity.stored_type.as_deref().filter(|_| !inherited_type);
    members.text("type_value", stored_type);
    members.count("version", entity.version);
    let own_key =
        entity.key.as_ref().filter(|key| base.and_then(|base| base.key.as_ref()) != Some(key));
    members.put_some("key", own_key.map(|key| keys(key, &["partition", "sort"]).into_tree()));
    members.list("unique", entity.unique.iter().map(unique).collect());
    members.text("lock", entity.lock.as_deref());
    members.text("ttl", entity.ttl.as_deref());
    members.text("created", entity.created.as_deref());
    members.text("touched", entity.touched.as_deref());
    members.flag("singleton", entity.singleton);
    members.put_some("copies", entity.copies.as_ref().map(copies));
    members.text("copy_of", entity.copy_of.as_deref());
    members.count("count", entity.count);
    members.count("average_bytes", entity.average_bytes);
    let is_own =
        |keys: &&IndexKeys| base.and_then(|base| base.index_key(&keys.index)) != Some(keys);
    let own_indexes = entity.indexes.iter().filter(is_own);
    members.map(
        "indexes",
        by_name(own_indexes, |keys| &keys.index, |keys| index(model, entity, keys)),
    );
    let is_own = |own: &&Attribute| base.and_then(|base| base.attribute(&own.name)) != Some(own);
    let needed = needed(entity);
    let own_attributes = entity.attributes.iter().filter(is_own);
    members.map(
        "attributes",
        by_name(own_attributes, |own| &own.name, |own| attribute(own, needed.contains(&own.name))),
    );
    members.into_tree()
}

fn tables(members: &mut Members, model: &Model, entity: &Entity, base: Option<&Entity>) {
    if base.is_some_and(|base| base.tables == entity.tables) {
        return;
    }
    match entity.tables.as_slice() {
        [] => {}
        [_] if model.tables.len() == 1 && base.is_none() => {}
        [table] => members.text("table", Some(table)),
        [_, ..] => members.list("tables", texts(&entity.tables)),
    }
}

/// The attributes that the key needs: they are required without a word.
fn needed(entity: &Entity) -> Vec<String> {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    templates.flat_map(Template::required_paths).map(|path| path.root.clone()).collect()
}

/// The named sides of a key.
pub(super) fn keys(keys: &Keys, sides: &[&str]) -> Members {
    let mut members = Members::new();
    for (side, templates) in [("partition", &keys.partition), ("sort", &keys.sort)] {
        if sides.contains(&side) && !templates.is_empty() {
            members.put(side, self::templates(templates));
        }
    }
    members
}

fn templates(templates: &[Template]) -> Tree {
    match templates {
        [template] => text(&template.to_string()),
        _ => Tree::List(templates.iter().map(|template| text(&template.to_string())).collect()),
    }
}

pub(super) fn index(model: &Model, entity: &Entity, of_index: &IndexKeys) -> Tree {
    let index = model.tables_of(entity).find_map(|table| table.index(&of_index.index));
    let is_local = index.is_some_and(|index| index.kind == IndexKind::Local);
    let sides: &[&str] = if is_local { &["sort"] } else { &["partition", "sort"] };
    let mut members = keys(&of_index.keys, sides);
    members.text("when", of_index.when.as_ref().map(|when| when.text.as_str()));
    members.into_tree()
}

fn embedded_in(places: &[EmbeddedIn]) -> Option<Tree> {
    let written = |place: &EmbeddedIn| text(&format!("{}.{}", place.entity, place.attribute));
    match places {
        [] => None,
        [place] => Some(written(place)),
        [_, ..] => Some(Tree::List(places.iter().map(written).collect())),
    }
}

fn unique(unique: &Unique) -> Tree {
    let mut members = Members::new();
    members.text("attribute", Some(&unique.attribute));
    members.text("by", Some(&unique.by));
    members.into_tree()
}

fn copies(copies: &Copies) -> Tree {
    let mut members = Members::new();
    members.text("attribute", Some(&copies.attribute));
    members.count("first", Some(copies.first).filter(|first| *first != 1));
    members.count("count", Some(copies.count));
    members.into_tree()
}

/// A type alone where there is nothing else to say.
pub(super) fn attribute(attribute: &Attribute, is_needed: bool) -> Tree {
    let mut members = Members::new();
    members.text("name", attribute.stored_name.as_deref());
    members.put_some("stored", (!attribute.stored).then_some(Tree::Bool(false)));
    members.text("description", attribute.description.as_deref());
    members.flag("required", attribute.required && !is_needed);
    let plain = Attribute::new("", attribute.kind);
    members.put_some("default", attribute.default.as_ref().map(|one| value(one, Some(&plain))));
    members.list("enum", attribute.values.iter().map(|one| value(one, Some(&plain))).collect());
    members.text("format", attribute.format.map(|format| word(FORMATS, format)));
    members.put_some("min", attribute.min.as_ref().map(|min| Tree::Number(min.to_string())));
    members.put_some("max", attribute.max.as_ref().map(|max| Tree::Number(max.to_string())));
    members.count("digits", attribute.digits);
    members.count("max_bytes", attribute.max_bytes);
    members.count("average_bytes", attribute.average_bytes);
    members.count("distinct", attribute.distinct);
    members.put_some("mutable", attribute.mutable.map(Tree::Bool));
    members.text("charset", attribute.charset.as_deref());
    let of = attribute.copy_of.as_ref().map(|of| format!("{}.{}", of.entity, of.attribute));
    members.text("copy_of", of.as_deref());
    members.map("members", by_name(&attribute.members, |member| &member.name, nested));
    members.put_some("items", attribute.items.as_deref().map(nested));
    let kind = text(word(TYPES, attribute.kind));
    if members.is_empty() {
        return kind;
    }
    members.after("type", kind)
}

fn nested(member: &Attribute) -> Tree {
    attribute(member, false)
}
