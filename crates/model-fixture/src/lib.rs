//! The example models of the repository, for the tests of the crates that read models.
//!
//! The crates of the model are packaged without the repository around them, so what their tests
//! share is found here and nowhere else. Only texts and paths are given: this crate depends on none
//! of those that it serves.

use std::path::{Path, PathBuf};

/// How many example models there are.
pub const EXAMPLES: usize = 39;

/// An example model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Its name, which is that of its file.
    pub name: String,
    /// The model, as TOML.
    pub text: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the example models.
pub fn folder() -> PathBuf {
    root().join("examples/models")
}

/// All example models, in the order of their names.
pub fn examples() -> Vec<Example> {
    let folder = std::fs::read_dir(folder()).expect("the examples are part of the repository");
    let files = folder.map(|entry| entry.expect("the folder can be listed").path());
    let is_model = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "toml");
    let mut examples: Vec<Example> = files.filter(is_model).map(|file| example_of(&file)).collect();
    examples.sort_by(|one, other| one.name.cmp(&other.name));
    assert_eq!(examples.len(), EXAMPLES);
    examples
}

/// The example of this name.
pub fn example(name: &str) -> Example {
    example_of(&folder().join(format!("{name}.toml")))
}

fn example_of(file: &Path) -> Example {
    let name = file.file_stem().expect("a model has a name").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(file);
    Example { name, text: text.unwrap_or_else(|error| panic!("{}: {error}", file.display())) }
}
