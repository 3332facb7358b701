//! Stores on the server of this process, each in a schema of its own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_postgres_fixture::{Postgres, Programs, Syncs};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions, init};
use tokio::runtime::Runtime;
use tokio_postgres::SimpleQueryMessage;

/// A store that has just been made.
pub(crate) struct Store {
    pub(crate) options: PostgresOptions,
    schema: String,
}

impl Store {
    pub(crate) fn new() -> Store {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let schema = format!("store_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let address = format!("{}?application_name={schema}", server().address());
        let options = PostgresOptions::new(&address).expect("the address is one");
        let options = options.schema(&schema).expect("a name").writers(2).snapshots(48);
        runtime().block_on(init(&options)).expect("a store is made");
        Store { options, schema }
    }

    /// The store as it is reached by way of a port that leads to the server.
    pub(crate) fn options_through(&self, port: u16) -> PostgresOptions {
        let direct = server().address();
        let address = direct.replacen(&server().port().to_string(), &port.to_string(), 1);
        let options = PostgresOptions::new(&address).expect("the address is one");
        options.schema(&self.schema).expect("a name")
    }

    /// An engine on the store; the suites run it on runtimes of theirs.
    pub(crate) fn open(&self) -> PostgresEngine {
        runtime().block_on(PostgresEngine::open(&self.options)).expect("a store opens")
    }

    /// Asks the database directly.
    pub(crate) fn ask(&self, sql: &str) -> String {
        self.ask_rows(sql).into_iter().next().unwrap_or_default()
    }

    /// The same; gives the first column of all rows, a line each.
    pub(crate) fn ask_all(&self, sql: &str) -> String {
        self.ask_rows(sql).join("\n")
    }

    fn ask_rows(&self, sql: &str) -> Vec<String> {
        let path = format!("set search_path = {};", self.schema);
        execute(&server().address(), &(path + sql))
    }
}

/// Asks any database; gives the first column of all rows.
pub(crate) fn execute(address: &str, sql: &str) -> Vec<String> {
    runtime().block_on(async {
        let connected = tokio_postgres::connect(address, tokio_postgres::NoTls).await;
        let (client, driver) = connected.expect("the server answers");
        tokio::spawn(driver);
        let answers = client.simple_query(sql).await.expect("the database answers");
        let row = |message: &SimpleQueryMessage| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        };
        answers.iter().filter_map(row).collect()
    })
}

/// The server of this process.
pub(crate) fn server() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(|| {
        let programs = Programs::find().expect("PostgreSQL is installed");
        Postgres::start(&programs, Syncs::Never).expect("PostgreSQL starts")
    })
}

/// Where connections are driven.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).enable_all().build().expect("a runtime starts")
    })
}
