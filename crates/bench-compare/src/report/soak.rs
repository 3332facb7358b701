//! What a long run found, in every form.

use std::time::Duration;

use monotable_bench::columns::{align, number};
use monotable_bench::load::Histogram;
use serde_json::{Value, json};

use super::{Document, circumstances};
use crate::machine::{self, Machine};
use crate::plot::{LineChart, ScaleKind, Series};
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

/// Writes what was found: the machine, the load, and a row per round.
pub(crate) fn render(plan: &Plan, soak: &Soak) -> Document {
    let machine = machine::describe();
    let heading = heading(plan, soak, &machine);
    let rows: Vec<Vec<String>> =
        soak.rounds.iter().enumerate().map(|(index, round)| row(index + 1, round)).collect();
    let all = std::iter::once(HEADINGS.map(str::to_owned).to_vec()).chain(rows.iter().cloned());
    let conclusion = conclusion(soak);
    Document {
        table: format!("{heading}\n{}\n{conclusion}", align(&all.collect::<Vec<_>>())),
        json: format!("{:#}\n", json_of(plan, soak, &machine)),
        markdown: format!("{heading}\n{}\n{conclusion}", markdown(&rows)),
        plots: plots(soak),
    }
}

/// A round while the run goes on.
pub(crate) fn line(number: usize, round: &Round) -> String {
    let row = row(number, round);
    let cells = HEADINGS.iter().zip(&row).map(|(heading, cell)| format!("{heading} {cell}"));
    cells.collect::<Vec<_>>().join(" · ")
}

fn heading(plan: &Plan, soak: &Soak, machine: &Machine) -> String {
    let Plan { share, clients, items, restart_every, length, .. } = plan;
    format!(
        "{}\ncommit {}; on disk, every write synced; {} min with a restart every {} s; {clients} \
         clients with {items} items each; {:.0} % of {} requests/s\n",
        circumstances::hardware(machine),
        machine.commit,
        number(length.as_secs_f64() / 60.0),
        restart_every.as_secs(),
        share * 100.0,
        number(soak.peak),
    )
}

fn row(number_of_round: usize, round: &Round) -> Vec<String> {
    let latencies = round.traffic.latencies();
    let requests = latencies.total() as f64;
    let milliseconds = |share| number(latencies.quantile(share).as_secs_f64() * 1e3);
    let verified = &round.verified;
    vec![
        number_of_round.to_string(),
        round.ending.title().to_owned(),
        number(requests),
        number(requests / round.length.as_secs_f64()),
        milliseconds(0.5),
        milliseconds(0.99),
        milliseconds(0.999),
        milliseconds(1.0),
        megabytes(round.memory.get(round.memory.len() / 2)),
        megabytes(round.memory.last()),
        format!("{:.2}", round.start_took.as_secs_f64()),
        format!(
            "{}, {}, {} ({} happened)",
            number(verified.items as f64),
            number(verified.records as f64),
            verified.in_doubt,
            verified.happened
        ),
    ]
}

fn megabytes(sample: Option<&MemorySample>) -> String {
    sample.map_or_else(String::new, |sample| number(anonymous(sample)))
}

fn anonymous(sample: &MemorySample) -> f64 {
    sample.memory.anonymous_bytes as f64 / 1e6
}

/// What it all comes to. A run that found something wrong has no report.
fn conclusion(soak: &Soak) -> String {
    let latencies = soak.latencies();
    let writes: u64 = soak.rounds.iter().map(|round| round.traffic.writes).sum();
    let milliseconds = |share| number(latencies.quantile(share).as_secs_f64() * 1e3);
    format!(
        "{} requests, {} of them writes; after each of {} restarts every acknowledged write was \
         there, every index equalled the table, and the stream had every change once and in \
         order\np50 {} ms, p99 {} ms, p99.9 {} ms, longest {} ms, from when a request was \
         due\nmemory of its own at the end of rounds: {} MB in the first, {} MB in the last\n",
        number(latencies.total() as f64),
        number(writes as f64),
        soak.rounds.len(),
        milliseconds(0.5),
        milliseconds(0.99),
        milliseconds(0.999),
        milliseconds(1.0),
        megabytes(soak.rounds.first().and_then(|round| round.memory.last())),
        megabytes(soak.rounds.last().and_then(|round| round.memory.last())),
    )
}

