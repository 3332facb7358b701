//! The last percentiles below the peak.

use monotable_bench::columns::number;
use monotable_bench::load::{Histogram, PacedSample, Sample};
use monotable_bench::statistics::Spread;
use serde_json::{Value, json};

use super::comparison::KEEPS_UP_MIN;
use super::section::Section;
use super::texts::{known, median, milliseconds, precise, range, times};
use super::{Document, Plot, circumstances, json};
use crate::comparison::disturbance;
use crate::machine::{self, Machine};
use crate::plot::{DASHED, DOTTED, LineChart, SOLID, ScaleKind};
use crate::settings::Settings;
use crate::tails::field::rate;
use crate::tails::{Peak, Plan, Tail, Tails};

/// Raised when a member changes its meaning; new members do not raise it.
const FORMAT: u32 = 1;
const PERCENTILES: [(&str, f64); 4] =
    [("p50 ms", 0.5), ("p99 ms", 0.99), ("p99.9 ms", 0.999), ("max ms", 1.0)];

/// Writes what was found.
pub(crate) fn render(settings: &Settings, plan: &Plan, found: &Tails) -> Document {
    let machine = machine::describe();
    let notes = plan.notes.iter().chain(&found.failures);
    Document {
        head: head(&machine, settings, plan, found),
        sections: sections(plan, found),
        notes: notes.map(|note| format!("note: {note}")).collect(),
        figures: json!({
            "format": FORMAT,
            "machine": json::machine(&machine),
            "rounds": settings.rounds,
            "seconds": plan.length.as_secs_f64(),
            "items": plan.items,
            "syncs_alone": found.syncs_alone.as_ref().map(|all| json::latencies("count", all)),
            "peaks": json::list(&found.peaks, |one| peak_figures(one, &found.peaks)),
            "tails": json::list(&found.tails, tail_figures),
            "merging": json::list(&found.merging, tail_figures),
            "notes": plan.notes,
            "failures": found.failures,
        }),
        plots: groups(&found.tails).map(plot).collect(),
    }
}

fn head(machine: &Machine, settings: &Settings, plan: &Plan, found: &Tails) -> String {
    let tails = found.tails.iter().chain(&found.merging);
    let samples = tails.flat_map(|tail| &tail.samples).map(|paced| &paced.sample);
    format!(
        "{}{} items of 1 KB with an index; {} rounds of {} s, interleaved\n{}{}",
        circumstances::code(machine),
        number(plan.items as f64),
        settings.rounds,
        plan.length.as_secs_f64(),
        circumstances::OPEN_LOOP,
        circumstances::warning(disturbance(samples)),
    )
}

/// What was measured with one workload on one medium, beginning with the first of it.
fn groups(tails: &[Tail]) -> impl Iterator<Item = (&Tail, &[Tail])> {
    let groups =
        tails.chunk_by(|one, other| one.medium == other.medium && one.workload == other.workload);
    groups.filter_map(|group| Some((group.first()?, group)))
}

fn sections(plan: &Plan, found: &Tails) -> Vec<Section> {
    let mut sections = Vec::new();
    sections.extend(found.syncs_alone.as_ref().map(syncs_alone));
    if !found.peaks.is_empty() {
        sections.push(peaks(&found.peaks));
    }
    for (first, group) in groups(&found.tails) {
        let (workload, medium) = (first.workload.title(), first.medium.title());
        sections.push(tails(format!("{workload} {medium}, at shares of the peak"), group));
    }
    if !found.merging.is_empty() {
        let title = format!(
            "PutItem on tmpfs right after {} items were loaded, while they are merged",
            number(plan.merging_items as f64)
        );
        sections.push(tails(title, &found.merging));
    }
    sections
}

fn syncs_alone(found: &Histogram) -> Section {
    let mut headings = vec!["", "syncs"];
    headings.extend(PERCENTILES.map(|(name, _)| name));
    let mut row = vec!["alone".to_owned(), number(found.total() as f64)];
    row.extend(PERCENTILES.map(|(_, share)| precise(milliseconds(found.quantile(share)))));
    Section::new("The disk: 4 KB written over and synced", &headings).with([row])
}

