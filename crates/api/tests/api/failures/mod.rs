//! Calls that fail on purpose: by faults, by limits of throughput, by transactions that meet.

mod answers;
mod batches;
mod capacity;
mod changed_tables;
mod conflicts;
mod delays;
mod on_demand;
mod staleness;
mod throttled_keys;
mod world;
