//! What becomes of rates and latencies as data grows.

use std::time::Duration;

use monotable_bench::columns::number;
use monotable_bench::load::{Burst, Sample};
use monotable_bench::usage::Memory;

use super::table::{Rows, Table};
use super::texts::{
    mapped_megabytes, megabytes, milliseconds, over_seconds, own_megabytes, percent, precise,
    times, whole,
};
use super::{Document, goals};
use crate::comparison::{disturbance, rate};
use crate::goals::GoalResult;
use crate::growth::burst::WriteBurst;
use crate::growth::indexes::Indexed;
use crate::growth::many_tables::ManyTables;
use crate::growth::sizes::MeasuredTable;
use crate::growth::{Growth, Plan};
use crate::plot::{LineChart, SOLID, ScaleKind};
use crate::settings::Settings;

/// The largest table must have this share of the rates of the smallest.
const SIZE_SHARE_MIN: f64 = 0.7;
/// A start on the largest store must take less.
const START_MILLISECONDS_MAX: f64 = 1000.0;
/// Memory after a restart must be less.
const IDLE_MEGABYTES_MAX: f64 = 30.0;
/// The last percentile during a burst must be below.
const BURST_MILLISECONDS_MAX: f64 = 100.0;

/// Writes what was found: tables for each part that was run, and the goals.
pub(crate) fn render(settings: &Settings, plan: &Plan, growth: &Growth) -> Document {
    let caches = if plan.drop_caches {
        "dropped before each restart"
    } else {
        "kept over restarts, so reads after one are cold for the server alone"
    };
    let about = format!(
        "monotable, durable; items of 1 KB; {} rounds of {} s, interleaved\n\
         the system's cache of the disk is {caches}",
        settings.rounds,
        settings.measured.as_secs_f64(),
    );
    let stores = &growth.stores;
    let samples = stores.iter().flat_map(|store| store.get.iter().chain(&store.query));
    let mut tables = vec![rates(stores), fresh(stores), resources(stores)];
    tables.extend(growth.burst.iter().flat_map(burst));
    tables.extend(growth.partition.as_ref().map(|partition| {
        let title = format!("One partition key with {} items", number(partition.items as f64));
        let rows = partition.rows.iter().map(|row| (row.title, &*row.many, &*row.one));
        pairs(title, ["25 per key, requests/s", "one key, requests/s", "of 25 per key"], rows)
    }));
    tables.extend(growth.tables.iter().flat_map(many_tables));
    tables.extend([indexes(growth), goals::table(&judge(growth))]);
    let sizes = Some(sizes_chart(stores)).filter(|chart| !chart.is_empty());
    Document {
        plots: sizes.into_iter().chain(growth.burst.iter().flat_map(burst_charts)).collect(),
        ..Document::new(about, disturbance(samples), tables)
    }
}

/// Which samples of a store are meant.
type SamplesOf = fn(&MeasuredTable) -> &[Sample];
const KINDS: [(&str, SamplesOf); 2] =
    [("GetItem", |store| &store.get), ("Query, 25 items", |store| &store.query)];

fn rates(stores: &[MeasuredTable]) -> Table {
    let warm = KINDS.into_iter().flat_map(|(name, samples)| {
        let smallest = stores.first().map(samples).unwrap_or_default();
        stores.iter().map(move |store| (read(name, store), samples(store), smallest))
    });
    let cold = stores
        .iter()
        .map(|store| (read("GetItem after a restart", store), store.cold.as_slice(), &*store.get));
    let shown = warm.chain(cold).filter(|(_, samples, _)| !samples.is_empty());
    Rows::new("Reads by the size of the table", shown)
        .words("items", |(name, ..)| name.clone())
        .samples(|(_, samples, _)| samples.iter().collect())
        .figure("of smallest; of warm", percent, |(_, samples, whole)| share(samples, whole))
        .table()
}

