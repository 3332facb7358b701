//! The plots of cases: what a request felt, and what the server used, second by second.

use monotable_bench::load::Second;

use crate::churn::CaseFindings;
use crate::churn::finding::{Finding, Track, milliseconds};
use crate::churn::timeline::Look;
use crate::plot::{LineChart, ScaleKind, Series};

/// What is drawn of the resources: its name in files and on the plot, its unit, and how it is read.
type Resource = (&'static str, &'static str, &'static str, fn(&Look) -> f64);
const RESOURCES: [Resource; 4] = [
    ("cpu", "Processor time of the server", "% of one processor", |one| one.cpu_share * 100.0),
    ("memory", "Memory of its own", "MB", |one| one.memory.anonymous_bytes as f64 / 1e6),
    ("files", "Memory of mapped files", "MB", |one| one.memory.file_bytes as f64 / 1e6),
    ("disk", "Disk", "MB", |one| one.disk_bytes as f64 / 1e6),
];

/// Files for every case that went on for a while. The last round is drawn.
pub(super) fn render(found: &[CaseFindings]) -> Vec<(String, String)> {
    let mut plots = Vec::new();
    for group in found.chunk_by(|one, other| one.case == other.case) {
        let Some(first) = group.first() else { continue };
        let name = first.case.name();
        let builds: Vec<(&str, &Finding)> = group
            .iter()
            .filter_map(|one| Some((one.build.name.as_str(), one.rounds.last()?)))
            .filter(|(_, finding)| !finding.tracks.is_empty())
            .collect();
        if builds.is_empty() {
            continue;
        }
        plots.push((format!("{name}-latency.svg"), latency(first.case.title(), &builds).render()));
        for resource in RESOURCES {
            let chart = used(first.case.title(), &resource, &builds);
            plots.push((format!("{name}-{}.svg", resource.0), chart.render()));
        }
    }
    plots
}

/// All kinds of requests of one build, or the first kind, which is the probe, of several.
fn latency(title: &str, builds: &[(&str, &Finding)]) -> LineChart {
    let mut series = Vec::new();
    let mut unit = "ms, in each second".to_owned();
    if let [(_, finding)] = builds {
        for (colour, track) in finding.tracks.iter().enumerate() {
            series.extend(lines(&track.title, colour, track));
        }
    } else {
        for (colour, (build, finding)) in builds.iter().enumerate() {
            let Some(probe) = finding.tracks.first() else { continue };
            unit = format!("{}: ms, in each second", probe.title);
            series.extend(lines(build, colour, probe));
        }
    }
    LineChart {
        title: title.to_owned(),
        x_label: "seconds".to_owned(),
        y_label: unit,
        x_kind: ScaleKind::Linear,
        y_kind: ScaleKind::Logarithmic,
        series,
    }
}

/// The median and the longest wait of a kind of request.
fn lines(label: &str, colour: usize, track: &Track) -> [Series; 2] {
    [("p50", "", 0.5), ("max", "2 3", 1.0)].map(|(percentile, dashes, share)| Series {
        label: format!("{label}, {percentile}"),
        colour,
        dashes,
        points: over_seconds(track, |second| milliseconds(second.latencies.quantile(share))),
    })
}

fn over_seconds(track: &Track, figure: impl Fn(&Second) -> f64) -> Vec<(f64, f64)> {
    let seconds = track.burst.seconds.iter().enumerate();
    let points = seconds.map(|(number, second)| (number as f64 + 1.0, figure(second)));
    // A second in which nothing was answered has no latency.
    points.filter(|(_, value)| *value > 0.0).collect()
}

fn used(title: &str, resource: &Resource, builds: &[(&str, &Finding)]) -> LineChart {
    let (_, name, unit, read) = resource;
    let line = |(colour, (build, finding)): (usize, &(&str, &Finding))| Series {
        label: (*build).to_owned(),
        colour,
        dashes: "",
        points: finding.timeline.moments.iter().map(|one| (one.at, read(one))).collect(),
    };
    LineChart {
        title: format!("{name}: {}", first_lower(title)),
        x_label: "seconds".to_owned(),
        y_label: (*unit).to_owned(),
        x_kind: ScaleKind::Linear,
        y_kind: ScaleKind::Linear,
        series: builds.iter().enumerate().map(line).collect(),
    }
}

fn first_lower(title: &str) -> String {
    let mut characters = title.chars();
    let first = characters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}
