//! The models under `examples/models`, and their charts.

use monotable_chart::Chart;
use monotable_model::document::{Format, Model, read};
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Settings, prices_of};

/// All of them, in the order of their names.
pub(crate) fn models() -> Vec<Model> {
    monotable_model_fixture::examples().iter().map(|example| parse(&example.text)).collect()
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
