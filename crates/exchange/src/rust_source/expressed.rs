//! The model that the code describes: what `model_of` of its tables gives.
//!
//! Attributes and entities have the names of the code, under the names in items that they had.
//! What the client has no place for is left out here and a note of the export.

use monotable_item::{Type, Value};
use monotable_model::document::{
    Attribute, Entity, Expression, ExpressionKind, Index, IndexKeys, Keys, Model, Scope, Table,
};
use monotable_model::template::Template;

use super::identifier::{field_name, type_name};
use super::key::{keys_of, max_len, obstacle, table_of};
use super::kind::{Kind, is_option};
use super::text::with_fields;
use crate::renaming::rename;

/// The models that the Rust code of a model describes: one for each struct that is a table, with
/// its entities. The client's `model_of` gives the same for the code.
pub fn rust_models(model: &Model) -> Vec<Model> {
    let tables = model.tables.iter().filter(|table| is_written(model, table));
    tables
        .map(|table| {
            let entities = entities_of(model, table);
            Model {
                name: model.name.clone(),
                tables: vec![expressed_table(table)],
                entities: entities.iter().filter_map(|it| expressed_entity(table, it)).collect(),
                ..Model::default()
            }
        })
        .collect()
}

/// The entities whose items are a table's first of all, and that the client can have.
pub(super) fn entities_of<'m>(model: &'m Model, table: &'m Table) -> Vec<&'m Entity> {
    let own = |entity: &&Entity| {
        let is_here = table_of(model, entity).is_some_and(|first| first.name == table.name);
        let key = entity.key.as_ref();
        is_here && key.is_some_and(|key| obstacle(key).is_none())
    };
    model.entities.iter().filter(own).collect()
}

/// Whether a table has a struct of its own: not if all its entities are those of an earlier one.
pub(super) fn is_written(model: &Model, table: &Table) -> bool {
    !entities_of(model, table).is_empty() || model.entities_in(table).next().is_none()
}

fn expressed_table(table: &Table) -> Table {
    let mut expressed = Table::new(table.name.clone(), table.partition_key.clone());
    expressed.sort_key = table.sort_key.clone();
    expressed.type_attribute = table.type_attribute.clone();
    expressed.ttl = table.ttl.clone();
    let index = |index: &Index| Index { description: None, billing: None, ..index.clone() };
    expressed.indexes = table.indexes.iter().map(index).collect();
    expressed
}

fn expressed_entity(table: &Table, entity: &Entity) -> Option<Entity> {
    let name = type_name(&entity.name);
    let mut expressed = Entity::named(&name);
    expressed.tables = vec![table.name.clone()];
    expressed.attributes =
        entity.attributes.iter().map(|it| expressed_attribute(table, entity, it)).collect();
    let mut scope = Scope::new();
    for attribute in &expressed.attributes {
        scope.add(&attribute.name, attribute.item_name());
    }
    for key in keys_of(table, entity).iter().filter(|key| obstacle(key.keys).is_none()) {
        let keys = renamed(key.keys)?;
        let Some(index) = key.index else {
            expressed.key = Some(keys);
            continue;
        };
        let when = entity.index_key(index).and_then(|keys| keys.when.as_ref());
        let when = when.and_then(|when| {
            let text = with_fields(&when.text, entity);
            Expression::parse(ExpressionKind::When, &text, &scope).ok()
        });
        expressed.indexes.push(IndexKeys { index: index.to_owned(), keys, when });
    }
    let is_typed = table.type_attribute.is_some() && entity.type_value() != name;
    expressed.stored_type = is_typed.then(|| entity.type_value().to_owned());
    expressed.version = entity.version;
    expressed.lock = entity.lock.as_deref().map(field_name);
    expressed.ttl = entity.ttl.as_deref().map(field_name);
    let mut templates = expressed.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    expressed.singleton = templates.all(Template::is_singleton);
    Some(expressed)
}

fn expressed_attribute(table: &Table, entity: &Entity, attribute: &Attribute) -> Attribute {
    let name = field_name(&attribute.name);
    let kind = match attribute.kind {
        // Any value: the client takes it for a map.
        Type::Null | Type::NumberSet | Type::BinarySet => Type::Map,
        other => other,
    };
    let mut expressed = Attribute::new(&name, kind);
    expressed.stored_name =
        (attribute.item_name() != name).then(|| attribute.item_name().to_owned());
    expressed.stored = attribute.stored;
    expressed.required = !is_option(attribute) && attribute.kind != Type::StringSet;
    expressed.mutable = (attribute.mutable == Some(false)).then_some(false);
    expressed.max_bytes = max_len(table, entity, attribute);
    if let Kind::Enumeration(_, texts) = Kind::of(entity, attribute) {
        expressed.values = texts.iter().map(|text| Value::from(text.as_str())).collect();
    }
    expressed
}

/// Templates with the names of fields.
pub(super) fn renamed(keys: &Keys) -> Option<Keys> {
    let all = |templates: &[Template]| -> Option<Vec<Template>> {
        templates.iter().map(|template| rename(template, &|name| field_name(name))).collect()
    };
    Some(Keys { partition: all(&keys.partition)?, sort: all(&keys.sort)? })
}
