//! The plots of growth: rates over sizes, and the burst second by second.

use monotable_bench::load::{Burst, Sample};
use monotable_bench::summary::Summary;

use crate::growth::Growth;
use crate::growth::burst::WriteBurst;
use crate::growth::sizes::MeasuredTable;
use crate::plot::{DASHED, DOTTED, LineChart, SOLID, ScaleKind};
use crate::report::Plot;
use crate::report::texts::{milliseconds, over_seconds};

const SECONDS: (&str, ScaleKind) = ("seconds", ScaleKind::Linear);

/// A file per plot.
pub(super) fn render(growth: &Growth) -> Vec<Plot> {
    let mut plots = Vec::new();
    if growth.stores.iter().any(|store| !store.get.is_empty()) {
        plots.push(("growth.svg".to_owned(), sizes(&growth.stores).render()));
    }
    if let Some(burst) = &growth.burst {
        plots.push(("burst-latency.svg".to_owned(), latencies(burst).render()));
        plots.push(("burst-rate.svg".to_owned(), rates(burst).render()));
    }
    plots
}

fn sizes(stores: &[MeasuredTable]) -> LineChart {
    let rates = |samples: fn(&MeasuredTable) -> &[Sample]| {
        stores.iter().filter_map(move |store| {
            let summary = Summary::of(samples(store))?;
            Some((store.items as f64, summary.requests_per_second.median))
        })
    };
    let x_axis = ("items of 1 KB in the table", ScaleKind::Logarithmic);
    let y_axis = ("requests per second", ScaleKind::Linear);
    LineChart::new("Reads by the size of the table, durable", x_axis, y_axis)
        .line("GetItem", 0, SOLID, rates(|store| &store.get))
        .line("Query, 25 items", 1, SOLID, rates(|store| &store.query))
        .line("GetItem after a restart", 3, SOLID, rates(|store| store.cold.as_slice()))
}

fn latencies(burst: &WriteBurst) -> LineChart {
    let felt = |felt: &Burst, share: f64| {
        over_seconds(felt, |second| milliseconds(second.latencies.quantile(share)))
    };
    let y_axis = ("ms, in each second", ScaleKind::Logarithmic);
    LineChart::new("What is felt of a burst of writes", SECONDS, y_axis)
        .line("BatchWriteItem, max", 7, DOTTED, felt(&burst.batch, 1.0))
        .line("PutItem, max", 1, DOTTED, felt(&burst.put, 1.0))
        .line("PutItem, p99.9", 1, SOLID, felt(&burst.put, 0.999))
        .line("PutItem, p50", 1, DASHED, felt(&burst.put, 0.5))
        .line("GetItem, max", 0, DOTTED, felt(&burst.get, 1.0))
        .line("GetItem, p99.9", 0, SOLID, felt(&burst.get, 0.999))
        .line("GetItem, p50", 0, DASHED, felt(&burst.get, 0.5))
}

fn rates(burst: &WriteBurst) -> LineChart {
    let answered = |felt: &Burst| over_seconds(felt, |second| second.latencies.total() as f64);
    let y_axis = ("requests per second", ScaleKind::Logarithmic);
    LineChart::new("Requests during a burst of writes", SECONDS, y_axis)
        .line("BatchWriteItem", 7, SOLID, answered(&burst.batch))
        .line("PutItem", 1, SOLID, answered(&burst.put))
        .line("GetItem", 0, SOLID, answered(&burst.get))
}
