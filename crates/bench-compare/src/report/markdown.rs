//! The comparison as tables for a document: one per number of connections.

use super::rows::{HEADINGS, connections, failures, is_same_load, row};
use super::{Report, circumstances, goals};
use crate::comparison::disturbance;
use crate::rounds::Cell;

/// Writes the report.
pub(crate) fn render(report: &Report) -> String {
    let samples = report.cells.iter().flat_map(|cell| &cell.samples);
    let mut text = circumstances::render(&report.machine, &report.settings);
    text += &circumstances::warning(disturbance(samples));
    text += &format!("\n## Goals\n\n{}", goals::render_markdown(&report.verdicts));
    for count in &report.settings.connections {
        let cells = report.cells.iter().filter(|cell| cell.connections == *count);
        let cells: Vec<Cell> = cells.cloned().collect();
        text += &format!("\n## {}\n\n{}", connections(*count), table(&cells));
    }
    for failure in failures(&report.cells) {
        text += &format!("\nNot measured: {failure}\n");
    }
    text
}

fn table(cells: &[Cell]) -> String {
    let mut text = format!("| workload | {} |\n|---|---|", HEADINGS.join(" | "));
    text += &"--:|".repeat(HEADINGS.len() - 1);
    text.push('\n');
    for group in cells.chunk_by(is_same_load) {
        let title = group.first().map_or("", |cell| cell.workload.title());
        for (number, cell) in group.iter().enumerate() {
            let title = if number == 0 { title } else { "" };
            let mut row = row(cell, group);
            row.resize(HEADINGS.len(), String::new());
            text += &format!("| {title} | {} |\n", row.join(" | "));
        }
    }
    text
}
