//! The models under `examples/models`, and their charts.

use std::path::{Path, PathBuf};

use monotable_model::chart::Chart;
use monotable_model::cost::{DEFAULT_REGION, Estimate, Settings, prices_of};
use monotable_model::document::{Format, Model, read};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All of them, in the order of their names.
pub(crate) fn models() -> Vec<Model> {
    let folder = std::fs::read_dir(root().join("examples/models")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let models: Vec<Model> =
        files.iter().map(|file| parse(&std::fs::read_to_string(file).unwrap())).collect();
    assert_eq!(models.len(), 39);
    models
}

/// A model from its text.
pub(crate) fn parse(text: &str) -> Model {
    read(text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model
}

/// The chart of a model, at the prices of its region.
pub(crate) fn chart(model: &Model) -> Chart {
    let region = model.workload.region.as_deref().unwrap_or(DEFAULT_REGION);
    Chart::of(model, Estimate::of(model, &Settings::new(prices_of(region).unwrap())))
}
