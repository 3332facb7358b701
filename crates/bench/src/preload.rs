//! Fills a server: the table, then all items in batches over HTTP, then a look at some of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::clock;
use crate::columns::number;
use crate::data::{COLLECTION_ITEMS, Dataset, FIRST_REVISION};
use crate::http::{Connection, frame};
use crate::progress::Progress;
use crate::resp;
use crate::table::Table;
use crate::target::Target;
use crate::template::Template;
use crate::wire::Wire;
use crate::workload::{Workload, check_batch_write, put_requests};

/// How many connections load at once.
const CONNECTIONS: usize = 16;
/// How many items are read back and compared.
const COMPARED_ITEMS: u64 = 100;
/// How often, and how many times, a table is asked whether it is ready.
const ACTIVE_INTERVAL: Duration = Duration::from_millis(20);
const ACTIVE_ATTEMPTS: usize = 1500;
/// How often progress is shown.
const SHOW_INTERVAL: Duration = Duration::from_millis(250);
/// How often, and how many times, a batch is sent again that the server had no room for.
const PATIENCE: Duration = Duration::from_millis(20);
const ATTEMPTS_MAX: usize = 1000;

/// Creates a table on a server, loads all items and makes sure that they are there.
pub async fn fill(
    target: &Target,
    table: &Table,
    dataset: Dataset,
    progress: &mut Progress,
) -> Result<()> {
    let fill = async {
        create_table(target, table).await?;
        let batch = put_requests(table).to_string();
        let request = frame(&target.host, "BatchWriteItem", &batch);
        send_all(target, &Puts::new(request, COLLECTION_ITEMS, dataset), progress).await?;
        compare_items(target, table, dataset).await
    };
    fill.await.with_context(|| format!("loading {}", target.title))
}

/// Puts one item after the other into tables that exist: the way when the items of a batch do not
/// all belong to one table.
pub async fn put_each(
    target: &Target,
    table: &Table,
    dataset: Dataset,
    progress: &mut Progress,
) -> Result<()> {
    let request = frame(&target.host, "PutItem", &Workload::PutItem.body(table));
    send_all(target, &Puts::new(request, 1, dataset), progress).await
}

/// Puts all items into Redis under their keys, and makes sure that the last one is there.
pub async fn fill_redis(
    target: &Target,
    table: &Table,
    dataset: Dataset,
    progress: &mut Progress,
) -> Result<()> {
    let fill = async {
        let request = resp::request(Workload::PutItem, table)?;
        send_all(target, &Puts::new(request, 1, dataset), progress).await?;
        let mut get = Template::new(resp::request(Workload::GetItem, table)?, 1);
        let mut connection = resp::Connection::open(target).await?;
        let last = get.fill(&dataset, dataset.items() - 1, FIRST_REVISION);
        resp::check_reply(Workload::GetItem, connection.exchange(last).await?.success()?)
    };
    fill.await.with_context(|| format!("loading {}", target.title))
}

/// Creates a table and waits until it is ready.
pub async fn create_table(target: &Target, table: &Table) -> Result<()> {
    let mut connection = Connection::open(target).await?;
    connection.call("CreateTable", &table.definition()).await?;
    await_text(&mut connection, "DescribeTable", table, "/Table/TableStatus", "ACTIVE").await?;
    let Some(time_to_live) = table.time_to_live() else { return Ok(()) };
    connection.call("UpdateTimeToLive", &time_to_live).await?;
    let pointer = "/TimeToLiveDescription/TimeToLiveStatus";
    await_text(&mut connection, "DescribeTimeToLive", table, pointer, "ENABLED").await
}

/// Deletes a table with everything in it.
pub async fn delete_table(target: &Target, table: &Table) -> Result<()> {
    let mut connection = Connection::open(target).await?;
    connection.call("DeleteTable", &json!({ "TableName": table.name() })).await?;
    Ok(())
}

/// Asks about a table until a text of the answer is what it should become.
async fn await_text(
    connection: &mut Connection,
    operation: &str,
    table: &Table,
    pointer: &str,
    expected: &str,
) -> Result<()> {
    for _ in 0..ACTIVE_ATTEMPTS {
        let answer = connection.call(operation, &json!({ "TableName": table.name() })).await?;
        if answer.pointer(pointer).and_then(Value::as_str) == Some(expected) {
            return Ok(());
        }
        clock::wait(ACTIVE_INTERVAL).await;
    }
    bail!("{operation} does not say {expected}")
}

