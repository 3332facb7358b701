//! What a long run found.

use std::time::Duration;

use monotable_bench::columns::number;
use monotable_bench::load::Histogram;
use serde_json::{Value, json};

use super::section::Section;
use super::texts::{megabytes, milliseconds};
use super::{Document, Plot, circumstances, json};
use crate::machine::{self, Machine};
use crate::plot::{LineChart, SOLID, ScaleKind};
use crate::soak::{MemorySample, Plan, Round, Soak};

const HEADINGS: [&str; 12] = [
    "round",
    "ended by",
    "requests",
    "/s",
    "p50 ms",
    "p99 ms",
    "p99.9 ms",
    "max ms",
    "MB in the middle",
    "MB at the end",
    "start s",
    "items, records, in doubt",
];

/// Writes what was found: the load, a row per round, and what it all comes to.
pub(crate) fn render(plan: &Plan, soak: &Soak) -> Document {
    let machine = machine::describe();
    let rows = soak.rounds.iter().zip(1..).map(|(round, number)| row(number, round));
    Document {
        head: head(plan, soak, &machine),
        sections: vec![Section::new("Rounds", &HEADINGS).with(rows)],
        notes: vec![conclusion(soak)],
        figures: json!({
            "machine": {
                "processor": machine.processor,
                "cores": machine.cores,
                "commit": machine.commit,
            },
            "peak": soak.peak,
            "share": plan.share,
            "rounds": json::list(&soak.rounds, figures),
        }),
        plots: plots(soak),
    }
}

/// A round while the run goes on.
pub(crate) fn line(number: usize, round: &Round) -> String {
    let row = row(number, round);
    let cells = HEADINGS.iter().zip(&row).map(|(heading, cell)| format!("{heading} {cell}"));
    cells.collect::<Vec<_>>().join(" · ")
}

fn head(plan: &Plan, soak: &Soak, machine: &Machine) -> String {
    let Plan { share, clients, items, restart_every, length, .. } = plan;
    format!(
        "{}on disk, every write synced; {} min with a restart every {} s; {clients} clients with \
         {items} items each; {:.0} % of {} requests/s\n",
        circumstances::code(machine),
        number(length.as_secs_f64() / 60.0),
        restart_every.as_secs(),
        share * 100.0,
        number(soak.peak),
    )
}

/// The percentiles that are shown of everything.
fn percentiles(latencies: &Histogram) -> [f64; 4] {
    [0.5, 0.99, 0.999, 1.0].map(|share| milliseconds(latencies.quantile(share)))
}

fn row(number_of_round: usize, round: &Round) -> Vec<String> {
    let latencies = round.traffic.latencies();
    let requests = latencies.total() as f64;
    let verified = &round.verified;
    let mut row = vec![
        number_of_round.to_string(),
        round.ending.title().to_owned(),
        number(requests),
        number(requests / round.length.as_secs_f64()),
    ];
    row.extend(percentiles(&latencies).map(number));
    row.extend([
        own_memory(round.memory.get(round.memory.len() / 2)),
        own_memory(round.memory.last()),
        format!("{:.2}", round.start_took.as_secs_f64()),
        format!(
            "{}, {}, {} ({} happened)",
            number(verified.items as f64),
            number(verified.records as f64),
            verified.in_doubt,
            verified.happened
        ),
    ]);
    row
}

fn own_memory(sample: Option<&MemorySample>) -> String {
    sample.map_or_else(String::new, |sample| number(anonymous(sample)))
}

fn anonymous(sample: &MemorySample) -> f64 {
    megabytes(sample.memory.anonymous_bytes)
}

/// What it all comes to. A run that found something wrong has no report.
fn conclusion(soak: &Soak) -> String {
    let latencies = soak.latencies();
    let writes: u64 = soak.rounds.iter().map(|round| round.traffic.writes).sum();
    let [p50, p99, p999, longest] = percentiles(&latencies).map(number);
    let at_end = |round: Option<&Round>| own_memory(round.and_then(|round| round.memory.last()));
    format!(
        "{} requests, {} of them writes; after each of {} restarts every acknowledged write was \
         there, every index equalled the table, and the stream had every change once and in \
         order\np50 {p50} ms, p99 {p99} ms, p99.9 {p999} ms, longest {longest} ms, from when a \
         request was due\nmemory of its own at the end of rounds: {} MB in the first, {} MB in \
         the last",
        number(latencies.total() as f64),
        number(writes as f64),
        soak.rounds.len(),
        at_end(soak.rounds.first()),
        at_end(soak.rounds.last()),
    )
}

fn figures(round: &Round) -> Value {
    let latencies = round.traffic.latencies();
    let [p50, p99, p999, longest] = percentiles(&latencies);
    json!({
        "ending": round.ending.title(),
        "requests": latencies.total(),
        "writes": round.traffic.writes,
        "seconds": round.length.as_secs_f64(),
        "p50Ms": p50,
        "p99Ms": p99,
        "p999Ms": p999,
        "maxMs": longest,
        "endSeconds": round.end_took.as_secs_f64(),
        "startSeconds": round.start_took.as_secs_f64(),
        "items": round.verified.items,
        "records": round.verified.records,
        "inDoubt": round.verified.in_doubt,
        "happened": round.verified.happened,
        "anonymousMb": round.memory.iter().map(anonymous).collect::<Vec<_>>(),
    })
}

fn plots(soak: &Soak) -> Vec<Plot> {
    let minutes = |time: Duration| time.as_secs_f64() / 60.0;
    let memory = |read: fn(&MemorySample) -> f64| {
        let samples = soak.rounds.iter().flat_map(|round| &round.memory);
        samples.map(move |sample| (minutes(sample.at), read(sample)))
    };
    let latency = |share: f64| {
        let windows = soak.rounds.iter().flat_map(|round| round.traffic.windows());
        windows.map(move |(begin, found)| (minutes(begin), milliseconds(found.quantile(share))))
    };
    let x_axis = ("minutes", ScaleKind::Linear);
    let of_memory = LineChart::new("Memory over restarts", x_axis, ("MB", ScaleKind::Linear))
        .line("of its own", 0, SOLID, memory(anonymous))
        .line("mapped files", 2, SOLID, memory(|sample| megabytes(sample.memory.file_bytes)));
    let y_axis = ("ms, in each ten seconds", ScaleKind::Logarithmic);
    let of_latency = LineChart::new("Latency over restarts", x_axis, y_axis)
        .line("p50", 0, SOLID, latency(0.5))
        .line("p99", 1, SOLID, latency(0.99))
        .line("longest", 3, SOLID, latency(1.0));
    vec![
        ("soak-memory.svg".to_owned(), of_memory.render()),
        ("soak-latency.svg".to_owned(), of_latency.render()),
    ]
}
