//! The plots of comparisons.

use monotable_bench::load::PacedSample;
use monotable_bench::summary::Summary;
use monotable_bench::workload::Workload;

use super::paced::samples;
use super::rows::is_same_load;
use super::{PacedReport, Report};
use crate::comparison::rate;
use crate::plot::{Bar, BarChart, BarGroup, LineChart, ScaleKind, Series};
use crate::rounds::Cell;
use crate::server::{Entrant, ServerKind};

/// Dashes of the percentiles, by which a line is told from others of its colour.
const PERCENTILES: [(&str, &str); 3] = [("p50", ""), ("p99", "6 3"), ("p99.9", "2 3")];

/// Bars of requests per second: a file per number of connections.
pub(crate) fn comparison(report: &Report) -> Vec<(String, String)> {
    let chart = |connections: &u64| {
        let cells = report.cells.iter().filter(|cell| cell.connections == *connections);
        let cells: Vec<Cell> = cells.cloned().collect();
        let chart = BarChart {
            title: format!("Requests per second, {}", super::rows::connections(*connections)),
            subtitle: "logarithmic: each line of the grid is ten times the one before".to_owned(),
            groups: cells.chunk_by(is_same_load).map(group).collect(),
        };
        (format!("requests-{connections}.svg"), chart.render())
    };
    report.settings.connections.iter().map(chart).collect()
}

/// Lines of latency over rate: a file per workload.
pub(crate) fn latency(report: &PacedReport) -> Vec<(String, String)> {
    let chart = |workload: &Workload| {
        let cells = report.cells.iter().filter(|cell| cell.workload == *workload);
        let cells: Vec<&Cell<PacedSample>> = cells.collect();
        let mut series = Vec::new();
        for server in &report.settings.servers {
            series.extend(latency_lines(server, &cells));
        }
        let chart = LineChart {
            title: format!("Latency of {} at fixed rates", workload.title()),
            x_label: "requests per second that were asked for".to_owned(),
            y_label: "µs from the moment at which a request should have been sent".to_owned(),
            x_kind: ScaleKind::Linear,
            y_kind: ScaleKind::Logarithmic,
            series,
        };
        (format!("latency-{}.svg", workload.name()), chart.render())
    };
    report.settings.workloads.iter().map(chart).collect()
}

fn group(cells: &[Cell]) -> BarGroup {
    let bar = |cell: &Cell| {
        let (label, colour) = (cell.server.title(), colour(&cell.server));
        Some(Bar { label, value: rate(cell)?, colour })
    };
    let title = cells.first().map_or("", |cell| cell.workload.title());
    BarGroup { title: title.to_owned(), bars: cells.iter().filter_map(bar).collect() }
}

/// One line per percentile of a server; none if it was not measured.
fn latency_lines(server: &Entrant, cells: &[&Cell<PacedSample>]) -> Vec<Series> {
    let cells = cells.iter().filter(|cell| cell.server == *server);
    let summaries: Vec<(f64, Summary)> =
        cells.filter_map(|cell| cell.rate.zip(Summary::of(&samples(cell)))).collect();
    if summaries.is_empty() {
        return Vec::new();
    }
    let line = |(number, (name, dashes)): (usize, (&str, &'static str))| {
        let point = |(rate, summary): &(f64, Summary)| {
            let latencies =
                [summary.p50_microseconds, summary.p99_microseconds, summary.p999_microseconds];
            Some((*rate, latencies.get(number)?.median))
        };
        Series {
            label: format!("{name} {}", server.title()),
            colour: colour(server),
            dashes,
            points: summaries.iter().filter_map(point).collect(),
        }
    };
    PERCENTILES.into_iter().enumerate().map(line).collect()
}

/// The same colour for the same server in all plots.
fn colour(server: &Entrant) -> usize {
    match server {
        Entrant::Started(ServerKind::Memory) => 0,
        Entrant::Started(ServerKind::Durable) => 1,
        Entrant::Started(ServerKind::Parsing) => 2,
        Entrant::Started(ServerKind::Dynoxide) => 3,
        Entrant::Started(ServerKind::Bare) => 4,
        Entrant::Started(ServerKind::Dynalite) => 5,
        Entrant::Started(ServerKind::DynoxideFile) | Entrant::Running { .. } => 6,
        Entrant::Started(ServerKind::Fixed | ServerKind::Redis) => 7,
    }
}
