//! Latency at fixed rates, as a text, as a document and as JSON.

use monotable_bench::columns::{align, number, unknown};
use monotable_bench::load::{PacedSample, Sample};
use monotable_bench::statistics::Spread;
use monotable_bench::summary::Summary;
use serde_json::{Value, json};

use super::rows::{connections, failures, is_same_load};
use super::{PacedReport, circumstances, json};
use crate::comparison::disturbance;
use crate::rounds::Cell;

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;
/// A server that answers less than this share of what was asked for does not keep up.
const KEEPS_UP_MIN: f64 = 0.99;

const HEADINGS: [&str; 7] =
    ["server", "asked/s", "achieved/s", "CPU µs", "p50 µs", "p99 µs", "p99.9 µs"];

/// The samples of a cell without their rates.
pub(super) fn samples(cell: &Cell<PacedSample>) -> Vec<Sample> {
    cell.samples.iter().map(|paced| paced.sample.clone()).collect()
}

/// Writes the text to read.
pub(crate) fn render(report: &PacedReport) -> String {
    let mut text = head(report);
    for group in report.cells.chunk_by(is_same_load) {
        let Some(first) = group.first() else { continue };
        let title = first.workload.title();
        text += &format!("\n{title}, up to {} at once\n", first.connections);
        let headings = HEADINGS.map(str::to_owned).to_vec();
        let rows: Vec<Vec<String>> =
            std::iter::once(headings).chain(group.iter().filter_map(row)).collect();
        text += &align(&rows);
    }
    for failure in failures(&report.cells) {
        text += &format!("\nnot measured: {failure}\n");
    }
    text
}

/// Writes the tables for a document.
pub(crate) fn render_markdown(report: &PacedReport) -> String {
    let mut text = head(report);
    for group in report.cells.chunk_by(is_same_load) {
        let Some(first) = group.first() else { continue };
        let connections = connections(first.connections);
        text += &format!("\n## {}, {connections}\n\n", first.workload.title());
        text += &format!("| {} |\n|---|", HEADINGS.join(" | "));
        text += &"--:|".repeat(HEADINGS.len() - 1);
        text.push('\n');
        for row in group.iter().filter_map(row) {
            text += &format!("| {} |\n", row.join(" | "));
        }
    }
    text
}

/// Writes every figure of every round.
pub(crate) fn render_json(report: &PacedReport) -> Value {
    json!({
        "format": FORMAT,
        "machine": json::machine(&report.machine),
        "settings": json::settings(&report.settings),
        "results": report.cells.iter().map(result).collect::<Vec<Value>>(),
    })
}

fn head(report: &PacedReport) -> String {
    let samples = report.cells.iter().flat_map(|cell| &cell.samples).map(|paced| &paced.sample);
    let mut text = circumstances::render(&report.machine, &report.settings);
    text += "latency runs from the moment at which a request should have been sent\n";
    text + &circumstances::warning(disturbance(samples))
}

fn achieved(cell: &Cell<PacedSample>) -> Option<Spread> {
    Spread::of(cell.samples.iter().map(PacedSample::achieved_per_second))
}

fn row(cell: &Cell<PacedSample>) -> Option<Vec<String>> {
    let summary = Summary::of(&samples(cell))?;
    let (asked, achieved) = (cell.rate?, achieved(cell)?.median);
    let behind = if achieved < asked * KEEPS_UP_MIN { " (behind)" } else { "" };
    let median = |spread: Spread| number(spread.median);
    Some(vec![
        cell.server.title(),
        number(asked),
        format!("{}{behind}", number(achieved)),
        summary.cpu_microseconds.map_or_else(unknown, median),
        median(summary.p50_microseconds),
        median(summary.p99_microseconds),
        median(summary.p999_microseconds),
    ])
}

fn result(cell: &Cell<PacedSample>) -> Value {
    let round = |paced: &PacedSample| {
        let mut round = json::sample(&paced.sample);
        if let Some(members) = round.as_object_mut() {
            members.insert("achieved_per_second".to_owned(), paced.achieved_per_second().into());
        }
        round
    };
    json!({
        "workload": cell.workload.name(),
        "connections": cell.connections,
        "server": cell.server.name(),
        "asked_per_second": cell.rate,
        "achieved_per_second": achieved(cell).map(|spread| spread.median),
        "median": Summary::of(&samples(cell)).map(json::summary),
        "failure": cell.failure,
        "rounds": cell.samples.iter().map(round).collect::<Vec<Value>>(),
    })
}