fn markdown(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heading =
        line(&HEADINGS.map(str::to_owned)) + &format!("|{}\n", "---:|".repeat(HEADINGS.len()));
    rows.iter().fold(heading, |text, row| text + &line(row))
}

fn json_of(plan: &Plan, soak: &Soak, machine: &Machine) -> Value {
    let round = |round: &Round| {
        let latencies = round.traffic.latencies();
        let milliseconds = |share| latencies.quantile(share).as_secs_f64() * 1e3;
        json!({
            "ending": round.ending.title(),
            "requests": latencies.total(),
            "writes": round.traffic.writes,
            "seconds": round.length.as_secs_f64(),
            "p50Ms": milliseconds(0.5),
            "p99Ms": milliseconds(0.99),
            "p999Ms": milliseconds(0.999),
            "maxMs": milliseconds(1.0),
            "endSeconds": round.end_took.as_secs_f64(),
            "startSeconds": round.start_took.as_secs_f64(),
            "items": round.verified.items,
            "records": round.verified.records,
            "inDoubt": round.verified.in_doubt,
            "happened": round.verified.happened,
            "anonymousMb": round.memory.iter().map(anonymous).collect::<Vec<_>>(),
        })
    };
    json!({
        "machine": { "processor": machine.processor, "cores": machine.cores,
            "commit": machine.commit },
        "peak": soak.peak,
        "share": plan.share,
        "rounds": soak.rounds.iter().map(round).collect::<Vec<_>>(),
    })
}

fn plots(soak: &Soak) -> Vec<(String, String)> {
    vec![
        ("soak-memory.svg".to_owned(), memory(soak).render()),
        ("soak-latency.svg".to_owned(), latency(soak).render()),
    ]
}

fn minutes(time: Duration) -> f64 {
    time.as_secs_f64() / 60.0
}

fn memory(soak: &Soak) -> LineChart {
    let samples = || soak.rounds.iter().flat_map(|round| &round.memory);
    let line = |label: &str, colour, read: fn(&MemorySample) -> f64| Series {
        label: label.to_owned(),
        colour,
        dashes: "",
        points: samples().map(|sample| (minutes(sample.at), read(sample))).collect(),
    };
    LineChart {
        title: "Memory over restarts".to_owned(),
        x_label: "minutes".to_owned(),
        y_label: "MB".to_owned(),
        x_kind: ScaleKind::Linear,
        y_kind: ScaleKind::Linear,
        series: vec![
            line("of its own", 0, anonymous),
            line("mapped files", 2, |sample| sample.memory.file_bytes as f64 / 1e6),
        ],
    }
}

fn latency(soak: &Soak) -> LineChart {
    let line = |label: &str, colour, share: f64| {
        let windows = soak.rounds.iter().flat_map(|round| round.traffic.windows());
        let point = |(begin, latencies): (Duration, &Histogram)| {
            (minutes(begin), latencies.quantile(share).as_secs_f64() * 1e3)
        };
        let points = windows.map(point).collect();
        Series { label: label.to_owned(), colour, dashes: "", points }
    };
    LineChart {
        title: "Latency over restarts".to_owned(),
        x_label: "minutes".to_owned(),
        y_label: "ms, in each ten seconds".to_owned(),
        x_kind: ScaleKind::Linear,
        y_kind: ScaleKind::Logarithmic,
        series: vec![line("p50", 0, 0.5), line("p99", 1, 0.99), line("longest", 3, 1.0)],
    }
}