/// Requests that put items, so many at a time.
pub trait Batches: Clone + Send + 'static {
    /// How many items there are.
    fn items(&self) -> u64;

    /// How many of them go into one request: into `PutItem` if it is one, and `BatchWriteItem`
    /// otherwise.
    fn batch_items(&self) -> u64;

    /// The request for the items from this one on.
    fn request(&mut self, first: u64) -> &[u8];
}

/// Sends all batches, over several connections at once.
pub async fn send_all(
    target: &Target,
    batches: &impl Batches,
    progress: &mut Progress,
) -> Result<()> {
    let next = Arc::new(AtomicU64::new(0));
    let mut loaders = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let wire = Wire::open(target).await?;
        loaders.spawn(Loader { wire, batches: batches.clone(), next: next.clone() }.run());
    }
    let show = async {
        let started = clock::now();
        loop {
            clock::wait(SHOW_INTERVAL).await;
            let done = next.load(Ordering::Relaxed).min(batches.items());
            progress.detail(&loading(done, batches.items(), started.elapsed()));
        }
    };
    let load = async {
        while let Some(loaded) = loaders.join_next().await {
            loaded??;
        }
        Ok(())
    };
    tokio::select! {
        loaded = load => loaded,
        () = show => Ok(()),
    }
}

/// How far the loading is: the share, the rate, and the time that is left at that rate.
fn loading(done: u64, total: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
    let percent = done as f64 / total as f64 * 100.0;
    let left = (total - done) as f64 / rate.max(1.0);
    format!("{percent:.0} %, {} items/s, {left:.0} s left", number(rate))
}

/// Puts the items of a dataset.
#[derive(Clone)]
struct Puts {
    template: Template,
    dataset: Dataset,
    batch_items: u64,
}

impl Puts {
    /// Takes a request with markers for so many items.
    fn new(request: Vec<u8>, batch_items: u64, dataset: Dataset) -> Puts {
        Puts { template: Template::new(request, 1), dataset, batch_items }
    }
}

impl Batches for Puts {
    fn items(&self) -> u64 {
        self.dataset.items()
    }

    fn batch_items(&self) -> u64 {
        self.batch_items
    }

    fn request(&mut self, first: u64) -> &[u8] {
        self.template.fill(&self.dataset, first, FIRST_REVISION)
    }
}

/// One connection that loads.
struct Loader<B> {
    wire: Wire,
    batches: B,
    next: Arc<AtomicU64>,
}

impl<B: Batches> Loader<B> {
    async fn run(mut self) -> Result<()> {
        loop {
            let item = self.next.fetch_add(self.batches.batch_items(), Ordering::Relaxed);
            if item >= self.batches.items() {
                return Ok(());
            }
            self.write(item).await?;
        }
    }

    /// Writes a batch, again and again if the server has no room for it. Puts may be repeated.
    async fn write(&mut self, item: u64) -> Result<()> {
        let is_single = self.batches.batch_items() == 1;
        let request = self.batches.request(item);
        for _ in 0..ATTEMPTS_MAX {
            let answer = self.wire.exchange(request).await?;
            if !answer.is_refusal() {
                let body = answer.success()?;
                if is_single || check_batch_write(body).is_ok() {
                    return Ok(());
                }
            }
            clock::wait(PATIENCE).await;
        }
        bail!("the server did not take a batch after {ATTEMPTS_MAX} attempts")
    }
}

/// Reads items from all over the table and compares them with what was loaded, to the last
/// attribute.
async fn compare_items(target: &Target, table: &Table, dataset: Dataset) -> Result<()> {
    let mut connection = Connection::open(target).await?;
    let step = (dataset.items() / COMPARED_ITEMS).max(1);
    for number in (0..dataset.items()).step_by(step as usize) {
        let body = json!({ "TableName": table.name(), "Key": dataset.key(number) });
        let answer = connection.call("GetItem", &body).await?;
        let matches = answer.get("Item") == Some(&table.loaded_item(&dataset, number));
        ensure!(matches, "item {number} is read back as {answer}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loading_says_what_is_done_and_what_is_left() {
        let text = loading(250_000, 1_000_000, Duration::from_secs(10));
        assert_eq!(text, "25 %, 25,000 items/s, 30 s left");
        assert_eq!(loading(0, 100, Duration::ZERO), "0 %, 0.0 items/s, 100 s left");
    }
}
