//! What was found of an endpoint, as a text and as JSON.

use serde_json::{Value, json};

use super::{Measured, Plan, Row};
use crate::columns::{align, number};
use crate::load::Sample;

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;

const CLOSED_HEADINGS: [&str; 8] =
    ["workload", "connections", "requests/s", "p50 µs", "p99 µs", "p99.9 µs", "max µs", "requests"];
const OPEN_HEADINGS: [&str; 8] =
    ["workload", "connections", "asked/s", "achieved/s", "p50 µs", "p99 µs", "p99.9 µs", "max µs"];

/// The rows as a text to read.
pub fn render_table(plan: &Plan, rows: &[Row]) -> String {
    let headings = if plan.rates.is_empty() { CLOSED_HEADINGS } else { OPEN_HEADINGS };
    let mut cells = vec![headings.map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(row));
    let items = number(plan.dataset.items() as f64);
    let seconds = plan.measured.as_secs_f64();
    format!(
        "{}: {items} items of 1 KB, {seconds} s per row, keys drawn evenly from all items\n{}",
        plan.target.title,
        align(&cells)
    )
}

fn row(row: &Row) -> Vec<String> {
    let mut cells = vec![row.workload.title().to_owned(), row.connections.to_string()];
    match &row.result {
        Measured::Closed(sample) => {
            cells.push(number(sample.requests_per_second()));
            cells.extend(latencies(sample));
            cells.push(number(sample.latencies.total() as f64));
        }
        Measured::Open(paced) => {
            cells.push(number(paced.asked_per_second));
            cells.push(number(paced.achieved_per_second()));
            cells.extend(latencies(&paced.sample));
        }
    }
    cells
}

fn latencies(sample: &Sample) -> [String; 4] {
    [0.5, 0.99, 0.999, 1.0].map(|share| number(sample.latency_microseconds(share)))
}

/// The rows for other programs.
pub fn render_json(plan: &Plan, rows: &[Row]) -> Value {
    json!({
        "format": FORMAT,
        "endpoint": plan.target.title,
        "items": plan.dataset.items(),
        "seconds": plan.measured.as_secs_f64(),
        "seed": plan.seed,
        "results": rows.iter().map(result).collect::<Vec<Value>>(),
    })
}

fn result(row: &Row) -> Value {
    let (sample, asked, rate) = match &row.result {
        Measured::Closed(sample) => (sample, None, sample.requests_per_second()),
        Measured::Open(paced) => {
            (&paced.sample, Some(paced.asked_per_second), paced.achieved_per_second())
        }
    };
    let latency = |share| sample.latency_microseconds(share);
    json!({
        "workload": row.workload.name(),
        "connections": row.connections,
        "asked_per_second": asked,
        "requests_per_second": rate,
        "requests": sample.latencies.total(),
        "p50_us": latency(0.5),
        "p99_us": latency(0.99),
        "p999_us": latency(0.999),
        "max_us": latency(1.0),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::expect;

    use super::*;
    use crate::data::Dataset;
    use crate::load::{Histogram, PacedSample};
    use crate::target::Target;
    use crate::workload::Workload;

    fn plan(rates: Vec<f64>) -> Plan {
        Plan {
            target: Target::at("http://127.0.0.1:8000", "http://127.0.0.1:8000").unwrap(),
            workloads: Vec::new(),
            connections: vec![16],
            rates,
            measured: Duration::from_secs(2),
            dataset: Dataset::new(10_000),
            table_prefix: String::new(),
            keep: false,
            seed: 1,
        }
    }

    fn sample() -> Sample {
        let mut latencies = Histogram::new();
        (0..4000).for_each(|_| latencies.record(Duration::from_nanos(64)));
        Sample {
            elapsed: Duration::from_secs(2),
            latencies,
            cpu: None,
            resident_bytes: None,
            disturbance: None,
        }
    }

    #[test]
    fn a_closed_loop_shows_how_much_was_answered() {
        let result = Measured::Closed(sample());
        let rows = [Row { workload: Workload::GetItem, connections: 16, result }];
        expect![[r#"
            http://127.0.0.1:8000: 10,000 items of 1 KB, 2 s per row, keys drawn evenly from all items
              workload  connections  requests/s  p50 µs  p99 µs  p99.9 µs  max µs  requests
              GetItem            16       2,000     0.1     0.1       0.1     0.1     4,000
        "#]]
        .assert_eq(&render_table(&plan(Vec::new()), &rows));
    }

    #[test]
    fn an_open_loop_shows_what_was_asked_and_what_was_achieved() {
        let paced = PacedSample { asked_per_second: 2000.0, answered: 3000, sample: sample() };
        let result = Measured::Open(paced);
        let rows = [Row { workload: Workload::Mixed, connections: 64, result }];
        expect![[r#"
            http://127.0.0.1:8000: 10,000 items of 1 KB, 2 s per row, keys drawn evenly from all items
              workload           connections  asked/s  achieved/s  p50 µs  p99 µs  p99.9 µs  max µs
              Mixed, 70 % reads           64    2,000       1,500     0.1     0.1       0.1     0.1
        "#]]
        .assert_eq(&render_table(&plan(vec![2000.0]), &rows));
        let json = render_json(&plan(vec![2000.0]), &rows);
        assert_eq!(json["results"][0]["asked_per_second"], 2000.0);
        assert_eq!(json["results"][0]["requests_per_second"], 1500.0);
    }
}
