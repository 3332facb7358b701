//! Databases on one store, and short ways to use any of them.

use std::future::Future;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use monotable_database::check::{CheckMode, CheckOptions, check};
use monotable_database::schema::{IndexKind, IndexStatus, StreamView};
use monotable_database::stream::StreamOptions;
use monotable_database::{
    Clock, Database, DatabaseOptions, Home, Table, TableChange, TableError, TimeToLiveChange,
    TimeToLiveError, Write, WriteError,
};
use monotable_item::stored;
use monotable_postgres_fixture::{Postgres, Programs, Syncs};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions, init};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::support::clock::ManualClock;
use crate::support::ids::CountingIds;
use crate::support::{expression, json, table};

/// How many databases there are.
pub(crate) const SERVERS: usize = 3;

pub(crate) type Server = Arc<Database<PostgresEngine>>;

/// The databases, and the clock that all of them go by.
#[derive(Clone)]
pub(crate) struct Fleet {
    pub(crate) servers: [Server; SERVERS],
    pub(crate) clock: Arc<ManualClock>,
    options: PostgresOptions,
}

/// Opens databases on a new store, runs a scenario, closes them, and checks the store.
pub(crate) fn run<R: Future<Output = ()>>(scenario: impl FnOnce(Fleet) -> R) {
    runtime().block_on(async {
        let fleet = Fleet::open().await;
        scenario(fleet.clone()).await;
        for server in &fleet.servers {
            server.close().await.expect("a database closes");
        }
        fleet.check().await;
    });
}

impl Fleet {
    async fn open() -> Fleet {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let schema = format!("fleet_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let options = PostgresOptions::new(&database().address()).expect("an address");
        let options = options.schema(&schema).expect("a name");
        init(&options).await.expect("a store is made");
        let (clock, ids) = (ManualClock::new(), CountingIds::new());
        let open = || async {
            let engine = PostgresEngine::open(&options).await.expect("a store opens");
            let streams = StreamOptions { lanes: Some(2), shard_age_millis: 1_000 };
            let settings = DatabaseOptions { streams, ..DatabaseOptions::default() };
            let opened = Database::open(engine, clock.clone(), ids.clone(), settings).await;
            opened.expect("a database opens")
        };
        let servers = [open().await, open().await, open().await];
        Fleet { servers, clock, options }
    }

    /// Any server, by a number.
    pub(crate) fn server(&self, number: usize) -> &Server {
        &self.servers[number % SERVERS]
    }

    /// Checks that everything in the store belongs together. Nobody may use it.
    async fn check(&self) {
        let engine = self.engine().await;
        let options =
            CheckOptions { now_secs: self.clock.now_millis() / 1000, mode: CheckMode::ReadOnly };
        let report = check(&engine, options, |_| ControlFlow::Continue(())).await;
        let report = report.expect("the store can be read");
        assert_eq!(report.faults, [], "what is left by a scenario belongs together");
    }

    /// An engine beside those of the servers.
    pub(crate) async fn engine(&self) -> PostgresEngine {
        PostgresEngine::open(&self.options).await.expect("a store opens")
    }
}

/// The database server of this process.
fn database() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(|| {
        let programs = Programs::find().expect("PostgreSQL is installed");
        Postgres::start(&programs, Syncs::Never).expect("PostgreSQL starts")
    })
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(4).enable_all().build().expect("a runtime starts")
    })
}

/// Runs `work` once per server at the same time, each with its number.
pub(crate) async fn on_each<R: Future<Output = ()> + Send + 'static>(work: impl Fn(usize) -> R) {
    let mut running = JoinSet::new();
    (0..SERVERS).for_each(|number| {
        running.spawn(work(number));
    });
    while let Some(ended) = running.join_next().await {
        ended.expect("a task ends well");
    }
}

/// The table of this name as a server knows it.
pub(crate) async fn table_on(server: &Server, name: &str) -> Option<Arc<Table>> {
    server.table(&Home::default(), name).await.expect("the store can be read")
}

/// Whether a stream has records of whole items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    None,
    Whole,
}

pub(crate) async fn create(server: &Server, name: &str, stream: Stream, indexes: &[&str]) {
    let mut definition = table::table(name, "pk:N").expect("a table");
    for index in indexes {
        table::with_index(&mut definition, IndexKind::Global, index).expect("an index");
    }
    definition.settings.stream = (stream == Stream::Whole).then_some(StreamView::NewAndOldImages);
    server.create_table(definition).await.expect("a table is created");
}

/// Does a write, checked again as often as the table changes; `false` once the table is gone.
pub(crate) async fn write(server: &Server, name: &str, make: impl Fn(&Table) -> Write) -> bool {
    loop {
        let Some(table) = table_on(server, name).await else { return false };
        match server.write(&table, &make(&table)).await {
            Ok(_) => return true,
            Err(WriteError::SchemaChanged) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

pub(crate) async fn put(server: &Server, name: &str, item: &str) -> bool {
    write(server, name, |table| {
        let item = stored::encode(&json::item(item).expect("an item"));
        Write::put(table.schema(), item.into()).expect("a write")
    })
    .await
}

pub(crate) async fn update(server: &Server, name: &str, key: &str, text: &str) -> bool {
    write(server, name, |table| update_of(table, key, text)).await
}

pub(crate) fn update_of(table: &Table, key: &str, text: &str) -> Write {
    let update = Some(expression::update(text).expect("an update"));
    let key = stored::encode(&json::item(key).expect("a key")).into();
    Write::update(table.schema(), key, update).expect("a write")
}

/// Changes a table, checked again as often as it changes meanwhile.
pub(crate) async fn change(server: &Server, name: &str, change: TableChange) {
    loop {
        let table = table_on(server, name).await.expect("the table is there");
        match server.update_table(&table, change.clone()).await {
            Ok(_) => return,
            Err(TableError::SchemaChanged) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

pub(crate) async fn expire_by(server: &Server, name: &str, attribute: &str) {
    loop {
        let table = table_on(server, name).await.expect("the table is there");
        let enable = TimeToLiveChange::Enable(attribute.to_owned());
        match server.update_time_to_live(&table, enable).await {
            Ok(_) => return,
            Err(TimeToLiveError::SchemaChanged) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Waits until no index of a table comes or goes, as a server sees it.
pub(crate) async fn indexes_settle(server: &Server, name: &str) {
    loop {
        let table = server.current_table(&Home::default(), name).await;
        let table = table.expect("the store can be read").expect("the table is there");
        let mut indexes = table.schema().indexes.iter();
        if indexes.all(|index| index.status == IndexStatus::Active) {
            return;
        }
        tokio::task::yield_now().await;
    }
}
