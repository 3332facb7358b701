//! The figures in tables.

use monotable_bench::columns::number;
use monotable_bench::load::{Burst, Sample};

use crate::growth::Growth;
use crate::growth::burst::WriteBurst;
use crate::growth::indexes::Indexed;
use crate::growth::many_tables::ManyTables;
use crate::growth::partition::Partition;
use crate::growth::sizes::MeasuredTable;
use crate::report::samples::{Column, SampleTable, rate};
use crate::report::section::Section;
use crate::report::texts::{known, mapped_megabytes, milliseconds, own_megabytes, percent, times};

/// A table for each part that was run.
pub(super) fn sections(growth: &Growth) -> Vec<Section> {
    let mut sections = Vec::new();
    if !growth.stores.is_empty() {
        sections.push(rates(&growth.stores));
        sections.push(fresh(&growth.stores));
        sections.push(resources(&growth.stores));
    }
    sections.extend(growth.burst.as_ref().map(burst));
    sections.extend(growth.partition.as_ref().map(partition));
    sections.extend(growth.tables.as_ref().map(tables));
    sections.push(indexes(growth));
    sections.retain(|section| !section.is_empty());
    sections
}

/// Which samples of a store are meant.
type SamplesOf = fn(&MeasuredTable) -> &[Sample];
const KINDS: [(&str, SamplesOf); 2] =
    [("GetItem", |store| &store.get), ("Query, 25 items", |store| &store.query)];

fn rates(stores: &[MeasuredTable]) -> Section {
    let columns = [Column::Rate, Column::Range, Column::P50, Column::P99, Column::P999];
    let title = "Reads by the size of the table";
    let mut table = SampleTable::new(title, &["items"], &columns, &["of smallest; of warm"]);
    let mut push = |name: &str, store: &MeasuredTable, samples: &[Sample], whole: &[Sample]| {
        let title = format!("{name}, {}", number(store.items as f64));
        table.push([title], samples, [share(samples, whole)]);
    };
    for (name, samples) in KINDS {
        let smallest = stores.first().map(samples).unwrap_or_default();
        stores.iter().for_each(|store| push(name, store, samples(store), smallest));
    }
    for store in stores {
        push("GetItem after a restart", store, store.cold.as_slice(), &store.get);
    }
    table.section()
}

/// Reads right after a load; nothing if they were not asked for.
fn fresh(stores: &[MeasuredTable]) -> Section {
    let title = "Reads right after a load, while it is merged, and of the smallest";
    let columns = [Column::Rate, Column::P50, Column::P99];
    let after = ["smallest", "of it", "of it at rest"];
    let mut table = SampleTable::new(title, &["requests"], &columns, &after);
    for store in stores {
        let Some(fresh) = &store.fresh else { continue };
        let found = [(&fresh.get, &fresh.smallest_get), (&fresh.query, &fresh.smallest_query)];
        for ((name, at_rest), (samples, smallest)) in KINDS.into_iter().zip(found) {
            let at_rest = stores.first().map(at_rest).unwrap_or_default();
            let title = format!("{name}, {}", number(store.items as f64));
            let smallest_rate = known(rate(smallest), number);
            let shares = [share(samples, smallest), share(samples, at_rest)];
            table.push([title], samples, [smallest_rate].into_iter().chain(shares));
        }
    }
    table.section()
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
    let row = |store: &MeasuredTable| {
        vec![
            number(store.items as f64),
            number(store.items as f64 / store.loading.as_secs_f64()),
            format!("{:.2}", store.disk_bytes as f64 / 1e9),
            format!("{:.2}", store.space_factor()),
            own_megabytes(store.loaded_memory),
            own_megabytes(store.read_memory),
            own_megabytes(store.idle_memory),
            mapped_megabytes(store.read_memory),
            known(store.clean_start.map(milliseconds), number),
            known(store.killed_start.map(milliseconds), number),
        ]
    };
    Section::new("Space, memory of its own and of mapped files, restarts", &headings)
        .with(stores.iter().map(row))
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
        mapped_megabytes(burst.memory),
    );
    let kinds =
        [("BatchWriteItem", &burst.batch), ("PutItem", &burst.put), ("GetItem", &burst.get)];
    Section::new(title, &headings).with(kinds.map(|(name, felt)| burst_row(name, felt)))
}

fn burst_row(name: &str, felt: &Burst) -> Vec<String> {
    let all = felt.latencies();
    let worst = felt.seconds.iter().map(|second| second.latencies.quantile(0.999)).max();
    let [p50, p99, p999, longest] = [0.5, 0.99, 0.999, 1.0].map(|share| all.quantile(share));
    let times = [p50, p99, p999, longest, worst.unwrap_or_default()];
    let mut row =
        vec![name.to_owned(), number(all.total() as f64 / felt.seconds.len().max(1) as f64)];
    row.extend(times.map(|time| format!("{:.1}", milliseconds(time))));
    row.push(felt.refused().to_string());
    row
}

fn partition(partition: &Partition) -> Section {
    let headings = ["requests", "25 per key, requests/s", "one key, requests/s", "of 25 per key"];
    let title = format!("One partition key with {} items", number(partition.items as f64));
    let rows = partition.rows.iter().map(|row| pair_row(row.title, &row.many, &row.one));
    Section::new(title, &headings).with(rows)
}

fn tables(tables: &ManyTables) -> Section {
    let headings = ["requests", "one table, requests/s", "over all, requests/s", "of one"];
    let title = format!(
        "{} tables: created in {:.1} s, {} MB of own memory, start in {:.0} ms, 100 names in {:.1} \
         ms",
        number(tables.tables as f64),
        tables.creating.as_secs_f64(),
        own_megabytes(tables.memory),
        milliseconds(tables.start),
        milliseconds(tables.listing),
    );
    let rows = tables.rows.iter().map(|row| pair_row(row.workload.title(), &row.one, &row.many));
    Section::new(title, &headings).with(rows)
}

fn indexes(growth: &Growth) -> Section {
    let columns = [Column::Rate, Column::Range, Column::Cpu, Column::P50, Column::P99];
    let after = ["each index, of a put without"];
    let title = "What each further index costs a put";
    let mut table = SampleTable::new(title, &["PutItem, indexes"], &columns, &after);
    for indexed in &growth.indexes {
        let cost = known(index_cost(growth, indexed), times);
        table.push([indexed.indexes.to_string()], &indexed.samples, [cost]);
    }
    table.section()
}

/// What one index of a table adds to the time of a put, in units of a put on a table without.
pub(super) fn index_cost(growth: &Growth, indexed: &Indexed) -> Option<f64> {
    let without = growth.indexes.iter().find(|other| other.indexes == 0)?;
    let slowdown = rate(&without.samples)? / rate(&indexed.samples)?;
    (indexed.indexes > 0).then(|| (slowdown - 1.0) / f64::from(indexed.indexes))
}

/// The rate of some samples as a share of that of others.
fn share(part: &[Sample], whole: &[Sample]) -> String {
    known(rate(part).zip(rate(whole)), |(part, whole)| percent(part / whole))
}

/// Two rates, and the second as a share of the first.
fn pair_row(title: &str, first: &[Sample], second: &[Sample]) -> Vec<String> {
    let rates = [first, second].map(|samples| known(rate(samples), number));
    let share = share(second, first);
    [title.to_owned()].into_iter().chain(rates).chain([share]).collect()
}
