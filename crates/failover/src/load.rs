//! What clients do: puts, conditional updates, transactions on two items, reads of one item and of
//! several, increments.
//!
//! All clients of a round share a few items, so that they meet. An item is put aside after some
//! operations and another one takes its place: the history of each stays short enough to be
//! checked for every possible order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use monotable_conformance::client::ServiceError;
use serde_json::{Value as Json, json};

use crate::caller::{CallOutcome, Caller};
use crate::clock::{Stopwatch, rest};
use crate::dice::Dice;
use crate::history::{Count, History, Key, Operation, Value};
use crate::servers::Endpoints;
use crate::table::{TABLE, group, item, value_of};

const CLIENTS: usize = 9;
/// Items that are written to at a time.
const ITEMS: usize = 16;
/// Operations after which another item takes the place of one.
const OPERATIONS_PER_ITEM: u64 = 40;
/// How long a client rests between two calls.
const REST: Duration = Duration::from_millis(8);
/// How often a transaction without an answer is sent again, with its token.
const REPEATS: usize = 3;

/// What the clients of a round share.
pub(crate) struct Load<'a> {
    pub(crate) endpoints: &'a Endpoints,
    pub(crate) watch: Stopwatch,
    pub(crate) round: u64,
    pub(crate) seed: u64,
    pub(crate) is_over: &'a AtomicBool,
    /// How many writes have been answered.
    pub(crate) answered: &'a AtomicU64,
    pub(crate) next_value: &'a AtomicU64,
    uses: [AtomicU64; ITEMS],
}

impl<'a> Load<'a> {
    pub(crate) fn new(
        endpoints: &'a Endpoints,
        watch: Stopwatch,
        (round, seed): (u64, u64),
        is_over: &'a AtomicBool,
        answered: &'a AtomicU64,
        next_value: &'a AtomicU64,
    ) -> Load<'a> {
        let uses = [const { AtomicU64::new(0) }; ITEMS];
        Load { endpoints, watch, round, seed, is_over, answered, next_value, uses }
    }

    /// Runs all clients until the load is over.
    pub(crate) fn run(&self) -> History {
        let mut history = History::default();
        thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS)
                .map(|number| scope.spawn(move || Worker::new(self, number).work()))
                .collect();
            for client in clients {
                history.add(client.join().unwrap_or_default());
            }
        });
        history
    }

    /// The item of a place, which changes as it is used.
    fn key(&self, place: u64) -> Key {
        let uses =
            self.uses.get(place as usize).map_or(0, |uses| uses.fetch_add(1, Ordering::Relaxed));
        format!("r{}-{place}-{}", self.round, uses / OPERATIONS_PER_ITEM)
    }
}

/// A client.
struct Worker<'a> {
    load: &'a Load<'a>,
    caller: Caller,
    dice: Dice,
    number: usize,
    count: Count,
    history: History,
}

