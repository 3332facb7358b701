//! What a long run found.

use std::time::Duration;

use monotable_bench::columns::number;
use monotable_bench::load::Histogram;
use monotable_bench::usage::Memory;

use super::Document;
use super::circumstances::OPEN_LOOP;
use super::table::{Rows, Table};
use super::texts::{mapped_megabytes, milliseconds, own_megabytes, precise, whole};
use crate::plot::{LineChart, SOLID, ScaleKind};
use crate::soak::{MemorySample, Plan, Round, Soak};

const X_AXIS: (&str, ScaleKind) = ("minutes", ScaleKind::Linear);

/// Writes what was found: the load, a row per round, and what it all comes to.
pub(crate) fn render(plan: &Plan, soak: &Soak) -> Document {
    let Plan { share, clients, items, restart_every, length, .. } = plan;
    let about = format!(
        "on disk, every write synced; {} min with a restart every {} s; {clients} clients with \
         {items} items each; {:.0} % of {} requests/s\n{OPEN_LOOP}",
        number(length.as_secs_f64() / 60.0),
        restart_every.as_secs(),
        share * 100.0,
        number(soak.peak),
    );
    let shown = soak.rounds.iter().zip(1..).map(|(round, number)| shown(number, round));
    let all = Rows::new("All rounds together", [soak.latencies()])
        .figure("requests", number, |latencies| latencies.total() as f64)
        .latencies(|latencies| latencies);
    Document {
        plots: vec![memory(soak), latency(soak)],
        notes: vec![conclusion(soak)],
        ..Document::new(about, 0.0, vec![rounds("Rounds", shown), all.table()])
    }
}

/// A round while the run goes on.
pub(crate) fn progress(number: usize, round: &Round) -> String {
    rounds("A round", [shown(number, round)]).text()
}

/// What is shown of a round: its number, and how long each of its requests took.
type Shown<'a> = (usize, &'a Round, Histogram);

fn shown(number: usize, round: &Round) -> Shown<'_> {
    (number, round, round.traffic.latencies())
}

fn rounds<'a>(title: &str, shown: impl IntoIterator<Item = Shown<'a>>) -> Table {
    let own = |sample: Option<&MemorySample>| sample.map(|sample| own_megabytes(sample.memory));
    Rows::new(title, shown)
        .words("round", |(number, ..)| number.to_string())
        .words("ended by", |(_, round, _)| round.ending.title().to_owned())
        .figure("requests", number, |(.., all)| all.total() as f64)
        .figure("/s", number, |(_, round, all)| all.total() as f64 / round.length.as_secs_f64())
        .latencies(|(.., all)| all)
        .figure("MB in the middle", number, |(_, round, _)| {
            own(round.memory.get(round.memory.len() / 2))
        })
        .figure("MB at the end", number, |(_, round, _)| own(round.memory.last()))
        .figure("end s", precise, |(_, round, _)| round.end_took.as_secs_f64())
        .figure("start s", precise, |(_, round, _)| round.start_took.as_secs_f64())
        .figure("items", number, |(_, round, _)| round.verified.items as f64)
        .figure("records", number, |(_, round, _)| round.verified.records as f64)
        .figure("in doubt", whole, |(_, round, _)| round.verified.in_doubt as f64)
        .figure("happened", whole, |(_, round, _)| round.verified.happened as f64)
        .table()
}

/// What it all comes to. A run that found something wrong has no report.
fn conclusion(soak: &Soak) -> String {
    let writes: u64 = soak.rounds.iter().map(|round| round.traffic.writes).sum();
    format!(
        "{} of the requests were writes; after each of {} restarts every acknowledged write was \
         there, every index equalled the table, and the stream had every change once and in order",
        number(writes as f64),
        soak.rounds.len(),
    )
}

fn memory(soak: &Soak) -> LineChart {
    let samples = |read: fn(Memory) -> f64| {
        let samples = soak.rounds.iter().flat_map(|round| &round.memory);
        samples.map(move |sample| (minutes(sample.at), read(sample.memory)))
    };
    LineChart::new("soak-memory", "Memory over restarts", X_AXIS, ("MB", ScaleKind::Linear))
        .line("of its own", 0, SOLID, samples(own_megabytes))
        .line("mapped files", 2, SOLID, samples(mapped_megabytes))
}

fn latency(soak: &Soak) -> LineChart {
    let y_axis = ("ms, in each ten seconds", ScaleKind::Logarithmic);
    LineChart::new("soak-latency", "Latency over restarts", X_AXIS, y_axis).latencies(
        "requests",
        0,
        |share| {
            let windows = soak.rounds.iter().flat_map(|round| round.traffic.windows());
            windows.map(move |(begin, found)| (minutes(begin), milliseconds(found.quantile(share))))
        },
    )
}

fn minutes(time: Duration) -> f64 {
    time.as_secs_f64() / 60.0
}
