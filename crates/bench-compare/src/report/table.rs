//! The comparison as a text to read.

use monotable_bench::columns::{align, unknown};

use super::rows::{HEADINGS, connections, failures, is_same_load, row};
use super::{Report, circumstances, goals};
use crate::comparison::disturbance;
use crate::footprint::Footprint;
use crate::rounds::Cell;

/// Writes the report: the circumstances, then a table per workload and number of connections, then
/// the goals.
pub(crate) fn render(report: &Report) -> String {
    let samples = report.cells.iter().flat_map(|cell| &cell.samples);
    let mut text = circumstances::render(&report.machine, &report.settings);
    text += &circumstances::warning(disturbance(samples));
    text += &footprint(&report.footprint);
    for group in report.cells.chunk_by(is_same_load) {
        let Some(first) = group.first() else { continue };
        let (title, connections) = (first.workload.title(), connections(first.connections));
        text += &format!("\n{title}, {connections}\n{}", align(&rows(group)));
    }
    for failure in failures(&report.cells) {
        text += &format!("\nnot measured: {failure}\n");
    }
    text + "\n" + &goals::render(&report.verdicts)
}

fn footprint(footprint: &Footprint) -> String {
    let row = |name: &str, value: Option<f64>, unit: &str| {
        let value = value.map_or_else(unknown, |value| format!("{value:.1} {unit}"));
        vec![name.to_owned(), value]
    };
    let rows = [
        row("start to first answer", Some(footprint.start_milliseconds.median), "ms"),
        row("idle memory", footprint.idle_megabytes, "MB"),
        row("binary", Some(footprint.binary_megabytes), "MB"),
    ];
    format!("\nmonotable on an empty directory\n{}", align(&rows))
}

fn rows(group: &[Cell]) -> Vec<Vec<String>> {
    let headings = HEADINGS.map(str::to_owned).to_vec();
    std::iter::once(headings).chain(group.iter().map(|cell| row(cell, group))).collect()
}
