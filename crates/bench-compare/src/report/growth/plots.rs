//! The plots of growth: rates over sizes, and the burst second by second.

use monotable_bench::load::{Burst, Sample};
use monotable_bench::summary::Summary;

use crate::growth::Growth;
use crate::growth::burst::WriteBurst;
use crate::growth::sizes::MeasuredTable;
use crate::plot::{LineChart, ScaleKind, Series};

/// A file per plot.
pub(super) fn render(growth: &Growth) -> Vec<(String, String)> {
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
    let line = |label: &str, colour, samples: fn(&MeasuredTable) -> &[Sample]| {
        let point = |store: &MeasuredTable| {
            let summary = Summary::of(samples(store))?;
            Some((store.items as f64, summary.requests_per_second.median))
        };
        let points = stores.iter().filter_map(point).collect();
        Series { label: label.to_owned(), colour, dashes: "", points }
    };
    LineChart {
        title: "Reads by the size of the table, durable".to_owned(),
        x_label: "items of 1 KB in the table".to_owned(),
        y_label: "requests per second".to_owned(),
        x_kind: ScaleKind::Logarithmic,
        y_kind: ScaleKind::Linear,
        series: vec![
            line("GetItem", 0, |store| &store.get),
            line("Query, 25 items", 1, |store| &store.query),
            line("GetItem after a restart", 3, |store| store.cold.as_slice()),
        ],
    }
}

fn latencies(burst: &WriteBurst) -> LineChart {
    let line = |label: &str, colour, dashes, felt: &Burst, share: f64| Series {
        label: label.to_owned(),
        colour,
        dashes,
        points: over_seconds(felt, |second| second.latencies.quantile(share).as_secs_f64() * 1e3),
    };
    LineChart {
        title: "What is felt of a burst of writes".to_owned(),
        x_label: "seconds".to_owned(),
        y_label: "ms, in each second".to_owned(),
        x_kind: ScaleKind::Linear,
        y_kind: ScaleKind::Logarithmic,
        series: vec![
            line("BatchWriteItem, max", 7, "2 3", &burst.batch, 1.0),
            line("PutItem, max", 1, "2 3", &burst.put, 1.0),
            line("PutItem, p99.9", 1, "", &burst.put, 0.999),
            line("PutItem, p50", 1, "6 3", &burst.put, 0.5),
            line("GetItem, max", 0, "2 3", &burst.get, 1.0),
            line("GetItem, p99.9", 0, "", &burst.get, 0.999),
            line("GetItem, p50", 0, "6 3", &burst.get, 0.5),
        ],
    }
}

fn rates(burst: &WriteBurst) -> LineChart {
    let line = |label: &str, colour, felt: &Burst| Series {
        label: label.to_owned(),
        colour,
        dashes: "",
        points: over_seconds(felt, |second| second.latencies.total() as f64),
    };
    LineChart {
        title: "Requests during a burst of writes".to_owned(),
        x_label: "seconds".to_owned(),
        y_label: "requests per second".to_owned(),
        x_kind: ScaleKind::Linear,
        y_kind: ScaleKind::Logarithmic,
        series: vec![
            line("BatchWriteItem", 7, &burst.batch),
            line("PutItem", 1, &burst.put),
            line("GetItem", 0, &burst.get),
        ],
    }
}

fn over_seconds(
    felt: &Burst,
    figure: impl Fn(&monotable_bench::load::Second) -> f64,
) -> Vec<(f64, f64)> {
    let seconds = felt.seconds.iter().enumerate();
    let points = seconds.map(|(number, second)| (number as f64 + 1.0, figure(second)));
    // A second in which nothing was answered has no latency.
    points.filter(|(_, value)| *value > 0.0).collect()
}
