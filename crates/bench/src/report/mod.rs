//! What a run found: medians over rounds, ratios, and the circumstances.

mod circumstances;
mod columns;
pub(crate) mod json;
pub(crate) mod stream_cost;
mod summary;
pub(crate) mod table;
pub(crate) mod ttl_sweep;

use crate::footprint::Footprint;
use crate::machine::Machine;
use crate::rounds::Cell;
use crate::settings::Settings;

/// Everything that a run found.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    /// What it ran on.
    pub(crate) machine: Machine,
    /// What was asked for.
    pub(crate) settings: Settings,
    /// What the server costs while it does nothing.
    pub(crate) footprint: Footprint,
    /// What was measured, by workload, connections and server.
    pub(crate) cells: Vec<Cell>,
}
