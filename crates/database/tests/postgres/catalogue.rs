//! Changes of tables on one server hold on all of them at once.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use monotable_database::{Home, TableChange, TableError};
use monotable_storage::{Direction, Engine, KeyRange, Snapshot};

use crate::fleet::{
    Fleet, SERVERS, Server, Stream, change, create, indexes_settle, on_each, put, run, table_on,
    update,
};
use crate::support::{contents, table};

const ITEMS: usize = 200;
/// The families that hold a table's own data, as `tests/database` has them.
const DATA_FAMILIES: [u8; 5] = [0x02, 0x03, 0x05, 0x07, 0x0D];
/// The family of notes of what is to be removed.
const GARBAGE: u8 = 0x07;

fn add_index(text: &str) -> TableChange {
    let index = table::global_index(text).expect("an index");
    TableChange {
        definitions: index.key.attributes().cloned().collect(),
        create_index: Some(index),
        ..TableChange::default()
    }
}

fn remove_index(name: &str) -> TableChange {
    TableChange { delete_index: Some(name.to_owned()), ..TableChange::default() }
}

fn item(number: usize, at: usize) -> String {
    format!("{{\"pk\": {number}, \"g\": \"g{}\", \"n\": {at}}}", at % 3)
}

#[test]
fn an_index_that_comes_and_goes_under_the_load_of_all_servers_is_exact() {
    run(|fleet| async move {
        create(fleet.server(0), "t", Stream::None, &[]).await;
        for at in 0..ITEMS {
            assert!(put(fleet.server(at), "t", &item(at, at)).await);
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let load = {
            let (fleet, is_over) = (fleet.clone(), is_over.clone());
            tokio::spawn(on_each(move |number| write_until(fleet.clone(), number, is_over.clone())))
        };
        for round in 0..2 {
            change(fleet.server(round), "t", add_index("by_g g:S/n:N all")).await;
            indexes_settle(fleet.server(round + 1), "t").await;
            change(fleet.server(round + 1), "t", remove_index("by_g")).await;
            indexes_settle(fleet.server(round + 2), "t").await;
        }
        change(fleet.server(2), "t", add_index("by_g g:S/n:N all")).await;
        indexes_settle(fleet.server(0), "t").await;
        is_over.store(true, Ordering::Release);
        load.await.expect("the load ends well");
        let server = fleet.server(1);
        let table = server.current_table(&Home::default(), "t").await.unwrap().unwrap();
        contents::check_indexes_and_counters(server, &table).await;
    });
}

async fn write_until(fleet: Fleet, number: usize, is_over: Arc<AtomicBool>) {
    let server = fleet.server(number);
    let mut at = number * 1009;
    while !is_over.load(Ordering::Acquire) {
        at += 1;
        let pk = at * 31 % ITEMS;
        let key = format!("{{\"pk\": {pk}}}");
        let is_done = match at % 3 {
            0 => put(server, "t", &item(pk, at)).await,
            1 => update(server, "t", &key, &format!("SET g = `\"u{at}\"`, n = `1`")).await,
            _ => update(server, "t", &key, "REMOVE g").await,
        };
        assert!(is_done, "the table is there");
    }
}

#[test]
fn a_table_that_one_server_deletes_under_the_load_of_others_leaves_nothing() {
    run(|fleet| async move {
        create(fleet.server(0), "t", Stream::Whole, &["by_n n:N all"]).await;
        for at in 0..ITEMS {
            assert!(put(fleet.server(at), "t", &item(at, at)).await);
        }
        let load = {
            let fleet = fleet.clone();
            tokio::spawn(on_each(move |number| {
                let fleet = fleet.clone();
                async move {
                    let mut at = number * 100_000;
                    while put(fleet.server(number), "t", &item(at, at)).await {
                        at += 1;
                    }
                }
            }))
        };
        delete(fleet.server(1), "t").await;
        load.await.expect("the load ends well");
        for server in &fleet.servers {
            assert!(table_on(server, "t").await.is_none());
        }
        // Whoever began to remove what is left may stop; then another one goes on.
        fleet.server(1).close().await.expect("a database closes");
        let engine = fleet.engine().await;
        while !keys(&engine, &[GARBAGE]).await.is_empty() {
            fleet.clock.advance(Duration::from_secs(60));
            tokio::task::yield_now().await;
        }
        assert_eq!(keys(&engine, &DATA_FAMILIES).await, Vec::<Vec<u8>>::new());
    });
}

async fn delete(server: &Server, name: &str) {
    loop {
        let table = table_on(server, name).await.expect("the table is there");
        match server.delete_table(&table).await {
            Ok(_) => return,
            Err(TableError::SchemaChanged) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

async fn keys<E: Engine>(engine: &E, families: &[u8]) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    let snapshot = engine.snapshot().await.expect("a snapshot opens");
    for family in families {
        let collect = |key: &[u8], _: Bytes| {
            keys.push(key.to_vec());
            ControlFlow::Continue(())
        };
        let range = KeyRange::prefix(&[*family]);
        let visited = snapshot.visit(&range, Direction::Forward, usize::MAX, collect).await;
        visited.expect("a range reads");
    }
    keys
}

#[test]
fn pages_of_table_names_hold_what_all_servers_have_created() {
    const TABLES: usize = 8;
    run(|fleet| async move {
        let creating = fleet.clone();
        on_each(move |number| {
            let fleet = creating.clone();
            async move {
                for at in 0..TABLES {
                    let name = format!("table-{:02}", at * SERVERS + number);
                    create(fleet.server(number), &name, Stream::None, &[]).await;
                }
            }
        })
        .await;
        let (mut names, mut turn): (Vec<String>, usize) = (Vec::new(), 0);
        loop {
            let (server, start) = (fleet.server(turn), names.last().map(String::as_str));
            let page = server.table_names(&Home::default(), start, 5).await;
            let page = page.expect("the store can be read");
            if page.is_empty() {
                break;
            }
            names.extend(page);
            turn += 1;
        }
        let expected: Vec<String> =
            (0..TABLES * SERVERS).map(|number| format!("table-{number:02}")).collect();
        assert_eq!(names, expected);
    });
}

#[test]
fn of_servers_that_create_one_table_at_once_one_succeeds() {
    run(|fleet| async move {
        for round in 0..5 {
            let (name, made) = (format!("t{round}"), Arc::new(AtomicUsize::new(0)));
            let (fleet, made_by) = (fleet.clone(), made.clone());
            on_each(move |number| {
                let (fleet, name, made) = (fleet.clone(), name.clone(), made_by.clone());
                async move {
                    let definition = table::table(&name, "pk:N").expect("a table");
                    match fleet.server(number).create_table(definition).await {
                        Ok(_) => {
                            made.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(TableError::Exists) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            })
            .await;
            assert_eq!(made.load(Ordering::Relaxed), 1);
        }
    });
}
