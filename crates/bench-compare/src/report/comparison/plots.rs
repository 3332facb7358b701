//! The plots of comparisons.

use monotable_bench::load::PacedSample;
use monotable_bench::summary::Summary;
use monotable_bench::workload::Workload;

use super::{connections, is_same_load, samples};
use crate::comparison::rate;
use crate::plot::{Bar, BarChart, DASHED, DOTTED, LineChart, SOLID, ScaleKind};
use crate::report::Plot;
use crate::rounds::Cell;
use crate::server::{Contestant, ServerKind};
use crate::settings::Settings;

/// Bars of requests per second: a file per number of connections.
pub(super) fn requests(settings: &Settings, cells: &[Cell]) -> Vec<Plot> {
    let chart = |count: &u64| {
        let groups = cells.chunk_by(is_same_load);
        let of_count = groups.filter(|group| group.iter().all(|cell| cell.connections == *count));
        let chart = BarChart {
            title: format!("Requests per second, {}", connections(*count)),
            subtitle: "logarithmic: each line of the grid is ten times the one before".to_owned(),
            groups: of_count.map(bars).collect(),
        };
        (format!("requests-{count}.svg"), chart.render())
    };
    settings.connections.iter().map(chart).collect()
}

fn bars(group: &[Cell]) -> (String, Vec<Bar>) {
    let bar = |cell: &Cell| Some((cell.server.title(), rate(cell)?, colour(&cell.server)));
    let title = group.first().map_or("", |cell| cell.workload.title());
    (title.to_owned(), group.iter().filter_map(bar).collect())
}

/// Lines of latency over rate: a file per workload.
pub(super) fn latency(settings: &Settings, cells: &[Cell<PacedSample>]) -> Vec<Plot> {
    let chart = |workload: &Workload| {
        let mut chart = LineChart::new(
            format!("Latency of {} at fixed rates", workload.title()),
            ("requests per second that were asked for", ScaleKind::Linear),
            ("µs from the moment at which a request should have been sent", ScaleKind::Logarithmic),
        );
        for server in &settings.servers {
            let cells =
                cells.iter().filter(|cell| cell.workload == *workload && cell.server == *server);
            let summaries: Vec<(f64, Summary)> =
                cells.filter_map(|cell| cell.rate.zip(Summary::of(&samples(cell)))).collect();
            chart = latency_lines(chart, server, &summaries);
        }
        (format!("latency-{}.svg", workload.name()), chart.render())
    };
    settings.workloads.iter().map(chart).collect()
}

/// One line per percentile of a server; none if it was not measured.
fn latency_lines(chart: LineChart, server: &Contestant, summaries: &[(f64, Summary)]) -> LineChart {
    if summaries.is_empty() {
        return chart;
    }
    let line = |chart: LineChart, name, dashes, of: fn(&Summary) -> f64| {
        let points = summaries.iter().map(|(rate, summary)| (*rate, of(summary)));
        chart.line(format!("{name} {}", server.title()), colour(server), dashes, points)
    };
    let chart = line(chart, "p50", SOLID, |summary| summary.p50_microseconds.median);
    let chart = line(chart, "p99", DASHED, |summary| summary.p99_microseconds.median);
    line(chart, "p99.9", DOTTED, |summary| summary.p999_microseconds.median)
}

/// The same colour for the same server in all plots.
fn colour(server: &Contestant) -> usize {
    match server {
        Contestant::Started(ServerKind::Memory) => 0,
        Contestant::Started(ServerKind::Durable) => 1,
        Contestant::Started(ServerKind::Parsing) => 2,
        Contestant::Started(ServerKind::Dynoxide) => 3,
        Contestant::Started(ServerKind::Bare) => 4,
        Contestant::Started(ServerKind::Dynalite) => 5,
        Contestant::Started(ServerKind::DynoxideFile) | Contestant::Running { .. } => 6,
        Contestant::Started(ServerKind::Fixed | ServerKind::Redis) => 7,
    }
}
