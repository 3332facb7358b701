//! A database that lets in fewer connections than a server would like: what is open does all the
//! work, and a server without any says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_postgres_fixture::{Postgres, Programs, Syncs};
use monotable_storage::{Batch, Decision, Engine, ErrorKind, Reads, Snapshot, Wants, testing};
use monotable_storage_postgres::{
    PostgresEngine, PostgresOptions, Registration, StoreHealth, init,
};

use crate::store::{execute, runtime, server};

/// A store whose servers are a user of the database of their own.
struct Limited {
    user: String,
    engine: Arc<PostgresEngine>,
}

impl Limited {
    fn new() -> Limited {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let user = format!("few_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let make = format!("create role {user} login; grant create on database postgres to {user}");
        execute(&server().address(), &make);
        let address = server().address().replacen("//postgres@", &format!("//{user}@"), 1);
        let options = PostgresOptions::new(&address).and_then(|options| options.schema(&user));
        let options = options.expect("an address");
        runtime().block_on(init(&options)).expect("a store is made");
        let engine = runtime().block_on(PostgresEngine::open(&options)).expect("a store opens");
        Limited { user, engine: Arc::new(engine) }
    }

    /// Lets in so many connections, and ends those that are open.
    fn limit(&self, connections: i32) {
        let user = &self.user;
        let limit = format!(
            "alter role {user} connection limit {connections}; \
             select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '{user}'"
        );
        execute(&server().address(), &limit);
    }

    /// Has many callers read and write in all ways at once, and expects that all are answered.
    fn work(&self) {
        let calls: Vec<_> = (0..24)
            .map(|caller| runtime().spawn(call_often(self.engine.clone(), caller)))
            .collect();
        for call in calls {
            runtime().block_on(call).expect("a caller is answered");
        }
    }
}

async fn call_often(engine: Arc<PostgresEngine>, caller: u8) {
    let keys = [vec![caller]];
    for _ in 0..20 {
        let put = |_: &Reads| {
            let mut batch = Batch::new();
            batch.put(vec![caller], "1");
            Decision::Commit(batch, ())
        };
        engine.transact(Wants::locked(&keys), put).await.expect("it commits");
        assert!(engine.get(&[caller]).await.expect("it reads").is_some());
        let snapshot = engine.snapshot().await.expect("a snapshot opens");
        assert!(snapshot.get(&[caller]).await.expect("it reads").is_some());
    }
}

fn registration() -> Registration {
    Registration { id: 1, name: "host:1".to_owned(), version: "1.2.3".to_owned() }
}

#[test]
fn a_few_connections_do_the_work_of_all() {
    let store = Limited::new();
    for connections in [1, 2, 3, 6] {
        store.limit(connections);
        store.work();
    }
}

#[test]
fn connections_that_rest_give_way_to_other_work() {
    let store = Limited::new();
    let write = || {
        let mut batch = Batch::new();
        batch.put(b"a".to_vec(), "1");
        runtime().block_on(testing::commit(&*store.engine, &batch)).expect("it commits");
    };
    let read = || runtime().block_on(store.engine.get(b"a")).expect("it reads");
    store.limit(1);
    for _ in 0..3 {
        write();
        assert!(read().is_some());
    }
}

#[test]
fn a_server_whose_only_connection_is_its_heartbeat_is_not_ready() {
    let store = Limited::new();
    store.limit(1);
    runtime().block_on(async {
        let engine = &store.engine;
        engine.register(registration()).await;
        // The heartbeat has its connection when the server is listed.
        let listed = format!("select id from {}.server", store.user);
        while runtime()
            .spawn_blocking({
                let (listed, address) = (listed.clone(), server().address());
                move || execute(&address, &listed).is_empty()
            })
            .await
            .expect("the database answers")
        {}
        let refused = engine.get(b"a").await.expect_err("there is no connection");
        assert_eq!(refused.kind(), ErrorKind::Unavailable);
        let reason = loop {
            match engine.health() {
                StoreHealth::Unwritable { reason } => break reason,
                StoreHealth::Writable => tokio::task::yield_now().await,
            }
        };
        assert!(reason.contains("too many connections for role"), "{reason}");
    });
    let unlimited = format!("alter role {} connection limit -1", store.user);
    execute(&server().address(), &unlimited);
    while store.engine.health() != StoreHealth::Writable {
        std::thread::yield_now();
    }
    store.work();
}

#[test]
fn a_database_that_is_gone_is_asked_rarely() {
    let programs = Programs::find().expect("PostgreSQL is installed");
    let server = Postgres::start(&programs, Syncs::Never).expect("PostgreSQL starts");
    let options = PostgresOptions::new(&server.address()).expect("an address");
    runtime().block_on(init(&options)).expect("a store is made");
    let engine = runtime().block_on(PostgresEngine::open(&options)).expect("a store opens");
    drop(server);
    let mut batch = Batch::new();
    batch.put(b"a".to_vec(), "1");
    runtime().block_on(async {
        for _ in 0..500 {
            let read = engine.get(b"a").await.expect_err("nobody is there");
            assert_eq!(read.kind(), ErrorKind::Unavailable);
            let written = testing::commit(&engine, &batch).await.expect_err("nobody is there");
            assert_eq!(written.kind(), ErrorKind::Unavailable);
        }
    });
    let attempts = engine.statistics().failed_connections;
    assert!(attempts < 30, "{attempts} attempts for 1,000 calls");
}
