//! Entity charts: who is in a table or index, under which keys.

use monotable_model::document::{Entity, Index, IndexKeys, Keys, Model, Table};

use super::view::View;

/// The entity chart of a table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityChart {
    /// The table or index.
    pub view: View,
    /// The entities whose items can be in it, in the order of the file.
    pub rows: Vec<EntityRow>,
}

/// An entity in a table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityRow {
    /// The entity.
    pub entity: String,
    /// What it is.
    pub description: Option<String>,
    /// One template for each attribute of the key, partition first.
    pub templates: Vec<String>,
    /// When its items are there, if not always.
    pub condition: Option<String>,
}

impl EntityChart {
    /// The charts of all tables and indexes.
    pub(super) fn all(model: &Model) -> Vec<EntityChart> {
        View::all(model).into_iter().map(|(table, index)| of_view(model, table, index)).collect()
    }

    /// Returns whether some entity is there only under a condition.
    pub fn is_sparse(&self) -> bool {
        self.rows.iter().any(|row| row.condition.is_some())
    }
}

fn of_view(model: &Model, table: &Table, index: Option<&Index>) -> EntityChart {
    let row = |entity: &Entity| match index {
        None => Some(row(entity, entity.key.as_ref()?, None)),
        Some(index) => {
            let keys = entity.index_key(&index.name)?;
            Some(row(entity, &keys.keys, condition(entity, keys)))
        }
    };
    EntityChart {
        view: View::of(table, index),
        rows: model.entities_in(table).filter_map(row).collect(),
    }
}

fn row(entity: &Entity, keys: &Keys, condition: Option<String>) -> EntityRow {
    let templates = keys.partition.iter().chain(&keys.sort);
    EntityRow {
        entity: entity.name.clone(),
        description: entity.description.clone(),
        templates: templates.map(ToString::to_string).collect(),
        condition,
    }
}

/// When items are in an index: what the model says, and the optional attributes that its key is
/// built from.
fn condition(entity: &Entity, keys: &IndexKeys) -> Option<String> {
    let mut parts: Vec<String> = keys.when.iter().map(|when| when.text.clone()).collect();
    let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
    for path in templates.flat_map(|template| template.paths()) {
        let is_optional = entity.attribute(&path.root).is_some_and(|attribute| !attribute.required);
        let part = format!("attribute_exists({path})");
        if is_optional && !parts.contains(&part) {
            parts.push(part);
        }
    }
    (!parts.is_empty()).then(|| parts.join(" AND "))
}
