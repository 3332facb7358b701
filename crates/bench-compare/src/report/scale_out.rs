//! What the engine on PostgreSQL makes of the database.

use monotable_bench::columns::number;
use monotable_bench::load::Sample;

use super::Document;
use super::table::{Rows, Table};
use super::texts::{percent, times};
use crate::scale_out::{Finding, Findings, Plan, Request, Worker};

/// Writes what was found: a table per request, and one of sizes.
pub(crate) fn render(plan: &Plan, findings: &Findings) -> Document {
    let Plan { callers, rounds, value_bytes, .. } = plan;
    let about = format!(
        "{callers} callers, {rounds} rounds of {} s, interleaved; values of {value_bytes} bytes",
        plan.length.as_secs_f64()
    );
    let tables = Request::ALL.into_iter().flat_map(|one| tables(one, findings)).collect();
    Document::new(about, 0.0, tables)
}

fn tables(request: Request, findings: &Findings) -> [Table; 2] {
    let of_request = |finding: &&Finding| finding.request == request;
    let workers: Vec<&Finding> = findings.workers.iter().filter(of_request).collect();
    let rows = workers.first().map_or(0, |finding| finding.rows);
    let naive = workers.iter().find(|finding| finding.worker == Worker::Naive);
    let naive = naive.and_then(|naive| naive.rate());
    let title = format!("{}, {} rows", request.title(), number(rows as f64));
    let beside_pgbench = Rows::new(title, workers)
        .words("worker", |finding| worker_title(finding.worker))
        .samples(|finding| samples(finding))
        .spread(["of pgbench", "± of it"], percent, |finding| finding.of_ceiling())
        .figure("of naive", times, |finding| Some(finding.rate()? / naive?))
        .median("joined", number, |finding| joined(finding));
    let sizes: Vec<&Finding> = findings.sizes.iter().filter(of_request).collect();
    let first = sizes.first().and_then(|first| first.rate());
    let title = format!("{}, one engine on stores of several sizes", request.title());
    let of_sizes = Rows::new(title, sizes)
        .figure("rows", number, |finding| finding.rows as f64)
        .samples(|finding| samples(finding))
        .figure("of the first", percent, |finding| Some(finding.rate()? / first?))
        .median("joined", number, |finding| joined(finding));
    [beside_pgbench.table(), of_sizes.table()]
}

fn samples(finding: &Finding) -> Vec<&Sample> {
    finding.rounds.iter().map(|round| &round.sample).collect()
}

fn joined(finding: &Finding) -> Vec<f64> {
    finding.rounds.iter().map(|round| round.joined).collect()
}

fn worker_title(worker: Worker) -> String {
    match worker {
        Worker::Engines(1) => "1 engine".to_owned(),
        Worker::Engines(count) => format!("{count} engines"),
        Worker::Naive => "naive".to_owned(),
    }
}
