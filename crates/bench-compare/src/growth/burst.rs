//! A burst of writes: batches as fast as the server takes them, beside single reads and writes.
//!
//! The batches outrun what the engine can put in order in the background. What matters is what the
//! others feel of it, second by second: the server may slow writers down, but nobody may wait
//! without bound.

use anyhow::Result;
use monotable_bench::data::{COLLECTION_ITEMS, Dataset, ITEM_BYTES};
use monotable_bench::load::{Burst, Load, run_burst};
use monotable_bench::table::Table;
use monotable_bench::usage::Memory;
use monotable_bench::workload::Workload;

use super::Plan;
use crate::server::Server;
use crate::settings::Settings;

/// Connections that send batches, and those that send single requests of each kind.
const BATCH_CONNECTIONS: u64 = 16;
const SINGLE_CONNECTIONS: u64 = 4;

/// What was felt of a burst.
#[derive(Debug, Clone)]
pub(crate) struct WriteBurst {
    /// The batches themselves.
    pub(crate) batch: Burst,
    /// Single writes beside them.
    pub(crate) put: Burst,
    /// Reads beside them.
    pub(crate) get: Burst,
    /// Memory at the end.
    pub(crate) memory: Option<Memory>,
}

impl WriteBurst {
    /// How many megabytes of items were written per second.
    pub(crate) fn megabytes_per_second(&self) -> f64 {
        let items =
            self.batch.latencies().total() * COLLECTION_ITEMS + self.put.latencies().total();
        let seconds = self.batch.seconds.len().max(1) as f64;
        items as f64 * ITEM_BYTES as f64 / 1e6 / seconds
    }
}

/// Sends the burst to a server that holds these items.
pub(crate) async fn measure(
    settings: &Settings,
    plan: &Plan,
    server: &Server,
    dataset: Dataset,
) -> Result<WriteBurst> {
    let load = |workload, connections| Load {
        table: Table::indexed(0),
        dataset,
        measured: plan.burst,
        ..settings.load(workload, connections)
    };
    let batch = load(Workload::BatchWriteItem, BATCH_CONNECTIONS);
    let put = load(Workload::PutItem, SINGLE_CONNECTIONS);
    let get = load(Workload::GetItem, SINGLE_CONNECTIONS);
    let target = server.target();
    let (batch, put, get) = tokio::try_join!(
        run_burst(target, &batch),
        run_burst(target, &put),
        run_burst(target, &get)
    )?;
    Ok(WriteBurst { batch, put, get, memory: server.memory() })
}
