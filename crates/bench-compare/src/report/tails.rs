//! The last percentiles below the peak, in every form.

mod plots;

use std::time::Duration;

use monotable_bench::columns::{number, unknown};
use monotable_bench::load::{Histogram, PacedSample, Sample};
use monotable_bench::statistics::Spread;
use serde_json::{Value, json};

use super::section::Section;
use super::{Document, circumstances, json};
use crate::comparison::disturbance;
use crate::machine::{self, Machine};
use crate::settings::Settings;
use crate::tails::field::rate;
use crate::tails::{Peak, Plan, Tail, Tails};

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;
/// A server that answers less than this share of what was asked for does not keep up.
const KEEPS_UP_MIN: f64 = 0.99;
const PERCENTILES: [(&str, f64); 4] =
    [("p50 ms", 0.5), ("p99 ms", 0.99), ("p99.9 ms", 0.999), ("max ms", 1.0)];

/// Writes what was found.
pub(crate) fn render(settings: &Settings, plan: &Plan, found: &Tails) -> Document {
    let machine = machine::describe();
    let head = head(&machine, settings, plan, found);
    let sections = sections(plan, found);
    let text: String = sections.iter().map(Section::render).collect();
    let markdown: String = sections.iter().map(Section::render_markdown).collect();
    let notes = plan.notes.iter().chain(&found.failures);
    let notes: String = notes.map(|note| format!("\nnote: {note}\n")).collect();
    let figures = json!({
        "format": FORMAT,
        "machine": json::machine(&machine),
        "rounds": settings.rounds,
        "seconds": plan.length.as_secs_f64(),
        "items": plan.items,
        "syncs_alone": found.syncs_alone.as_ref().map(latencies),
        "peaks": found.peaks.iter().map(|one| peak(one, &found.peaks)).collect::<Vec<Value>>(),
        "tails": found.tails.iter().map(tail).collect::<Vec<Value>>(),
        "merging": found.merging.iter().map(tail).collect::<Vec<Value>>(),
        "notes": plan.notes,
        "failures": found.failures,
    });
    Document {
        table: format!("{head}{text}{notes}"),
        json: format!("{figures:#}\n"),
        markdown: format!("{head}{markdown}{notes}"),
        plots: plots::render(found),
    }
}

fn head(machine: &Machine, settings: &Settings, plan: &Plan, found: &Tails) -> String {
    let tails = found.tails.iter().chain(&found.merging);
    let samples = tails.flat_map(|tail| &tail.samples).map(|paced| &paced.sample);
    format!(
        "{}\ncommit {}; {} items of 1 KB with an index; {} rounds of {} s, interleaved\n\
         a latency runs from the moment at which its request should have been sent\n{}",
        circumstances::hardware(machine),
        machine.commit,
        number(plan.items as f64),
        settings.rounds,
        plan.length.as_secs_f64(),
        circumstances::warning(disturbance(samples)),
    )
}

fn sections(plan: &Plan, found: &Tails) -> Vec<Section> {
    let mut sections = Vec::new();
    sections.extend(found.syncs_alone.as_ref().map(syncs_alone));
    if !found.peaks.is_empty() {
        sections.push(peaks(&found.peaks));
    }
    let is_same =
        |one: &Tail, other: &Tail| one.medium == other.medium && one.workload == other.workload;
    for group in found.tails.chunk_by(is_same) {
        let Some(first) = group.first() else { continue };
        let title =
            format!("{} {}, at shares of the peak", first.workload.title(), first.medium.title());
        sections.push(tails(&title, group));
    }
    if !found.merging.is_empty() {
        let title = format!(
            "PutItem on tmpfs right after {} items were loaded, while they are merged",
            number(plan.merging_items as f64)
        );
        sections.push(tails(&title, &found.merging));
    }
    sections
}

fn syncs_alone(found: &Histogram) -> Section {
    let mut headings = vec!["", "syncs"];
    headings.extend(PERCENTILES.map(|(name, _)| name));
    let mut section = Section::new("The disk: 4 KB written over and synced", &headings);
    let mut row = vec!["alone".to_owned(), number(found.total() as f64)];
    row.extend(PERCENTILES.map(|(_, share)| milliseconds(found.quantile(share))));
    section.push(row);
    section
}

fn peaks(peaks: &[Peak]) -> Section {
    let headings = ["", "requests/s", "±", "CPU µs", "p50 ms", "p99 ms", "p99.9 ms", "of Redis"];
    let mut section = Section::new("The peak: a closed loop of 16 connections", &headings);
    for one in peaks {
        let rates = one.samples.iter().map(Sample::requests_per_second);
        let Some(rates) = Spread::of(rates) else { continue };
        let cpu = Spread::of(one.samples.iter().filter_map(Sample::cpu_microseconds));
        let latency = |share: f64| over(&one.samples, share);
        section.push(vec![
            format!("{} {}, {}", one.workload.title(), one.medium.title(), one.server),
            number(rates.median),
            format!("{:.0} %", rates.percent()),
            cpu.map_or_else(unknown, |cpu| number(cpu.median)),
            latency(0.5),
            latency(0.99),
            latency(0.999),
            of_redis(one, peaks).map_or_else(unknown, |share| format!("{share:.2} ×")),
        ]);
    }
    section
}

