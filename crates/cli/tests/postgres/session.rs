//! A session of the database, to look into stores and to keep others from their tables.

use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use crate::database;

/// A session in the schema of a store. What it has locked is free when it is dropped.
pub(crate) struct Session {
    runtime: Runtime,
    client: Client,
}

impl Session {
    /// A session in the schema that the address of a store names.
    pub(crate) fn of(address: &str) -> Session {
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let connected = tokio_postgres::connect(&database().address(), NoTls).await;
            let (client, driver) = connected.expect("the database answers");
            tokio::spawn(driver);
            client
        });
        let session = Session { runtime, client };
        session.ask(&format!("set search_path = {}", schema_of(address)));
        session
    }

    /// The first column of the first row.
    pub(crate) fn ask(&self, sql: &str) -> String {
        let answers = self.runtime.block_on(self.client.simple_query(sql));
        let row = answers.expect("the database answers").into_iter().find_map(|it| match it {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        row.unwrap_or_default()
    }
}

/// The schema that the address of a store names.
pub(crate) fn schema_of(address: &str) -> &str {
    address.rsplit_once("schema=").expect("it names a schema").1
}
