//! What vector searches take.

use std::time::Duration;

use monotable_bench::columns::number;

use super::Document;
use super::table::Rows;
use crate::vector_search::VectorFinding;

/// Writes what was found: a row per size.
pub(crate) fn render(findings: &[VectorFinding]) -> Document {
    let rate =
        |times: &[Duration]| times.len() as f64 / times.iter().sum::<Duration>().as_secs_f64();
    let table = Rows::new("Searches for the ten nearest vectors", findings)
        .figure("vectors", number, |one| one.vectors as f64)
        .figure("puts/s", number, |one| one.puts_per_second)
        .time("first ms", |one| one.first)
        .figure("searches/s", number, |one| rate(&one.times))
        .time("p50 ms", |one| one.times.get(one.times.len() / 2).copied())
        .time("max ms", |one| one.times.last().copied())
        .figure("recall@10", |recall| format!("{recall:.3}"), |one| one.recall)
        .time("brute force ms", |one| one.brute_force);
    Document::new("durable, on one connection".to_owned(), 0.0, vec![table.table()])
}
