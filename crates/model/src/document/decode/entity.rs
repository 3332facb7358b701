//! Entities.

use super::attribute::{attribute_of, attributes};
use super::context::{At, Context};
use super::object::{Object, named};
use super::scalar::{boolean, count, positive, text, texts};
use super::template::templates;
use crate::diagnostic::Diagnostic;
use crate::document::{
    Attribute, Copies, EmbeddedIn, Entity, IndexKeys, IndexKind, KeyAttribute, Keys, Model, Table,
    Unique,
};
use crate::template::Template;

/// An entity with what can only be read when all entities are known.
pub(super) struct EntityDraft<'n> {
    pub(super) entity: Entity,
    /// The conditions of indexes, by index.
    pub(super) when: Vec<(String, At<'n>)>,
    /// The key, if it was given.
    key: Option<At<'n>>,
    indexes: Option<At<'n>>,
}

/// All entities of a document. The model has its tables already.
pub(super) fn entities<'n>(
    cx: &mut Context<'_>,
    at: &At<'n>,
    model: &Model,
) -> Vec<EntityDraft<'n>> {
    let mut drafts = Vec::new();
    for (name, at) in named(cx, at, "entities by name") {
        drafts.extend(entity(cx, name, &at, model));
    }
    drafts
}

fn entity<'n>(
    cx: &mut Context<'_>,
    name: &str,
    at: &At<'n>,
    model: &Model,
) -> Option<EntityDraft<'n>> {
    let mut object = Object::open(cx, at, "an entity")?;
    let mut entity = Entity::named(name);
    entity.description = object.optional(cx, "description", text);
    let table = object.optional(cx, "table", text);
    let several = object.optional(cx, "tables", texts);
    entity.tables = several.into_iter().flatten().chain(table).collect();
    let key = object.take("key");
    let indexes = object.take("indexes");
    entity.attributes =
        object.optional(cx, "attributes", |cx, at| Some(attributes(cx, at))).unwrap_or_default();
    entity.stored_type = object.optional(cx, "type_value", text);
    entity.version = object.optional(cx, "version", positive);
    entity.variant_of = object.optional(cx, "variant_of", text);
    entity.embedded_in = object.optional(cx, "embedded_in", embedded_in).unwrap_or_default();
    entity.unique = object.optional(cx, "unique", unique).unwrap_or_default();
    entity.lock = object.optional(cx, "lock", text);
    entity.ttl = object.optional(cx, "ttl", text);
    entity.created = object.optional(cx, "created", text);
    entity.touched = object.optional(cx, "touched", text);
    entity.count = object.optional(cx, "count", count);
    entity.average_bytes = object.optional(cx, "average_bytes", positive);
    entity.singleton = object.optional(cx, "singleton", boolean).unwrap_or_default();
    entity.copies = object.optional(cx, "copies", copies);
    entity.copy_of = object.optional(cx, "copy_of", text);
    object.finish(cx);
    if entity.tables.is_empty() && !entity.is_embedded() && entity.variant_of.is_none() {
        default_table(cx, at, &mut entity, model);
    }
    Some(EntityDraft { entity, when: Vec::new(), key, indexes })
}

/// An entity that does not say is in the only table there is.
fn default_table(cx: &mut Context<'_>, at: &At<'_>, entity: &mut Entity, model: &Model) {
    match model.tables.as_slice() {
        [] => {}
        [table] => entity.tables.push(table.name.clone()),
        [_, ..] => {
            let names: Vec<&str> = model.tables.iter().map(|table| table.name.as_str()).collect();
            let message = format!("{} does not say which table it is in", entity.name);
            let suggestion = format!("add table, one of {}", names.join(", "));
            let place = at.place.clone();
            cx.report(
                Diagnostic::error("missing-member", place, message).with_suggestion(suggestion),
            );
        }
    }
}

