//! A consumer of a stream sees every change once and in order, while writers write, shards close
//! and the server is killed.
//!
//! Writers share the items out among them, so each knows the versions of its own: 1, 2, 3 and so
//! on, with a removal now and then. The consumer walks the shards as the Kinesis Client Library
//! does: from the oldest record on, a child only after its parent has ended. What it saw of an item
//! must be what its writer did.
//!
//! It runs on one server, or where [`fleet`] is told to.
//!
//! [`fleet`]: monotable_conformance::fleet

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use monotable_conformance::client::{Client, Outcome};
use monotable_conformance::fleet::{Ending, Fleet, Home};
use monotable_conformance::server::{self, Storage};
use serde_json::{Value, json};

const TABLE: &str = "items";
const WRITERS: u64 = 16;
const ITEMS: u64 = 1_000;
/// How many changes the writers make if nobody says otherwise.
const CHANGES: u64 = 8_000;
/// Says how many changes the writers make.
const CHANGES_VARIABLE: &str = "MONOTABLE_STREAM_CHANGES";
/// Shards close several times during a run.
const FLAGS: &[&str] = &["--stream-shard-age", "300ms"];
/// How long the consumer may go without a record once the writers are done.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a client waits for a server that is being started again.
const RESTART_WAIT: Duration = Duration::from_secs(120);

/// One change of an item: the version that was written, or none for a removal.
type Change = Option<u64>;

/// What a writer does to items.
#[derive(Clone, Copy)]
enum Action {
    Write,
    Remove,
}

/// What a writer knows of one of its items.
#[derive(Clone, Debug, Default)]
struct Item {
    /// The changes that were acknowledged, and those that are known to have happened.
    changes: Vec<Change>,
    /// The changes without an answer, with how many changes were before each.
    in_doubt: Vec<(usize, Change)>,
    next_version: u64,
}

fn changes_wanted() -> u64 {
    std::env::var(CHANGES_VARIABLE).map_or(CHANGES, |text| text.parse().unwrap())
}

fn create_table(client: &mut Client) -> String {
    let request = json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }],
        "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" }
    });
    let created = client.must("CreateTable", &request).unwrap();
    created["TableDescription"]["LatestStreamArn"].as_str().unwrap().to_owned()
}

fn key(item: u64) -> Value {
    json!({ "pk": { "S": format!("item{item}") } })
}

