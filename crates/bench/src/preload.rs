//! Fills a server: the table, then all items in batches over HTTP, then a look at some of them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::clock;
use crate::data::{self, COLLECTION_ITEMS, Dataset, FIRST_REVISION, TABLE};
use crate::http::{Connection, frame};
use crate::server::Server;
use crate::template::Template;
use crate::workload::{check_batch_write, put_requests};

/// How many connections load at once.
const CONNECTIONS: usize = 16;
/// How many items are read back and compared.
const COMPARED_ITEMS: u64 = 100;
/// How often, and how many times, a table is asked whether it is active.
const ACTIVE_INTERVAL: Duration = Duration::from_millis(20);
const ACTIVE_ATTEMPTS: usize = 500;

/// Creates the table on a server, loads all items and makes sure that they are there.
pub(crate) async fn fill(server: &Server, dataset: Dataset) -> Result<()> {
    let fill = async {
        create_table(server.address()).await?;
        load_items(server.address(), dataset).await?;
        compare_items(server.address(), dataset).await
    };
    fill.await.with_context(|| format!("loading {}", server.title()))
}

async fn create_table(address: SocketAddr) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    connection.call("CreateTable", &data::table_definition()).await?;
    for _ in 0..ACTIVE_ATTEMPTS {
        let description = connection.call("DescribeTable", &json!({ "TableName": TABLE })).await?;
        if description.pointer("/Table/TableStatus").and_then(Value::as_str) == Some("ACTIVE") {
            return Ok(());
        }
        clock::wait(ACTIVE_INTERVAL).await;
    }
    bail!("the table does not become active")
}

async fn load_items(address: SocketAddr, dataset: Dataset) -> Result<()> {
    let request = frame(address, "BatchWriteItem", &put_requests().to_string());
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
async fn compare_items(address: SocketAddr, dataset: Dataset) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    let step = (dataset.items() / COMPARED_ITEMS).max(1);
    for number in (0..dataset.items()).step_by(step as usize) {
        let body = json!({ "TableName": TABLE, "Key": dataset.key(number) });
        let answer = connection.call("GetItem", &body).await?;
        let matches = answer.get("Item") == Some(&dataset.loaded_item(number));
        ensure!(matches, "item {number} is read back as {answer}");
    }
    Ok(())
}
