//! The comparison of servers in the closed loop, and at fixed rates.

mod plots;

use std::borrow::Cow;

use monotable_bench::columns::{number, unknown};
use monotable_bench::load::{PacedSample, Sample};
use monotable_bench::statistics::Spread;
use serde_json::{Value, json};

use super::samples::{Column, SampleTable};
use super::section::Section;
use super::texts::percent;
use super::{Document, circumstances, goals, json};
use crate::comparison::{disturbance, ours_over, share_of};
use crate::footprint::Footprint;
use crate::goals::judge;
use crate::machine;
use crate::rounds::Cell;
use crate::server::ServerKind;
use crate::settings::Settings;

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;
/// A server that answers less than this share of what was asked for does not keep up.
pub(super) const KEEPS_UP_MIN: f64 = 0.99;

/// Writes what was found in the closed loop: the footprint, a table per load, and the goals.
pub(crate) fn render(settings: &Settings, footprint: &Footprint, cells: &[Cell]) -> Document {
    let (machine, goals) = (machine::describe(), judge(cells, footprint));
    let disturbance = disturbance(cells.iter().flat_map(|cell| &cell.samples));
    let loads = cells.chunk_by(is_same_load).map(load_section);
    let sections = std::iter::once(footprint_section(footprint));
    Document {
        head: circumstances::render(&machine, settings) + &circumstances::warning(disturbance),
        sections: sections.chain(loads).chain([goals::section(&goals)]).collect(),
        notes: failures(cells),
        figures: json!({
            "format": FORMAT,
            "machine": json::machine(&machine),
            "settings": json::settings(settings),
            "footprint": {
                "start_ms": json::spread(footprint.start_milliseconds),
                "idle_mb": footprint.idle_megabytes,
                "binary_mb": footprint.binary_megabytes,
            },
            "disturbance": disturbance,
            "results": json::list(cells, |one| figures(one, cells)),
            "goals": goals::figures(&goals),
        }),
        plots: plots::requests(settings, cells),
    }
}

/// Writes what was found at fixed rates.
pub(crate) fn render_paced(settings: &Settings, cells: &[Cell<PacedSample>]) -> Document {
    let machine = machine::describe();
    let paced = cells.iter().flat_map(|cell| &cell.samples);
    let disturbance = disturbance(paced.map(|paced| &paced.sample));
    let head = circumstances::render(&machine, settings) + circumstances::OPEN_LOOP;
    Document {
        head: head + &circumstances::warning(disturbance),
        sections: cells.chunk_by(is_same_load).map(paced_section).collect(),
        notes: failures(cells),
        figures: json!({
            "format": FORMAT,
            "machine": json::machine(&machine),
            "settings": json::settings(settings),
            "results": json::list(cells, paced_figures),
        }),
        plots: plots::latency(settings, cells),
    }
}

fn footprint_section(footprint: &Footprint) -> Section {
    let headings = ["", "start to first answer", "idle memory", "binary"];
    let idle = footprint.idle_megabytes.map(|idle| format!("{idle:.1} MB"));
    Section::new("monotable on an empty directory", &headings).with([vec![
        "durable".to_owned(),
        format!("{:.1} ms", footprint.start_milliseconds.median),
        idle.unwrap_or_else(unknown),
        format!("{:.1} MB", footprint.binary_megabytes),
    ]])
}

fn load_section(group: &[Cell]) -> Section {
    use Column::{Cpu, P50, P99, P999, Range, Rate, Resident};

    let columns = [Rate, Range, Cpu, P50, P99, P999, Resident];
    let mut table = SampleTable::new(title(group), &["server"], &columns, &["of parsing", "ours"]);
    for cell in group {
        let share = share_of(cell, group, ServerKind::Parsing).map_or_else(unknown, percent);
        let ours = ours_over(cell, group).map_or_else(String::new, |times| format!("{times:.1} ×"));
        if cell.samples.is_empty() {
            table.push_text(vec![cell.server.title(), "not measured".to_owned()]);
        }
        table.push([cell.server.title()], &cell.samples, [share, ours]);
    }
    table.section()
}

fn paced_section(group: &[Cell<PacedSample>]) -> Section {
    let columns = [Column::Cpu, Column::P50, Column::P99, Column::P999];
    let before = ["server", "asked/s", "achieved/s"];
    let mut table = SampleTable::new(title(group), &before, &columns, &[]);
    for cell in group {
        let Some((asked, achieved)) = cell.rate.zip(achieved(cell)) else { continue };
        let behind = if achieved < asked * KEEPS_UP_MIN { " (behind)" } else { "" };
        let before = [cell.server.title(), number(asked), format!("{}{behind}", number(achieved))];
        table.push(before, &samples(cell), []);
    }
    table.section()
}

/// The workload and the connections of cells that share them.
fn title<S>(group: &[Cell<S>]) -> Cow<'static, str> {
    let title = |cell: &Cell<S>| {
        format!("{}, {}", cell.workload.title(), connections(cell.connections)).into()
    };
    group.first().map_or(Cow::Borrowed(""), title)
}

/// The samples of a cell without their rates.
fn samples(cell: &Cell<PacedSample>) -> Vec<Sample> {
    cell.samples.iter().map(|paced| paced.sample.clone()).collect()
}

fn achieved(cell: &Cell<PacedSample>) -> Option<f64> {
    let rates = cell.samples.iter().map(PacedSample::achieved_per_second);
    Spread::of(rates).map(|spread| spread.median)
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

fn figures(cell: &Cell, cells: &[Cell]) -> Value {
    json::with(
        identity(cell),
        [
            ("median", json::summary(&cell.samples)),
            ("share_of_parsing", share_of(cell, cells, ServerKind::Parsing).into()),
            ("ours_times", ours_over(cell, cells).into()),
            ("rounds", json::list(&cell.samples, json::sample)),
        ],
    )
}

fn paced_figures(cell: &Cell<PacedSample>) -> Value {
    json::with(
        identity(cell),
        [
            ("asked_per_second", cell.rate.into()),
            ("achieved_per_second", achieved(cell).into()),
            ("median", json::summary(&samples(cell))),
            ("rounds", json::list(&cell.samples, json::paced_sample)),
        ],
    )
}

fn identity<S>(cell: &Cell<S>) -> Value {
    json!({
        "workload": cell.workload.name(),
        "connections": cell.connections,
        "server": cell.server.name(),
        "failure": cell.failure,
    })
}