/// Repeats a request until the server answers it; only for requests that may happen twice.
fn ask(client: &mut Client, operation: &str, request: &Value) -> Outcome {
    let start = Instant::now();
    loop {
        match client.call(operation, request) {
            Ok(outcome) => return outcome,
            Err(error) => assert!(start.elapsed() < RESTART_WAIT, "{operation}: {error:#}"),
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn must(client: &mut Client, operation: &str, request: &Value) -> Value {
    match ask(client, operation, request) {
        Outcome::Success(response) => response,
        Outcome::Failure(error) => panic!("{operation} {request} failed: {}", error.body),
    }
}

/// A writer with the items that are its own.
struct Writer<'a> {
    number: u64,
    client: Client,
    acknowledged: &'a AtomicU64,
    items: BTreeMap<u64, Item>,
}

impl<'a> Writer<'a> {
    fn new(number: u64, endpoint: &str, acknowledged: &'a AtomicU64) -> Self {
        Self { number, client: Client::new(endpoint), acknowledged, items: BTreeMap::new() }
    }

    /// Changes its items in turn, so many times in all.
    fn write(mut self, changes: u64) -> BTreeMap<u64, Item> {
        let own: Vec<u64> = (self.number..ITEMS).step_by(WRITERS as usize).collect();
        for (step, item) in own.iter().cycle().enumerate().take(changes as usize) {
            // A writer has 62 or 63 items, which neither 11 nor 13 divides: every item has its turn
            // of each kind.
            if step % 11 == 7 && self.items.get(item).is_some_and(Item::is_there) {
                self.change(&[*item], Action::Remove);
            } else if step % 13 == 5 {
                self.change(&[*item, own[0]], Action::Write);
            } else {
                self.change(&[*item], Action::Write);
            }
        }
        self.items
    }

    /// Writes the next version of each item, in a transaction if there are several, or removes it.
    fn change(&mut self, items: &[u64], action: Action) {
        let distinct: BTreeSet<u64> = items.iter().copied().collect();
        let mut changes = Vec::new();
        for item in distinct {
            let known = self.items.entry(item).or_default();
            known.next_version += 1;
            let change = match action {
                Action::Write => Some(known.next_version),
                Action::Remove => None,
            };
            changes.push((item, change));
        }
        let (operation, request) = request(&changes);
        match self.client.call(operation, &request) {
            Ok(Outcome::Success(_)) => self.acknowledge(&changes),
            Ok(Outcome::Failure(error)) => panic!("{operation} was refused: {}", error.body),
            Err(_) => self.doubt(&changes),
        }
    }

    fn acknowledge(&mut self, changes: &[(u64, Change)]) {
        for (item, change) in changes {
            self.items.entry(*item).or_default().changes.push(*change);
        }
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a write without an answer, and reads whether it happened as soon as a server is there:
    /// what the stream shows must agree with what a reader finds.
    fn doubt(&mut self, changes: &[(u64, Change)]) {
        for (item, change) in changes {
            wait_for_others(&mut self.client, *item);
            let request = json!({ "TableName": TABLE, "Key": key(*item), "ConsistentRead": true });
            let found = must(&mut self.client, "GetItem", &request);
            let version = found.get("Item").map(version);
            let known = self.items.entry(*item).or_default();
            known.in_doubt.push((known.changes.len(), *change));
            if version == *change && version != known.last() {
                known.changes.push(*change);
            }
        }
    }
}

impl Item {
    fn last(&self) -> Change {
        self.changes.last().copied().flatten()
    }

    fn is_there(&self) -> bool {
        self.last().is_some()
    }
}

/// Waits until whatever is under way on an item has ended. A database may still commit what a
/// server sent it before it was killed; a transaction that locks the item comes after that.
fn wait_for_others(client: &mut Client, item: u64) {
    let check = json!({
        "TableName": TABLE, "Key": key(item), "ConditionExpression": "attribute_not_exists(pk)"
    });
    let request = json!({ "TransactItems": [{ "ConditionCheck": check }] });
    if let Outcome::Failure(error) = ask(client, "TransactWriteItems", &request) {
        assert_eq!(error.reasons(), ["ConditionalCheckFailed"], "{}", error.body);
    }
}

/// The request for changes: a put, an update, a removal, or a transaction.
fn request(changes: &[(u64, Change)]) -> (&'static str, Value) {
    match changes {
        [(item, None)] => ("DeleteItem", json!({ "TableName": TABLE, "Key": key(*item) })),
        [(item, Some(version))] if version % 2 == 0 => {
            let values = json!({ ":v": { "N": version.to_string() } });
            let request = json!({
                "TableName": TABLE, "Key": key(*item), "UpdateExpression": "SET v = :v",
                "ExpressionAttributeValues": values
            });
            ("UpdateItem", request)
        }
        [(item, Some(version))] => {
            ("PutItem", json!({ "TableName": TABLE, "Item": versioned(*item, *version) }))
        }
        several => {
            let put = |(item, version): &(u64, Change)| {
                let item = versioned(*item, version.expect("transactions only put"));
                json!({ "Put": { "TableName": TABLE, "Item": item } })
            };
            let actions: Vec<Value> = several.iter().map(put).collect();
            ("TransactWriteItems", json!({ "TransactItems": actions }))
        }
    }
}

fn versioned(item: u64, version: u64) -> Value {
    let mut attributes = key(item);
    attributes["v"] = json!({ "N": version.to_string() });
    attributes
}

fn version(item: &Value) -> u64 {
    item["v"]["N"].as_str().unwrap().parse().unwrap()
}

/// A consumer that follows all shards from the oldest record, parents before children.
struct Consumer {
    client: Client,
    arn: String,
    /// Shards that are being read, with the iterator to go on from.
    open: BTreeMap<String, Value>,
    ended: BTreeSet<String>,
    records: Vec<Value>,
}

impl Consumer {
    fn new(endpoint: &str, arn: &str) -> Self {
        Self {
            client: Client::new(endpoint),
            arn: arn.to_owned(),
            open: BTreeMap::new(),
            ended: BTreeSet::new(),
            records: Vec::new(),
        }
    }

    /// Reads until the writers have ended and three turns have brought nothing new.
    fn follow(mut self, writers_done: &AtomicBool) -> Self {
        let mut quiet_turns = 0;
        let mut last_record = Instant::now();
        while quiet_turns < 3 {
            let done = writers_done.load(Ordering::SeqCst);
            let before = self.records.len();
            self.take_turn();
            let found = self.records.len() > before;
            if found {
                last_record = Instant::now();
            }
            assert!(!done || last_record.elapsed() < PATIENCE, "the stream does not come to rest");
            quiet_turns = if done && !found { quiet_turns + 1 } else { 0 };
        }
        self
    }

    /// Reads on until every shard has ended, which they do once the stream is disabled.
    fn read_to_the_end(&mut self) {
        let start = Instant::now();
        loop {
            self.take_turn();
            if self.open.is_empty() && self.discover() == 0 {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "the walk over the shards does not end");
        }
    }

    /// Opens shards that can be read, and reads a page of each.
    fn take_turn(&mut self) {
        self.discover();
        for (shard, iterator) in std::mem::take(&mut self.open) {
            let request = json!({ "ShardIterator": iterator });
            let page = must(&mut self.client, "GetRecords", &request);
            self.records.extend(page["Records"].as_array().unwrap().iter().cloned());
            match page.get("NextShardIterator") {
                Some(next) => drop(self.open.insert(shard, next.clone())),
                None => drop(self.ended.insert(shard)),
            }
        }
    }

    /// Opens the shards that are new and whose parents have ended, and returns how many.
    fn discover(&mut self) -> usize {
        let shards = self.shards();
        let listed: BTreeSet<&str> = shards.iter().map(id).collect();
        let mut opened = 0;
        for shard in &shards {
            let parent = shard["ParentShardId"].as_str().filter(|parent| listed.contains(parent));
            let ready = parent.is_none_or(|parent| self.ended.contains(parent));
            let known = self.open.contains_key(id(shard)) || self.ended.contains(id(shard));
            if ready && !known {
                let request = json!({
                    "StreamArn": self.arn, "ShardId": id(shard), "ShardIteratorType": "TRIM_HORIZON"
                });
                let place = must(&mut self.client, "GetShardIterator", &request);
                self.open.insert(id(shard).to_owned(), place["ShardIterator"].clone());
                opened += 1;
            }
        }
        opened
    }

    fn shards(&mut self) -> Vec<Value> {
        let mut shards = Vec::new();
        let mut request = json!({ "StreamArn": self.arn });
        loop {
            let response = must(&mut self.client, "DescribeStream", &request);
            let description = &response["StreamDescription"];
            shards.extend(description["Shards"].as_array().unwrap().iter().cloned());
            let Some(last) = description.get("LastEvaluatedShardId") else { return shards };
            request["ExclusiveStartShardId"] = last.clone();
        }
    }
}

fn id(shard: &Value) -> &str {
    shard["ShardId"].as_str().unwrap()
}

/// Runs the writers and the consumer, and `meanwhile` with the number of acknowledged changes.
fn run(
    endpoint: &str,
    arn: &str,
    meanwhile: impl FnOnce(&AtomicU64),
) -> (BTreeMap<u64, Item>, Consumer) {
    let acknowledged = AtomicU64::new(0);
    let writers_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let consumer = scope.spawn(|| Consumer::new(endpoint, arn).follow(&writers_done));
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| {
                let writer = Writer::new(number, endpoint, &acknowledged);
                scope.spawn(move || writer.write(changes_wanted() / WRITERS))
            })
            .collect();
        meanwhile(&acknowledged);
        let written = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        writers_done.store(true, Ordering::SeqCst);
        (written, consumer.join().unwrap())
    })
}

