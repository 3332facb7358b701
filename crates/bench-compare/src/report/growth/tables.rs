//! The figures in tables, which the text and the document share.

use std::time::Duration;

use monotable_bench::columns::{number, unknown};
use monotable_bench::load::{Burst, Sample};
use monotable_bench::statistics::Spread;
use monotable_bench::summary::Summary;
use monotable_bench::usage::Memory;

use crate::growth::Growth;
use crate::growth::burst::WriteBurst;
use crate::growth::indexes::Indexed;
use crate::growth::many_tables::ManyTables;
use crate::growth::partition::Partition;
use crate::growth::sizes::MeasuredTable;
use crate::report::section::Section;

/// A table for each part that was run.
pub(super) fn sections(growth: &Growth) -> Vec<Section> {
    let mut sections = Vec::new();
    if !growth.stores.is_empty() {
        sections.push(rates(&growth.stores));
        sections.extend(fresh(&growth.stores));
        sections.push(resources(&growth.stores));
    }
    sections.extend(growth.burst.as_ref().map(burst));
    sections.extend(growth.partition.as_ref().map(partition));
    sections.extend(growth.tables.as_ref().map(tables));
    if !growth.indexes.is_empty() {
        sections.push(indexes(growth));
    }
    sections
}

/// Which samples of a store are meant.
type SamplesOf = fn(&MeasuredTable) -> &[Sample];

fn rates(stores: &[MeasuredTable]) -> Section {
    let headings =
        ["items", "requests/s", "±", "p50 µs", "p99 µs", "p99.9 µs", "of smallest; of warm"];
    let mut section = Section::new("Reads by the size of the table", &headings);
    let kinds: [(&str, SamplesOf); 2] =
        [("GetItem", |store| &store.get), ("Query, 25 items", |store| &store.query)];
    for (name, samples) in kinds {
        let smallest = stores.first().and_then(|store| rate(samples(store)));
        for store in stores {
            let Some(summary) = Summary::of(samples(store)) else { continue };
            let title = format!("{name}, {}", number(store.items as f64));
            section.push(row(title, &summary, smallest));
        }
    }
    for store in stores {
        let Some(summary) =
            store.cold.as_ref().and_then(|cold| Summary::of(std::slice::from_ref(cold)))
        else {
            continue;
        };
        let title = format!("GetItem after a restart, {}", number(store.items as f64));
        section.push(row(title, &summary, rate(&store.get)));
    }
    section
}

/// Reads right after a load; none if they were not asked for.
fn fresh(stores: &[MeasuredTable]) -> Option<Section> {
    let headings =
        ["requests", "requests/s", "p50 µs", "p99 µs", "smallest", "of it", "of it at rest"];
    let mut section = Section::new(
        "Reads right after a load, while it is merged, and of the smallest",
        &headings,
    );
    let mut has_any = false;
    for store in stores {
        let Some(fresh) = &store.fresh else { continue };
        let kinds: [(&str, &[Sample], &[Sample], SamplesOf); 2] = [
            ("GetItem", &fresh.get, &fresh.smallest_get, |store| &store.get),
            ("Query, 25 items", &fresh.query, &fresh.smallest_query, |store| &store.query),
        ];
        for (name, samples, smallest, at_rest) in kinds {
            let Some(summary) = Summary::of(samples) else { continue };
            let at_rest = stores.first().and_then(|store| rate(at_rest(store)));
            let share = |whole: Option<f64>| Some(percent(rate(samples)? / whole?));
            section.push(vec![
                format!("{name}, {}", number(store.items as f64)),
                number(summary.requests_per_second.median),
                number(summary.p50_microseconds.median),
                number(summary.p99_microseconds.median),
                rate(smallest).map_or_else(unknown, number),
                share(rate(smallest)).unwrap_or_else(unknown),
                share(at_rest).unwrap_or_else(unknown),
            ]);
            has_any = true;
        }
    }
    has_any.then_some(section)
}

fn resources(stores: &[MeasuredTable]) -> Section {
    let headings = [
        "items",
        "loaded/s",
        "disk GB",
        "per byte",
        "loaded MB",
        "read",
        "started",
        "mapped MB",
        "start ms",
        "after kill",
    ];
    let mut section =
        Section::new("Space, memory of its own and of mapped files, restarts", &headings);
    for store in stores {
        section.push(vec![
            number(store.items as f64),
            number(store.items as f64 / store.loading.as_secs_f64()),
            format!("{:.2}", store.disk_bytes as f64 / 1e9),
            format!("{:.2}", store.space_factor()),
            own_megabytes(store.loaded_memory),
            own_megabytes(store.read_memory),
            own_megabytes(store.idle_memory),
            megabytes(store.read_memory.map(|memory| memory.file_bytes)),
            milliseconds(store.clean_start),
            milliseconds(store.killed_start),
        ]);
    }
    section
}

