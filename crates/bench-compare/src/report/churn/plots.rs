//! The plots of cases: what a request felt, and what the server used, second by second.

use crate::churn::CaseFindings;
use crate::churn::finding::{Finding, Track};
use crate::churn::timeline::Look;
use crate::plot::{DOTTED, LineChart, SOLID, ScaleKind};
use crate::report::Plot;
use crate::report::texts::{megabytes, milliseconds, over_seconds};

const X_AXIS: (&str, ScaleKind) = ("seconds", ScaleKind::Linear);

/// What is drawn of the resources: its name in files and on the plot, its unit, and how it is read.
type Resource = (&'static str, &'static str, &'static str, fn(&Look) -> f64);
const RESOURCES: [Resource; 4] = [
    ("cpu", "Processor time of the server", "% of one processor", |one| one.cpu_share * 100.0),
    ("memory", "Memory of its own", "MB", |one| megabytes(one.memory.anonymous_bytes)),
    ("files", "Memory of mapped files", "MB", |one| megabytes(one.memory.file_bytes)),
    ("disk", "Disk", "MB", |one| megabytes(one.disk_bytes)),
];

/// Files for every case that went on for a while. The last round is drawn.
pub(super) fn render(found: &[CaseFindings]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for group in found.chunk_by(|one, other| one.case == other.case) {
        let Some(case) = group.first().map(|one| one.case) else { continue };
        let builds: Vec<(&str, &Finding)> = group
            .iter()
            .filter_map(|one| Some((one.build.name.as_str(), one.rounds.last()?)))
            .filter(|(_, finding)| !finding.tracks.is_empty())
            .collect();
        if builds.is_empty() {
            continue;
        }
        let name = case.name();
        plots.push((format!("{name}-latency.svg"), latency(case.title(), &builds).render()));
        for resource in &RESOURCES {
            let chart = used(case.title(), resource, &builds);
            plots.push((format!("{name}-{}.svg", resource.0), chart.render()));
        }
    }
    plots
}

/// All kinds of requests of one build, or the first kind, which is the probe, of several.
fn latency(title: &str, builds: &[(&str, &Finding)]) -> LineChart {
    let (of_probe, tracks): (String, Vec<(&str, &Track)>) = if let [(_, finding)] = builds {
        let tracks = finding.tracks.iter();
        (String::new(), tracks.map(|track| (track.title.as_str(), track)).collect())
    } else {
        let probes = builds.iter().filter_map(|(build, one)| Some((*build, one.tracks.first()?)));
        let tracks: Vec<(&str, &Track)> = probes.collect();
        let of_probe = tracks.first().map(|(_, track)| format!("{}: ", track.title));
        (of_probe.unwrap_or_default(), tracks)
    };
    let unit = format!("{of_probe}ms, in each second");
    let mut chart = LineChart::new(title, X_AXIS, (&unit, ScaleKind::Logarithmic));
    for (colour, (label, track)) in tracks.into_iter().enumerate() {
        for (percentile, dashes, share) in [("p50", SOLID, 0.5), ("max", DOTTED, 1.0)] {
            let points =
                over_seconds(&track.burst, |second| milliseconds(second.latencies.quantile(share)));
            chart = chart.line(format!("{label}, {percentile}"), colour, dashes, points);
        }
    }
    chart
}

fn used(title: &str, resource: &Resource, builds: &[(&str, &Finding)]) -> LineChart {
    let (_, name, unit, read) = resource;
    let title = format!("{name}: {}", first_lower(title));
    let mut chart = LineChart::new(title, X_AXIS, (unit, ScaleKind::Linear));
    for (colour, (build, finding)) in builds.iter().enumerate() {
        let points = finding.timeline.moments.iter().map(|one| (one.at, read(one)));
        chart = chart.line(*build, colour, SOLID, points);
    }
    chart
}

fn first_lower(title: &str) -> String {
    let mut characters = title.chars();
    let first = characters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}
