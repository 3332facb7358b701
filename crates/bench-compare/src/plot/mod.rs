//! Plots as SVG, written by hand: bars and lines are all that is needed.
//!
//! Colours are classes of a style sheet within the file, with other values where the reader prefers
//! dark, so a plot is readable on either background.

mod bars;
mod canvas;
mod lines;
mod scale;

pub(crate) use bars::{Bar, BarChart};
pub(crate) use lines::{DASHED, DOTTED, LineChart, SOLID};
pub(crate) use scale::ScaleKind;
