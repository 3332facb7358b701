//! Reads that come together are one question, and each is answered as if it had come alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_storage::{Batch, Engine, ErrorKind, Key};
use monotable_storage_postgres::PostgresEngine;

use crate::store::{Store, runtime};

fn key(number: u32) -> Key {
    number.to_be_bytes().to_vec()
}

/// Numbers below this are there; each holds itself.
const ROWS: u32 = 200;

fn filled(store: &Store) -> Arc<PostgresEngine> {
    let engine = Arc::new(store.open());
    let mut batch = Batch::new();
    (0..ROWS).for_each(|number| batch.put(key(number), key(number)));
    let commit = monotable_storage::testing::commit(&*engine, &batch);
    runtime().block_on(commit).expect("commits");
    engine
}

async fn read(engine: Arc<PostgresEngine>, number: u32) -> bool {
    let found = engine.get(&key(number)).await.expect("reads");
    found.map(|value| value.to_vec()) == (number < ROWS).then(|| key(number))
}

#[test]
fn many_reads_at_once_are_few_questions_and_all_are_right() {
    let store = Store::new();
    let engine = filled(&store);
    runtime().block_on(async {
        let reads: Vec<_> =
            (0..2 * ROWS).map(|number| tokio::spawn(read(engine.clone(), number))).collect();
        for read in reads {
            assert!(read.await.expect("a task does not panic"));
        }
    });
    let counts = engine.joined_reads();
    assert_eq!(counts.requests, u64::from(2 * ROWS));
    assert!(counts.questions < counts.requests / 2, "{counts:?}");
}

#[test]
fn callers_that_go_away_harm_nobody() {
    let store = Store::new();
    let engine = filled(&store);
    runtime().block_on(async {
        for _ in 0..20 {
            let reads: Vec<_> =
                (0..ROWS).map(|number| tokio::spawn(read(engine.clone(), number))).collect();
            tokio::task::yield_now().await;
            reads.iter().step_by(2).for_each(tokio::task::JoinHandle::abort);
            for read in reads.into_iter().skip(1).step_by(2) {
                assert!(read.await.expect("a task does not panic"));
            }
        }
    });
}

#[test]
fn a_read_sees_every_commit_that_was_answered_before_it() {
    let store = Store::new();
    let engines = [Arc::new(store.open()), Arc::new(store.open())];
    let answered = Arc::new(AtomicU64::new(0));
    runtime().block_on(async {
        let [writer, _] = &engines;
        put_number(writer, 0).await;
        let readers: Vec<_> = (0..16)
            .map(|turn| {
                let engine = engines[turn % 2].clone();
                tokio::spawn(look_often(engine, answered.clone()))
            })
            .collect();
        for number in 1..=200 {
            put_number(writer, number).await;
            answered.store(number, Ordering::SeqCst);
        }
        answered.store(u64::MAX, Ordering::SeqCst);
        for reader in readers {
            reader.await.expect("a reader does not panic");
        }
    });
}

async fn put_number(engine: &PostgresEngine, number: u64) {
    let mut batch = Batch::new();
    batch.put(b"number".to_vec(), number.to_be_bytes().to_vec());
    monotable_storage::testing::commit(engine, &batch).await.expect("commits");
}

async fn look_often(engine: Arc<PostgresEngine>, answered: Arc<AtomicU64>) {
    loop {
        let before = answered.load(Ordering::SeqCst);
        if before == u64::MAX {
            return;
        }
        let found = engine.get(b"number").await.expect("reads").expect("there is a number");
        let found = u64::from_be_bytes(found.as_ref().try_into().expect("8 bytes"));
        assert!(found >= before, "{found} was read after {before} was answered");
    }
}

#[test]
fn reads_survive_the_loss_of_connections() {
    let store = Store::new();
    let engine = filled(&store);
    let readers: Vec<_> = (0..8)
        .map(|first| {
            let engine = engine.clone();
            runtime().spawn(async move {
                for number in (first..2 * ROWS).step_by(8).cycle().take(400) {
                    match engine.get(&key(number)).await {
                        Ok(found) => assert_eq!(found.is_some(), number < ROWS),
                        Err(error) => assert_eq!(error.kind(), ErrorKind::Unavailable),
                    }
                }
            })
        })
        .collect();
    for _ in 0..20 {
        store.ask(
            "select pg_terminate_backend(pid) from pg_stat_activity \
             where application_name = current_schema() and random() < 0.5",
        );
    }
    for reader in readers {
        runtime().block_on(reader).expect("a reader does not panic");
    }
}
