//! The model document of a table and its entities.

mod claim;
#[cfg(feature = "model-files")]
mod facts;
#[cfg(feature = "model-files")]
mod file;
mod pattern;

use std::collections::BTreeSet;

use monotable_model::document::Model;

#[cfg(feature = "model-files")]
pub use file::{assert_model_matches, differences};

use crate::entity::Table;

/// The model document of a table and the entities that it lists, with the items that hold unique
/// values, and an access pattern for each key and for the creation of what has unique values.
pub fn model_of<T: Table>() -> Model {
    let mut model = Model { name: kebab(T::schema().definition.name), ..Model::default() };
    model.tables = vec![T::schema().document.clone()];
    let schemas = T::entities();
    let mut names: BTreeSet<String> =
        schemas.iter().map(|schema| schema.document.name.clone()).collect();
    let mut claims = Vec::new();
    for schema in &schemas {
        let (entity, of_entity) = claim::with_claims(schema, &mut names);
        model.entities.push(entity);
        claims.extend(of_entity);
    }
    model.entities.extend(claims);
    let patterns = schemas.iter().flat_map(|schema| pattern::patterns_of(&model, schema));
    model.patterns = patterns.collect();
    model
}

fn kebab(name: &str) -> String {
    let mut text = String::new();
    for (at, character) in name.chars().enumerate() {
        if character.is_uppercase() && at > 0 {
            text.push('-');
        }
        text.extend(character.to_lowercase());
    }
    text
}
