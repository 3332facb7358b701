//! A database in memory in this process, called as a server would have it called.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use monotable_database::{Clock, DatabaseOptions, Home, ManualClock};
use monotable_identity::{Caller, DEFAULT_ACCOUNT};
use monotable_migration::deployment::create_table;
use monotable_model::document::{Table, inline_tree};
use monotable_node::{Node, Store};
use monotable_remote::{Error, read_answer};
use monotable_storage::MemoryEngine;
use serde_json::Value;

use crate::commands::model::player::Service;
use crate::system::{SystemClock, SystemIds};

/// What targets of operations on tables and items begin with.
const TARGET: &str = "DynamoDB_20120810";

/// The region that resources are named with. Nobody sees it.
const REGION: &str = "us-east-1";

/// A database that is gone when this is dropped, with the tables of a model.
pub(super) struct InProcess {
    node: Node,
    /// The tables of which there is one for each period. Each is made when it is first asked for:
    /// nothing tells before which periods a test is about.
    period_tables: Vec<Table>,
}

impl InProcess {
    /// Opens a database with empty tables. Its clock stands still, so that no item expires while it
    /// is used.
    pub(super) async fn open(tables: &[Table]) -> Result<InProcess> {
        let clock = Arc::new(ManualClock::new(Clock::now_millis(&SystemClock)));
        let store = Store::Memory(MemoryEngine::new());
        let (options, home) = (DatabaseOptions::default(), Home::new(DEFAULT_ACCOUNT, REGION));
        let node = Node::open(store, clock, Arc::new(SystemIds), options, home)
            .await
            .context("the database in memory could not be opened")?;
        let (period_tables, others): (Vec<Table>, Vec<Table>) =
            tables.iter().cloned().partition(|table| table.period_name.is_some());
        let opened = InProcess { node, period_tables };
        for table in &others {
            opened.create(table).await?;
        }
        Ok(opened)
    }

    async fn create(&self, table: &Table) -> Result<()> {
        let body: Value = serde_json::from_str(&inline_tree(&create_table(table)))
            .context("the definition of a table is JSON")?;
        let made = self.send("CreateTable", &body).await;
        made.with_context(|| format!("table {} cannot be made", table.physical_name()))?;
        Ok(())
    }

    /// Makes the tables for periods that a request names. Those that are there are refused a second
    /// time, which changes nothing.
    async fn create_named(&self, body: &Value) {
        for name in table_names(body) {
            if let Some(table) = self.period_tables.iter().find(|table| table.is_called(name)) {
                self.create(&table.called(name)).await.ok();
            }
        }
    }

    async fn send(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        let target = format!("{TARGET}.{operation}");
        let body = body.to_string();
        match self.node.call(&Caller::anyone(), &target, body.as_bytes()).await {
            Ok(answer) => read_answer(operation, 200, &answer),
            Err(error) => {
                let status = error.status();
                read_answer(operation, status, &error.into_body())
            }
        }
    }

    /// Ends what works in the background.
    pub(super) async fn close(self) -> Result<()> {
        self.node.stop().close().await.context("the database in memory could not be closed")
    }
}

impl Service for InProcess {
    async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        match self.send(operation, body).await {
            Err(error) if error.is_refusal("ResourceNotFoundException") => {
                self.create_named(body).await;
                self.send(operation, body).await
            }
            answer => answer,
        }
    }

    /// Nothing is throttled here, so there is nothing to wait for.
    async fn pause(&self, _: Duration) {}
}

/// The tables that a request names: itself, by its members, or by the keys of a batch.
fn table_names(body: &Value) -> Vec<&str> {
    let own = body.get("TableName").and_then(Value::as_str);
    let batch = body.get("RequestItems").and_then(Value::as_object);
    let batch = batch.into_iter().flat_map(|tables| tables.keys().map(String::as_str));
    let members = body.get("TransactItems").and_then(Value::as_array).into_iter().flatten();
    let members = members.filter_map(Value::as_object).flat_map(|member| member.values());
    let members = members.filter_map(|action| action.get("TableName").and_then(Value::as_str));
    own.into_iter().chain(batch).chain(members).collect()
}
