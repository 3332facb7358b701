//! The figures as JSON.

use std::time::Duration;

use monotable_bench::load::{Burst, Sample};
use monotable_bench::summary::Summary;
use monotable_bench::usage::Memory;
use serde_json::{Value, json};

use crate::growth::Growth;
use crate::growth::burst::WriteBurst;
use crate::growth::indexes::Indexed;
use crate::growth::many_tables::ManyTables;
use crate::growth::partition::Partition;
use crate::growth::sizes::{Fresh, MeasuredTable};
use crate::report::json;

/// Everything that was found.
pub(super) fn render(growth: &Growth) -> Value {
    json!({
        "sizes": growth.stores.iter().map(store).collect::<Vec<Value>>(),
        "burst": growth.burst.as_ref().map(burst),
        "partition": growth.partition.as_ref().map(partition),
        "tables": growth.tables.as_ref().map(tables),
        "indexes": growth.indexes.iter().map(indexed).collect::<Vec<Value>>(),
    })
}

fn store(store: &MeasuredTable) -> Value {
    json!({
        "items": store.items,
        "loading_s": store.loading.as_secs_f64(),
        "disk_bytes": store.disk_bytes,
        "disk_per_stored_byte": store.space_factor(),
        "memory_loaded": memory(store.loaded_memory),
        "memory_read": memory(store.read_memory),
        "memory_started": memory(store.idle_memory),
        "fresh": store.fresh.as_ref().map(fresh),
        "get_item": samples(&store.get),
        "query": samples(&store.query),
        "get_item_after_restart": store.cold.as_ref().map(json::sample),
        "start_ms": store.clean_start.map(milliseconds),
        "start_after_kill_ms": store.killed_start.map(milliseconds),
    })
}

fn memory(memory: Option<Memory>) -> Value {
    memory.map_or(Value::Null, |memory| {
        json!({
            "anonymous_bytes": memory.anonymous_bytes,
            "file_bytes": memory.file_bytes,
        })
    })
}

fn fresh(fresh: &Fresh) -> Value {
    json!({
        "get_item": samples(&fresh.get),
        "smallest_get_item": samples(&fresh.smallest_get),
        "query": samples(&fresh.query),
        "smallest_query": samples(&fresh.smallest_query),
    })
}

fn burst(burst: &WriteBurst) -> Value {
    json!({
        "megabytes_per_second": burst.megabytes_per_second(),
        "memory": memory(burst.memory),
        "batch_write_item": seconds(&burst.batch),
        "put_item": seconds(&burst.put),
        "get_item": seconds(&burst.get),
    })
}

fn seconds(burst: &Burst) -> Vec<Value> {
    let second = |second: &monotable_bench::load::Second| {
        let latency = |share| milliseconds(second.latencies.quantile(share));
        json!({
            "requests": second.latencies.total(),
            "refused": second.refused,
            "p50_ms": latency(0.5),
            "p99_ms": latency(0.99),
            "p999_ms": latency(0.999),
            "max_ms": latency(1.0),
        })
    };
    burst.seconds.iter().map(second).collect()
}

fn partition(partition: &Partition) -> Value {
    let row = |row: &crate::growth::partition::PartitionRow| {
        json!({
            "requests": row.title,
            "many_keys": samples(&row.many),
            "one_key": samples(&row.one),
        })
    };
    json!({
        "items": partition.items,
        "rows": partition.rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

fn tables(tables: &ManyTables) -> Value {
    let row = |row: &crate::growth::many_tables::TablesRow| {
        json!({
            "requests": row.workload.name(),
            "one_table": samples(&row.one),
            "all_tables": samples(&row.many),
        })
    };
    json!({
        "tables": tables.tables,
        "creating_s": tables.creating.as_secs_f64(),
        "memory": memory(tables.memory),
        "start_ms": milliseconds(tables.start),
        "listing_ms": milliseconds(tables.listing),
        "rows": tables.rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

fn indexed(indexed: &Indexed) -> Value {
    json!({ "indexes": indexed.indexes, "put_item": samples(&indexed.samples) })
}

fn samples(samples: &[Sample]) -> Value {
    json!({
        "median": Summary::of(samples).map(json::summary),
        "rounds": samples.iter().map(json::sample).collect::<Vec<Value>>(),
    })
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
