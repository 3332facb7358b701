//! Ratios between the cells of a run.

use monotable_bench::load::Sample;
use monotable_bench::statistics::Spread;
use monotable_bench::workload::Workload;

use crate::rounds::Cell;
use crate::server::{Contestant, Role, ServerKind};

/// The requests per second of samples, as their median; none if nothing was answered.
pub(crate) fn rate(samples: &[Sample]) -> Option<f64> {
    let rate = Spread::of(samples.iter().map(Sample::requests_per_second))?.median;
    (rate > 0.0).then_some(rate)
}

/// The cell of one of our servers or references.
pub(crate) fn find(
    cells: &[Cell],
    workload: Workload,
    connections: u64,
    kind: ServerKind,
) -> Option<&Cell> {
    let is_it = |cell: &&Cell| {
        cell.workload == workload
            && cell.connections == connections
            && cell.server == Contestant::Started(kind)
    };
    cells.iter().find(is_it)
}

/// The requests per second of a cell as a share of those of another server with the same load; none
/// if that was not measured.
pub(crate) fn share_of(cell: &Cell, cells: &[Cell], kind: ServerKind) -> Option<f64> {
    let reference = find(cells, cell.workload, cell.connections, kind)?;
    Some(rate(&cell.samples)? / rate(&reference.samples)?)
}

/// How many times the rate of a server of others ours has with the same load.
pub(crate) fn ours_over(peer: &Cell, cells: &[Cell]) -> Option<f64> {
    let files = [ServerKind::DynoxideFile, ServerKind::Redis].map(Contestant::Started);
    let is_file = files.contains(&peer.server);
    let ours = if is_file { ServerKind::Durable } else { ServerKind::Memory };
    if peer.server.role() != Role::Peer {
        return None;
    }
    let ours = find(cells, peer.workload, peer.connections, ours)?;
    Some(rate(&ours.samples)? / rate(&peer.samples)?)
}

/// The share of the machine that other programs used, as the median of all samples.
pub(crate) fn disturbance<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> f64 {
    let shares = samples.into_iter().filter_map(|sample| sample.disturbance);
    Spread::of(shares).map_or(0.0, |spread| spread.median)
}

/// Cells with as many requests per second as they are told, for tests of what is made of them.
#[cfg(test)]
pub(crate) mod testing {
    use std::time::Duration;

    use monotable_bench::load::Histogram;

    use super::*;

    /// A sample of this many requests in a second.
    pub(crate) fn sample(requests: u64) -> Sample {
        let mut latencies = Histogram::new();
        (0..requests).for_each(|_| latencies.record(Duration::from_nanos(64)));
        Sample {
            elapsed: Duration::from_secs(1),
            latencies,
            cpu: None,
            resident_bytes: None,
            disturbance: None,
        }
    }

    /// A cell with a sample per number.
    pub(crate) fn cell(
        workload: Workload,
        connections: u64,
        kind: ServerKind,
        requests: &[u64],
    ) -> Cell {
        Cell {
            workload,
            connections,
            rate: None,
            server: Contestant::Started(kind),
            samples: requests.iter().copied().map(sample).collect(),
            failure: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::cell;
    use super::*;

    const GET: Workload = Workload::GetItem;

    #[test]
    fn a_share_is_of_the_reference_with_as_many_connections() {
        let cells = [
            cell(GET, 1, ServerKind::Parsing, &[10]),
            cell(GET, 16, ServerKind::Parsing, &[40]),
            cell(GET, 16, ServerKind::Memory, &[30, 10, 20]),
            cell(GET, 64, ServerKind::Memory, &[20]),
        ];
        assert_eq!(share_of(&cells[2], &cells, ServerKind::Parsing), Some(0.5));
        assert_eq!(share_of(&cells[3], &cells, ServerKind::Parsing), None);
    }

    #[test]
    fn a_peer_is_held_against_ours_in_its_own_mode() {
        let cells = [
            cell(GET, 16, ServerKind::Memory, &[60]),
            cell(GET, 16, ServerKind::Durable, &[30]),
            cell(GET, 16, ServerKind::Dynoxide, &[10]),
            cell(GET, 16, ServerKind::DynoxideFile, &[10]),
        ];
        let ratios: Vec<Option<f64>> = cells.iter().map(|one| ours_over(one, &cells)).collect();
        assert_eq!(ratios, [None, None, Some(6.0), Some(3.0)]);
    }
}
