//! Many clients on few keys: no update is lost, and no read shows half a transaction.
//!
//! Each test runs on both engines of one server, or where [`fleet`] is told to. Clients are threads
//! with a connection each; what they do follows from their number, so a run can be repeated.
//!
//! [`fleet`]: monotable_conformance::fleet

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use monotable_conformance::client::{Client, Outcome};
use monotable_conformance::fleet::{Fleet, Home};
use monotable_conformance::server::{self, Storage};
use serde_json::{Value, json};

const TABLE: &str = "items";
const CLIENTS: u64 = 8;

/// Runs a test wherever it is to be played, with a table that has the partition key `pk` and the
/// global index `by-owner` on `owner`.
fn everywhere(test: impl Fn(&str)) {
    for home in Home::of_suite(&[Storage::Disk, Storage::Memory]).unwrap() {
        let fleet = Fleet::start(&server::binary().unwrap(), &home, &[]).unwrap();
        let table = json!({
            "TableName": TABLE,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
            "AttributeDefinitions": [
                { "AttributeName": "pk", "AttributeType": "S" },
                { "AttributeName": "owner", "AttributeType": "S" }
            ],
            "GlobalSecondaryIndexes": [{
                "IndexName": "by-owner",
                "KeySchema": [{ "AttributeName": "owner", "KeyType": "HASH" }],
                "Projection": { "ProjectionType": "ALL" }
            }]
        });
        Client::new(fleet.endpoint()).must("CreateTable", &table).unwrap();
        test(fleet.endpoint());
    }
}

/// Runs one thread for each client and waits for all of them.
fn with_clients(endpoint: &str, work: impl Fn(u64, &mut Client) + Sync) {
    thread::scope(|scope| {
        for number in 0..CLIENTS {
            let work = &work;
            scope.spawn(move || work(number, &mut Client::new(endpoint)));
        }
    });
}

fn key(name: &str) -> Value {
    json!({ "pk": { "S": name } })
}

fn put(client: &mut Client, item: &Value) {
    client.must("PutItem", &json!({ "TableName": TABLE, "Item": item })).unwrap();
}

/// A number attribute of an item, read consistently.
fn number(client: &mut Client, name: &str) -> i64 {
    let request = json!({ "TableName": TABLE, "Key": key(name), "ConsistentRead": true });
    read_number(&client.must("GetItem", &request).unwrap()["Item"])
}

fn read_number(item: &Value) -> i64 {
    item["n"]["N"].as_str().unwrap().parse().unwrap()
}

/// A small generator of numbers that look random and depend only on the seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[test]
fn counters_guarded_by_conditions_lose_no_update() {
    everywhere(|endpoint| {
        put(&mut Client::new(endpoint), &json!({ "pk": { "S": "counter" }, "n": { "N": "0" } }));
        with_clients(endpoint, |_, client| {
            for _ in 0..25 {
                while !increment_if_unchanged(client) {}
            }
        });
        assert_eq!(number(&mut Client::new(endpoint), "counter"), 25 * CLIENTS as i64);
    });
}

/// Reads the counter and writes the next number, unless another client was faster.
fn increment_if_unchanged(client: &mut Client) -> bool {
    let seen = number(client, "counter");
    let request = json!({
        "TableName": TABLE,
        "Item": { "pk": { "S": "counter" }, "n": { "N": (seen + 1).to_string() } },
        "ConditionExpression": "n = :seen",
        "ExpressionAttributeValues": { ":seen": { "N": seen.to_string() } }
    });
    match client.call("PutItem", &request).unwrap() {
        Outcome::Success(_) => true,
        Outcome::Failure(error) => {
            assert_eq!(error.code, "ConditionalCheckFailedException");
            false
        }
    }
}

#[test]
fn additions_to_counters_lose_no_update() {
    everywhere(|endpoint| {
        with_clients(endpoint, |number, client| {
            for step in 0..60 {
                let request = json!({
                    "TableName": TABLE,
                    "Key": key(&format!("counter{}", (number + step) % 3)),
                    "UpdateExpression": "ADD n :one",
                    "ExpressionAttributeValues": { ":one": { "N": "1" } }
                });
                client.must("UpdateItem", &request).unwrap();
            }
        });
        let mut client = Client::new(endpoint);
        let total: i64 = (0..3).map(|n| number(&mut client, &format!("counter{n}"))).sum();
        assert_eq!(total, 60 * CLIENTS as i64);
    });
}

#[test]
fn additions_to_a_set_lose_no_member() {
    everywhere(|endpoint| {
        with_clients(endpoint, |number, client| {
            for step in 0..30 {
                let request = json!({
                    "TableName": TABLE,
                    "Key": key("set"),
                    "UpdateExpression": "ADD members :new",
                    "ExpressionAttributeValues": { ":new": { "SS": [format!("{number}-{step}")] } }
                });
                client.must("UpdateItem", &request).unwrap();
            }
        });
        let request = json!({ "TableName": TABLE, "Key": key("set"), "ConsistentRead": true });
        let response = Client::new(endpoint).must("GetItem", &request).unwrap();
        let members = response["Item"]["members"]["SS"].as_array().unwrap();
        let expected =
            (0..CLIENTS).flat_map(|number| (0..30).map(move |step| format!("{number}-{step}")));
        let found: BTreeSet<String> =
            members.iter().map(|member| member.as_str().unwrap().to_owned()).collect();
        assert_eq!(found, expected.collect());
    });
}

