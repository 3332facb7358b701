//! The model document of a table and its entities.

mod facts;

use std::path::Path;

use monotable_model::document::{self, Format, Model};

use crate::entity::Table;
use facts::Facts;

/// The model document of a table and the entities that it lists.
pub fn model_of<T: Table>() -> Model {
    let mut model = Model { name: kebab(T::schema().definition.name), ..Model::default() };
    model.tables = vec![T::schema().document.clone()];
    model.entities = T::entities().into_iter().map(|entity| entity.document.clone()).collect();
    model
}

/// Compares a table and its entities in code with those of a model file in TOML, and returns what
/// differs, one line each: where, what the code says and what the file says.
///
/// What only a file can say, such as access patterns, counts and descriptions, does not differ.
pub fn differences<T: Table>(toml: &str) -> Vec<String> {
    differences_of::<T>(toml, Format::Toml)
}

/// Asserts that a model file says what the code says of a table and its entities.
///
/// It is for a test: `cargo test` runs in the directory of the package, so the path is relative to
/// its `Cargo.toml`. The file is TOML, YAML or JSON, as its name ends.
///
/// # Panics
///
/// Panics if the file cannot be read, is no model, or differs from the code; the message has a
/// line for each difference.
#[track_caller]
pub fn assert_model_matches<T: Table>(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("the model file {shown} cannot be read: {error}"));
    let differences = differences_of::<T>(&text, Format::detect(&shown.to_string(), &text));
    assert!(
        differences.is_empty(),
        "{} and {shown} are not the same model:\n  {}",
        T::DEFINITION.name,
        differences.join("\n  ")
    );
}

fn differences_of<T: Table>(text: &str, format: Format) -> Vec<String> {
    let file = match document::read(text, format) {
        Ok(document) => document.model,
        Err(faults) => {
            let fault = |fault: &monotable_model::diagnostic::Diagnostic| {
                format!("the file is no model: {}: {}", fault.place, fault.message)
            };
            return faults.iter().map(fault).collect();
        }
    };
    let table = T::DEFINITION.name;
    let (code, file) = (Facts::of(&model_of::<T>(), table), Facts::of(&file, table));
    code.differences_from(&file)
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
