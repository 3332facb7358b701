//! What a stream costs, as a text to read.

use std::fmt::Write;

use monotable_bench::columns::{align, number, unknown};
use monotable_bench::load::Sample;
use monotable_bench::statistics::Spread;
use monotable_bench::summary::Summary;

use super::circumstances;
use crate::comparison::disturbance;
use crate::goals::STREAM_SHARE_MIN;
use crate::machine;
use crate::settings::Settings;
use crate::stream_cost::StreamCost;

const HEADINGS: [&str; 6] = ["table", "requests/s", "±", "CPU µs", "p50 µs", "p99 µs"];

/// Writes what was found: the circumstances, then a table per server, workload and number of
/// connections.
pub(crate) fn render(settings: &Settings, costs: &[StreamCost]) -> String {
    let samples = costs.iter().flat_map(|cost| cost.plain.iter().chain(&cost.streamed));
    let mut text = circumstances::render(&machine::describe(), settings);
    text += &circumstances::warning(disturbance(samples));
    for cost in costs {
        let (server, workload) = (cost.server.title(), cost.workload.title());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{workload}, {} connections, {server}", cost.connections);
        text += &align(&rows(cost));
        text += &format!(
            "  with a stream, of without: {} of the requests/s (goal: {:.0} %), {} of the CPU µs\n",
            percent(cost.ratio(|sample| Some(sample.requests_per_second()))),
            STREAM_SHARE_MIN * 100.0,
            percent(cost.ratio(Sample::cpu_microseconds)),
        );
    }
    text
}

fn rows(cost: &StreamCost) -> Vec<Vec<String>> {
    let headings = HEADINGS.map(str::to_owned).to_vec();
    let plain = row("without a stream", &cost.plain);
    let streamed = row("with a stream", &cost.streamed);
    std::iter::once(headings).chain(plain).chain(streamed).collect()
}

fn row(name: &str, samples: &[Sample]) -> Option<Vec<String>> {
    let summary = Summary::of(samples)?;
    let median = |spread: Spread| number(spread.median);
    Some(vec![
        name.to_owned(),
        median(summary.requests_per_second),
        format!("{:.0} %", summary.requests_per_second.percent()),
        summary.cpu_microseconds.map_or_else(unknown, median),
        median(summary.p50_microseconds),
        median(summary.p99_microseconds),
    ])
}

/// The median and the range of a ratio.
fn percent(ratio: Option<Spread>) -> String {
    let percent = |Spread { median, least, most }: Spread| {
        format!("{:.0} % ({:.0} to {:.0})", median * 100.0, least * 100.0, most * 100.0)
    };
    ratio.map_or_else(unknown, percent)
}