/// Reads the keys of an entity whose attributes and tables are known.
pub(super) fn keys<'n>(cx: &mut Context<'_>, draft: &mut EntityDraft<'n>, model: &Model) {
    let table = draft.entity.tables.first().and_then(|name| model.table(name));
    if let (Some(at), Some(table)) = (&draft.key, table) {
        let partition = std::slice::from_ref(&table.partition_key);
        let attributes = KeyAttributes { partition, sort: table.sort_key.as_slice() };
        let Some(mut object) = Object::open(cx, at, "a key") else { return };
        draft.entity.key = object_keys(cx, &mut object, attributes, &draft.entity);
        object.finish(cx);
    }
    if let (Some(at), Some(table)) = (draft.indexes.clone(), table) {
        for (name, at) in named(cx, &at, "indexes by name") {
            index_keys(cx, name, &at, table, draft);
        }
    }
}

fn index_keys<'n>(
    cx: &mut Context<'_>,
    name: &str,
    at: &At<'n>,
    table: &Table,
    draft: &mut EntityDraft<'n>,
) {
    let Some(mut object) = Object::open(cx, at, "a key in an index") else { return };
    if let Some(when) = object.take("when") {
        draft.when.push((name.to_owned(), when));
    }
    let keys = match table.index(name) {
        // A name that does not exist is reported when all references are.
        None => object_keys(cx, &mut object, KeyAttributes::default(), &draft.entity),
        Some(index) if index.kind == IndexKind::Local => {
            let sort = side(cx, &mut object, "sort", &index.sort_key, &draft.entity);
            sort.map(|sort| Keys { partition: Vec::new(), sort })
        }
        Some(index) => {
            let attributes =
                KeyAttributes { partition: &index.partition_key, sort: &index.sort_key };
            object_keys(cx, &mut object, attributes, &draft.entity)
        }
    };
    object.finish(cx);
    if let Some(keys) = keys {
        draft.entity.indexes.push(IndexKeys { index: name.to_owned(), keys, when: None });
    }
}

#[derive(Clone, Copy, Default)]
struct KeyAttributes<'a> {
    partition: &'a [KeyAttribute],
    sort: &'a [KeyAttribute],
}

fn object_keys(
    cx: &mut Context<'_>,
    object: &mut Object<'_>,
    attributes: KeyAttributes<'_>,
    entity: &Entity,
) -> Option<Keys> {
    let partition = side(cx, object, "partition", attributes.partition, entity);
    let sort = side(cx, object, "sort", attributes.sort, entity);
    Some(Keys { partition: partition?, sort: sort? })
}

/// The templates of one side of a key: those that are written, or the attributes that are called as
/// the key's are.
fn side(
    cx: &mut Context<'_>,
    object: &mut Object<'_>,
    member: &'static str,
    attributes: &[KeyAttribute],
    entity: &Entity,
) -> Option<Vec<Template>> {
    if let Some(at) = object.take(member) {
        let templates = templates(cx, &at)?;
        if templates.len() != attributes.len() && !attributes.is_empty() {
            let names: Vec<&str> = attributes.iter().map(|key| key.name.as_str()).collect();
            let message = format!(
                "the {member} key has {} ({}), and here are {} templates",
                plural(attributes.len()),
                names.join(", "),
                templates.len()
            );
            cx.error(&at, "bad-value", message);
            return None;
        }
        return Some(templates);
    }
    let own = |key: &KeyAttribute| {
        let attribute = entity.attributes.iter().find(|own| own.item_name() == key.name)?;
        super::template::of_attribute(attribute)
    };
    let templates: Option<Vec<Template>> = attributes.iter().map(own).collect();
    if templates.is_none() {
        let names: Vec<&str> = attributes.iter().map(|key| key.name.as_str()).collect();
        let message = format!("the key needs {member}, the template of {}", names.join(", "));
        cx.report(Diagnostic::error("missing-member", object.at.place.clone(), message));
    }
    templates
}

fn plural(count: usize) -> String {
    if count == 1 { "one attribute".to_owned() } else { format!("{count} attributes") }
}

