//! The report as JSON, with every figure of every round, so that others can summarize and plot it.

use monotable_bench::load::Sample;
use monotable_bench::statistics::Spread;
use monotable_bench::summary::Summary;
use serde_json::{Value, json};

use super::{Report, goals};
use crate::comparison::{disturbance, ours_over, share_of};
use crate::machine::Machine;
use crate::rounds::Cell;
use crate::server::ServerKind;
use crate::settings::Settings;

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;

/// Writes the report.
pub(crate) fn render(report: &Report) -> Value {
    let cells: Vec<Value> = report.cells.iter().map(|one| cell(one, &report.cells)).collect();
    json!({
        "format": FORMAT,
        "machine": machine(&report.machine),
        "settings": settings(&report.settings),
        "footprint": footprint(report),
        "disturbance": disturbance(report.cells.iter().flat_map(|cell| &cell.samples)),
        "results": cells,
        "goals": goals::render_json(&report.verdicts),
    })
}

/// The machine.
pub(super) fn machine(machine: &Machine) -> Value {
    json!({
        "processor": machine.processor,
        "cores": machine.cores,
        "system": machine.system,
        "commit": machine.commit,
    })
}

/// What was asked for.
pub(super) fn settings(settings: &Settings) -> Value {
    json!({
        "items": settings.dataset.items(),
        "seconds": settings.measured.as_secs_f64(),
        "rounds": settings.rounds,
        "seed": settings.seed,
    })
}

fn footprint(report: &Report) -> Value {
    let footprint = &report.footprint;
    json!({
        "start_ms": spread(footprint.start_milliseconds),
        "idle_mb": footprint.idle_megabytes,
        "binary_mb": footprint.binary_megabytes,
    })
}

fn cell(cell: &Cell, cells: &[Cell]) -> Value {
    json!({
        "workload": cell.workload.name(),
        "connections": cell.connections,
        "server": cell.server.name(),
        "median": Summary::of(&cell.samples).map(summary),
        "share_of_parsing": share_of(cell, cells, ServerKind::Parsing),
        "ours_times": ours_over(cell, cells),
        "failure": cell.failure,
        "rounds": cell.samples.iter().map(sample).collect::<Vec<Value>>(),
    })
}

/// Medians with their ranges.
pub(super) fn summary(summary: Summary) -> Value {
    json!({
        "requests_per_second": spread(summary.requests_per_second),
        "cpu_us": summary.cpu_microseconds.map(spread),
        "p50_us": spread(summary.p50_microseconds),
        "p99_us": spread(summary.p99_microseconds),
        "p999_us": spread(summary.p999_microseconds),
        "resident_mb": summary.resident_megabytes.map(spread),
    })
}

fn spread(spread: Spread) -> Value {
    json!({ "median": spread.median, "least": spread.least, "most": spread.most })
}

/// One round.
pub(super) fn sample(sample: &Sample) -> Value {
    json!({
        "requests": sample.latencies.total(),
        "seconds": sample.elapsed.as_secs_f64(),
        "requests_per_second": sample.requests_per_second(),
        "cpu_us": sample.cpu_microseconds(),
        "p50_us": sample.latency_microseconds(0.5),
        "p99_us": sample.latency_microseconds(0.99),
        "p999_us": sample.latency_microseconds(0.999),
        "resident_mb": sample.resident_megabytes(),
        "disturbance": sample.disturbance,
    })
}
