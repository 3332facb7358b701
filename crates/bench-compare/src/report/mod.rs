//! What a run found: medians over rounds, ratios, and the circumstances, in every form.
//!
//! Each kind of run has a file here that makes a [`Document`] of it: a [`table`] for each question,
//! whose [`samples`] have the same columns everywhere, and [plots](crate::plot). Text, Markdown,
//! JSON and pictures are made of these alone.

pub(crate) mod churn;
mod circumstances;
pub(crate) mod comparison;
mod goals;
pub(crate) mod growth;
pub(crate) mod guard_cost;
mod samples;
pub(crate) mod scale_out;
pub(crate) mod soak;
pub(crate) mod stream_cost;
mod table;
pub(crate) mod tails;
mod texts;
pub(crate) mod ttl_sweep;
pub(crate) mod vector_search;

use serde_json::{Value, json};

use crate::machine::{self, Machine};
use crate::plot::LineChart;
use table::Table;

/// Raised when a member of the JSON changes its meaning; new members do not raise it.
const FORMAT: u32 = 3;

/// A result, of which every form is made.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    machine: Machine,
    /// What was measured, and how.
    about: String,
    /// The share of the machine that other programs used meanwhile.
    disturbance: f64,
    tables: Vec<Table>,
    plots: Vec<LineChart>,
    /// What a reader should know besides, such as who failed.
    notes: Vec<String>,
}

impl Document {
    /// A result on this machine without plots and notes. Tables without rows are left out.
    fn new(about: String, disturbance: f64, mut tables: Vec<Table>) -> Document {
        tables.retain(|table| !table.is_empty());
        let (plots, notes) = (Vec::new(), Vec::new());
        Document { machine: machine::describe(), about, disturbance, tables, plots, notes }
    }

    /// A text to read.
    pub(crate) fn text(&self) -> String {
        self.write(Table::text)
    }

    /// Tables for a document.
    pub(crate) fn markdown(&self) -> String {
        self.write(Table::markdown)
    }

    /// Every figure of the tables as it was found, in each round, and every point of the plots.
    pub(crate) fn json(&self) -> String {
        let Machine { processor, cores, system, commit } = &self.machine;
        let document = json!({
            "format": FORMAT,
            "machine": {
                "processor": processor, "cores": cores, "system": system, "commit": commit,
            },
            "about": self.about,
            "disturbance": self.disturbance,
            "tables": self.tables.iter().map(Table::json).collect::<Value>(),
            "plots": self.plots.iter().map(LineChart::json).collect::<Value>(),
            "notes": self.notes,
        });
        format!("{document:#}\n")
    }

    /// The pictures, with the names of their files.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = (String, String)> {
        self.plots.iter().map(|plot| (format!("{}.svg", plot.name()), plot.render()))
    }

    fn write(&self, table: fn(&Table) -> String) -> String {
        let head = circumstances::head(&self.machine, &self.about, self.disturbance);
        let notes = self.notes.iter().map(|note| format!("\n{note}\n"));
        head + &self.tables.iter().map(table).chain(notes).collect::<String>()
    }
}
