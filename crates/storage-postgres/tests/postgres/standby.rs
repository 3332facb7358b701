//! Reads that may be stale, from a standby.

use std::time::Duration;

use bytes::Bytes;
use monotable_postgres_fixture::{Postgres, Programs, Syncs};
use monotable_storage::{Batch, Engine, Snapshot};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions, init};
use tokio::time::{Instant, timeout_at};

use crate::store::{execute, runtime};
use crate::switch::Switch;

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

fn start_pair() -> (Postgres, Postgres) {
    let programs = Programs::find().expect("PostgreSQL is installed");
    Postgres::start_pair(&programs, Syncs::Never).expect("PostgreSQL starts twice")
}

/// An engine on a store that has just been made, whose standbys are at this address.
fn open(primary: &Postgres, standbys: &str, staleness_max: Duration) -> PostgresEngine {
    let options = |address: &str| PostgresOptions::new(address).expect("an address");
    let (primary, standbys) = (options(&primary.address()), options(standbys));
    runtime().block_on(init(&primary)).expect("a store is made");
    let options = primary.standby(standbys, Some(staleness_max));
    runtime().block_on(PostgresEngine::open(&options)).expect("a store opens")
}

/// What comes within less than the time that connections to the primary are given.
fn soon<T>(future: impl Future<Output = T>) -> T {
    runtime().block_on(async {
        let answer = timeout_at(Instant::now() + Duration::from_secs(5), future).await;
        answer.expect("it does not take long")
    })
}

#[test]
fn stale_reads_come_from_a_standby_as_long_as_it_is_fresh() {
    let (primary, standby) = start_pair();
    let engine = open(&primary, &standby.address(), Duration::from_secs(2));
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

#[test]
fn of_several_hosts_only_those_that_are_fresh_standbys_are_read() {
    let (primary, standby) = start_pair();
    let hosts = format!("127.0.0.1:{},127.0.0.1:{}", primary.port(), standby.port());
    let standbys = format!("postgres://postgres@{hosts}/postgres?application_name=reader");
    let engine = open(&primary, &standbys, Duration::from_secs(2));
    put(&engine, 1);
    until(|| stale(&engine) == Some(1));
    let keys = KEYS.map(<[u8]>::to_vec);
    for _ in 0..20 {
        runtime().block_on(async {
            let read = || engine.stale_get_many(&keys);
            tokio::join!(read(), read(), read(), read());
        });
    }
    // All that is asked of a host that is no standby is whether it is one.
    let connections = "select count(*) from pg_stat_activity where application_name = 'reader'";
    assert_eq!(execute(&primary.address(), connections), ["1"]);
    runtime().block_on(engine.close()).expect("closes");
}

#[test]
fn a_standby_that_does_not_answer_is_soon_given_up() {
    let (primary, standby) = start_pair();
    let switch = Switch::to(standby.port());
    let engine = open(&primary, &switch.address(), Duration::from_secs(600));
    put(&engine, 1);
    until(|| stale(&engine) == Some(1));
    let snapshot = runtime().block_on(engine.stale_snapshot()).expect("it is fresh");
    switch.fall_silent();
    let few = KEYS.map(<[u8]>::to_vec);
    let many: Vec<Vec<u8>> = (0..100_u8).map(|number| vec![number]).collect();
    assert_eq!(soon(engine.stale_get_many(&many)), None);
    assert_eq!(soon(engine.stale_get_many(&few)), None);
    assert!(soon(engine.stale_snapshot()).is_none());
    assert!(soon(snapshot.get(b"number")).is_err());
    switch.lead_to(standby.port());
    until(|| stale(&engine) == Some(1));
    let found = soon(engine.stale_get_many(&many)).expect("it is fresh");
    assert_eq!(found, vec![None; many.len()]);
    runtime().block_on(engine.close()).expect("closes");
}
