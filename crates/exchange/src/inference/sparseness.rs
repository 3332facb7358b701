//! The condition of a sparse index: the one value of an attribute that all items in it have, and no
//! others.

use std::collections::BTreeSet;

use monotable_item::{Item, Value};
use monotable_model::document::{
    Entity, Expression, ExpressionKind, Index, Scope, Table, quoted_name,
};
use monotable_model::template::Attributes;

use super::grouping::Group;

/// The condition, if some items lack the keys of an index although they have the attributes for
/// them.
pub(super) fn condition(
    entity: &Entity,
    table: &Table,
    index: &Index,
    items: &[Item],
    group: &Group,
) -> Option<Expression> {
    let members = group.members.iter().filter_map(|member| Some((*member, items.get(*member)?)));
    let (inside, outside): (Vec<_>, Vec<_>) = members
        .partition(|(_, item)| index.key_attributes().all(|key| item.contains_key(&key.name)));
    let could_be: Vec<&Item> = outside
        .iter()
        .filter(|(member, item)| builds(group, table, index, *member, item))
        .map(|(_, item)| *item)
        .collect();
    if could_be.is_empty() {
        return None;
    }
    let (name, value) =
        entity.attributes.iter().filter(|attribute| attribute.stored).find_map(|attribute| {
            let values = |items: &mut dyn Iterator<Item = &Item>| -> Option<BTreeSet<String>> {
                items.map(|item| text(item.get(attribute.item_name())?)).collect()
            };
            let within = values(&mut inside.iter().map(|(_, item)| *item))?;
            let beyond = values(&mut could_be.iter().copied())?;
            let only = within.first().filter(|_| within.len() == 1)?;
            (!beyond.contains(only)).then(|| (attribute.name.clone(), only.clone()))
        })?;
    let mut scope = Scope::new();
    for attribute in &entity.attributes {
        scope.add(&attribute.name, attribute.item_name());
    }
    let written = format!("{} = '{}'", quoted_name(&name), value.replace('\'', "''"));
    Expression::parse(ExpressionKind::When, &written, &scope).ok()
}

/// Whether an item has the attributes that the key of an index needs.
fn builds(group: &Group, table: &Table, index: &Index, member: usize, item: &Item) -> bool {
    let number = table.indexes.iter().position(|other| other.name == index.name);
    let invented = group.inventions.of(member);
    let mut templates = group.templates.iter().filter(|(place, _)| place.index == number);
    templates.all(|(_, template)| {
        template.paths().all(|path| item.value(path).is_some() || invented.value(path).is_some())
    })
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}
