//! Servers are listed while they are there, and know whether the store takes writes.

use monotable_storage::Engine;
use monotable_storage_postgres::{PostgresEngine, Registration, ServerStatus, StoreHealth, status};

use crate::store::{Store, runtime};

fn registration(id: u128) -> Registration {
    Registration { id, name: format!("host:{id}"), version: "1.2.3".to_owned() }
}

async fn servers(store: &Store) -> Vec<ServerStatus> {
    let mut servers = status(&store.options).await.expect("a store has a status").servers;
    servers.sort_unstable_by_key(|server| server.id);
    servers
}

#[test]
fn a_server_is_listed_until_it_is_closed() {
    let store = Store::new();
    let (one, other) = (store.open(), store.open());
    runtime().block_on(async {
        one.register(registration(1)).await;
        other.register(registration(2)).await;
        let listed = loop {
            let listed = servers(&store).await;
            if listed.len() == 2 {
                break listed;
            }
        };
        let names: Vec<(&str, &str)> =
            listed.iter().map(|server| (server.name.as_str(), server.version.as_str())).collect();
        assert_eq!(names, [("host:1", "1.2.3"), ("host:2", "1.2.3")]);
        one.close().await.expect("a store closes");
        assert_eq!(servers(&store).await.iter().map(|it| it.id).collect::<Vec<_>>(), [2]);
        other.close().await.expect("a store closes");
        assert!(servers(&store).await.is_empty());
    });
}

#[test]
fn a_store_that_takes_no_writes_is_noticed_and_so_is_its_return() {
    let store = Store::new();
    let engine = store.open();
    runtime().block_on(engine.register(registration(1)));
    store.ask(
        "create function no_room() returns trigger language plpgsql as \
         $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$; \
         create trigger no_room before insert or update on server execute function no_room()",
    );
    let reason = "the disk of the database is full: no room".to_owned();
    wait_for(&engine, &StoreHealth::Unwritable { reason });
    store.ask("drop trigger no_room on server");
    wait_for(&engine, &StoreHealth::Writable);
    assert!(engine.statistics().is_writable);
}

/// Waits for what must come within seconds.
fn wait_for(engine: &PostgresEngine, health: &StoreHealth) {
    while engine.health() != *health {
        std::thread::yield_now();
    }
}

#[test]
fn a_store_tells_its_sizes_and_connections() {
    let store = Store::new();
    let found = runtime().block_on(status(&store.options)).expect("a store has a status");
    let mut names: Vec<&str> = found.tables.iter().map(|table| table.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["counter", "format", "kv", "kv_long", "log", "server", "token"]);
    assert!(found.connections.open > 0 && found.connections.max > found.connections.open);
    assert_eq!(found.synchronous_standby_names, "");
}
