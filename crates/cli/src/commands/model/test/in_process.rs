//! A database in memory in this process, called as a server would have it called.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use monotable_database::{Clock, DatabaseOptions, Home, ManualClock};
use monotable_identity::{Caller, DEFAULT_ACCOUNT};
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

/// A database that is gone when this is dropped.
pub(super) struct InProcess {
    node: Node,
}

impl InProcess {
    /// Opens an empty database. Its clock stands still, so that no item expires while it is used.
    pub(super) async fn open() -> Result<InProcess> {
        let clock = Arc::new(ManualClock::new(Clock::now_millis(&SystemClock)));
        let store = Store::Memory(MemoryEngine::new());
        let (options, home) = (DatabaseOptions::default(), Home::new(DEFAULT_ACCOUNT, REGION));
        let node = Node::open(store, clock, Arc::new(SystemIds), options, home)
            .await
            .context("the database in memory could not be opened")?;
        Ok(InProcess { node })
    }

    /// Ends what works in the background.
    pub(super) async fn close(self) -> Result<()> {
        self.node.stop().close().await.context("the database in memory could not be closed")
    }
}

impl Service for InProcess {
    async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error> {
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

    /// Nothing is throttled here, so there is nothing to wait for.
    async fn pause(&self, _: Duration) {}
}
