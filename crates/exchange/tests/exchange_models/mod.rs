//! The example models, for tests of imports and exports.

use monotable_model::document::{Format, Model, read};

/// All of them, in the order of their names.
pub(crate) fn examples() -> Vec<Model> {
    let examples = monotable_model_fixture::examples();
    examples.iter().map(|one| read(&one.text, Format::Toml).unwrap().model).collect()
}
