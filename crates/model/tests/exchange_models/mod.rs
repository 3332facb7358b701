//! The models under `examples/models`, for tests of imports and exports.

use std::path::{Path, PathBuf};

use monotable_model::document::{Format, Model, read};

/// All of them, in the order of their names.
pub(crate) fn examples() -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let model =
        |file: &PathBuf| read(&std::fs::read_to_string(file).unwrap(), Format::Toml).unwrap().model;
    let models: Vec<Model> = files.iter().map(model).collect();
    assert_eq!(models.len(), 39);
    models
}
