//! Connections that break at any moment: nothing answered is lost, and nothing happens twice.

use std::ops::ControlFlow;
use std::sync::Arc;

use monotable_postgres_fixture::{Postgres, Programs, Setup, Syncs};
use monotable_storage::{
    Batch, CommitId, Decision, Direction, Engine, ErrorKind, Reads, Settled, Snapshot, Wants,
};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions, init};

use crate::store::{Store, execute, runtime};

const ROUNDS: u64 = 150;

#[test]
fn increments_survive_the_loss_of_connections() {
    let store = Store::new();
    let engine = Arc::new(store.open());
    let tasks: Vec<_> = (0..4).map(|_| runtime().spawn(increment_often(engine.clone()))).collect();
    for _ in 0..30 {
        store.ask(
            "select pg_terminate_backend(pid) from pg_stat_activity \
             where application_name = current_schema() and random() < 0.5",
        );
    }
    runtime().block_on(async {
        let mut answered = 0;
        for task in tasks {
            answered += task.await.expect("a task does not panic");
        }
        let number = engine.get(b"number").await.expect("reads").expect("there is a number");
        assert_eq!(*number, answered.to_be_bytes());
        assert_eq!(appended(&engine).await, (1..=answered).collect::<Vec<_>>());
    });
}

/// Adds one so many times, and returns how many times it was told that it had.
async fn increment_often(engine: Arc<PostgresEngine>) -> u64 {
    let mut answered = 0;
    for _ in 0..ROUNDS {
        let keys = [b"number".to_vec()];
        let decide = |reads: &Reads| {
            let bytes = |stored: &bytes::Bytes| stored.as_ref().try_into().expect("8 bytes");
            let number = reads.get(0).map_or(0, |stored| u64::from_be_bytes(bytes(stored))) + 1;
            let mut batch = Batch::new();
            batch.put(b"number".to_vec(), number.to_be_bytes().to_vec());
            batch.append(b"log".to_vec(), number.to_be_bytes().to_vec());
            Decision::Commit(batch, ())
        };
        match engine.transact(Wants::locked(&keys), decide).await {
            Ok(()) => answered += 1,
            Err(error) => {
                let is_refused =
                    [ErrorKind::Unavailable, ErrorKind::Conflict].contains(&error.kind());
                assert!(is_refused, "{error:?}");
            }
        }
    }
    answered
}

async fn appended(engine: &PostgresEngine) -> Vec<u64> {
    let snapshot = engine.snapshot().await.expect("a snapshot opens");
    let mut found = Vec::new();
    let visit = |_, value: bytes::Bytes| {
        found.push(u64::from_be_bytes(value.as_ref().try_into().expect("8 bytes")));
        ControlFlow::Continue(())
    };
    let all = 0..=u64::MAX;
    snapshot.visit_log(b"log", all, Direction::Forward, 100, visit).await.expect("a log reads");
    found
}

#[test]
fn what_settle_has_said_stays_true() {
    let store = Store::new();
    let engine = store.open();
    let never = CommitId(0x1234);
    runtime().block_on(async {
        assert_eq!(engine.settle(never).await.expect("settles"), Settled::NotCommitted);
    });
    // The token is taken now, so the commit that it stands for can no longer happen.
    let taken = "select count(*) from token where encode(id, 'hex') like '%1234'";
    assert_eq!(store.ask(taken), "1");
    let mut batch = Batch::new();
    batch.put(b"a".to_vec(), "1");
    runtime().block_on(monotable_storage::testing::commit(&engine, &batch)).expect("commits");
    let committed = store.ask("select encode(id, 'hex') from token order by made desc limit 1");
    let committed = CommitId(u128::from_str_radix(&committed, 16).expect("a token"));
    runtime().block_on(async {
        assert_eq!(engine.settle(committed).await.expect("settles"), Settled::Committed);
    });
}

#[test]
fn a_commit_that_a_synchronous_standby_may_lack_is_not_said_to_have_happened() {
    let programs = Programs::find().expect("PostgreSQL is installed");
    let setup = Setup { options: "-c synchronous_standby_names=nobody", ..Setup::default() };
    let server = Postgres::start_with(&programs, Syncs::Never, setup).expect("PostgreSQL starts");
    let options = |parameters: &str| {
        let address = format!("{}?{parameters}", server.address());
        PostgresOptions::new(&address).expect("an address")
    };
    let open = |options: &PostgresOptions| {
        runtime().block_on(PostgresEngine::open(options)).expect("a store opens")
    };
    let local = options("options=-csynchronous_commit%3Dlocal");
    runtime().block_on(init(&local)).expect("a store is made");
    let mut batch = Batch::new();
    batch.put(b"a".to_vec(), "1");
    runtime().block_on(monotable_storage::testing::commit(&open(&local), &batch)).expect("commits");
    let ask = |sql: &str| execute(&server.address(), sql).pop().unwrap_or_default();
    let committed = ask("select encode(id, 'hex') from monotable.token");
    let committed = CommitId(u128::from_str_radix(&committed, 16).expect("a token"));
    let engine = open(&options("application_name=settler"));
    let settling = runtime().spawn(async move { engine.settle(committed).await });
    let waits = "select count(*) from pg_stat_activity \
         where application_name = 'settler' and wait_event = 'SyncRep'";
    while ask(waits) == "0" {
        assert!(!settling.is_finished(), "nobody has it but the primary");
    }
    settling.abort();
}
