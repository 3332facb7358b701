//! What an operator is told when the database is not what it should be, and what calls are
//! answered.

use monotable_postgres_fixture::{Postgres, Programs, Setup, Syncs};
use monotable_storage::{Batch, Engine, ErrorKind, testing};
use monotable_storage_postgres::{
    FORMAT_VERSION, Initialized, Migrated, OpenError, PostgresEngine, PostgresOptions, init,
    mark_finished, mark_unfinished, migrate, status,
};

use crate::store::{Store, runtime, server};

fn refusal(options: &PostgresOptions) -> String {
    refused(options).to_string()
}

fn refused(options: &PostgresOptions) -> OpenError {
    let opened = runtime().block_on(PostgresEngine::open(options));
    opened.err().expect("the store is refused")
}

fn options(address: &str) -> PostgresOptions {
    PostgresOptions::new(address).expect("an address")
}

/// A server of its own.
fn own_server(setup: Setup<'_>) -> Postgres {
    let programs = Programs::find().expect("PostgreSQL is installed");
    Postgres::start_with(&programs, Syncs::Never, setup).expect("PostgreSQL starts")
}

#[test]
fn a_database_without_a_store_is_refused() {
    let options = options(&server().address()).schema("nothing_here").expect("a name");
    assert_eq!(refusal(&options), "the database holds no store in the schema \"nothing_here\"");
    let migrated = runtime().block_on(migrate(&options));
    assert!(matches!(migrated, Err(OpenError::Missing(_))));
}

#[test]
fn a_store_of_a_newer_format_is_used_only_if_it_allows_that() {
    let store = Store::new();
    store.ask("update format set version = 99");
    runtime().block_on(store.open().close()).expect("a store that allows it opens");
    store.ask("update format set floor = 98");
    let expected =
        format!("the store has format 99, and this version knows formats up to {FORMAT_VERSION}");
    assert_eq!(refusal(&store.options), expected);
    let made = runtime().block_on(init(&store.options));
    assert_eq!(made.expect_err("init refuses it too").to_string(), expected);
    let migrated = runtime().block_on(migrate(&store.options));
    assert_eq!(migrated.expect_err("migrate refuses it too").to_string(), expected);
}

#[test]
fn a_store_of_an_older_format_is_refused_until_it_is_migrated() {
    let store = Store::new();
    store.ask("insert into kv values ('a', 'b')");
    // What the first format was.
    store.ask("drop table server");
    store.ask("alter table format drop column floor");
    store.ask("update format set version = 1");
    let expected =
        format!("the store has the older format 1, and this version needs {FORMAT_VERSION}");
    assert_eq!(refusal(&store.options), expected);
    let migrated = runtime().block_on(migrate(&store.options)).expect("it is migrated");
    assert_eq!(migrated, Migrated { from: 1, to: FORMAT_VERSION });
    let again = runtime().block_on(migrate(&store.options)).expect("nothing is to be done");
    assert_eq!(again, Migrated { from: FORMAT_VERSION, to: FORMAT_VERSION });
    let engine = store.open();
    let value = runtime().block_on(engine.get(b"a")).expect("a key reads");
    assert_eq!(value.as_deref(), Some(&b"b"[..]));
}

#[test]
fn a_store_that_is_unfinished_opens_only_when_it_is_finished() {
    let store = Store::new();
    let status = || runtime().block_on(status(&store.options)).expect("it has a status");
    // Whoever marks it twice marks it once.
    for _ in 0..2 {
        runtime().block_on(mark_unfinished(&store.options)).expect("it is marked");
    }
    let refused = refusal(&store.options);
    assert!(refused.ends_with("is a copy that was not finished"), "{refused}");
    let made = runtime().block_on(init(&store.options));
    assert!(matches!(made, Err(OpenError::Unfinished(_))));
    assert!(status().is_unfinished && status().floor == 1);
    runtime().block_on(mark_finished(&store.options)).expect("it is marked");
    assert!(!status().is_unfinished && status().floor == 1);
    runtime().block_on(store.open().close()).expect("it opens");
}

