//! What the engine on PostgreSQL makes of the database.

use monotable_bench::columns::number;

use super::section::Section;
use super::texts::{known, median, percent, range};
use super::{Document, circumstances};
use crate::machine;
use crate::scale_out::{Finding, Findings, Plan, Request, Worker};

const HEADINGS: [&str; 9] =
    ["", "requests/s", "±", "of pgbench", "± ", "of naive", "joined", "p50 ms", "p99 ms"];

const SIZE_HEADINGS: [&str; 6] = ["rows", "requests/s", "±", "of the first", "joined", "CPU µs"];

/// Writes what was found: a table per request, and one of sizes.
pub(crate) fn render(plan: &Plan, findings: &Findings) -> Document {
    let Plan { callers, rounds, value_bytes, .. } = plan;
    let seconds = plan.length.as_secs_f64();
    let head = format!(
        "{callers} callers, {rounds} rounds of {seconds} s, interleaved; values of {value_bytes} \
         bytes\n"
    );
    Document {
        head: circumstances::hardware(&machine::describe()) + &head,
        sections: Request::ALL.into_iter().flat_map(|one| sections(one, findings)).collect(),
        ..Document::default()
    }
}

fn sections(request: Request, findings: &Findings) -> [Section; 2] {
    let of_request = |finding: &&Finding| finding.request == request;
    let rate = |finding: &&Finding| finding.rate().map(|rate| rate.median);
    let workers: Vec<&Finding> = findings.workers.iter().filter(of_request).collect();
    let rows = workers.first().map_or(0, |finding| finding.rows);
    let title = format!("{}, {} rows", request.title(), number(rows as f64));
    let naive = workers.iter().find(|finding| finding.worker == Worker::Naive).and_then(rate);
    let of_workers = Section::new(title, &HEADINGS)
        .with(workers.iter().filter_map(|finding| row(finding, naive)));
    let sizes: Vec<&Finding> = findings.sizes.iter().filter(of_request).collect();
    let title = format!("{}, one engine on stores of several sizes", request.title());
    let first = sizes.first().and_then(rate);
    let of_sizes = Section::new(title, &SIZE_HEADINGS)
        .with(sizes.iter().filter_map(|finding| size_row(finding, first)));
    [of_workers, of_sizes]
}

fn row(finding: &Finding, naive: Option<f64>) -> Option<Vec<String>> {
    let (rate, share) = (finding.rate()?, finding.of_ceiling());
    let latency =
        |share: f64| finding.median(|round| Some(round.sample.latency_microseconds(share) / 1e3));
    Some(vec![
        title(finding.worker),
        median(rate),
        range(rate),
        known(share, |share| percent(share.median)),
        known(share, range),
        known(naive, |naive| format!("{:.1} ×", rate.median / naive)),
        known(finding.median(|round| Some(round.joined)), number),
        known(latency(0.5), number),
        known(latency(0.99), number),
    ])
}

fn size_row(finding: &Finding, first: Option<f64>) -> Option<Vec<String>> {
    let rate = finding.rate()?;
    Some(vec![
        number(finding.rows as f64),
        median(rate),
        range(rate),
        known(first, |first| percent(rate.median / first)),
        known(finding.median(|round| Some(round.joined)), number),
        known(finding.median(|round| round.sample.cpu_microseconds()), number),
    ])
}

fn title(worker: Worker) -> String {
    match worker {
        Worker::Engines(1) => "1 engine".to_owned(),
        Worker::Engines(count) => format!("{count} engines"),
        Worker::Naive => "naive".to_owned(),
    }
}
