//! Follows the stream through whichever server answers, parents before children.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::caller::{CallOutcome, Caller};
use crate::clock::rest;
use crate::history::{Chain, Chains};
use crate::servers::Endpoints;
use crate::table::{key_of, value_of};

/// How long it rests when there is nothing new.
const REST: Duration = Duration::from_millis(150);

/// What a consumer has seen, for others to look at.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    chains: Mutex<Chains>,
    /// How often it was at the end of all shards and found nothing new.
    idle_turns: AtomicU64,
}

impl Seen {
    /// The chains of items whose names begin like this.
    pub(crate) fn chains(&self, prefix: &str) -> Chains {
        let chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        let range = chains.range(prefix.to_owned()..);
        let found = range.take_while(|(key, _)| key.starts_with(prefix));
        found.map(|(key, chain)| (key.clone(), chain.clone())).collect()
    }

    /// The chain of one item.
    pub(crate) fn chain(&self, key: &str) -> Chain {
        let chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        chains.get(key).cloned().unwrap_or_default()
    }

    pub(crate) fn idle_turns(&self) -> u64 {
        self.idle_turns.load(Ordering::Acquire)
    }

    fn note(&self, record: &Json) {
        let Some(change) = record.get("dynamodb") else { return };
        let Some(keys) = change.get("Keys") else { return };
        let values = (value_of(change.get("OldImage")), value_of(change.get("NewImage")));
        let mut chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        chains.entry(key_of(keys)).or_default().push(values);
    }
}

/// What a turn over all shards brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Nothing new, at the end of every shard that is open.
    Idle,
    /// Records, or shards that ended and have children.
    Busy,
}

/// Where a shard is read on from.
#[derive(Clone, Debug, Default)]
struct ReadPosition {
    iterator: Option<String>,
    /// The last record that was read.
    last: Option<String>,
}

/// A consumer.
pub(crate) struct Consumer<'a> {
    caller: Caller,
    stream: String,
    seen: &'a Seen,
    open: BTreeMap<String, ReadPosition>,
    ended: BTreeSet<String>,
}

impl<'a> Consumer<'a> {
    pub(crate) fn new(
        endpoints: &Endpoints,
        server: usize,
        stream: &str,
        seen: &'a Seen,
    ) -> Consumer<'a> {
        Consumer {
            caller: Caller::new(endpoints, server),
            stream: stream.to_owned(),
            seen,
            open: BTreeMap::new(),
            ended: BTreeSet::new(),
        }
    }

    /// Follows the stream until it is told to stop.
    pub(crate) fn run(mut self, is_over: &AtomicBool) {
        while !is_over.load(Ordering::Relaxed) {
            match self.turn() {
                Some(Turn::Idle) => {
                    self.seen.idle_turns.fetch_add(1, Ordering::AcqRel);
                    rest(REST);
                }
                Some(Turn::Busy) => {}
                None => rest(REST),
            }
        }
    }

    /// Goes over all shards once. Gives none if something failed.
    fn turn(&mut self) -> Option<Turn> {
        let mut turn = self.find_shards()?;
        for shard in self.open.keys().cloned().collect::<Vec<_>>() {
            let records = self.read(&shard)?;
            if records > 0 || self.ended.contains(&shard) {
                turn = Turn::Busy;
            }
        }
        Some(turn)
    }

    /// Takes on the shards whose parents have ended. There is more to do if others are left.
    fn find_shards(&mut self) -> Option<Turn> {
        let (mut start, mut turn) = (None, Turn::Idle);
        loop {
            let mut request = json!({ "StreamArn": self.stream });
            if let (Some(start), Some(members)) = (&start, request.as_object_mut()) {
                members.insert("ExclusiveStartShardId".to_owned(), json!(start));
            }
            let CallOutcome::Done(response) = self.caller.call("DescribeStream", &request) else {
                return None;
            };
            let shards = response.pointer("/StreamDescription/Shards").and_then(Json::as_array)?;
            for shard in shards {
                let id = shard.get("ShardId").and_then(Json::as_str)?;
                let parent = shard.get("ParentShardId").and_then(Json::as_str);
                let is_next = parent.is_none_or(|parent| self.ended.contains(parent));
                if !is_next {
                    turn = Turn::Busy;
                } else if !self.ended.contains(id) {
                    self.open.entry(id.to_owned()).or_default();
                }
            }
            let last = response.pointer("/StreamDescription/LastEvaluatedShardId");
            start = last.and_then(Json::as_str).map(str::to_owned);
            if start.is_none() {
                return Some(turn);
            }
        }
    }

    fn read(&mut self, shard: &str) -> Option<usize> {
        let place = self.open.get(shard).cloned()?;
        let iterator = match &place.iterator {
            Some(iterator) => iterator.clone(),
            None => self.iterator(shard, place.last.as_deref())?,
        };
        let request = json!({ "ShardIterator": iterator });
        let response = match self.caller.call("GetRecords", &request) {
            CallOutcome::Done(response) => response,
            CallOutcome::Refused(_) | CallOutcome::Unsent | CallOutcome::Unknown => {
                // The iterator may be of no use any more; the last record is.
                self.open.get_mut(shard)?.iterator = None;
                return None;
            }
        };
        let records = response.get("Records").and_then(Json::as_array)?;
        records.iter().for_each(|record| self.seen.note(record));
        let last = records.last().and_then(|record| record.pointer("/dynamodb/SequenceNumber"));
        let place = self.open.get_mut(shard)?;
        if let Some(last) = last.and_then(Json::as_str) {
            place.last = Some(last.to_owned());
        }
        match response.get("NextShardIterator").and_then(Json::as_str) {
            Some(next) => place.iterator = Some(next.to_owned()),
            None => {
                self.open.remove(shard);
                self.ended.insert(shard.to_owned());
            }
        }
        Some(records.len())
    }

    fn iterator(&mut self, shard: &str, last: Option<&str>) -> Option<String> {
        let request = match last {
            Some(last) => json!({
                "StreamArn": self.stream, "ShardId": shard,
                "ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": last
            }),
            None => json!({
                "StreamArn": self.stream, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"
            }),
        };
        let CallOutcome::Done(response) = self.caller.call("GetShardIterator", &request) else {
            return None;
        };
        Some(response.get("ShardIterator").and_then(Json::as_str)?.to_owned())
    }
}
