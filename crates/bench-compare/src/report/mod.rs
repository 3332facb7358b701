//! What a run found: medians over rounds, ratios, and the circumstances, in every form.
//!
//! Each kind of run has a file here that says what its [`Document`] holds: a [`section`] per table,
//! often one about [`samples`], and every figure as [`json`]. The forms are written once, below.

pub(crate) mod churn;
mod circumstances;
pub(crate) mod comparison;
mod goals;
pub(crate) mod growth;
pub(crate) mod guard_cost;
mod json;
mod samples;
pub(crate) mod scale_out;
mod section;
pub(crate) mod soak;
pub(crate) mod stream_cost;
pub(crate) mod tails;
mod texts;
pub(crate) mod ttl_sweep;
pub(crate) mod vector_search;

use serde_json::Value;

use section::Section;

/// A plot, with the name of its file.
pub(crate) type Plot = (String, String);

/// A result, of which every form is made.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document {
    /// What it was measured on, and how.
    head: String,
    /// The tables.
    sections: Vec<Section>,
    /// What a reader should know besides, such as who failed.
    notes: Vec<String>,
    /// Every figure of every round; none if there is no form for programs.
    figures: Value,
    /// The plots.
    pub(crate) plots: Vec<Plot>,
}

impl Document {
    /// A text to read.
    pub(crate) fn text(&self) -> String {
        self.write(Section::render)
    }

    /// Tables for a document.
    pub(crate) fn markdown(&self) -> String {
        self.write(Section::render_markdown)
    }

    /// Every figure.
    pub(crate) fn json(&self) -> String {
        format!("{:#}\n", self.figures)
    }

    fn write(&self, section: fn(&Section) -> String) -> String {
        let sections = self.sections.iter().map(section);
        let notes = self.notes.iter().map(|note| format!("\n{note}\n"));
        self.head.clone() + &sections.chain(notes).collect::<String>()
    }
}
