//! The code beside a model file.

use std::path::Path;

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{self, Format};

use super::facts::Facts;
use super::model_of;
use crate::entity::Table;

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
            let fault = |fault: &Diagnostic| {
                format!("the file is no model: {}: {}", fault.place, fault.message)
            };
            return faults.iter().map(fault).collect();
        }
    };
    let table = T::DEFINITION.name;
    let (code, file) = (Facts::of(&model_of::<T>(), table), Facts::of(&file, table));
    code.differences_from(&file)
}
