//! The last percentiles below the peak.

use monotable_bench::columns::number;

use super::Document;
use super::circumstances::OPEN_LOOP;
use super::samples::latency;
use super::table::{Rows, Table};
use super::texts::{milliseconds, precise, times};
use crate::comparison::{disturbance, rate};
use crate::plot::{LineChart, ScaleKind};
use crate::settings::Settings;
use crate::tails::{Peak, Plan, Tail, Tails};

/// Writes what was found.
pub(crate) fn render(settings: &Settings, plan: &Plan, found: &Tails) -> Document {
    let about = format!(
        "{} items of 1 KB with an index; {} rounds of {} s, interleaved\n{OPEN_LOOP}",
        number(plan.items as f64),
        settings.rounds,
        plan.length.as_secs_f64(),
    );
    let tails = found.tails.iter().chain(&found.merging);
    let samples = tails.flat_map(|tail| &tail.samples).map(|paced| &paced.sample);
    let notes = plan.notes.iter().chain(&found.failures);
    Document {
        plots: groups(&found.tails).map(plot).collect(),
        notes: notes.map(|note| format!("note: {note}")).collect(),
        ..Document::new(about, disturbance(samples), tables(plan, found))
    }
}

/// What was measured with one workload on one medium, beginning with the first of it.
fn groups(tails: &[Tail]) -> impl Iterator<Item = (&Tail, &[Tail])> {
    let groups =
        tails.chunk_by(|one, other| one.medium == other.medium && one.workload == other.workload);
    groups.filter_map(|group| Some((group.first()?, group)))
}

fn tables(plan: &Plan, found: &Tails) -> Vec<Table> {
    let syncs = Rows::new("The disk: 4 KB written over and synced", &found.syncs_alone)
        .words("syncs", |_| "alone".to_owned())
        .figure("count", number, |syncs| syncs.total() as f64)
        .latencies(|syncs| syncs);
    let mut tables = vec![syncs.table(), peaks(&found.peaks)];
    for (first, group) in groups(&found.tails) {
        let (workload, medium) = (first.workload.title(), first.medium.title());
        tables.push(tails(format!("{workload} {medium}, at shares of the peak"), group));
    }
    let title = format!(
        "PutItem on tmpfs right after {} items were loaded, while they are merged",
        number(plan.merging_items as f64)
    );
    tables.push(tails(title, &found.merging));
    tables
}

fn peaks(peaks: &[Peak]) -> Table {
    let name =
        |one: &Peak| format!("{} {}, {}", one.workload.title(), one.medium.title(), one.server);
    Rows::new("The peak: a closed loop of 16 connections", peaks)
        .words("server", |one| name(one))
        .samples(|one| one.samples.iter().collect())
        .figure("of Redis", times, |one| of_redis(one, peaks))
        .table()
}

/// The rate of ours as a share of that of Redis, with the same bytes and connections in the same
/// run.
fn of_redis(one: &Peak, peaks: &[Peak]) -> Option<f64> {
    let is_beside = |other: &&Peak| {
        other.is_redis && other.medium == one.medium && other.workload == one.workload
    };
    let redis = peaks.iter().find(is_beside).filter(|_| !one.is_redis)?;
    Some(rate(&one.samples)? / rate(&redis.samples)?)
}

fn tails(title: String, group: &[Tail]) -> Table {
    let sync = |tail: &Tail, share| {
        (tail.syncs.total() > 0).then(|| milliseconds(tail.syncs.quantile(share)))
    };
    let share =
        |tail: &Tail| tail.share.map_or_else(String::new, |share| format!(", {share:.0} %"));
    Rows::new(title, group)
        .words("server", |tail| format!("{}{}", tail.server, share(tail)))
        .paced_samples(|tail| &tail.samples)
        .figure("sync p99 ms", precise, |tail| sync(tail, 0.99))
        .figure("sync p99.9 ms", precise, |tail| sync(tail, 0.999))
        .table()
}

/// Latency over the share of the peak.
fn plot((first, group): (&Tail, &[Tail])) -> LineChart {
    let medium = first.medium.title();
    let chart = LineChart::new(
        format!("tails-{}-{}", first.workload.name(), medium.trim_start_matches("on ")),
        format!("{} {medium}", first.workload.title()),
        ("% of the peak", ScaleKind::Linear),
        ("ms from the moment at which a request should have been sent", ScaleKind::Logarithmic),
    );
    // Everybody has its turn at every share.
    let servers = group.iter().filter(|tail| tail.share == first.share);
    servers.enumerate().fold(chart, |chart, (colour, Tail { server, .. })| {
        chart.latencies(server, colour, |share| {
            let tails = group.iter().filter(move |tail| tail.server == *server);
            tails.filter_map(move |tail| Some((tail.share?, latency(&tail.samples, share)?)))
        })
    })
}

#[cfg(test)]
mod tests {
    use monotable_bench::load::{Histogram, PacedSample};
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
    fn a_server_that_does_not_keep_up_has_less_than_was_asked() {
        let paced = PacedSample { asked_per_second: 100.0, answered: 50, sample: sample(50) };
        let tail = Tail {
            medium: Medium::Tmpfs,
            workload: Workload::PutItem,
            server: "one".to_owned(),
            share: Some(80.0),
            samples: vec![paced],
            syncs: Histogram::new(),
        };
        let text = tails("title".to_owned(), &[tail]).text();
        assert!(text.contains("one, 80 %"), "{text}");
        assert!(text.contains("50      50 %"), "{text}");
    }
}
