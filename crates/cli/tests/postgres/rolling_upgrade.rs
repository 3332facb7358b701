//! Servers are replaced one by one while clients work: no call is refused, and nothing that was
//! answered is lost or happens twice.
//!
//! A client meets nothing but connections that end, which every SDK answers by sending the request
//! again. So that is all that the clients here do.
//!
//! `MONOTABLE_OLDER_BINARY` names the program of an earlier version, which the servers run that are
//! replaced; without it they run this one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ScopedJoinHandle};

use monotable_conformance::client::{Client, Outcome};
use monotable_conformance::fleet::{Ending, Fleet, Home};
use serde_json::{Value, json};

use crate::database;

/// Names the program of an earlier version.
const OLDER_VARIABLE: &str = "MONOTABLE_OLDER_BINARY";

const TABLE: &str = "orders";
const SERVERS: usize = 3;
const CLIENTS: u64 = 6;

/// How many rounds all clients make together before the next server is replaced.
const ROUNDS_BETWEEN: u64 = 40;

/// What clients share.
#[derive(Default)]
struct Load {
    rounds: AtomicU64,
    is_over: AtomicBool,
}

#[test]
fn servers_are_replaced_one_by_one_under_load_and_nothing_is_lost() {
    let binary = Path::new(env!("CARGO_BIN_EXE_monotable"));
    let home = Home::Shared { database: database().address(), servers: SERVERS };
    let older = std::env::var_os(OLDER_VARIABLE).map_or_else(|| binary.to_owned(), PathBuf::from);
    let mut fleet = Fleet::start(&older, &home, &[]).unwrap();
    let endpoint = fleet.endpoint().to_owned();
    create_table(&mut Client::new(&endpoint));
    fleet.upgrade_to(binary).unwrap();
    let load = Load::default();
    let done: Vec<u64> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (client, load) = (Client::new(&endpoint), &load);
                scope.spawn(move || Worker { number, client }.work(load))
            })
            .collect();
        for server in 0..SERVERS {
            wait_for_rounds(&load, &clients);
            fleet.replace(server, Ending::Terminated).unwrap();
        }
        wait_for_rounds(&load, &clients);
        load.is_over.store(true, Ordering::Relaxed);
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let mut client = Client::new(&endpoint);
    for (number, rounds) in (0..CLIENTS).zip(done) {
        assert_eq!(number_of(&mut client, &format!("last-{number}")), Some(rounds));
        assert_eq!(number_of(&mut client, &format!("count-{number}")), Some(rounds));
    }
}

fn create_table(client: &mut Client) {
    let request = json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
    });
    client.must("CreateTable", &request).unwrap();
}

/// Waits until the clients have made some more rounds, or one of them has failed.
fn wait_for_rounds(load: &Load, clients: &[ScopedJoinHandle<'_, u64>]) {
    let until = load.rounds.load(Ordering::Relaxed) + ROUNDS_BETWEEN;
    while load.rounds.load(Ordering::Relaxed) < until {
        assert!(!clients.iter().any(ScopedJoinHandle::is_finished), "a client has failed");
        thread::yield_now();
    }
}

/// A client with items of its own.
struct Worker {
    number: u64,
    client: Client,
}

impl Worker {
    /// Writes and reads until it is told to stop; returns how many rounds that were.
    fn work(mut self, load: &Load) -> u64 {
        let mut round = 0;
        while !load.is_over.load(Ordering::Relaxed) {
            round += 1;
            let last = format!("last-{}", self.number);
            let item = json!({ "id": { "S": last }, "n": { "N": round.to_string() } });
            self.call("PutItem", &json!({ "TableName": TABLE, "Item": item }));
            assert_eq!(number_of_item(&self.call("GetItem", &get(&last))), Some(round));
            self.call("TransactWriteItems", &self.count(round));
            load.rounds.fetch_add(1, Ordering::Relaxed);
        }
        round
    }

    /// Adds one, which happens once however often it is sent.
    fn count(&self, round: u64) -> Value {
        let update = json!({
            "TableName": TABLE,
            "Key": { "id": { "S": format!("count-{}", self.number) } },
            "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": { ":one": { "N": "1" } },
        });
        let token = format!("{}-{round}", self.number);
        json!({ "TransactItems": [{ "Update": update }], "ClientRequestToken": token })
    }

    /// Calls until there is an answer, which must be the one that is wanted.
    fn call(&mut self, operation: &str, request: &Value) -> Value {
        loop {
            match self.client.call(operation, request) {
                Ok(Outcome::Success(response)) => return response,
                Ok(Outcome::Failure(error)) => panic!("{operation} {request}: {}", error.body),
                Err(_) => {}
            }
        }
    }
}

fn get(id: &str) -> Value {
    json!({ "TableName": TABLE, "Key": { "id": { "S": id } }, "ConsistentRead": true })
}

fn number_of(client: &mut Client, id: &str) -> Option<u64> {
    number_of_item(&client.must("GetItem", &get(id)).unwrap())
}

fn number_of_item(response: &Value) -> Option<u64> {
    response.pointer("/Item/n/N")?.as_str()?.parse().ok()
}