/// Disables the stream, lets the consumer come to the end, and compares what it saw with what was
/// written. Returns the shards.
fn check(mut consumer: Consumer, written: &BTreeMap<u64, Item>) -> Vec<Value> {
    let request = json!({ "TableName": TABLE, "StreamSpecification": { "StreamEnabled": false } });
    consumer.client.must("UpdateTable", &request).unwrap();
    consumer.read_to_the_end();
    let shards = consumer.shards();
    assert_eq!(consumer.ended.len(), shards.len(), "every shard was read to its end");
    let ids: BTreeSet<&str> =
        consumer.records.iter().map(|record| record["eventID"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), consumer.records.len(), "a record was read twice");

    let mut seen: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for record in &consumer.records {
        let change = &record["dynamodb"];
        seen.entry(change["Keys"]["pk"]["S"].as_str().unwrap()).or_default().push(record);
    }
    // An item whose only write was cut off before it happened has no record.
    let changed = || written.iter().filter(|(_, known)| !known.changes.is_empty());
    assert_eq!(seen.len(), changed().count(), "items with records, items written");
    for (item, known) in changed() {
        check_item(&seen[format!("item{item}").as_str()], known);
    }
    shards
}

/// Checks the records of one item: their order, their events, their images, and that each change is
/// there.
fn check_item(records: &[&Value], known: &Item) {
    let mut before = &Value::Null;
    let mut last_sequence_number = "";
    for record in records {
        let change = &record["dynamodb"];
        let (old, new) = (&change["OldImage"], &change["NewImage"]);
        assert_eq!(old, before, "the old image is not the new image before: {record}");
        let event = match (old.is_null(), new.is_null()) {
            (true, _) => "INSERT",
            (false, true) => "REMOVE",
            (false, false) => "MODIFY",
        };
        assert_eq!(record["eventName"], event);
        let sequence_number = change["SequenceNumber"].as_str().unwrap();
        assert!(last_sequence_number < sequence_number, "sequence numbers do not grow: {record}");
        last_sequence_number = sequence_number;
        before = new;
    }
    let seen: Vec<Change> =
        records.iter().map(|record| record["dynamodb"].get("NewImage").map(version)).collect();
    assert_eq!(seen, known.changes, "in doubt: {:?}", known.in_doubt);
}

