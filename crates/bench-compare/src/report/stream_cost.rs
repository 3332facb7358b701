//! What a stream costs.

use monotable_bench::load::Sample;

use super::Document;
use super::circumstances::asked;
use super::table::{Rows, Table};
use super::texts::percent;
use crate::comparison::disturbance;
use crate::goals::STREAM_SHARE_MIN;
use crate::settings::Settings;
use crate::stream_cost::StreamCost;

/// Writes what was found: a table per server, workload and number of connections.
pub(crate) fn render(settings: &Settings, costs: &[StreamCost]) -> Document {
    let samples = costs.iter().flat_map(|cost| cost.plain.iter().chain(&cost.streamed));
    let about = format!(
        "{}\nwith a stream, {} of the requests/s are the goal",
        asked(settings),
        percent(STREAM_SHARE_MIN)
    );
    Document::new(about, disturbance(samples), costs.iter().map(table).collect())
}

fn table(cost: &StreamCost) -> Table {
    let StreamCost { workload, connections, server, plain, streamed } = cost;
    let title = format!("{}, {connections} connections, {}", workload.title(), server.title());
    let ratios = |is_streamed: bool, figure: fn(&Sample) -> Option<f64>| {
        if is_streamed { cost.ratios(figure) } else { Vec::new() }
    };
    Rows::new(title, [("without a stream", plain, false), ("with a stream", streamed, true)])
        .words("table", |(name, ..)| (*name).to_owned())
        .samples(|(_, samples, _)| samples.iter().collect())
        .spread(["of without", "± of it"], percent, |(_, _, is_streamed)| {
            ratios(*is_streamed, |sample| Some(sample.requests_per_second()))
        })
        .median("CPU of without", percent, |(_, _, is_streamed)| {
            ratios(*is_streamed, Sample::cpu_microseconds)
        })
        .table()
}
