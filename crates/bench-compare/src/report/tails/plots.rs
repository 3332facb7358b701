//! The plots of tails: latency over the share of the peak, a file per workload and medium.

use monotable_bench::statistics::Spread;

use crate::plot::{LineChart, ScaleKind, Series};
use crate::tails::{Tail, Tails};

/// Dashes of the percentiles, by which a line is told from others of its colour.
const PERCENTILES: [(&str, &str, f64); 3] =
    [("p50", "", 0.5), ("p99", "6 3", 0.99), ("p99.9", "2 3", 0.999)];

/// Draws everything that was measured at shares of the peak.
pub(super) fn render(found: &Tails) -> Vec<(String, String)> {
    let is_same =
        |one: &Tail, other: &Tail| one.medium == other.medium && one.workload == other.workload;
    let mut plots = Vec::new();
    for group in found.tails.chunk_by(is_same) {
        let Some(first) = group.first() else { continue };
        let medium = first.medium.title().trim_start_matches("on ");
        let name = format!("tails-{}-{medium}.svg", first.workload.name());
        plots.push((name, chart(first, group).render()));
    }
    plots
}

fn chart(first: &Tail, group: &[Tail]) -> LineChart {
    let mut servers: Vec<&str> = Vec::new();
    for tail in group {
        if !servers.contains(&tail.server.as_str()) {
            servers.push(&tail.server);
        }
    }
    let mut series = Vec::new();
    for (colour, server) in servers.iter().enumerate() {
        for (name, dashes, share) in PERCENTILES {
            let tails = group.iter().filter(|tail| tail.server == *server);
            let points = tails.filter_map(|tail| Some((tail.share?, percentile(tail, share)?)));
            let label = format!("{name} {server}");
            series.push(Series { label, colour, dashes, points: points.collect() });
        }
    }
    LineChart {
        title: format!("{} {}", first.workload.title(), first.medium.title()),
        x_label: "% of the peak".to_owned(),
        y_label: "ms from the moment at which a request should have been sent".to_owned(),
        x_kind: ScaleKind::Linear,
        y_kind: ScaleKind::Logarithmic,
        series,
    }
}

fn percentile(tail: &Tail, share: f64) -> Option<f64> {
    let rounds = tail.samples.iter().map(|paced| paced.sample.latency_microseconds(share) / 1e3);
    Spread::of(rounds).map(|spread| spread.median)
}
