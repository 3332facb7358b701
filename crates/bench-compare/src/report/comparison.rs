//! The comparison of servers in the closed loop, and at fixed rates.

use monotable_bench::load::PacedSample;
use monotable_bench::workload::Workload;

use super::circumstances::{OPEN_LOOP, asked};
use super::samples::latency;
use super::table::{Rows, Table};
use super::texts::{percent, precise, times};
use super::{Document, goals};
use crate::comparison::{disturbance, ours_over, rate, share_of};
use crate::footprint::Footprint;
use crate::goals::judge;
use crate::plot::{LineChart, SOLID, ScaleKind};
use crate::rounds::Cell;
use crate::server::ServerKind;
use crate::settings::Settings;

/// Writes what was found in the closed loop: the footprint, a table per load, and the goals.
pub(crate) fn render(settings: &Settings, footprint: &Footprint, cells: &[Cell]) -> Document {
    let disturbance = disturbance(cells.iter().flat_map(|cell| &cell.samples));
    let mut tables = vec![footprint_table(footprint)];
    tables.extend(cells.chunk_by(is_same_load).map(load_table));
    tables.push(goals::table(&judge(cells, footprint)));
    Document {
        plots: rates(settings, cells),
        notes: failures(cells),
        ..Document::new(asked(settings), disturbance, tables)
    }
}

/// Writes what was found at fixed rates.
pub(crate) fn render_paced(settings: &Settings, cells: &[Cell<PacedSample>]) -> Document {
    let paced = cells.iter().flat_map(|cell| &cell.samples);
    let disturbance = disturbance(paced.map(|paced| &paced.sample));
    let tables = cells.chunk_by(is_same_load).map(paced_table).collect();
    Document {
        plots: latencies(settings, cells),
        notes: failures(cells),
        ..Document::new(format!("{}\n{OPEN_LOOP}", asked(settings)), disturbance, tables)
    }
}

fn footprint_table(footprint: &Footprint) -> Table {
    Rows::new("monotable on an empty directory", [footprint])
        .words("server", |_| "durable".to_owned())
        .figure("start to first answer ms", precise, |one| one.start_milliseconds.median)
        .figure("idle MB", precise, |one| one.idle_megabytes)
        .figure("binary MB", precise, |one| one.binary_megabytes)
        .table()
}

fn load_table(group: &[Cell]) -> Table {
    rows(group)
        .samples(|cell| cell.samples.iter().collect())
        .figure("of parsing", percent, |cell| share_of(cell, group, ServerKind::Parsing))
        .figure("ours", times, |cell| ours_over(cell, group))
        .table()
}

fn paced_table(group: &[Cell<PacedSample>]) -> Table {
    rows(group).paced_samples(|cell| &cell.samples).table()
}

/// The servers with one load.
fn rows<S>(group: &[Cell<S>]) -> Rows<&Cell<S>> {
    let title =
        |cell: &Cell<S>| format!("{}, {}", cell.workload.title(), connections(cell.connections));
    Rows::new(group.first().map(title).unwrap_or_default(), group)
        .words("server", |cell| cell.server.title())
}

/// Whether two cells belong into the same table.
fn is_same_load<S>(left: &Cell<S>, right: &Cell<S>) -> bool {
    left.workload == right.workload && left.connections == right.connections
}

/// Why some cells have no figures.
fn failures<S>(cells: &[Cell<S>]) -> Vec<String> {
    let line = |cell: &Cell<S>| {
        let (server, workload) = (cell.server.title(), cell.workload.title());
        let reason: String = cell.failure.as_ref()?.chars().take(200).collect();
        let connections = connections(cell.connections);
        Some(format!("not measured: {server}, {workload}, {connections}: {reason}"))
    };
    cells.iter().filter_map(line).collect()
}

/// A number of connections in words.
fn connections(count: u64) -> String {
    if count == 1 { "1 connection".to_owned() } else { format!("{count} connections") }
}

/// Lines of requests per second over connections.
fn rates(settings: &Settings, cells: &[Cell]) -> Vec<LineChart> {
    let chart = |workload: Workload| {
        LineChart::new(
            format!("requests-{}", workload.name()),
            format!("Rate of {}", workload.title()),
            ("connections", ScaleKind::Linear),
            ("requests per second", ScaleKind::Logarithmic),
        )
    };
    plots(settings, cells, chart, |chart, server, colour, cells| {
        let point = |cell: &&Cell| Some((cell.connections as f64, rate(&cell.samples)?));
        chart.line(server, colour, SOLID, cells.iter().filter_map(point))
    })
}

/// Lines of latency over rate.
fn latencies(settings: &Settings, cells: &[Cell<PacedSample>]) -> Vec<LineChart> {
    let chart = |workload: Workload| {
        LineChart::new(
            format!("latency-{}", workload.name()),
            format!("Latency of {} at fixed rates", workload.title()),
            ("requests per second that were asked for", ScaleKind::Linear),
            ("ms from the moment at which a request should have been sent", ScaleKind::Logarithmic),
        )
    };
    plots(settings, cells, chart, |chart, server, colour, cells| {
        chart.latencies(server, colour, |share| {
            cells.iter().filter_map(move |cell| Some((cell.rate?, latency(&cell.samples, share)?)))
        })
    })
}

/// A chart for each workload, with lines for each server, which has the same colour in all of them.
fn plots<S>(
    settings: &Settings,
    cells: &[Cell<S>],
    chart: impl Fn(Workload) -> LineChart,
    with_lines: impl Fn(LineChart, &str, usize, Vec<&Cell<S>>) -> LineChart,
) -> Vec<LineChart> {
    let of_workload = |workload: &Workload| {
        settings.servers.iter().enumerate().fold(chart(*workload), |chart, (colour, server)| {
            let is_meant = |cell: &&Cell<S>| cell.workload == *workload && cell.server == *server;
            with_lines(chart, &server.title(), colour, cells.iter().filter(is_meant).collect())
        })
    };
    settings.workloads.iter().map(of_workload).collect()
}