fn burst(burst: &WriteBurst) -> Section {
    let headings = [
        "requests",
        "requests/s",
        "p50 ms",
        "p99 ms",
        "p99.9 ms",
        "max ms",
        "worst second p99.9 ms",
        "refused",
    ];
    let title = format!(
        "A burst of {} s, {:.0} MB/s of items; {} MB of memory of its own after it, {} MB mapped",
        burst.batch.seconds.len(),
        burst.megabytes_per_second(),
        own_megabytes(burst.memory),
        megabytes(burst.memory.map(|memory| memory.file_bytes)),
    );
    let mut section = Section::new(title, &headings);
    let kinds =
        [("BatchWriteItem", &burst.batch), ("PutItem", &burst.put), ("GetItem", &burst.get)];
    for (name, felt) in kinds {
        section.push(burst_row(name, felt));
    }
    section
}

fn burst_row(name: &str, felt: &Burst) -> Vec<String> {
    let all = felt.latencies();
    let text = |latency: Duration| format!("{:.1}", latency.as_secs_f64() * 1e3);
    let worst = felt.seconds.iter().map(|second| second.latencies.quantile(0.999)).max();
    vec![
        name.to_owned(),
        number(all.total() as f64 / felt.seconds.len().max(1) as f64),
        text(all.quantile(0.5)),
        text(all.quantile(0.99)),
        text(all.quantile(0.999)),
        text(all.quantile(1.0)),
        text(worst.unwrap_or_default()),
        felt.refused().to_string(),
    ]
}

fn partition(partition: &Partition) -> Section {
    let headings = ["requests", "25 per key, requests/s", "one key, requests/s", "of 25 per key"];
    let title = format!("One partition key with {} items", number(partition.items as f64));
    let mut section = Section::new(title, &headings);
    for found in &partition.rows {
        section.push(pair_row(found.title, &found.many, &found.one));
    }
    section
}

fn tables(tables: &ManyTables) -> Section {
    let headings = ["requests", "one table, requests/s", "over all, requests/s", "of one"];
    let title = format!(
        "{} tables: created in {:.1} s, {} MB of own memory, start in {:.0} ms, 100 names in {:.1} \
         ms",
        number(tables.tables as f64),
        tables.creating.as_secs_f64(),
        own_megabytes(tables.memory),
        tables.start.as_secs_f64() * 1e3,
        tables.listing.as_secs_f64() * 1e3,
    );
    let mut section = Section::new(title, &headings);
    for found in &tables.rows {
        section.push(pair_row(found.workload.title(), &found.one, &found.many));
    }
    section
}

fn indexes(growth: &Growth) -> Section {
    let headings =
        ["indexes", "PutItem/s", "±", "CPU µs", "p50 µs", "p99 µs", "each index, of a put without"];
    let mut section = Section::new("What each further index costs a put", &headings);
    for indexed in &growth.indexes {
        let Some(summary) = Summary::of(&indexed.samples) else { continue };
        let median = |spread: Spread| number(spread.median);
        let cost = index_cost(growth, indexed);
        section.push(vec![
            indexed.indexes.to_string(),
            median(summary.requests_per_second),
            format!("{:.0} %", summary.requests_per_second.percent()),
            summary.cpu_microseconds.map_or_else(unknown, median),
            median(summary.p50_microseconds),
            median(summary.p99_microseconds),
            cost.map_or_else(unknown, |cost| format!("{cost:.2} ×")),
        ]);
    }
    section
}

/// What one index of a table adds to the time of a put, in units of a put on a table without.
pub(super) fn index_cost(growth: &Growth, indexed: &Indexed) -> Option<f64> {
    let without = growth.indexes.iter().find(|other| other.indexes == 0)?;
    let slowdown = rate(&without.samples)? / rate(&indexed.samples)?;
    (indexed.indexes > 0).then(|| (slowdown - 1.0) / f64::from(indexed.indexes))
}

fn rate(samples: &[Sample]) -> Option<f64> {
    let rate = Summary::of(samples)?.requests_per_second.median;
    (rate > 0.0).then_some(rate)
}

fn row(title: String, summary: &Summary, whole: Option<f64>) -> Vec<String> {
    let median = |spread: Spread| number(spread.median);
    let share = whole.map(|whole| summary.requests_per_second.median / whole);
    vec![
        title,
        median(summary.requests_per_second),
        format!("{:.0} %", summary.requests_per_second.percent()),
        median(summary.p50_microseconds),
        median(summary.p99_microseconds),
        median(summary.p999_microseconds),
        share.map_or_else(unknown, percent),
    ]
}

/// Two rates, and the second as a share of the first.
fn pair_row(title: &str, first: &[Sample], second: &[Sample]) -> Vec<String> {
    let (first, second) = (rate(first), rate(second));
    let share = first.zip(second).map(|(first, second)| second / first);
    vec![
        title.to_owned(),
        first.map_or_else(unknown, number),
        second.map_or_else(unknown, number),
        share.map_or_else(unknown, percent),
    ]
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(unknown, |bytes| number(bytes as f64 / 1e6))
}

/// What only the server has. Pages of mapped files stand in a column of their own.
fn own_megabytes(memory: Option<Memory>) -> String {
    megabytes(memory.map(|memory| memory.anonymous_bytes))
}

fn milliseconds(duration: Option<Duration>) -> String {
    duration.map_or_else(unknown, |duration| number(duration.as_secs_f64() * 1e3))
}
