//! Reads that may be stale, from a standby.

use std::time::Duration;

use bytes::Bytes;
use monotable_postgres_fixture::{Postgres, Programs, Syncs};
use monotable_storage::{Batch, Engine, Snapshot};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions, init};

use crate::store::{execute, runtime};

const KEYS: [&[u8]; 1] = [b"number"];

fn put(engine: &PostgresEngine, number: u64) {
    let mut batch = Batch::new();
    batch.put(b"number".to_vec(), number.to_be_bytes().to_vec());
    runtime().block_on(monotable_storage::testing::commit(engine, &batch)).expect("commits");
}

/// What a stale read finds; none if the standby is not to be asked.
fn stale(engine: &PostgresEngine) -> Option<u64> {
    runtime().block_on(async {
        let found = engine.stale_get_many(&KEYS.map(<[u8]>::to_vec)).await?;
        let snapshot = engine.stale_snapshot().await?;
        let again = snapshot.get(b"number").await.ok()?;
        let number = |value: &Option<Bytes>| {
            let bytes = value.as_ref()?.as_ref().try_into().ok()?;
            Some(u64::from_be_bytes(bytes))
        };
        let found = number(found.first()?)?;
        assert!(number(&again)? >= found);
        Some(found)
    })
}

/// Looks until something is so.
fn until(is_so: impl Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        runtime().block_on(tokio::task::yield_now());
        std::thread::park_timeout(Duration::from_millis(50));
    }
    panic!("it did not come about in half a minute");
}

#[test]
fn stale_reads_come_from_a_standby_as_long_as_it_is_fresh() {
    let programs = Programs::find().expect("PostgreSQL is installed");
    let pair = Postgres::start_pair(&programs, Syncs::Never);
    let (primary, standby) = pair.expect("PostgreSQL starts twice");
    let options = PostgresOptions::new(&primary.address()).expect("an address");
    runtime().block_on(init(&options)).expect("a store is made");
    let staleness_max = Some(Duration::from_secs(2));
    let options = options
        .standby(PostgresOptions::new(&standby.address()).expect("an address"), staleness_max);
    let engine = runtime().block_on(PostgresEngine::open(&options)).expect("a store opens");
    put(&engine, 1);
    until(|| stale(&engine) == Some(1));

    // A standby that stands still is asked for what it has for a while, and then no more.
    execute(&standby.address(), "select pg_wal_replay_pause()");
    put(&engine, 2);
    until(|| stale(&engine).is_none());
    let latest = runtime().block_on(engine.get(b"number")).expect("reads");
    assert_eq!(latest.as_deref(), Some(2_u64.to_be_bytes().as_slice()));
    execute(&standby.address(), "select pg_wal_replay_resume()");
    until(|| stale(&engine) == Some(2));

    // One that is promoted is none any more.
    execute(&standby.address(), "select pg_promote()");
    until(|| stale(&engine).is_none());
    drop(standby);
    put(&engine, 3);
    assert_eq!(stale(&engine), None);
    runtime().block_on(engine.close()).expect("closes");
}

#[test]
fn without_a_standby_no_read_is_stale() {
    let store = crate::store::Store::new();
    let engine = store.open();
    put(&engine, 1);
    assert_eq!(stale(&engine), None);
}
