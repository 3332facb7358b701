//! An address of one host, which leads to a standby for a while: nothing is read there that is to
//! be consistent, and all goes on once a primary is behind it.

use monotable_postgres_fixture::{Postgres, Programs, Syncs};
use monotable_storage::{Batch, Engine, ErrorKind, Snapshot, testing};
use monotable_storage_postgres::{
    PostgresEngine, PostgresOptions, Registration, StoreHealth, init,
};

use crate::store::{Store, runtime};
use crate::switch::Switch;

const KEY: &[u8] = b"number";

async fn put(engine: &PostgresEngine, number: &'static str) -> Result<(), ErrorKind> {
    let mut batch = Batch::new();
    batch.put(KEY.to_vec(), number);
    testing::commit(engine, &batch).await.map_err(|error| error.kind())
}

/// Reads in both ways, which agree.
async fn get(engine: &PostgresEngine) -> Result<String, ErrorKind> {
    let read = engine.get(KEY).await.map_err(|error| error.kind());
    let snapshot = engine.snapshot().await.map_err(|error| error.kind());
    let read_again = match snapshot {
        Ok(snapshot) => snapshot.get(KEY).await.map_err(|error| error.kind()),
        Err(kind) => Err(kind),
    };
    assert_eq!(read, read_again);
    let value = read?.expect("it was written");
    Ok(String::from_utf8(value.to_vec()).expect("text"))
}

fn open(options: &PostgresOptions) -> PostgresEngine {
    runtime().block_on(PostgresEngine::open(options)).expect("a store opens")
}

#[test]
fn a_port_that_leads_to_a_standby_for_a_while_serves_nothing_meanwhile() {
    let programs = Programs::find().expect("PostgreSQL is installed");
    let pair = Postgres::start_pair(&programs, Syncs::Never);
    let (primary, standby) = pair.expect("PostgreSQL starts twice");
    let switch = Switch::to(primary.port());
    let options = |address: &str| PostgresOptions::new(address).expect("an address");
    runtime().block_on(init(&options(&switch.address()))).expect("a store is made");
    let (engine, other) = (open(&options(&switch.address())), open(&options(&primary.address())));
    let registration =
        Registration { id: 1, name: "host:1".to_owned(), version: "1.2.3".to_owned() };
    runtime().block_on(async {
        engine.register(registration).await;
        put(&engine, "1").await.expect("it commits");
        assert_eq!(get(&engine).await.as_deref(), Ok("1"));

        switch.lead_to(standby.port());
        put(&other, "2").await.expect("it commits");
        assert_eq!(get(&engine).await, Err(ErrorKind::Unavailable));
        assert_eq!(put(&engine, "3").await, Err(ErrorKind::Unavailable));
        while engine.health() == StoreHealth::Writable {
            tokio::task::yield_now().await;
        }
        assert_eq!(get(&engine).await, Err(ErrorKind::Unavailable));

        switch.lead_to(primary.port());
        // The next attempt to connect is not made at once.
        while engine.get(KEY).await.is_err() {
            tokio::task::yield_now().await;
        }
        assert_eq!(get(&engine).await.as_deref(), Ok("2"));
        put(&engine, "4").await.expect("it commits");
        assert_eq!(get(&other).await.as_deref(), Ok("4"));
        while engine.health() != StoreHealth::Writable {
            tokio::task::yield_now().await;
        }
        engine.close().await.expect("closes");
        other.close().await.expect("closes");
    });
}

#[test]
fn a_connection_whose_server_takes_no_more_writes_is_not_used_again() {
    let store = Store::new();
    let engine = open(&store.options.clone().writers(1));
    runtime().block_on(put(&engine, "1")).expect("it commits");
    store.ask(
        "create function refuse() returns trigger language plpgsql as \
         $$ begin raise exception 'no' using errcode = 'read_only_sql_transaction'; end $$; \
         create trigger refuse before insert on kv execute function refuse()",
    );
    let opened = || engine.statistics().opened_connections;
    let before = opened();
    assert_eq!(runtime().block_on(put(&engine, "2")), Err(ErrorKind::Unavailable));
    store.ask("drop trigger refuse on kv");
    runtime().block_on(put(&engine, "3")).expect("it commits");
    assert_eq!(opened(), before + 1);
}
