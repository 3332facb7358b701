//! What a run found: medians over rounds, ratios, and the circumstances, in every form.

pub(crate) mod churn;
mod circumstances;
pub(crate) mod goals;
pub(crate) mod growth;
pub(crate) mod guard_cost;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod paced;
pub(crate) mod plots;
mod rows;
pub(crate) mod scale_out;
mod section;
pub(crate) mod soak;
pub(crate) mod stream_cost;
pub(crate) mod table;
pub(crate) mod tails;
pub(crate) mod ttl_sweep;
pub(crate) mod vector_search;

use monotable_bench::load::{PacedSample, Sample};

use crate::footprint::Footprint;
use crate::goals::GoalResult;
use crate::machine::Machine;
use crate::rounds::Cell;
use crate::settings::Settings;

/// Everything that a comparison found.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    /// What it ran on.
    pub(crate) machine: Machine,
    /// What was asked for.
    pub(crate) settings: Settings,
    /// What the server costs while it does nothing.
    pub(crate) footprint: Footprint,
    /// What was measured, by workload, connections and server.
    pub(crate) cells: Vec<Cell<Sample>>,
    /// The goals.
    pub(crate) verdicts: Vec<GoalResult>,
}

/// Everything that was found at fixed rates.
#[derive(Debug, Clone)]
pub(crate) struct PacedReport {
    /// What it ran on.
    pub(crate) machine: Machine,
    /// What was asked for.
    pub(crate) settings: Settings,
    /// What was measured, by workload, connections, rate and server.
    pub(crate) cells: Vec<Cell<PacedSample>>,
}

/// A result in every form.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// A text to read.
    pub(crate) table: String,
    /// Every figure.
    pub(crate) json: String,
    /// Tables for a document.
    pub(crate) markdown: String,
    /// Plots, each with the name of its file.
    pub(crate) plots: Vec<(String, String)>,
}
