//! The rounds of one cell as medians with spreads.

use crate::load::Sample;
use crate::rounds::Cell;
use crate::server::ServerKind;
use crate::statistics::Spread;

/// Medians over rounds. What the system does not tell is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Summary {
    pub(super) requests_per_second: Spread,
    pub(super) cpu_microseconds: Option<Spread>,
    pub(super) p50_microseconds: Spread,
    pub(super) p99_microseconds: Spread,
    pub(super) p999_microseconds: Spread,
    pub(super) resident_megabytes: Option<Spread>,
}

impl Summary {
    /// Summarizes samples of the same thing; none if there are none.
    pub(super) fn of(samples: &[Sample]) -> Option<Summary> {
        let over =
            |figure: &dyn Fn(&Sample) -> Option<f64>| Spread::of(samples.iter().filter_map(figure));
        let latency = |share| over(&|sample| Some(sample.latency_microseconds(share)));
        Some(Summary {
            requests_per_second: over(&|sample| Some(sample.requests_per_second()))?,
            cpu_microseconds: over(&Sample::cpu_microseconds),
            p50_microseconds: latency(0.5)?,
            p99_microseconds: latency(0.99)?,
            p999_microseconds: latency(0.999)?,
            resident_megabytes: over(&Sample::resident_megabytes),
        })
    }
}

/// The share of the machine that other programs used, as the median of all samples.
pub(super) fn disturbance(cells: &[Cell]) -> Option<f64> {
    let samples = cells.iter().flat_map(|cell| &cell.samples);
    Some(Spread::of(samples.filter_map(|sample| sample.disturbance))?.median)
}

/// The requests per second of a cell as a share of those of the parsing reference server with the
/// same load; none if that was not measured.
pub(super) fn share_of_parsing(cell: &Cell, cells: &[Cell]) -> Option<f64> {
    let is_reference = |other: &&Cell| {
        other.server == ServerKind::Parsing
            && other.workload == cell.workload
            && other.connections == cell.connections
    };
    let rate = |cell: &Cell| Some(Summary::of(&cell.samples)?.requests_per_second.median);
    let reference = rate(cells.iter().find(is_reference)?)?;
    (reference > 0.0).then_some(rate(cell)? / reference)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::load::Histogram;
    use crate::workload::Workload;

    fn cell(server: ServerKind, connections: u64, requests: &[u64]) -> Cell {
        let sample = |requests: &u64| {
            let mut latencies = Histogram::new();
            (0..*requests).for_each(|_| latencies.record(Duration::from_micros(50)));
            Sample {
                elapsed: Duration::from_secs(1),
                latencies,
                cpu: None,
                resident_bytes: None,
                disturbance: None,
            }
        };
        let samples = requests.iter().map(sample).collect();
        Cell { workload: Workload::GetItem, connections, server, samples }
    }

    #[test]
    fn a_summary_is_the_median_of_its_rounds() {
        let summary = Summary::of(&cell(ServerKind::Memory, 1, &[30, 10, 20]).samples).unwrap();
        assert_eq!(summary.requests_per_second, Spread { median: 20.0, least: 10.0, most: 30.0 });
        assert!(summary.cpu_microseconds.is_none());
        assert!((summary.p50_microseconds.median / 50.0 - 1.0).abs() < 0.01);
    }

    #[test]
    fn a_share_is_of_the_reference_with_as_many_connections() {
        let cells = [
            cell(ServerKind::Parsing, 1, &[10]),
            cell(ServerKind::Parsing, 16, &[40]),
            cell(ServerKind::Memory, 16, &[20]),
            cell(ServerKind::Memory, 64, &[20]),
        ];
        assert_eq!(share_of_parsing(&cells[2], &cells), Some(0.5));
        assert_eq!(share_of_parsing(&cells[3], &cells), None);
    }
}
