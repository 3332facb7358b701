//! The report as a text to read.

use std::fmt::Write;

use super::columns::{align, number, unknown};
use super::summary::{Summary, disturbance, share_of_parsing};
use super::{Report, circumstances};
use crate::footprint::Footprint;
use crate::rounds::Cell;
use crate::statistics::Spread;

const HEADINGS: [&str; 8] =
    ["server", "requests/s", "±", "CPU µs", "p50 µs", "p99 µs", "RSS MB", "of parsing"];

/// Writes the report: the circumstances, then a table per workload and number of connections.
pub(crate) fn render(report: &Report) -> String {
    let mut text = circumstances::render(&report.machine, &report.settings);
    text += &circumstances::warning(disturbance(&report.cells).unwrap_or_default());
    text += &footprint(&report.footprint);
    for group in report.cells.chunk_by(is_same_load) {
        let Some(Cell { workload, connections, .. }) = group.first() else { continue };
        let plural = if *connections == 1 { "" } else { "s" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{}, {connections} connection{plural}", workload.title());
        text += &align(&rows(group));
    }
    text
}

fn is_same_load(left: &Cell, right: &Cell) -> bool {
    left.workload == right.workload && left.connections == right.connections
}

fn footprint(footprint: &Footprint) -> String {
    let row = |name: &str, value: Option<f64>, unit: &str, bar: f64| {
        let value = value.map_or_else(unknown, |value| format!("{value:.1} {unit}"));
        vec![name.to_owned(), value, format!("(bar: {bar} {unit})")]
    };
    let start = Some(footprint.start_milliseconds.median);
    let binary = Some(footprint.binary_megabytes);
    let rows = [
        row("start to first answer", start, "ms", Footprint::START_MILLISECONDS_MAX),
        row("idle memory", footprint.idle_megabytes, "MB", Footprint::IDLE_MEGABYTES_MAX),
        row("binary", binary, "MB", Footprint::BINARY_MEGABYTES_MAX),
    ];
    format!("\nmonotable on an empty directory\n{}", align(&rows))
}

fn rows(group: &[Cell]) -> Vec<Vec<String>> {
    let headings = HEADINGS.map(str::to_owned).to_vec();
    let figures = group.iter().filter_map(|cell| row(cell, group));
    std::iter::once(headings).chain(figures).collect()
}

fn row(cell: &Cell, group: &[Cell]) -> Option<Vec<String>> {
    let summary = Summary::of(&cell.samples)?;
    let median = |spread: Spread| number(spread.median);
    let share = share_of_parsing(cell, group);
    Some(vec![
        cell.server.title().to_owned(),
        median(summary.requests_per_second),
        format!("{:.0} %", summary.requests_per_second.percent()),
        summary.cpu_microseconds.map_or_else(unknown, median),
        median(summary.p50_microseconds),
        median(summary.p99_microseconds),
        summary.resident_megabytes.map_or_else(unknown, median),
        share.map_or_else(unknown, |share| format!("{:.0} %", share * 100.0)),
    ])
}
