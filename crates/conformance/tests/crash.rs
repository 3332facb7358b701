//! A server that is killed under load keeps every write that it acknowledged.
//!
//! Clients write to keys of their own, so each knows what its items must be: the last version that
//! was acknowledged, or the one whose answer the crash cut off. After a number of acknowledgements
//! the server is killed as `kill -9` does, started again on the same directory, and read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use monotable_conformance::client::{Client, Outcome};
use monotable_conformance::server::{self, Server};
use serde_json::{Value, json};

const CLIENTS: usize = 6;
const KEYS: u64 = 4;

/// Acknowledged writes after which the server is killed, round by round.
const ROUNDS: &[usize] = &[1, 40, 173, 301, 88, 250, 7, 420, 133, 66];

const INDEXES: &[&str] = &["by-version", "by-group", "keys"];

/// What one client has written.
#[derive(Clone, Debug, Default)]
struct Written {
    /// The version of each key that was acknowledged last.
    acknowledged: BTreeMap<String, u64>,
    /// The keys and the version of the write without an answer.
    in_doubt: Option<(Vec<String>, u64)>,
    next_version: u64,
}

#[test]
fn acknowledged_writes_survive_being_killed_under_load() {
    let binary = server::binary().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut written = vec![Written::default(); CLIENTS];
    create_table(&binary, directory.path());
    for (round, acknowledgements) in ROUNDS.iter().enumerate() {
        let server = Server::start_in(&binary, directory.path()).unwrap();
        create_named_table(&mut Client::new(server.endpoint()), &format!("round-{round}"));
        written = load_until_killed(server, written, *acknowledgements);
        let server = Server::start_in(&binary, directory.path()).unwrap();
        let mut client = Client::new(server.endpoint());
        check_tables(&mut client, round);
        check_items(&mut client, &mut written);
        check_indexes(&mut client);
        server.kill().unwrap();
    }
    check_clean_restart(&binary, directory.path());
}

fn create_table(binary: &Path, directory: &Path) {
    let server = Server::start_in(binary, directory).unwrap();
    let index = |name: &str, partition: &str, projection: &str| {
        json!({
            "IndexName": name,
            "KeySchema": [
                { "AttributeName": partition, "KeyType": "HASH" },
                { "AttributeName": "version", "KeyType": "RANGE" }
            ],
            "Projection": { "ProjectionType": projection }
        })
    };
    let table = json!({
        "TableName": "load",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            { "AttributeName": "pk", "KeyType": "HASH" },
            { "AttributeName": "sk", "KeyType": "RANGE" }
        ],
        "AttributeDefinitions": [
            { "AttributeName": "pk", "AttributeType": "S" },
            { "AttributeName": "sk", "AttributeType": "S" },
            { "AttributeName": "version", "AttributeType": "N" },
            { "AttributeName": "grp", "AttributeType": "S" }
        ],
        "LocalSecondaryIndexes": [index("by-version", "pk", "ALL")],
        "GlobalSecondaryIndexes": [index("by-group", "grp", "ALL"),
            index("keys", "grp", "KEYS_ONLY")]
    });
    Client::new(server.endpoint()).must("CreateTable", &table).unwrap();
    server.kill().unwrap();
}

fn create_named_table(client: &mut Client, name: &str) {
    let table = json!({
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }]
    });
    client.must("CreateTable", &table).unwrap();
}

/// Runs all clients, kills the server after this many acknowledgements, and returns what each
/// client wrote.
fn load_until_killed(
    server: Server,
    before: Vec<Written>,
    acknowledgements: usize,
) -> Vec<Written> {
    let (sender, receiver) = channel();
    let endpoint = server.endpoint().to_owned();
    let clients: Vec<_> = before
        .into_iter()
        .enumerate()
        .map(|(number, written)| {
            let (endpoint, sender) = (endpoint.clone(), sender.clone());
            thread::spawn(move || write_until_killed(&endpoint, number, written, &sender))
        })
        .collect();
    drop(sender);
    wait_for(&receiver, acknowledgements);
    server.kill().unwrap();
    clients.into_iter().map(|client| client.join().unwrap()).collect()
}

fn wait_for(acknowledged: &Receiver<()>, count: usize) {
    for _ in 0..count {
        acknowledged.recv().expect("the clients write until the server is killed");
    }
}

/// Writes one version after the other until there is no answer.
fn write_until_killed(
    endpoint: &str,
    number: usize,
    mut written: Written,
    acknowledged: &Sender<()>,
) -> Written {
    let mut client = Client::new(endpoint);
    loop {
        written.next_version += 1;
        let version = written.next_version;
        let (operation, request, keys) = next_write(number, version);
        match client.call(operation, &request) {
            Ok(Outcome::Success(_)) => {
                written.acknowledged.extend(keys.into_iter().map(|key| (key, version)));
                // The receiver is gone once the server is about to be killed.
                let _ = acknowledged.send(());
            }
            Ok(Outcome::Failure(error)) => panic!("{operation} was refused: {}", error.body),
            Err(_) => {
                written.in_doubt = Some((keys, version));
                return written;
            }
        }
    }
}

