//! The figures as JSON.

use serde_json::{Value, json};

use crate::growth::Growth;
use crate::growth::burst::WriteBurst;
use crate::growth::indexes::Indexed;
use crate::growth::many_tables::{ManyTables, TablesRow};
use crate::growth::partition::{Partition, PartitionRow};
use crate::growth::sizes::{Fresh, MeasuredTable};
use crate::report::json::{list, memory, sample, samples, seconds};
use crate::report::texts::milliseconds;

/// Everything that was found.
pub(super) fn render(growth: &Growth) -> Value {
    let indexed =
        |one: &Indexed| json!({ "indexes": one.indexes, "put_item": samples(&one.samples) });
    json!({
        "sizes": list(&growth.stores, store),
        "burst": growth.burst.as_ref().map(burst),
        "partition": growth.partition.as_ref().map(partition),
        "tables": growth.tables.as_ref().map(tables),
        "indexes": list(&growth.indexes, indexed),
    })
}

fn store(store: &MeasuredTable) -> Value {
    let fresh = |fresh: &Fresh| {
        json!({
            "get_item": samples(&fresh.get),
            "smallest_get_item": samples(&fresh.smallest_get),
            "query": samples(&fresh.query),
            "smallest_query": samples(&fresh.smallest_query),
        })
    };
    json!({
        "items": store.items,
        "loading_s": store.loading.as_secs_f64(),
        "disk_bytes": store.disk_bytes,
        "disk_per_stored_byte": store.space_factor(),
        "memory_loaded": store.loaded_memory.map(memory),
        "memory_read": store.read_memory.map(memory),
        "memory_started": store.idle_memory.map(memory),
        "fresh": store.fresh.as_ref().map(fresh),
        "get_item": samples(&store.get),
        "query": samples(&store.query),
        "get_item_after_restart": store.cold.as_ref().map(sample),
        "start_ms": store.clean_start.map(milliseconds),
        "start_after_kill_ms": store.killed_start.map(milliseconds),
    })
}

fn burst(burst: &WriteBurst) -> Value {
    json!({
        "megabytes_per_second": burst.megabytes_per_second(),
        "memory": burst.memory.map(memory),
        "batch_write_item": seconds(&burst.batch),
        "put_item": seconds(&burst.put),
        "get_item": seconds(&burst.get),
    })
}

fn partition(partition: &Partition) -> Value {
    let row = |row: &PartitionRow| {
        json!({
            "requests": row.title,
            "many_keys": samples(&row.many),
            "one_key": samples(&row.one),
        })
    };
    json!({ "items": partition.items, "rows": list(&partition.rows, row) })
}

fn tables(tables: &ManyTables) -> Value {
    let row = |row: &TablesRow| {
        json!({
            "requests": row.workload.name(),
            "one_table": samples(&row.one),
            "all_tables": samples(&row.many),
        })
    };
    json!({
        "tables": tables.tables,
        "creating_s": tables.creating.as_secs_f64(),
        "memory": tables.memory.map(memory),
        "start_ms": milliseconds(tables.start),
        "listing_ms": milliseconds(tables.listing),
        "rows": list(&tables.rows, row),
    })
}
