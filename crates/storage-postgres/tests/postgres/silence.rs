//! Connections that stay open and say nothing: a commit is given up in time, found out about on
//! another connection, and answered as it went.

use std::time::Duration;

use bytes::Bytes;
use monotable_storage::{Batch, Decision, Engine, ErrorKind, Reads, Wants, testing};
use monotable_storage_postgres::PostgresEngine;

use crate::silent_proxy::{SilentProxy, Swallowed};
use crate::store::{Store, runtime};

/// Much shorter than what servers wait, lest the tests take long.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(300);

/// An engine whose only committing connection is open.
fn open(store: &Store, proxy: &SilentProxy) -> PostgresEngine {
    let options = store.options_through(proxy.port()).writers(1).answer_timeout(ANSWER_TIMEOUT);
    let engine = runtime().block_on(PostgresEngine::open(&options)).expect("a store opens");
    append(&engine, "first");
    engine
}

/// Commits without reading anything.
fn append(engine: &PostgresEngine, entry: &str) {
    let mut batch = Batch::new();
    batch.append(b"log".to_vec(), entry.to_owned());
    runtime().block_on(testing::commit(engine, &batch)).expect("it commits");
}

fn entries(store: &Store) -> String {
    store.ask_all("select convert_from(v, 'UTF8') from log order by pos")
}

#[test]
fn a_commit_that_happened_is_answered_though_its_answer_never_comes() {
    let (store, proxy) = (Store::new(), SilentProxy::start());
    let engine = open(&store, &proxy);
    let before = proxy.connections();
    proxy.silence(Swallowed::Answers);
    append(&engine, "second");
    assert!(proxy.connections() > before, "it was found out about on another connection");
    append(&engine, "third");
    assert_eq!(entries(&store), "first\nsecond\nthird");
}

#[test]
fn a_commit_that_never_arrived_is_made_once() {
    let (store, proxy) = (Store::new(), SilentProxy::start());
    let engine = open(&store, &proxy);
    proxy.silence(Swallowed::Everything);
    append(&engine, "second");
    append(&engine, "third");
    assert_eq!(entries(&store), "first\nsecond\nthird");
}

#[test]
fn a_transaction_that_cannot_read_is_refused_and_the_next_one_is_not() {
    let (store, proxy) = (Store::new(), SilentProxy::start());
    let engine = open(&store, &proxy);
    proxy.silence(Swallowed::Everything);
    let keys = [b"key".to_vec()];
    let put = |_: &Reads| {
        let mut batch = Batch::new();
        batch.put(b"key".to_vec(), "1");
        Decision::Commit(batch, ())
    };
    runtime().block_on(async {
        let refused = engine.transact(Wants::locked(&keys), put).await;
        assert_eq!(refused.expect_err("nobody answers").kind(), ErrorKind::Unavailable);
        engine.transact(Wants::locked(&keys), put).await.expect("it goes on");
        let value = engine.get(b"key").await.expect("it is read");
        assert_eq!(value, Some(Bytes::from_static(b"1")));
    });
}
