//! What vector searches take, as a text to read.

use std::time::Duration;

use monotable_bench::columns::{align, number};

use super::circumstances;
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

/// Writes what was found: the machine, then a row per size.
pub(crate) fn render(findings: &[VectorFinding]) -> String {
    let mut text = circumstances::hardware(&machine::describe()) + "\n\n";
    let rows = std::iter::once(HEADINGS.map(str::to_owned).to_vec());
    text += &align(&rows.chain(findings.iter().map(row)).collect::<Vec<_>>());
    text
}

fn row(finding: &VectorFinding) -> Vec<String> {
    let total: Duration = finding.times.iter().sum();
    let middle = finding.times.get(finding.times.len() / 2).copied().unwrap_or_default();
    let longest = finding.times.last().copied().unwrap_or_default();
    vec![
        finding.vectors.to_string(),
        number(finding.puts_per_second),
        millis(finding.first),
        number(finding.times.len() as f64 / total.as_secs_f64()),
        millis(middle),
        millis(longest),
        format!("{:.3}", finding.recall),
        millis(finding.brute_force),
    ]
}

fn millis(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1000.0)
}