impl<'a> Worker<'a> {
    fn new(load: &'a Load<'a>, number: usize) -> Worker<'a> {
        Worker {
            load,
            caller: Caller::new(load.endpoints, number),
            dice: Dice::new(load.seed.wrapping_mul(1000) + load.round * 50 + number as u64),
            number,
            count: Count::default(),
            history: History::default(),
        }
    }

    fn work(mut self) -> History {
        while !self.load.is_over.load(Ordering::Relaxed) {
            match self.dice.roll(10) {
                0..=2 => self.put(),
                3..=4 => self.update(),
                5..=6 => self.transact(),
                7 => self.read(),
                8 => self.read_several(),
                _ => self.increment(),
            }
            if self.dice.roll(40) == 0 {
                self.caller.move_on();
            }
            rest(REST);
        }
        self.history.counts = BTreeMap::from([(self.counter(), self.count)]);
        self.history
    }

    fn counter(&self) -> Key {
        format!("counter-{}-{}", self.load.round, self.number)
    }

    fn any_key(&mut self) -> Key {
        let place = self.dice.roll(ITEMS as u64);
        self.load.key(place)
    }

    fn two_keys(&mut self) -> [Key; 2] {
        let first = self.dice.roll(ITEMS as u64);
        let second = (first + 1 + self.dice.roll(ITEMS as u64 - 1)) % ITEMS as u64;
        [self.load.key(first), self.load.key(second)]
    }

    fn new_value(&self) -> Value {
        self.load.next_value.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes an operation that was answered just now.
    fn note(&mut self, begin: u64, reads: Vec<(Key, Value)>, writes: Vec<(Key, Value)>) {
        if !writes.is_empty() {
            self.load.answered.fetch_add(1, Ordering::Relaxed);
        }
        let end = Some(self.load.watch.micros());
        self.history.operations.push(Operation { begin, end, reads, writes });
    }

    /// Notes one that may have happened.
    fn note_unknown(&mut self, begin: u64, reads: Vec<(Key, Value)>, writes: Vec<(Key, Value)>) {
        self.history.operations.push(Operation { begin, end: None, reads, writes });
    }

    fn put(&mut self) {
        let (key, value) = (self.any_key(), self.new_value());
        let request =
            json!({ "TableName": TABLE, "Item": item(&key, value), "ReturnValues": "ALL_OLD" });
        let begin = self.load.watch.micros();
        match self.caller.call("PutItem", &request) {
            CallOutcome::Done(response) => {
                let old = value_of(response.get("Attributes"));
                self.note(begin, vec![(key.clone(), old)], vec![(key, value)]);
            }
            CallOutcome::Unknown => self.note_unknown(begin, Vec::new(), vec![(key, value)]),
            CallOutcome::Refused(_) | CallOutcome::Unsent => self.history.refused += 1,
        }
    }

    /// Reads an item, and changes it if it is still the same then.
    fn update(&mut self) {
        let (key, value) = (self.any_key(), self.new_value());
        let Some(seen) = self.read_item(&key) else { return };
        let mut request = change(&key, seen, value);
        if let Some(members) = request.as_object_mut() {
            members.insert("ReturnValues".to_owned(), json!("ALL_OLD"));
        }
        let begin = self.load.watch.micros();
        match self.caller.call("UpdateItem", &request) {
            CallOutcome::Done(response) => {
                let old = value_of(response.get("Attributes"));
                self.note(begin, vec![(key.clone(), old)], vec![(key, value)]);
            }
            CallOutcome::Unknown => {
                self.note_unknown(begin, vec![(key.clone(), seen)], vec![(key, value)]);
            }
            // The answer shows the item as it was.
            CallOutcome::Refused(error) if error.code == "ConditionalCheckFailedException" => {
                let found = value_of(error.body.get("Item"));
                self.note(begin, vec![(key, found)], Vec::new());
            }
            CallOutcome::Refused(_) | CallOutcome::Unsent => self.history.refused += 1,
        }
    }

    /// Reads two items at one moment, and changes both if they are still the same then. A
    /// transaction without an answer is sent again with its token, and happens once.
    fn transact(&mut self) {
        let keys = self.two_keys();
        let Some(seen) = self.read_at_once(&keys) else { return };
        let written: Vec<(Key, Value)> =
            keys.into_iter().map(|key| (key, self.new_value())).collect();
        let updates = seen
            .iter()
            .zip(&written)
            .map(|((key, seen), (_, value))| json!({ "Update": change(key, *seen, *value) }));
        let token = format!("t{}", self.new_value());
        let updates: Vec<Json> = updates.collect();
        let request = json!({ "TransactItems": updates, "ClientRequestToken": token });
        let begin = self.load.watch.micros();
        let mut is_sent = false;
        for _ in 0..REPEATS {
            match self.caller.call("TransactWriteItems", &request) {
                CallOutcome::Done(_) => return self.note(begin, seen, written),
                CallOutcome::Refused(error) if !is_sent || is_condition(&error) => {
                    // With its token a transaction that has happened is not refused for what it did
                    // itself.
                    self.history.refused += 1;
                    return;
                }
                CallOutcome::Unknown | CallOutcome::Refused(_) => is_sent = true,
                CallOutcome::Unsent => {}
            }
        }
        if is_sent {
            self.note_unknown(begin, seen, written);
        }
    }

    fn read(&mut self) {
        let key = self.any_key();
        self.read_item(&key);
    }

    fn read_several(&mut self) {
        let [first, second] = self.two_keys();
        let third = self.any_key();
        let mut keys = vec![first, second, third];
        keys.sort_unstable();
        keys.dedup();
        self.read_at_once(&keys);
    }

    fn read_item(&mut self, key: &str) -> Option<Value> {
        let request =
            json!({ "TableName": TABLE, "Key": { "pk": { "S": key } }, "ConsistentRead": true });
        let begin = self.load.watch.micros();
        let CallOutcome::Done(response) = self.caller.call("GetItem", &request) else {
            return None;
        };
        let value = value_of(response.get("Item"));
        self.note(begin, vec![(key.to_owned(), value)], Vec::new());
        Some(value)
    }

    /// Reads items as they are at one moment.
    fn read_at_once(&mut self, keys: &[Key]) -> Option<Vec<(Key, Value)>> {
        let get =
            |key: &Key| json!({ "Get": { "TableName": TABLE, "Key": { "pk": { "S": key } } } });
        let gets: Vec<Json> = keys.iter().map(get).collect();
        let begin = self.load.watch.micros();
        let answer = self.caller.call("TransactGetItems", &json!({ "TransactItems": gets }));
        let CallOutcome::Done(response) = answer else { return None };
        let items = response.get("Responses").and_then(Json::as_array)?;
        let values = items.iter().map(|found| value_of(found.get("Item")));
        let read: Vec<(Key, Value)> = keys.iter().cloned().zip(values).collect();
        self.note(begin, read.clone(), Vec::new());
        Some(read)
    }

    /// Adds one to the client's own counter.
    fn increment(&mut self) {
        let request = json!({
            "TableName": TABLE,
            "Key": { "pk": { "S": self.counter() } },
            "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": { ":one": { "N": "1" } }
        });
        match self.caller.call("UpdateItem", &request) {
            CallOutcome::Done(_) => {
                self.load.answered.fetch_add(1, Ordering::Relaxed);
                self.count.answered += 1;
            }
            CallOutcome::Unknown => self.count.unanswered += 1,
            CallOutcome::Refused(_) | CallOutcome::Unsent => {}
        }
    }
}

/// An update of an item from one value to the next.
fn change(key: &str, seen: Value, value: Value) -> Json {
    let mut values = json!({ ":v": { "N": value.to_string() } });
    let mut set = "SET v = :v".to_owned();
    match (group(value), values.as_object_mut()) {
        (Some(group), Some(values)) => {
            values.insert(":grp".to_owned(), json!({ "S": group }));
            set += ", grp = :grp";
        }
        _ => set += " REMOVE grp",
    }
    let condition = match (seen, values.as_object_mut()) {
        (0, _) | (_, None) => "attribute_not_exists(pk)",
        (seen, Some(values)) => {
            values.insert(":seen".to_owned(), json!({ "N": seen.to_string() }));
            "v = :seen"
        }
    };
    json!({
        "TableName": TABLE,
        "Key": { "pk": { "S": key } },
        "UpdateExpression": set,
        "ConditionExpression": condition,
        "ExpressionAttributeValues": values,
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD"
    })
}

/// Whether a transaction was refused because an item is not what it was.
fn is_condition(error: &ServiceError) -> bool {
    error.reasons().contains(&"ConditionalCheckFailed")
}
