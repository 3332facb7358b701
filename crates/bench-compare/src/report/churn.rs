//! What becomes of a server over time when data comes and goes, in every form.

mod plots;

use monotable_bench::columns::{number, unknown};
use monotable_bench::load::Second;
use monotable_bench::statistics::Spread;
use serde_json::{Value, json};

use super::section::Section;
use super::{Document, circumstances, json};
use crate::build::Build;
use crate::churn::finding::{Finding, Track, median, milliseconds};
use crate::churn::timeline::Look;
use crate::churn::{CaseFindings, Plan};
use crate::machine::{self, Machine};
use crate::settings::Settings;

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;

/// Writes what was found.
pub(crate) fn render(
    settings: &Settings,
    builds: &[Build],
    plan: &Plan,
    found: &[CaseFindings],
) -> Document {
    let machine = machine::describe();
    let head = head(&machine, settings, plan, found);
    let sections: Vec<Section> =
        found.chunk_by(|one, other| one.case == other.case).map(section).collect();
    let text: String = sections.iter().map(Section::render).collect();
    let markdown: String = sections.iter().map(Section::render_markdown).collect();
    let failures: String = found
        .iter()
        .filter_map(|one| one.failure.as_ref())
        .map(|failure| format!("\nnot measured: {failure}\n"))
        .collect();
    let figures = json!({
        "format": FORMAT,
        "machine": json::machine(&machine),
        "rounds": settings.rounds,
        "seconds": plan.length.as_secs_f64(),
        "rate": plan.rate,
        "neighbour_rate": plan.neighbour_rate,
        "builds": builds.iter().map(|build| build.name.as_str()).collect::<Vec<&str>>(),
        "cases": found.iter().map(case).collect::<Vec<Value>>(),
    });
    Document {
        table: format!("{head}{text}{failures}"),
        json: format!("{figures:#}\n"),
        markdown: format!("{head}{markdown}{failures}"),
        plots: plots::render(found),
    }
}

fn head(machine: &Machine, settings: &Settings, plan: &Plan, found: &[CaseFindings]) -> String {
    let rounds = found.iter().flat_map(|one| &one.rounds);
    let disturbance = Spread::of(rounds.filter_map(|round| round.disturbance));
    format!(
        "{}\ncommit {}; monotable, durable; {} rounds, {:.0} s each; {:.0} writes/s\n\
         a latency runs from the moment at which its request should have been sent\n{}",
        circumstances::hardware(machine),
        machine.commit,
        settings.rounds,
        plan.length.as_secs_f64(),
        plan.rate,
        circumstances::warning(disturbance.map_or(0.0, |spread| spread.median)),
    )
}

/// A table with a row per figure and a column per build.
fn section(group: &[CaseFindings]) -> Section {
    let title = group.first().map_or("", |one| one.case.title());
    let mut headings = vec![""];
    headings.extend(group.iter().map(|one| one.build.name.as_str()));
    if group.len() > 1 {
        headings.push("ratio");
    }
    let mut section = Section::new(title, &headings);
    let Some(first) = group.iter().find_map(|one| one.rounds.first()) else { return section };
    for figure in &first.figures {
        let medians: Vec<Option<f64>> =
            group.iter().map(|one| median(&one.rounds, &figure.name)).collect();
        let mut row = vec![format!("{}, {}", figure.name, figure.unit)];
        row.extend(medians.iter().map(|value| value.map_or_else(unknown, precise)));
        if let [Some(first), .., Some(last)] = *medians {
            row.push(ratio(first, last));
        }
        section.push(row);
    }
    section
}

/// A number with two decimals where it is small: tenths of a millisecond matter.
fn precise(value: f64) -> String {
    if value < 9.95 { format!("{value:.2}") } else { number(value) }
}

fn ratio(first: f64, last: f64) -> String {
    if first > 0.0 { format!("{:.2} ×", last / first) } else { unknown() }
}

fn case(found: &CaseFindings) -> Value {
    json!({
        "case": found.case.name(),
        "build": found.build.name,
        "failure": found.failure,
        "rounds": found.rounds.iter().map(finding).collect::<Vec<Value>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let figures = finding
        .figures
        .iter()
        .map(|figure| json!({ "name": figure.name, "unit": figure.unit, "value": figure.value }));
    json!({
        "disturbance": finding.disturbance,
        "figures": figures.collect::<Vec<Value>>(),
        "tracks": finding.tracks.iter().map(track).collect::<Vec<Value>>(),
        "timeline": finding.timeline.moments.iter().map(moment).collect::<Vec<Value>>(),
    })
}

fn track(track: &Track) -> Value {
    let seconds = track.burst.seconds.iter().map(second);
    json!({ "title": track.title, "seconds": seconds.collect::<Vec<Value>>() })
}

fn second(second: &Second) -> Value {
    let latency = |share| milliseconds(second.latencies.quantile(share));
    json!({
        "requests": second.latencies.total(),
        "refused": second.refused,
        "p50_ms": latency(0.5),
        "p99_ms": latency(0.99),
        "p999_ms": latency(0.999),
        "max_ms": latency(1.0),
    })
}

fn moment(moment: &Look) -> Value {
    json!({
        "at_secs": moment.at,
        "cpu_share": moment.cpu_share,
        "anonymous_bytes": moment.memory.anonymous_bytes,
        "file_bytes": moment.memory.file_bytes,
        "disk_bytes": moment.disk_bytes,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::churn::Case;
    use crate::churn::finding::Figure;

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
        let text = section(&group).render();
        let row = text.lines().last().unwrap();
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["wait,", "ms", "6.00", "3.00", "0.50", "×"]);
    }

    #[test]
    fn a_second_says_how_long_its_slowest_request_waited() {
        let mut found = Second { latencies: Default::default(), refused: 2 };
        found.latencies.record(Duration::from_millis(100));
        let text = second(&found);
        assert!((99.0..101.0).contains(&text["max_ms"].as_f64().unwrap()), "{text}");
        assert_eq!((text["requests"].clone(), text["refused"].clone()), (json!(1), json!(2)));
    }
}
