//! Follows the stream of the table from its first record on, parents before children.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use monotable_bench::clock;
use monotable_conformance::client::Client;
use serde_json::{Value, json};

use super::ledger::History;
use super::requests;
use super::writer::ask;

/// How long it rests when there is nothing new.
const REST: Duration = Duration::from_millis(100);

/// A consumer and what it has seen.
pub(super) struct Consumer {
    stream: String,
    /// Shards that are read, with the iterator to go on from.
    open: BTreeMap<String, String>,
    ended: BTreeSet<String>,
    /// What happened to each item, by client and number.
    pub(super) histories: HashMap<(usize, usize), History>,
    pub(super) records: u64,
}

/// What a turn brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// So many records.
    Records(u64),
    /// The server is gone.
    Gone,
}

impl Consumer {
    pub(super) fn new(stream: String) -> Consumer {
        let (open, ended, histories) = Default::default();
        Consumer { stream, open, ended, histories, records: 0 }
    }

    /// Reads until it is told to stop, or the server is gone.
    pub(super) fn follow(&mut self, endpoint: &str, stop: &AtomicBool) -> Result<()> {
        let mut client = Client::new(endpoint);
        while !stop.load(Ordering::Relaxed) {
            match self.take_turn(&mut client)? {
                Turn::Records(0) => clock::sleep_until(clock::now() + REST),
                Turn::Records(_) => {}
                Turn::Gone => break,
            }
        }
        Ok(())
    }

    /// Reads to the end of a stream to which nothing is added.
    pub(super) fn catch_up(&mut self, client: &mut Client) -> Result<()> {
        // Children of a shard that has ended are found in the turn after.
        let mut quiet_turns = 0;
        while quiet_turns < 3 {
            match self.take_turn(client)? {
                Turn::Records(0) => quiet_turns += 1,
                Turn::Records(_) => quiet_turns = 0,
                Turn::Gone => anyhow::bail!("the server ended while the stream was read"),
            }
        }
        Ok(())
    }

    /// Reads each shard once.
    fn take_turn(&mut self, client: &mut Client) -> Result<Turn> {
        if !self.find_shards(client)? {
            return Ok(Turn::Gone);
        }
        let before = self.records;
        for (shard, iterator) in self.open.clone() {
            let Some(answer) = ask(client, "GetRecords", &json!({"ShardIterator": iterator}))?
            else {
                return Ok(Turn::Gone);
            };
            for record in answer.get("Records").and_then(Value::as_array).into_iter().flatten() {
                self.note(record).with_context(|| record.to_string())?;
            }
            match answer.get("NextShardIterator").and_then(Value::as_str) {
                Some(next) => drop(self.open.insert(shard, next.to_owned())),
                None => {
                    self.open.remove(&shard);
                    self.ended.insert(shard);
                }
            }
        }
        Ok(Turn::Records(self.records - before))
    }

    /// Begins with the shards whose parents have ended; says whether the server is there.
    fn find_shards(&mut self, client: &mut Client) -> Result<bool> {
        let mut after: Option<String> = None;
        loop {
            let mut request = json!({"StreamArn": self.stream});
            if let (Some(shard), Some(request)) = (&after, request.as_object_mut()) {
                request.insert("ExclusiveStartShardId".to_owned(), json!(shard));
            }
            let Some(answer) = ask(client, "DescribeStream", &request)? else { return Ok(false) };
            let description = answer.get("StreamDescription").context("there is a description")?;
            for shard in description.get("Shards").and_then(Value::as_array).into_iter().flatten() {
                if !self.begin(client, shard)? {
                    return Ok(false);
                }
            }
            let last = description.get("LastEvaluatedShardId").and_then(Value::as_str);
            match last {
                Some(last) => after = Some(last.to_owned()),
                None => return Ok(true),
            }
        }
    }

    fn begin(&mut self, client: &mut Client, shard: &Value) -> Result<bool> {
        let text = |member: &str| shard.get(member).and_then(Value::as_str);
        let id = text("ShardId").context("a shard has an id")?;
        let waits = text("ParentShardId").is_some_and(|parent| !self.ended.contains(parent));
        if waits || self.open.contains_key(id) || self.ended.contains(id) {
            return Ok(true);
        }
        let request = json!({
            "StreamArn": self.stream, "ShardId": id, "ShardIteratorType": "TRIM_HORIZON",
        });
        let Some(answer) = ask(client, "GetShardIterator", &request)? else { return Ok(false) };
        let iterator = answer.get("ShardIterator").and_then(Value::as_str);
        self.open.insert(id.to_owned(), iterator.context("there is an iterator")?.to_owned());
        Ok(true)
    }

    fn note(&mut self, record: &Value) -> Result<()> {
        let change = record.get("dynamodb").context("a record has a change")?;
        let number = |path: &str| change.pointer(path)?.as_str().and_then(requests::number_in);
        let item = (number("/Keys/pk/S").context("pk")?, number("/Keys/sk/S").context("sk")?);
        let state = change.get("NewImage").and_then(requests::version);
        let is_removal = record.get("eventName").and_then(Value::as_str) == Some("REMOVE");
        ensure!(is_removal == state.is_none(), "an image belongs to all but removals");
        self.histories.entry(item).or_default().note(state);
        self.records += 1;
        Ok(())
    }
}