/// The rate of ours as a share of that of Redis, with the same bytes and connections in the same
/// run.
fn of_redis(one: &Peak, peaks: &[Peak]) -> Option<f64> {
    let is_beside = |other: &&Peak| {
        other.is_redis && other.medium == one.medium && other.workload == one.workload
    };
    let redis = peaks.iter().find(is_beside).filter(|_| !one.is_redis)?;
    Some(rate(one)? / rate(redis)?)
}

fn tails(title: &str, group: &[Tail]) -> Section {
    let has_syncs = group.iter().any(|tail| tail.syncs.total() > 0);
    let mut headings = vec!["", "asked/s", "achieved/s", "CPU µs"];
    headings.extend(PERCENTILES.map(|(name, _)| name));
    if has_syncs {
        headings.extend(["sync p99", "p99.9"]);
    }
    let mut section = Section::new(title, &headings);
    for one in group {
        let mut row = tail_row(one);
        if has_syncs {
            row.extend([0.99, 0.999].map(|share| milliseconds(one.syncs.quantile(share))));
        }
        section.push(row);
    }
    section
}

fn tail_row(tail: &Tail) -> Vec<String> {
    let samples: Vec<Sample> = tail.samples.iter().map(|paced| paced.sample.clone()).collect();
    let median = |figure: fn(&PacedSample) -> f64| {
        Spread::of(tail.samples.iter().map(figure)).map_or(0.0, |spread| spread.median)
    };
    let (asked, achieved) =
        (median(|paced| paced.asked_per_second), median(PacedSample::achieved_per_second));
    let behind = if achieved < asked * KEEPS_UP_MIN { " !" } else { "" };
    let cpu = Spread::of(samples.iter().filter_map(Sample::cpu_microseconds));
    let share = tail.share.map_or_else(String::new, |share| format!(", {share:.0} %"));
    let mut row = vec![
        format!("{}{share}", tail.server),
        number(asked),
        format!("{}{behind}", number(achieved)),
        cpu.map_or_else(unknown, |cpu| number(cpu.median)),
    ];
    row.extend(PERCENTILES.map(|(_, share)| over(&samples, share)));
    row
}

/// The median over the rounds of a percentile.
fn over(samples: &[Sample], share: f64) -> String {
    let values = samples.iter().map(|sample| sample.latency_microseconds(share) / 1e3);
    Spread::of(values).map_or_else(unknown, |spread| precise(spread.median))
}

fn milliseconds(time: Duration) -> String {
    precise(time.as_secs_f64() * 1e3)
}

fn precise(value: f64) -> String {
    if value < 9.95 { format!("{value:.2}") } else { number(value) }
}

fn peak(one: &Peak, peaks: &[Peak]) -> Value {
    json!({
        "medium": one.medium.title(),
        "workload": one.workload.name(),
        "server": one.server,
        "requests_per_second": rate(one),
        "of_redis": of_redis(one, peaks),
        "rounds": one.samples.iter().map(json::sample).collect::<Vec<Value>>(),
    })
}

fn tail(one: &Tail) -> Value {
    let round = |paced: &PacedSample| {
        let mut round = json::sample(&paced.sample);
        if let Some(members) = round.as_object_mut() {
            members.insert("asked_per_second".to_owned(), paced.asked_per_second.into());
            members.insert("achieved_per_second".to_owned(), paced.achieved_per_second().into());
            let longest = paced.sample.latency_microseconds(1.0);
            members.insert("max_us".to_owned(), longest.into());
        }
        round
    };
    json!({
        "medium": one.medium.title(),
        "workload": one.workload.name(),
        "server": one.server,
        "share_percent": one.share,
        "syncs": (one.syncs.total() > 0).then(|| latencies(&one.syncs)),
        "rounds": one.samples.iter().map(round).collect::<Vec<Value>>(),
    })
}

fn latencies(found: &Histogram) -> Value {
    let at = |share| found.quantile(share).as_secs_f64() * 1e3;
    json!({
        "count": found.total(),
        "p50_ms": at(0.5),
        "p99_ms": at(0.99),
        "p999_ms": at(0.999),
        "max_ms": at(1.0),
    })
}

#[cfg(test)]
mod tests {
    use monotable_bench::workload::Workload;

    use super::*;
    use crate::comparison::testing::sample;
    use crate::tails::Medium;

    fn peak(medium: Medium, is_redis: bool, requests: u64) -> Peak {
        Peak {
            medium,
            workload: Workload::GetItem,
            server: "one".to_owned(),
            is_redis,
            samples: vec![sample(requests)],
        }
    }

    #[test]
    fn ours_is_held_against_redis_on_the_same_medium() {
        let peaks = [
            peak(Medium::Disk, false, 50),
            peak(Medium::Disk, true, 100),
            peak(Medium::Tmpfs, false, 60),
        ];
        let shares: Vec<Option<f64>> = peaks.iter().map(|one| of_redis(one, &peaks)).collect();
        assert_eq!(shares, [Some(0.5), None, None]);
    }

    #[test]
    fn a_server_that_does_not_keep_up_is_marked() {
        let paced = PacedSample { asked_per_second: 100.0, answered: 50, sample: sample(50) };
        let tail = Tail {
            medium: Medium::Tmpfs,
            workload: Workload::PutItem,
            server: "one".to_owned(),
            share: Some(80.0),
            samples: vec![paced],
            syncs: Histogram::new(),
        };
        let text = tails("title", &[tail]).render();
        assert!(text.contains("one, 80 %"), "{text}");
        assert!(text.contains("50 !"), "{text}");
    }
}
