//! Fills a server: the table, then all items in batches over HTTP, then a look at some of them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::clock;
use crate::data::{COLLECTION_ITEMS, Dataset, FIRST_REVISION};
use crate::http::{Connection, frame};
use crate::server::Server;
use crate::table::Table;
use crate::template::Template;
use crate::workload::{check_batch_write, put_requests};

/// How many connections load at once.
const CONNECTIONS: usize = 16;
/// How many items are read back and compared.
const COMPARED_ITEMS: u64 = 100;
/// How often, and how many times, a table is asked whether it is ready.
const ACTIVE_INTERVAL: Duration = Duration::from_millis(20);
const ACTIVE_ATTEMPTS: usize = 500;

/// Creates a table on a server, loads all items and makes sure that they are there.
pub(crate) async fn fill(server: &Server, table: Table, dataset: Dataset) -> Result<()> {
    let fill = async {
        create_table(server.address(), table).await?;
        load_items(server.address(), table, dataset).await?;
        compare_items(server.address(), table, dataset).await
    };
    fill.await.with_context(|| format!("loading {}", server.title()))
}

async fn create_table(address: SocketAddr, table: Table) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    connection.call("CreateTable", &table.definition()).await?;
    await_text(&mut connection, "DescribeTable", table, "/Table/TableStatus", "ACTIVE").await?;
    let Some(time_to_live) = table.time_to_live() else { return Ok(()) };
    connection.call("UpdateTimeToLive", &time_to_live).await?;
    let pointer = "/TimeToLiveDescription/TimeToLiveStatus";
    await_text(&mut connection, "DescribeTimeToLive", table, pointer, "ENABLED").await
}

/// Asks about a table until a text of the answer is what it should become.
async fn await_text(
    connection: &mut Connection,
    operation: &str,
    table: Table,
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

async fn load_items(address: SocketAddr, table: Table, dataset: Dataset) -> Result<()> {
    let request = frame(address, "BatchWriteItem", &put_requests(table).to_string());
    let next_batch = Arc::new(AtomicU64::new(0));
    let mut loaders = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let template = Template::new(request.clone(), 1);
        let connection = Connection::open(address).await?;
        loaders.spawn(load_batches(connection, template, dataset, next_batch.clone()));
    }
    while let Some(loaded) = loaders.join_next().await {
        loaded??;
    }
    Ok(())
}

async fn load_batches(
    mut connection: Connection,
    mut template: Template,
    dataset: Dataset,
    next_batch: Arc<AtomicU64>,
) -> Result<()> {
    loop {
        let item = next_batch.fetch_add(1, Ordering::Relaxed) * COLLECTION_ITEMS;
        if item >= dataset.items() {
            return Ok(());
        }
        let request = template.fill(&dataset, item, FIRST_REVISION);
        check_batch_write(connection.exchange(request).await?.success()?)?;
    }
}

/// Reads items from all over the table and compares them with what was loaded, to the last attribute.
async fn compare_items(address: SocketAddr, table: Table, dataset: Dataset) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    let step = (dataset.items() / COMPARED_ITEMS).max(1);
    for number in (0..dataset.items()).step_by(step as usize) {
        let body = json!({ "TableName": table.name(), "Key": dataset.key(number) });
        let answer = connection.call("GetItem", &body).await?;
        let matches = answer.get("Item") == Some(&table.loaded_item(&dataset, number));
        ensure!(matches, "item {number} is read back as {answer}");
    }
    Ok(())
}