/// The write of a version: a put, an update that moves index entries, a batch, or a transaction on
/// two items.
fn next_write(number: usize, version: u64) -> (&'static str, Value, Vec<String>) {
    let name = format!("key{}", version % KEYS);
    let item = |sk: &str| {
        let group = format!("group{}", version % 3);
        json!({
            "pk": { "S": partition(number) }, "sk": { "S": sk },
            "version": { "N": version.to_string() },
            "grp": { "S": group }, "payload": { "S": "x".repeat(500) }
        })
    };
    let put = |sk: &str| json!({ "Put": { "TableName": "load", "Item": item(sk) } });
    match version % 5 {
        0 => {
            let request = json!({ "TransactItems": [put("left"), put("right")] });
            ("TransactWriteItems", request, vec!["left".to_owned(), "right".to_owned()])
        }
        1 => {
            let request =
                json!({ "RequestItems": { "load": [{ "PutRequest": { "Item": item(&name) } }] } });
            ("BatchWriteItem", request, vec![name])
        }
        2 | 3 => {
            let request = json!({
                "TableName": "load",
                "Key": { "pk": { "S": partition(number) }, "sk": { "S": name } },
                "UpdateExpression": "SET version = :version, grp = :grp, payload = :payload",
                "ExpressionAttributeValues": {
                    ":version": { "N": version.to_string() },
                    ":grp": { "S": format!("group{}", version % 3) },
                    ":payload": { "S": "y".repeat(300) }
                }
            });
            ("UpdateItem", request, vec![name])
        }
        _ => ("PutItem", json!({ "TableName": "load", "Item": item(&name) }), vec![name]),
    }
}

fn partition(number: usize) -> String {
    format!("client{number}")
}

fn check_tables(client: &mut Client, round: usize) {
    let listed = client.must("ListTables", &json!({})).unwrap();
    let mut expected: Vec<String> = (0..=round).map(|made| format!("round-{made}")).collect();
    expected.insert(0, "load".to_owned());
    assert_eq!(listed["TableNames"], json!(expected));
}

/// Compares every item with what its client knows, and takes over what became of the writes in
/// doubt.
fn check_items(client: &mut Client, written: &mut [Written]) {
    for (number, written) in written.iter_mut().enumerate() {
        let found = versions(client, number);
        let (doubtful, version) = written.in_doubt.take().expect("the last write had no answer");
        let applied = doubtful.iter().filter(|key| found.get(*key) == Some(&version)).count();
        assert!(applied == 0 || applied == doubtful.len(), "half of a transaction: {found:?}");
        if applied > 0 {
            written.acknowledged.extend(doubtful.into_iter().map(|key| (key, version)));
        }
        assert_eq!(found, written.acknowledged, "client {number}, in doubt: version {version}");
    }
}

/// The version of each item of a client.
fn versions(client: &mut Client, number: usize) -> BTreeMap<String, u64> {
    let request = json!({
        "TableName": "load",
        "ConsistentRead": true,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": { ":pk": { "S": partition(number) } }
    });
    let response = client.must("Query", &request).unwrap();
    let text = |item: &Value, name: &str, kind: &str| item[name][kind].as_str().unwrap().to_owned();
    let items = response["Items"].as_array().unwrap().iter();
    items.map(|item| (text(item, "sk", "S"), text(item, "version", "N").parse().unwrap())).collect()
}

fn check_indexes(client: &mut Client) {
    let table = entries(client, &json!({ "TableName": "load", "ConsistentRead": true }));
    for index in INDEXES {
        let found = entries(client, &json!({ "TableName": "load", "IndexName": index }));
        assert_eq!(found, table, "index {index}");
    }
}

/// What every index must know of an item: its keys.
fn entries(client: &mut Client, scan: &Value) -> BTreeSet<String> {
    let response = client.must("Scan", scan).unwrap();
    assert!(response.get("LastEvaluatedKey").is_none(), "the table fits one page");
    let items = response["Items"].as_array().unwrap().iter();
    items
        .map(|item| json!([item["pk"], item["sk"], item["version"], item["grp"]]).to_string())
        .collect()
}

fn check_clean_restart(binary: &Path, directory: &Path) {
    let server = Server::start_in(binary, directory).unwrap();
    let before = entries(&mut Client::new(server.endpoint()), &json!({ "TableName": "load" }));
    server.stop().unwrap();
    let server = Server::start_in(binary, directory).unwrap();
    let mut client = Client::new(server.endpoint());
    assert_eq!(entries(&mut client, &json!({ "TableName": "load" })), before);
    check_indexes(&mut client);
}
