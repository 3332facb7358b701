//! The model document of a table and its entities.

#[cfg(feature = "model-files")]
mod facts;
#[cfg(feature = "model-files")]
mod file;

use monotable_model::document::Model;

#[cfg(feature = "model-files")]
pub use file::{assert_model_matches, differences};

use crate::entity::Table;

/// The model document of a table and the entities that it lists.
pub fn model_of<T: Table>() -> Model {
    let mut model = Model { name: kebab(T::schema().definition.name), ..Model::default() };
    model.tables = vec![T::schema().document.clone()];
    model.entities = T::entities().into_iter().map(|entity| entity.document.clone()).collect();
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
