//! The row of one cell, which the text and the document share.

use monotable_bench::columns::{number, unknown};
use monotable_bench::statistics::Spread;
use monotable_bench::summary::Summary;

use crate::comparison::{ours_over, share_of};
use crate::rounds::Cell;
use crate::server::ServerKind;

/// What stands above the columns.
pub(super) const HEADINGS: [&str; 10] = [
    "server",
    "requests/s",
    "±",
    "CPU µs",
    "p50 µs",
    "p99 µs",
    "p99.9 µs",
    "RSS MB",
    "of parsing",
    "ours",
];

/// The figures of a cell, beside those of the same load.
pub(super) fn row(cell: &Cell, group: &[Cell]) -> Vec<String> {
    let Some(summary) = Summary::of(&cell.samples) else {
        return vec![cell.server.title(), "not measured".to_owned()];
    };
    let median = |spread: Spread| number(spread.median);
    let share = share_of(cell, group, ServerKind::Parsing);
    let ours = ours_over(cell, group);
    vec![
        cell.server.title(),
        median(summary.requests_per_second),
        format!("{:.0} %", summary.requests_per_second.percent()),
        summary.cpu_microseconds.map_or_else(unknown, median),
        median(summary.p50_microseconds),
        median(summary.p99_microseconds),
        median(summary.p999_microseconds),
        summary.resident_megabytes.map_or_else(unknown, median),
        share.map_or_else(unknown, |share| format!("{:.0} %", share * 100.0)),
        ours.map_or_else(String::new, |times| format!("{times:.1} ×")),
    ]
}

/// Whether two cells belong into the same table.
pub(super) fn is_same_load<S>(left: &Cell<S>, right: &Cell<S>) -> bool {
    left.workload == right.workload && left.connections == right.connections
}

/// Why some cells have no figures, a line each.
pub(super) fn failures<S>(cells: &[Cell<S>]) -> Vec<String> {
    let line = |cell: &Cell<S>| {
        let (server, workload) = (cell.server.title(), cell.workload.title());
        let reason = cell.failure.as_ref()?;
        let reason: String = reason.chars().take(200).collect();
        Some(format!("{server}, {workload}, {}: {reason}", connections(cell.connections)))
    };
    cells.iter().filter_map(line).collect()
}

/// A number of connections in words.
pub(super) fn connections(count: u64) -> String {
    if count == 1 { "1 connection".to_owned() } else { format!("{count} connections") }
}
