//! What the engine on PostgreSQL makes of the database, as a text to read.

use monotable_bench::columns::{align, number, unknown};

use super::circumstances;
use crate::machine;
use crate::scale_out::{Finding, Findings, Plan, Request, Worker};

const HEADINGS: [&str; 9] =
    ["", "requests/s", "±", "of pgbench", "± ", "of naive", "joined", "p50 ms", "p99 ms"];

const SIZE_HEADINGS: [&str; 6] = ["rows", "requests/s", "±", "of the first", "joined", "CPU µs"];

/// Writes what was found: the machine, then a table per request, then one of sizes.
pub(crate) fn render(plan: &Plan, findings: &Findings) -> String {
    let mut text = circumstances::hardware(&machine::describe()) + "\n";
    text += &format!(
        "{} callers, {} rounds of {} s, interleaved; values of {} bytes\n",
        plan.callers,
        plan.rounds,
        plan.length.as_secs_f64(),
        plan.value_bytes,
    );
    for request in Request::ALL {
        let of_request = |finding: &&Finding| finding.request == request;
        let workers: Vec<&Finding> = findings.workers.iter().filter(of_request).collect();
        let rows = workers.first().map_or(0, |finding| finding.rows);
        text += &format!("\n{}, {} rows\n", request.title(), number(rows as f64));
        let naive = workers.iter().find(|finding| finding.worker == Worker::Naive);
        let naive = naive.and_then(|finding| finding.rate()).map(|rate| rate.median);
        let rows = workers.iter().filter_map(|finding| row(finding, naive));
        text += &align(&headed(&HEADINGS, rows));
        let sizes: Vec<&Finding> = findings.sizes.iter().filter(of_request).collect();
        let first = sizes.first().and_then(|finding| finding.rate()).map(|rate| rate.median);
        let rows = sizes.iter().filter_map(|finding| size_row(finding, first));
        text += &format!("\n{}, one engine on stores of several sizes\n", request.title());
        text += &align(&headed(&SIZE_HEADINGS, rows));
    }
    text
}

fn headed(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
    std::iter::once(headings).chain(rows).collect()
}

fn row(finding: &Finding, naive: Option<f64>) -> Option<Vec<String>> {
    let (rate, share) = (finding.rate()?, finding.of_ceiling());
    let latency =
        |share: f64| finding.median(|round| Some(round.sample.latency_microseconds(share) / 1e3));
    Some(vec![
        title(finding.worker),
        number(rate.median),
        percent(rate.percent() / 100.0),
        share.map_or_else(unknown, |share| percent(share.median)),
        share.map_or_else(unknown, |share| percent(share.percent() / 100.0)),
        naive.map_or_else(unknown, |naive| format!("{:.1} ×", rate.median / naive)),
        finding.median(|round| Some(round.joined)).map_or_else(unknown, number),
        latency(0.5).map_or_else(unknown, number),
        latency(0.99).map_or_else(unknown, number),
    ])
}

fn size_row(finding: &Finding, first: Option<f64>) -> Option<Vec<String>> {
    let rate = finding.rate()?;
    Some(vec![
        number(finding.rows as f64),
        number(rate.median),
        percent(rate.percent() / 100.0),
        first.map_or_else(unknown, |first| percent(rate.median / first)),
        finding.median(|round| Some(round.joined)).map_or_else(unknown, number),
        finding.median(|round| round.sample.cpu_microseconds()).map_or_else(unknown, number),
    ])
}

fn title(worker: Worker) -> String {
    match worker {
        Worker::Engines(1) => "1 engine".to_owned(),
        Worker::Engines(count) => format!("{count} engines"),
        Worker::Naive => "naive".to_owned(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