fn peaks(peaks: &[Peak]) -> Section {
    let headings = ["", "requests/s", "±", "CPU µs", "p50 ms", "p99 ms", "p99.9 ms", "of Redis"];
    let row = |one: &Peak| {
        let rates = Spread::of(one.samples.iter().map(Sample::requests_per_second))?;
        let latency = |share: f64| over(one.samples.iter(), share);
        Some(vec![
            format!("{} {}, {}", one.workload.title(), one.medium.title(), one.server),
            median(rates),
            range(rates),
            known(cpu(one.samples.iter()), median),
            known(latency(0.5), precise),
            known(latency(0.99), precise),
            known(latency(0.999), precise),
            known(of_redis(one, peaks), times),
        ])
    };
    Section::new("The peak: a closed loop of 16 connections", &headings)
        .with(peaks.iter().filter_map(row))
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

fn tails(title: String, group: &[Tail]) -> Section {
    let has_syncs = group.iter().any(|tail| tail.syncs.total() > 0);
    let mut headings = vec!["", "asked/s", "achieved/s", "CPU µs"];
    headings.extend(PERCENTILES.map(|(name, _)| name));
    headings.extend(["sync p99", "p99.9"].iter().filter(|_| has_syncs));
    let row = |one: &Tail| {
        let syncs = [0.99, 0.999].into_iter().filter(|_| has_syncs);
        let syncs = syncs.map(|share| precise(milliseconds(one.syncs.quantile(share))));
        tail_row(one).into_iter().chain(syncs).collect()
    };
    Section::new(title, &headings).with(group.iter().map(row))
}

fn tail_row(tail: &Tail) -> Vec<String> {
    let median_of = |figure: fn(&PacedSample) -> f64| {
        Spread::of(tail.samples.iter().map(figure)).map_or(0.0, |spread| spread.median)
    };
    let (asked, achieved) =
        (median_of(|paced| paced.asked_per_second), median_of(PacedSample::achieved_per_second));
    let behind = if achieved < asked * KEEPS_UP_MIN { " !" } else { "" };
    let share = tail.share.map_or_else(String::new, |share| format!(", {share:.0} %"));
    let mut row = vec![
        format!("{}{share}", tail.server),
        number(asked),
        format!("{}{behind}", number(achieved)),
        known(cpu(samples(tail)), median),
    ];
    row.extend(PERCENTILES.map(|(_, share)| known(over(samples(tail), share), precise)));
    row
}

fn samples(tail: &Tail) -> impl Iterator<Item = &Sample> {
    tail.samples.iter().map(|paced| &paced.sample)
}

fn cpu<'a>(samples: impl Iterator<Item = &'a Sample>) -> Option<Spread> {
    Spread::of(samples.filter_map(Sample::cpu_microseconds))
}

/// The median over the rounds of a percentile, in milliseconds.
fn over<'a>(samples: impl Iterator<Item = &'a Sample>, share: f64) -> Option<f64> {
    let values = samples.map(|sample| sample.latency_microseconds(share) / 1e3);
    Spread::of(values).map(|spread| spread.median)
}

fn peak_figures(one: &Peak, peaks: &[Peak]) -> Value {
    json!({
        "medium": one.medium.title(),
        "workload": one.workload.name(),
        "server": one.server,
        "requests_per_second": rate(one),
        "of_redis": of_redis(one, peaks),
        "rounds": json::list(&one.samples, json::sample),
    })
}

fn tail_figures(one: &Tail) -> Value {
    let round = |paced: &PacedSample| {
        json::with(
            json::paced_sample(paced),
            [
                ("asked_per_second", paced.asked_per_second.into()),
                ("max_us", paced.sample.latency_microseconds(1.0).into()),
            ],
        )
    };
    json!({
        "medium": one.medium.title(),
        "workload": one.workload.name(),
        "server": one.server,
        "share_percent": one.share,
        "syncs": (one.syncs.total() > 0).then(|| json::latencies("count", &one.syncs)),
        "rounds": json::list(&one.samples, round),
    })
}

/// Latency over the share of the peak.
fn plot((first, group): (&Tail, &[Tail])) -> Plot {
    let mut chart = LineChart::new(
        format!("{} {}", first.workload.title(), first.medium.title()),
        ("% of the peak", ScaleKind::Linear),
        ("ms from the moment at which a request should have been sent", ScaleKind::Logarithmic),
    );
    let mut servers: Vec<&str> = group.iter().map(|tail| tail.server.as_str()).collect();
    // Everybody has its turn at every share.
    servers.truncate(group.iter().filter(|tail| tail.share == first.share).count());
    for (colour, server) in servers.into_iter().enumerate() {
        for (name, dashes, share) in
            [("p50", SOLID, 0.5), ("p99", DASHED, 0.99), ("p99.9", DOTTED, 0.999)]
        {
            let tails = group.iter().filter(|tail| tail.server == server);
            let points = tails.filter_map(|tail| Some((tail.share?, over(samples(tail), share)?)));
            chart = chart.line(format!("{name} {server}"), colour, dashes, points);
        }
    }
    let medium = first.medium.title().trim_start_matches("on ");
    (format!("tails-{}-{medium}.svg", first.workload.name()), chart.render())
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
        let text = tails("title".to_owned(), &[tail]).render();
        assert!(text.contains("one, 80 %"), "{text}");
        assert!(text.contains("50 !"), "{text}");
    }
}
