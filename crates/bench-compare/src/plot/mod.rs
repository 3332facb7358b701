//! Plots as SVG, written by hand: lines over one another are all that is needed.

mod canvas;
mod lines;
mod scale;

pub(crate) use lines::{LineChart, SOLID};
pub(crate) use scale::ScaleKind;