fn embedded_in(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<EmbeddedIn>> {
    let elements = at.elements().unwrap_or_else(|| vec![at.clone()]);
    let place = |of: crate::document::AttributeOf| EmbeddedIn {
        entity: of.entity,
        attribute: of.attribute,
    };
    Some(elements.iter().filter_map(|element| attribute_of(cx, element)).map(place).collect())
}

fn unique(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<Unique>> {
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of unique attributes");
        return None;
    };
    let mut unique = Vec::new();
    for element in &elements {
        let Some(mut object) = Object::open(cx, element, "a unique attribute") else { continue };
        let attribute = object.required(cx, "attribute", text);
        let by = object.required(cx, "by", text);
        object.finish(cx);
        if let (Some(attribute), Some(by)) = (attribute, by) {
            unique.push(Unique { attribute, by });
        }
    }
    Some(unique)
}

fn copies(cx: &mut Context<'_>, at: &At<'_>) -> Option<Copies> {
    let mut object = Object::open(cx, at, "copies")?;
    let attribute = object.required(cx, "attribute", text);
    let first = object.optional(cx, "first", count).unwrap_or(1);
    let count = object.required(cx, "count", positive);
    object.finish(cx);
    Some(Copies { attribute: attribute?, first, count: count? })
}

/// Gives variants what they have in common with the entity that they are variants of: its tables,
/// its type, and the attributes that they do not have themselves.
pub(super) fn inherit_attributes(drafts: &mut [EntityDraft<'_>]) {
    let bases: Vec<Entity> = drafts.iter().map(|draft| draft.entity.clone()).collect();
    for draft in drafts {
        let entity = &mut draft.entity;
        let Some(base) = base_of(entity, &bases) else { continue };
        if entity.tables.is_empty() {
            entity.tables.clone_from(&base.tables);
        }
        if entity.stored_type.is_none() && base.type_value() != entity.name {
            entity.stored_type = Some(base.type_value().to_owned());
        }
        let own = std::mem::take(&mut entity.attributes);
        let overridden = |attribute: &Attribute| own.iter().find(|own| own.name == attribute.name);
        let inherited = base.attributes.iter();
        entity.attributes =
            inherited.map(|attribute| overridden(attribute).unwrap_or(attribute).clone()).collect();
        let further = own.into_iter().filter(|own| base.attribute(&own.name).is_none());
        entity.attributes.extend(further);
    }
}

/// Gives variants the keys that they do not have themselves.
pub(super) fn inherit_keys(drafts: &mut [EntityDraft<'_>]) {
    let bases: Vec<Entity> = drafts.iter().map(|draft| draft.entity.clone()).collect();
    for draft in drafts {
        let entity = &mut draft.entity;
        let Some(base) = base_of(entity, &bases) else { continue };
        if entity.key.is_none() {
            entity.key.clone_from(&base.key);
        }
        let own = std::mem::take(&mut entity.indexes);
        let is_own = |keys: &&IndexKeys| own.iter().any(|own| own.index == keys.index);
        let inherited = base.indexes.iter().filter(|keys| !is_own(keys)).cloned();
        entity.indexes = inherited.chain(own.iter().cloned()).collect();
    }
}

fn base_of<'b>(entity: &Entity, bases: &'b [Entity]) -> Option<&'b Entity> {
    let name = entity.variant_of.as_ref()?;
    bases.iter().find(|base| base.name == *name && base.name != entity.name)
}

/// Fills in what follows from the keys: a local index has the table's partitions, and an attribute
/// that the table's key, or its name, needs is in every item.
pub(super) fn complete(entity: &mut Entity, table: Option<&Table>) {
    let Some(key) = &entity.key else { return };
    for keys in &mut entity.indexes {
        let index = table.and_then(|table| table.index(&keys.index));
        if index.is_some_and(|index| index.kind == IndexKind::Local) {
            keys.keys.partition.clone_from(&key.partition);
        }
    }
    let table_name = table.and_then(|table| table.period_name.as_ref());
    let table_name = table_name.map(|name| name.template());
    let templates = key.partition.iter().chain(&key.sort).chain(table_name);
    let needed: Vec<&str> =
        templates.flat_map(Template::required_paths).map(|path| path.root.as_str()).collect();
    for attribute in &mut entity.attributes {
        attribute.required |= needed.contains(&attribute.name.as_str());
    }
}