/// Reads right after a load; nothing if they were not asked for.
fn fresh(stores: &[MeasuredTable]) -> Table {
    let shown = stores.iter().filter_map(|store| {
        let fresh = store.fresh.as_ref()?;
        let found = [(&fresh.get, &fresh.smallest_get), (&fresh.query, &fresh.smallest_query)];
        Some(KINDS.into_iter().zip(found).map(move |((name, at_rest), (samples, smallest))| {
            let at_rest = stores.first().map(at_rest).unwrap_or_default();
            (read(name, store), samples.as_slice(), smallest.as_slice(), at_rest)
        }))
    });
    Rows::new("Reads right after a load, while it is merged, and of the smallest", shown.flatten())
        .words("items", |(name, ..)| name.clone())
        .samples(|(_, samples, ..)| samples.iter().collect())
        .median("smallest", number, |(_, _, smallest, _)| all_rates(smallest))
        .figure("of it", percent, |(_, samples, smallest, _)| share(samples, smallest))
        .figure("of it at rest", percent, |(_, samples, _, at_rest)| share(samples, at_rest))
        .table()
}

/// What is read from a store.
fn read(name: &str, store: &MeasuredTable) -> String {
    format!("{name}, {}", number(store.items as f64))
}

fn resources(stores: &[MeasuredTable]) -> Table {
    let own = |memory: Option<Memory>| memory.map(own_megabytes);
    Rows::new("Space, memory of its own and of mapped files, restarts", stores)
        .figure("items", number, |store| store.items as f64)
        .figure("loaded/s", number, |store| store.items as f64 / store.loading.as_secs_f64())
        .figure("disk MB", number, |store| megabytes(store.disk_bytes))
        .figure("per byte", precise, |store| store.space_factor())
        .figure("loaded MB", number, |store| own(store.loaded_memory))
        .figure("read", number, |store| own(store.read_memory))
        .figure("started", number, |store| own(store.idle_memory))
        .figure("mapped MB", number, |store| store.read_memory.map(mapped_megabytes))
        .time("start ms", |store| store.clean_start)
        .time("after kill", |store| store.killed_start)
        .table()
}

/// The load in all, and what each kind of request felt of it.
fn burst(burst: &WriteBurst) -> [Table; 2] {
    let load = Rows::new("A burst of writes", [burst])
        .figure("seconds", whole, |burst| burst.batch.seconds.len() as f64)
        .figure("MB/s of items", number, |burst| burst.megabytes_per_second())
        .figure("own MB after it", number, |burst| burst.memory.map(own_megabytes))
        .figure("mapped MB", number, |burst| burst.memory.map(mapped_megabytes));
    let shown = burst_kinds(burst).map(|(name, felt)| (name, felt, felt.latencies()));
    let felt = Rows::new("What is felt of the burst", shown)
        .words("requests", |(name, ..)| (*name).to_owned())
        .figure("requests/s", number, |(_, felt, all)| {
            all.total() as f64 / felt.seconds.len().max(1) as f64
        })
        .latencies(|(.., all)| all)
        .time("worst second p99.9 ms", |(_, felt, _)| {
            felt.seconds.iter().map(|second| second.latencies.quantile(0.999)).max()
        })
        .figure("refused", whole, |(_, felt, _)| felt.refused() as f64);
    [load.table(), felt.table()]
}