#[test]
fn a_database_that_takes_no_writes_is_refused() {
    let read_only = "options=-cdefault_transaction_read_only%3Don";
    for address in [
        format!("{}?{read_only}", server().address()),
        // The driver itself passes hosts over that take no writes.
        format!("{}?{read_only}&target_session_attrs=read-write", server().address()),
    ] {
        assert_eq!(
            refusal(&options(&address)),
            "the database takes no writes: it is a standby or read-only; name the primary, or all \
             hosts"
        );
    }
}

#[test]
fn nobody_at_the_address_and_an_unknown_database_are_told_apart() {
    assert_eq!(
        refusal(&options("postgres://u@127.0.0.1:1/db")),
        "cannot connect to the database: Connection refused (os error 111)"
    );
    let unknown =
        server().address().replace("/postgres", "/unknown").replacen("//unknown", "//postgres", 1);
    assert_eq!(refusal(&options(&unknown)), "database \"unknown\" does not exist");
}

#[test]
fn a_wrong_password_is_told() {
    let hba = "host all all 127.0.0.1/32 scram-sha-256\n";
    let server = own_server(Setup { hba: Some(hba), ..Setup::default() });
    let options = options(&server.address()).password_if_none("wrong");
    assert_eq!(
        refusal(&options),
        "the database does not let us in: password authentication failed for user \"postgres\""
    );
}

#[test]
fn a_server_without_a_connection_left_is_told() {
    let setup = Setup { options: "-c max_connections=5", ..Setup::default() };
    let server = own_server(setup);
    let mut held = Vec::new();
    let error = runtime().block_on(async {
        loop {
            match tokio_postgres::connect(&server.address(), tokio_postgres::NoTls).await {
                Ok((client, driver)) => {
                    runtime().spawn(driver);
                    held.push(client);
                }
                Err(_) => return PostgresEngine::open(&options(&server.address())).await.err(),
            }
        }
    });
    assert!(matches!(error, Some(OpenError::TooManyConnections(_))), "{error:?}");
}

#[test]
fn a_full_disk_refuses_writes_whole_and_lets_reads_go_on() {
    let store = Store::new();
    let engine = store.open();
    let put = |key: &[u8]| {
        let mut batch = Batch::new();
        batch.put(key.to_vec(), "1");
        batch.append(b"log".to_vec(), key.to_vec());
        runtime().block_on(testing::commit(&engine, &batch))
    };
    put(b"before").expect("there is room");
    store.ask(
        "create function no_room() returns trigger language plpgsql as \
         $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$; \
         create trigger no_room before insert on log execute function no_room()",
    );
    let refused = put(b"during").expect_err("there is no room");
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
    assert_eq!(store.ask("select count(*) from kv"), "1");
    let read = runtime().block_on(engine.get(b"before")).expect("reads go on");
    assert!(read.is_some());
    store.ask("drop trigger no_room on log");
    put(b"after").expect("there is room again");
    assert_eq!(store.ask("select count(*) from kv"), "2");
}

#[test]
fn a_database_that_goes_away_refuses_calls_until_it_is_back() {
    let server = own_server(Setup::default());
    let options = options(&server.address());
    runtime().block_on(init(&options)).expect("a store is made");
    let engine = runtime().block_on(PostgresEngine::open(&options)).expect("a store opens");
    drop(server);
    let mut batch = Batch::new();
    batch.put(b"a".to_vec(), "1");
    runtime().block_on(async {
        let read = engine.get(b"a").await.expect_err("nobody is there");
        assert_eq!(read.kind(), ErrorKind::Unavailable);
        let written = testing::commit(&engine, &batch).await.expect_err("nobody is there");
        assert_eq!(written.kind(), ErrorKind::Unavailable);
        engine.close().await.expect("it closes all the same");
    });
}

#[test]
fn making_a_store_twice_leaves_it_as_it_is() {
    let store = Store::new();
    store.ask("insert into kv values ('a', 'b')");
    let made = runtime().block_on(init(&store.options)).expect("it is there already");
    assert_eq!(made, Initialized::WasThere);
    assert_eq!(store.ask("select count(*) from kv"), "1");
}
