//! What becomes of a server over time when data comes and goes.

use monotable_bench::statistics::Spread;

use super::Document;
use super::circumstances::OPEN_LOOP;
use super::table::{Rows, Table};
use super::texts::{
    mapped_megabytes, megabytes, milliseconds, over_seconds, own_megabytes, precise, times,
};
use crate::churn::finding::{Figure, Finding, Track, median, values};
use crate::churn::timeline::Look;
use crate::churn::{CaseFindings, Plan};
use crate::plot::{LineChart, SOLID, ScaleKind};
use crate::settings::Settings;

const X_AXIS: (&str, ScaleKind) = ("seconds", ScaleKind::Linear);

/// What is drawn of the resources: the name of the plot, its title, its unit, and how it is read.
type Resource = (&'static str, &'static str, &'static str, fn(&Look) -> f64);
const RESOURCES: [Resource; 4] = [
    ("cpu", "Processor time of the server", "% of one processor", |one| one.cpu_share * 100.0),
    ("memory", "Memory of its own", "MB", |one| own_megabytes(one.memory)),
    ("files", "Memory of mapped files", "MB", |one| mapped_megabytes(one.memory)),
    ("disk", "Disk", "MB", |one| megabytes(one.disk_bytes)),
];

/// Writes what was found: a table per case.
pub(crate) fn render(settings: &Settings, plan: &Plan, found: &[CaseFindings]) -> Document {
    let about = format!(
        "monotable, durable; {} rounds, {:.0} s each; {:.0} writes/s\n{OPEN_LOOP}",
        settings.rounds,
        plan.length.as_secs_f64(),
        plan.rate,
    );
    let rounds = found.iter().flat_map(|one| &one.rounds);
    let disturbance = Spread::of(rounds.filter_map(|round| round.disturbance));
    let disturbance = disturbance.map_or(0.0, |spread| spread.median);
    let cases = || found.chunk_by(|one, other| one.case == other.case);
    let failures = found.iter().filter_map(|one| one.failure.as_ref());
    Document {
        plots: cases().flat_map(plots).collect(),
        notes: failures.map(|failure| format!("not measured: {failure}")).collect(),
        ..Document::new(about, disturbance, cases().map(table).collect())
    }
}

/// A table with a row per figure and a column per build; the last is the last build of the first.
fn table(group: &[CaseFindings]) -> Table {
    let title = group.first().map_or("", |one| one.case.title());
    let first = group.iter().find_map(|one| one.rounds.first());
    let rows = Rows::new(title, first.iter().flat_map(|round| &round.figures))
        .words("figure", |figure| format!("{}, {}", figure.name, figure.unit));
    let rows = group.iter().fold(rows, |rows, one| {
        rows.median(&one.build.name, precise, |figure| values(&one.rounds, &figure.name))
    });
    let ratio = |figure: &Figure| {
        let [first, .., last] = group else { return None };
        let first = median(&first.rounds, &figure.name).filter(|first| *first > 0.0)?;
        Some(median(&last.rounds, &figure.name)? / first)
    };
    rows.figure("ratio", times, |figure| ratio(figure)).table()
}

/// What a request felt in a case that went on for a while, and what the server used, second by
/// second. The last round is drawn.
fn plots(group: &[CaseFindings]) -> Vec<LineChart> {
    let builds: Vec<(&str, &Finding)> = group
        .iter()
        .filter_map(|one| Some((one.build.name.as_str(), one.rounds.last()?)))
        .filter(|(_, finding)| !finding.tracks.is_empty())
        .collect();
    let Some(case) = group.first().map(|one| one.case).filter(|_| !builds.is_empty()) else {
        return Vec::new();
    };
    let resources = RESOURCES.iter().map(|(name, what, unit, read)| {
        let (name, title) =
            (format!("{}-{name}", case.name()), format!("{what}: {}", case.title()));
        let chart = LineChart::new(name, title, X_AXIS, (*unit, ScaleKind::Linear));
        builds.iter().enumerate().fold(chart, |chart, (colour, (build, finding))| {
            let points = finding.timeline.moments.iter().map(|one| (one.at, read(one)));
            chart.line(*build, colour, SOLID, points)
        })
    });
    let name = format!("{}-latency", case.name());
    let y_axis = ("ms, in each second", ScaleKind::Logarithmic);
    let chart = LineChart::new(name, case.title(), X_AXIS, y_axis);
    let latency = tracks(&builds).into_iter().enumerate().fold(chart, latencies);
    std::iter::once(latency).chain(resources).collect()
}

/// All kinds of requests of one build, or the first kind, which is the probe, of several.
fn tracks<'a>(builds: &[(&str, &'a Finding)]) -> Vec<(String, &'a Track)> {
    if let [(_, finding)] = builds {
        return finding.tracks.iter().map(|track| (track.title.clone(), track)).collect();
    }
    let probe = |(build, finding): &(&str, &'a Finding)| {
        let probe = finding.tracks.first()?;
        Some((format!("{build}, {}", probe.title), probe))
    };
    builds.iter().filter_map(probe).collect()
}

fn latencies(chart: LineChart, (colour, (label, track)): (usize, (String, &Track))) -> LineChart {
    chart.latencies(&label, colour, |share| {
        over_seconds(&track.burst, |second| milliseconds(second.latencies.quantile(share)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Build;
    use crate::churn::Case;

    fn findings(name: &str, values: &[f64]) -> CaseFindings {
        let finding = |value: &f64| Finding {
            figures: vec![Figure { name: "wait".to_owned(), unit: "ms", value: Some(*value) }],
            ..Finding::default()
        };
        CaseFindings {
            case: Case::Queue,
            build: Build { name: name.to_owned(), binary: "monotable".into() },
            rounds: values.iter().map(finding).collect(),
            failure: None,
        }
    }

    #[test]
    fn a_table_has_the_median_of_each_build_and_their_ratio() {
        let group = [findings("before", &[4.0, 8.0, 6.0]), findings("after", &[3.0])];
        let text = table(&group).text();
        let row = text.lines().last().unwrap();
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["wait,", "ms", "6.00", "3.00", "0.50", "×"]);
    }
}
