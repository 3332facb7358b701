//! What becomes of rates and latencies as data grows.

mod figures;
mod plots;
mod tables;

use monotable_bench::summary::Summary;
use serde_json::json;

use super::texts::milliseconds;
use super::{Document, circumstances, goals, json};
use crate::comparison::disturbance;
use crate::goals::GoalResult;
use crate::growth::sizes::MeasuredTable;
use crate::growth::{Growth, Plan};
use crate::machine::{self, Machine};
use crate::settings::Settings;

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 2;

/// The largest table must have this share of the rates of the smallest.
const SIZE_SHARE_MIN: f64 = 0.7;
/// A start on the largest store must take less.
const START_MILLISECONDS_MAX: f64 = 1000.0;
/// Memory after a restart must be less.
const IDLE_MEGABYTES_MAX: f64 = 30.0;
/// The last percentile during a burst must be below.
const BURST_MILLISECONDS_MAX: f64 = 100.0;

/// Writes what was found: a table for each part that was run, and the goals.
pub(crate) fn render(settings: &Settings, plan: &Plan, growth: &Growth) -> Document {
    let machine = machine::describe();
    let goals = judge(growth);
    let mut sections = tables::sections(growth);
    sections.push(goals::section(&goals));
    Document {
        head: head(&machine, settings, plan, growth),
        sections,
        notes: Vec::new(),
        figures: json!({
            "format": FORMAT,
            "machine": json::machine(&machine),
            "settings": json::settings(settings),
            "growth": figures::render(growth),
            "goals": goals::figures(&goals),
        }),
        plots: plots::render(growth),
    }
}

fn head(machine: &Machine, settings: &Settings, plan: &Plan, growth: &Growth) -> String {
    let samples = growth.stores.iter().flat_map(|store| store.get.iter().chain(&store.query));
    let caches = if plan.drop_caches {
        "dropped before each restart"
    } else {
        "kept over restarts, so reads after one are cold for the server alone"
    };
    format!(
        "{}monotable, durable; items of 1 KB; {} rounds of {} s, interleaved\n\
         the system's cache of the disk is {caches}\n{}",
        circumstances::code(machine),
        settings.rounds,
        settings.measured.as_secs_f64(),
        circumstances::warning(disturbance(samples)),
    )
}

/// The goals that are about growth.
fn judge(growth: &Growth) -> Vec<GoalResult> {
    let mut verdicts = Vec::new();
    if let [least, .., most] = growth.stores.as_slice() {
        verdicts.extend(judge_rates(least, most));
    }
    verdicts.extend(growth.stores.last().map(judge_start).unwrap_or_default());
    if let Some(burst) = &growth.burst {
        for (name, felt) in [("PutItem", &burst.put), ("GetItem", &burst.get)] {
            let p999 = milliseconds(felt.latencies().quantile(0.999));
            let what = format!("{name}, p99.9 during a burst");
            verdicts.push(GoalResult::below(&what, BURST_MILLISECONDS_MAX, p999, "ms"));
        }
    }
    verdicts.extend(judge_indexes(growth));
    verdicts
}

fn judge_rates(least: &MeasuredTable, most: &MeasuredTable) -> Vec<GoalResult> {
    let pairs = [("GetItem", &least.get, &most.get), ("Query", &least.query, &most.query)];
    let verdict = |(name, least, most): (&str, &Vec<_>, &Vec<_>)| {
        let rate = |samples: &[_]| Some(Summary::of(samples)?.requests_per_second.median);
        let share = rate(most)? / rate(least)?;
        let what = format!("{name}, largest table of smallest");
        share.is_finite().then(|| GoalResult::share(&what, SIZE_SHARE_MIN, share))
    };
    pairs.into_iter().filter_map(verdict).collect()
}

fn judge_start(store: &MeasuredTable) -> Vec<GoalResult> {
    let starts = [("after a clean end", store.clean_start), ("after a kill", store.killed_start)];
    let start = |(how, start): (&str, Option<std::time::Duration>)| {
        let what = format!("start on the largest store {how}");
        Some(GoalResult::below(&what, START_MILLISECONDS_MAX, milliseconds(start?), "ms"))
    };
    let mut verdicts: Vec<GoalResult> = starts.into_iter().filter_map(start).collect();
    verdicts.extend(store.idle_memory.map(|memory| {
        let bytes = memory.anonymous_bytes + memory.file_bytes;
        GoalResult::below("memory after that start", IDLE_MEGABYTES_MAX, bytes as f64 / 1e6, "MB")
    }));
    verdicts
}

/// The cost of an index is in units of a put on a table without any.
fn judge_indexes(growth: &Growth) -> Option<GoalResult> {
    let last = growth.indexes.last()?;
    let cost = tables::index_cost(growth, last)?;
    let what = format!("each of {} indexes, of a put without", last.indexes);
    Some(GoalResult::at_most(&what, 1.0, cost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::testing::sample;
    use crate::growth::indexes::Indexed;

    #[test]
    fn an_index_costs_what_it_adds_to_a_put() {
        let indexed = |indexes, requests| Indexed { indexes, samples: vec![sample(requests)] };
        let indexes = vec![indexed(0, 1000), indexed(1, 500), indexed(5, 250)];
        let growth = Growth { indexes, ..Growth::default() };
        let costs: Vec<Option<f64>> =
            growth.indexes.iter().map(|one| tables::index_cost(&growth, one)).collect();
        assert_eq!(costs, [None, Some(1.0), Some(0.6)]);
        let verdict = judge_indexes(&growth).unwrap();
        assert_eq!(verdict.goal, "each of 5 indexes, of a put without ≤ 1.0 ×");
        assert!(verdict.is_met);
    }

    #[test]
    fn nothing_measured_is_nothing_judged() {
        assert_eq!(judge(&Growth::default()), []);
    }
}
