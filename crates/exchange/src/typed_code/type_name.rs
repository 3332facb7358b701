//! Names of types that no other declaration of a module has.

use std::collections::BTreeMap;

use monotable_model::document::Model;
use monotable_plan::cost::operation_word;

use super::{EntityCode, Module, PatchField, RowUnion};
use crate::case::pascal;

/// A name for each entity, such that the types whose names begin with it are free as well: `ends`
/// are the ends of those names, beside the ones of groups that change together.
pub(crate) fn entity_names(
    module: &Module<'_>,
    ends: &[&str],
    identifier: fn(&str) -> String,
    taken: &mut Vec<String>,
) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for entity in &module.entities {
        let mut ends: Vec<String> = ends.iter().map(|end| (*end).to_owned()).collect();
        ends.extend(group_types(entity));
        ends.extend(rows_of(module, &entity.entity.name));
        let all = |name: &str| -> Vec<String> {
            let types = ends.iter().map(|end| format!("{name}{end}"));
            std::iter::once(name.to_owned()).chain(types).collect()
        };
        let mut name = identifier(&pascal(&entity.entity.name));
        if !name.contains(|c: char| c.is_ascii_alphanumeric()) {
            name = "Entity".to_owned();
        }
        while all(&name).iter().any(|name| taken.contains(name)) {
            name.push('_');
        }
        taken.extend(all(&name));
        names.insert(entity.entity.name.clone(), name);
    }
    names
}

/// What the function of a pattern is called after: its name, or what it does where that has no
/// letters or digits of ASCII, which names are made of.
pub(crate) fn spoken_name(model: &Model, pattern: &str) -> String {
    let can_be_said = |name: &str| name.contains(|c: char| c.is_ascii_alphanumeric());
    let Some(found) = model.pattern(pattern).filter(|_| !can_be_said(pattern)) else {
        return pattern.to_owned();
    };
    let entities = found.all_entities().filter(|name| can_be_said(name));
    std::iter::once(operation_word(found.operation)).chain(entities).collect::<Vec<_>>().join(" ")
}

/// The types of attributes that change together.
fn group_types(entity: &EntityCode<'_>) -> impl Iterator<Item = String> {
    let patch = entity.operations.iter().flat_map(|operations| &operations.patch);
    patch.filter_map(|field| match field {
        PatchField::Group(group) => Some(group.type_name.clone()),
        PatchField::Attribute(_) => None,
    })
}

/// The rows of unions that an entity is one of.
fn rows_of(module: &Module<'_>, entity: &str) -> Vec<String> {
    let holds = |union: &&RowUnion| union.entities.iter().any(|name| name == entity);
    module.unions.iter().filter(holds).map(|union| format!("Of{}", union.name)).collect()
}

/// A name that is not taken, and is taken from then on.
pub(crate) fn free(mut name: String, taken: &mut Vec<String>) -> String {
    while taken.contains(&name) {
        name.push('_');
    }
    taken.push(name.clone());
    name
}