const ACCOUNTS: u64 = 6;
const START: i64 = 100;

#[test]
fn transfers_keep_the_total_and_no_snapshot_shows_half_of_one() {
    everywhere(|endpoint| {
        let mut client = Client::new(endpoint);
        for account in 0..ACCOUNTS {
            let name = format!("account{account}");
            put(
                &mut client,
                &json!({ "pk": { "S": name }, "owner": { "S": "bank" },
                    "n": { "N": START.to_string() } }),
            );
        }
        let done = AtomicBool::new(false);
        let snapshots = thread::scope(|scope| {
            let reader = scope.spawn(|| check_snapshots(endpoint, &done));
            with_clients(endpoint, |number, client| {
                let mut dice = Dice(number);
                for _ in 0..40 {
                    transfer(client, &mut dice);
                }
            });
            done.store(true, Ordering::Relaxed);
            reader.join().unwrap()
        });
        assert!(snapshots > 0);
        assert_eq!(snapshot_total(&mut client), ACCOUNTS as i64 * START);
        assert_eq!(index_total(&mut client), ACCOUNTS as i64 * START);
    });
}

/// Moves an amount between two accounts, if the first has it. A transaction that meets another may
/// be refused and is sent again.
fn transfer(client: &mut Client, dice: &mut Dice) {
    let from = dice.roll(ACCOUNTS);
    let to = (from + 1 + dice.roll(ACCOUNTS - 1)) % ACCOUNTS;
    let amount = 1 + dice.roll(60);
    let change = |account: u64, expression: &str, condition: &str| {
        json!({ "Update": {
            "TableName": TABLE,
            "Key": key(&format!("account{account}")),
            "UpdateExpression": expression,
            "ConditionExpression": condition,
            "ExpressionAttributeValues": { ":amount": { "N": amount.to_string() } }
        } })
    };
    let request = json!({ "TransactItems": [
        change(from, "SET n = n - :amount", "n >= :amount"),
        change(to, "SET n = n + :amount", "attribute_exists(n)"),
    ] });
    while let Outcome::Failure(error) = client.call("TransactWriteItems", &request).unwrap() {
        assert_eq!(error.code, "TransactionCanceledException");
        if error.reasons().contains(&"ConditionalCheckFailed") {
            return;
        }
        assert!(error.reasons().contains(&"TransactionConflict"), "{}", error.body);
    }
}

/// Reads all accounts at one moment, again and again, and returns how often.
fn check_snapshots(endpoint: &str, done: &AtomicBool) -> u64 {
    let mut client = Client::new(endpoint);
    let mut count = 0;
    while !done.load(Ordering::Relaxed) {
        assert_eq!(snapshot_total(&mut client), ACCOUNTS as i64 * START);
        count += 1;
    }
    count
}

fn snapshot_total(client: &mut Client) -> i64 {
    let get = |account| {
        json!({ "Get": { "TableName": TABLE,
            "Key": key(&format!("account{account}")) } })
    };
    let request = json!({ "TransactItems": (0..ACCOUNTS).map(get).collect::<Vec<_>>() });
    loop {
        match client.call("TransactGetItems", &request).unwrap() {
            Outcome::Success(response) => {
                let responses = response["Responses"].as_array().unwrap();
                return responses.iter().map(|found| read_number(&found["Item"])).sum();
            }
            Outcome::Failure(error) => assert!(error.reasons().contains(&"TransactionConflict")),
        }
    }
}

fn index_total(client: &mut Client) -> i64 {
    let request = json!({ "TableName": TABLE, "IndexName": "by-owner" });
    let response = client.must("Scan", &request).unwrap();
    response["Items"].as_array().unwrap().iter().map(read_number).sum()
}

#[test]
fn an_index_agrees_with_the_table_after_many_moves() {
    everywhere(|endpoint| {
        with_clients(endpoint, |number, client| {
            let mut dice = Dice(number);
            for step in 0..60 {
                let name = format!("item{}", dice.roll(5));
                let owner = format!("owner{}", dice.roll(4));
                let item = json!({ "pk": { "S": name }, "owner": { "S": owner },
                    "n": { "N": step.to_string() } });
                match dice.roll(4) {
                    0 => drop(
                        client
                            .must("DeleteItem", &json!({ "TableName": TABLE, "Key": key(&name) }))
                            .unwrap(),
                    ),
                    _ => put(client, &item),
                }
            }
        });
        let mut client = Client::new(endpoint);
        let table = contents(&mut client, &json!({ "TableName": TABLE, "ConsistentRead": true }));
        let index = contents(&mut client, &json!({ "TableName": TABLE, "IndexName": "by-owner" }));
        assert_eq!(table, index);
    });
}

/// The items of a scan as text, which compares without regard to order.
fn contents(client: &mut Client, scan: &Value) -> BTreeSet<String> {
    let response = client.must("Scan", scan).unwrap();
    response["Items"].as_array().unwrap().iter().map(Value::to_string).collect()
}
