//! What a stream costs.

use monotable_bench::load::Sample;
use monotable_bench::statistics::Spread;

use super::samples::{Column, SampleTable};
use super::section::Section;
use super::texts::{known, percent};
use super::{Document, circumstances};
use crate::comparison::disturbance;
use crate::goals::STREAM_SHARE_MIN;
use crate::machine;
use crate::settings::Settings;
use crate::stream_cost::StreamCost;

/// Writes what was found: a table per server, workload and number of connections.
pub(crate) fn render(settings: &Settings, costs: &[StreamCost]) -> Document {
    let samples = costs.iter().flat_map(|cost| cost.plain.iter().chain(&cost.streamed));
    Document {
        head: circumstances::render(&machine::describe(), settings)
            + &format!(
                "with a stream, {} of the requests/s are the goal\n",
                percent(STREAM_SHARE_MIN)
            )
            + &circumstances::warning(disturbance(samples)),
        sections: costs.iter().map(section).collect(),
        ..Document::default()
    }
}

fn section(cost: &StreamCost) -> Section {
    let StreamCost { workload, connections, server, plain, streamed } = cost;
    let title = format!("{}, {connections} connections, {}", workload.title(), server.title());
    let columns = [Column::Rate, Column::Range, Column::Cpu, Column::P50, Column::P99];
    let mut table = SampleTable::new(title, &["table"], &columns, &[]);
    table.push(["without a stream".to_owned()], plain, []);
    table.push(["with a stream".to_owned()], streamed, []);
    table.push_text(vec![
        "with a stream, of without".to_owned(),
        ratio(cost.ratio(|sample| Some(sample.requests_per_second()))),
        String::new(),
        ratio(cost.ratio(Sample::cpu_microseconds)),
    ]);
    table.section()
}

/// The median and the range of a ratio.
fn ratio(ratio: Option<Spread>) -> String {
    known(ratio, |Spread { median, least, most }| {
        format!("{:.0} % ({:.0} to {:.0})", median * 100.0, least * 100.0, most * 100.0)
    })
}