fn burst_kinds(burst: &WriteBurst) -> [(&'static str, &Burst); 3] {
    [("BatchWriteItem", &burst.batch), ("PutItem", &burst.put), ("GetItem", &burst.get)]
}

fn many_tables(tables: &ManyTables) -> [Table; 2] {
    let rows = tables.rows.iter().map(|row| (row.workload.title(), &*row.one, &*row.many));
    let headings = ["one table, requests/s", "over all, requests/s", "of one"];
    let making = Rows::new("Many tables", [tables])
        .figure("tables", number, |tables| tables.tables as f64)
        .figure("created in s", precise, |tables| tables.creating.as_secs_f64())
        .figure("own MB", number, |tables| tables.memory.map(own_megabytes))
        .time("start ms", |tables| tables.start)
        .time("100 names ms", |tables| tables.listing);
    [making.table(), pairs("Requests to many tables".to_owned(), headings, rows)]
}

/// The same requests on two tables, and the second rate as a share of the first.
fn pairs<'a>(
    title: String,
    [first, second, of_first]: [&str; 3],
    rows: impl Iterator<Item = (&'static str, &'a [Sample], &'a [Sample])>,
) -> Table {
    Rows::new(title, rows)
        .words("requests", |(name, ..)| (*name).to_owned())
        .median(first, number, |(_, first, _)| all_rates(first))
        .median(second, number, |(.., second)| all_rates(second))
        .figure(of_first, percent, |(_, first, second)| share(second, first))
        .table()
}

fn indexes(growth: &Growth) -> Table {
    Rows::new("What each further index costs a put", &growth.indexes)
        .figure("PutItem, indexes", whole, |indexed| f64::from(indexed.indexes))
        .samples(|indexed| indexed.samples.iter().collect())
        .figure("each index, of a put without", times, |indexed| index_cost(growth, indexed))
        .table()
}

/// What one index of a table adds to the time of a put, in units of a put on a table without.
fn index_cost(growth: &Growth, indexed: &Indexed) -> Option<f64> {
    let without = growth.indexes.iter().find(|other| other.indexes == 0)?;
    let slowdown = rate(&without.samples)? / rate(&indexed.samples)?;
    (indexed.indexes > 0).then(|| (slowdown - 1.0) / f64::from(indexed.indexes))
}

fn all_rates(samples: &[Sample]) -> Vec<f64> {
    samples.iter().map(Sample::requests_per_second).collect()
}

/// The rate of some samples as a share of that of others.
fn share(part: &[Sample], whole: &[Sample]) -> Option<f64> {
    Some(rate(part)? / rate(whole)?)
}

fn sizes_chart(stores: &[MeasuredTable]) -> LineChart {
    let rates = |samples: fn(&MeasuredTable) -> &[Sample]| {
        stores.iter().filter_map(move |store| Some((store.items as f64, rate(samples(store))?)))
    };
    let x_axis = ("items of 1 KB in the table", ScaleKind::Logarithmic);
    let y_axis = ("requests per second", ScaleKind::Linear);
    LineChart::new("growth", "Reads by the size of the table, durable", x_axis, y_axis)
        .line("GetItem", 0, SOLID, rates(|store| &store.get))
        .line("Query, 25 items", 1, SOLID, rates(|store| &store.query))
        .line("GetItem after a restart", 3, SOLID, rates(|store| store.cold.as_slice()))
}

/// What is felt of the burst, and how many requests are answered during it, second by second.
fn burst_charts(burst: &WriteBurst) -> [LineChart; 2] {
    let chart = |name, title, unit| {
        LineChart::new(name, title, ("seconds", ScaleKind::Linear), (unit, ScaleKind::Logarithmic))
    };
    let latency = chart("burst-latency", "What is felt of a burst of writes", "ms, in each second");
    let answered = chart("burst-rate", "Requests during a burst of writes", "requests per second");
    let kinds = || burst_kinds(burst).into_iter().zip([7, 1, 0]);
    [
        kinds().fold(latency, |chart, ((name, felt), colour)| {
            chart.latencies(name, colour, |share| {
                over_seconds(felt, |second| milliseconds(second.latencies.quantile(share)))
            })
        }),
        kinds().fold(answered, |chart, ((name, felt), colour)| {
            let points = over_seconds(felt, |second| second.latencies.total() as f64);
            chart.line(name, colour, SOLID, points)
        }),
    ]
}

/// The goals that are about growth.
fn judge(growth: &Growth) -> Vec<GoalResult> {
    let mut verdicts = Vec::new();
    if let [least, .., most] = growth.stores.as_slice() {
        for (name, samples) in KINDS {
            let what = format!("{name}, largest table of smallest");
            let share = share(samples(most), samples(least));
            verdicts.extend(share.map(|share| GoalResult::share(&what, SIZE_SHARE_MIN, share)));
        }
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

fn judge_start(store: &MeasuredTable) -> Vec<GoalResult> {
    let starts = [("after a clean end", store.clean_start), ("after a kill", store.killed_start)];
    let start = |(how, start): (&str, Option<Duration>)| {
        let what = format!("start on the largest store {how}");
        Some(GoalResult::below(&what, START_MILLISECONDS_MAX, milliseconds(start?), "ms"))
    };
    let mut verdicts: Vec<GoalResult> = starts.into_iter().filter_map(start).collect();
    verdicts.extend(store.idle_memory.map(|memory| {
        let all = own_megabytes(memory) + mapped_megabytes(memory);
        GoalResult::below("memory after that start", IDLE_MEGABYTES_MAX, all, "MB")
    }));
    verdicts
}

/// The cost of an index is in units of a put on a table without any.
fn judge_indexes(growth: &Growth) -> Option<GoalResult> {
    let last = growth.indexes.last()?;
    let cost = index_cost(growth, last)?;
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
            growth.indexes.iter().map(|one| index_cost(&growth, one)).collect();
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
