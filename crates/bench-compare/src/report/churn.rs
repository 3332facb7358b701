//! What becomes of a server over time when data comes and goes.

mod plots;

use monotable_bench::statistics::Spread;
use serde_json::{Value, json};

use super::section::Section;
use super::texts::{known, precise, times};
use super::{Document, circumstances, json};
use crate::build::Build;
use crate::churn::finding::{Figure, Finding, Track, median};
use crate::churn::timeline::Look;
use crate::churn::{CaseFindings, Plan};
use crate::machine::{self, Machine};
use crate::settings::Settings;

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;

/// Writes what was found: a table per case.
pub(crate) fn render(
    settings: &Settings,
    builds: &[Build],
    plan: &Plan,
    found: &[CaseFindings],
) -> Document {
    let machine = machine::describe();
    let failures = found.iter().filter_map(|one| one.failure.as_ref());
    Document {
        head: head(&machine, settings, plan, found),
        sections: found.chunk_by(|one, other| one.case == other.case).map(section).collect(),
        notes: failures.map(|failure| format!("not measured: {failure}")).collect(),
        figures: json!({
            "format": FORMAT,
            "machine": json::machine(&machine),
            "rounds": settings.rounds,
            "seconds": plan.length.as_secs_f64(),
            "rate": plan.rate,
            "neighbour_rate": plan.neighbour_rate,
            "builds": json::list(builds, |build| build.name.as_str().into()),
            "cases": json::list(found, case),
        }),
        plots: plots::render(found),
    }
}

fn head(machine: &Machine, settings: &Settings, plan: &Plan, found: &[CaseFindings]) -> String {
    let rounds = found.iter().flat_map(|one| &one.rounds);
    let disturbance = Spread::of(rounds.filter_map(|round| round.disturbance));
    format!(
        "{}monotable, durable; {} rounds, {:.0} s each; {:.0} writes/s\n{}{}",
        circumstances::code(machine),
        settings.rounds,
        plan.length.as_secs_f64(),
        plan.rate,
        circumstances::OPEN_LOOP,
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
    let first = group.iter().find_map(|one| one.rounds.first());
    let figures = first.iter().flat_map(|round| &round.figures);
    Section::new(title, &headings).with(figures.map(|figure| row(figure, group)))
}

/// The medians of a figure, and the last of them as a multiple of the first.
fn row(figure: &Figure, group: &[CaseFindings]) -> Vec<String> {
    let medians: Vec<Option<f64>> =
        group.iter().map(|one| median(&one.rounds, &figure.name)).collect();
    let mut row = vec![format!("{}, {}", figure.name, figure.unit)];
    row.extend(medians.iter().map(|value| known(*value, precise)));
    if let [Some(first), .., Some(last)] = *medians {
        row.push(known((first > 0.0).then(|| last / first), times));
    }
    row
}

fn case(found: &CaseFindings) -> Value {
    json!({
        "case": found.case.name(),
        "build": found.build.name,
        "failure": found.failure,
        "rounds": json::list(&found.rounds, finding),
    })
}

fn finding(finding: &Finding) -> Value {
    let figure = |one: &Figure| {
        let Figure { name, unit, value } = one;
        json!({ "name": name, "unit": unit, "value": value })
    };
    let track =
        |track: &Track| json!({ "title": track.title, "seconds": json::seconds(&track.burst) });
    let look = |look: &Look| {
        json::with(
            json::memory(look.memory),
            [
                ("at_secs", look.at.into()),
                ("cpu_share", look.cpu_share.into()),
                ("disk_bytes", look.disk_bytes.into()),
            ],
        )
    };
    json!({
        "disturbance": finding.disturbance,
        "figures": json::list(&finding.figures, figure),
        "tracks": json::list(&finding.tracks, track),
        "timeline": json::list(&finding.timeline.moments, look),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let text = section(&group).render();
        let row = text.lines().last().unwrap();
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["wait,", "ms", "6.00", "3.00", "0.50", "×"]);
    }
}
