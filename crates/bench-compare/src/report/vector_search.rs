//! What vector searches take.

use std::time::Duration;

use monotable_bench::columns::number;

use super::section::Section;
use super::texts::milliseconds;
use super::{Document, circumstances};
use crate::machine;
use crate::vector_search::VectorFinding;

const HEADINGS: [&str; 8] = [
    "vectors",
    "puts/s",
    "first ms",
    "searches/s",
    "p50 ms",
    "max ms",
    "recall@10",
    "brute force ms",
];

/// Writes what was found: a row per size.
pub(crate) fn render(findings: &[VectorFinding]) -> Document {
    let section = Section::new("Searches for the ten nearest vectors", &HEADINGS);
    Document {
        head: circumstances::hardware(&machine::describe()),
        sections: vec![section.with(findings.iter().map(row))],
        ..Document::default()
    }
}

fn row(finding: &VectorFinding) -> Vec<String> {
    let total: Duration = finding.times.iter().sum();
    let middle = finding.times.get(finding.times.len() / 2).copied().unwrap_or_default();
    let longest = finding.times.last().copied().unwrap_or_default();
    let text = |time| format!("{:.2}", milliseconds(time));
    vec![
        finding.vectors.to_string(),
        number(finding.puts_per_second),
        text(finding.first),
        number(finding.times.len() as f64 / total.as_secs_f64()),
        text(middle),
        text(longest),
        format!("{:.3}", finding.recall),
        text(finding.brute_force),
    ]
}