fn start() -> Fleet {
    let homes = Home::of_suite(&[Storage::Disk]).unwrap();
    Fleet::start(&server::binary().unwrap(), homes.first().unwrap(), FLAGS).unwrap()
}

#[test]
fn every_change_is_seen_once_and_in_order() {
    let fleet = start();
    let arn = create_table(&mut Client::new(fleet.endpoint()));
    let (written, consumer) = run(fleet.endpoint(), &arn, |_| {});
    assert!(written.values().all(|item| item.in_doubt.is_empty()));
    assert!(consumer.records.len() as u64 >= changes_wanted() / WRITERS * WRITERS);
    let shards = check(consumer, &written);
    let has_parent = |shard: &Value| shard.get("ParentShardId").is_some();
    assert!(shards.iter().any(has_parent), "no shard had a child");
}

#[test]
fn every_change_is_seen_once_and_in_order_though_servers_are_killed() {
    let mut fleet = start();
    let endpoint = fleet.endpoint().to_owned();
    let arn = create_table(&mut Client::new(&endpoint));
    let (written, consumer) = run(&endpoint, &arn, |acknowledged| {
        for quarter in 1..4 {
            while acknowledged.load(Ordering::Relaxed) < changes_wanted() / 4 * quarter {
                thread::sleep(Duration::from_millis(1));
            }
            let number = quarter as usize % fleet.count();
            fleet.replace(number, Ending::Killed).unwrap();
        }
    });
    assert!(written.values().any(|item| !item.in_doubt.is_empty()), "no write was cut off");
    check(consumer, &written);
}
