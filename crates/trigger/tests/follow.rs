//! Following a stream whose endpoint does everything that endpoints may do: short pages, iterators
//! that expire, calls that fail, shards that close, and shards that are gone.

mod support;

use std::sync::{Arc, Mutex};

use monotable_remote::{Endpoint, Identity};
use monotable_trigger::{
    Error, Follower, Origin, ShardConsumer, ShardEnd, ShardReader, find_stream,
};
use support::{Failure, FakeEndpoint, FakeShard, ImpatientClock};
use tokio::sync::watch;

/// Notes the shard and sequence number of every record.
#[derive(Default)]
struct Collector {
    skip_present: bool,
    seen: Mutex<Vec<String>>,
}

impl ShardConsumer for Collector {
    async fn consume(&self, mut reader: ShardReader, origin: Origin) -> Result<ShardEnd, Error> {
        let shard = reader.shard().id.clone();
        if self.skip_present && origin == Origin::Present && reader.seek_end().await? {
            return Ok(ShardEnd::Finished);
        }
        loop {
            let page = reader.next().await?;
            let mut seen = self.seen.lock().unwrap();
            seen.extend(
                page.records.iter().map(|record| format!("{shard}/{}", record.sequence_number())),
            );
            if page.is_end {
                return Ok(ShardEnd::Finished);
            }
        }
    }
}

/// Follows the fake stream to its end, which comes as all its shards are closed.
async fn follow(fake: &FakeEndpoint, collector: Collector) -> Result<Vec<String>, Error> {
    let endpoint =
        Arc::new(Endpoint::new(&fake.address(), Identity::anonymous(), Arc::new(ImpatientClock))?);
    let stream = find_stream(&endpoint, "likes").await?;
    let collector = Arc::new(collector);
    let (_running, stop) = watch::channel(false);
    Follower::new(endpoint, stream).run(collector.clone(), stop).await?;
    let seen = collector.seen.lock().unwrap().clone();
    Ok(seen)
}

fn of_shard(seen: &[String], shard: &str) -> Vec<u32> {
    let prefix = format!("{shard}/");
    let numbers = seen.iter().filter_map(|record| record.strip_prefix(&prefix));
    numbers.map(|number| number.parse().unwrap()).collect()
}

fn position(seen: &[String], record: &str) -> usize {
    seen.iter().position(|other| other == record).unwrap()
}

/// Two lanes of three generations each.
fn family() -> Vec<FakeShard> {
    vec![
        // Children are listed before their parents: the order of the list means nothing.
        FakeShard::new("a3", Some("a2"), 21..31),
        FakeShard::new("a2", Some("a1"), 11..21),
        FakeShard::new("a1", None, 1..11),
        FakeShard::new("b1", Some("long gone"), 1..6),
        FakeShard::new("b2", Some("b1"), 6..6),
        FakeShard::new("b3", Some("b2"), 7..10),
    ]
}

fn check_family(seen: &[String]) {
    assert_eq!(of_shard(seen, "a1"), (1..=10).collect::<Vec<_>>());
    assert_eq!(of_shard(seen, "a2"), (11..=20).collect::<Vec<_>>());
    assert_eq!(of_shard(seen, "a3"), (21..=30).collect::<Vec<_>>());
    assert_eq!(of_shard(seen, "b1"), (1..=5).collect::<Vec<_>>());
    assert_eq!(of_shard(seen, "b3"), (7..=9).collect::<Vec<_>>());
    assert!(position(seen, "a1/10") < position(seen, "a2/11"));
    assert!(position(seen, "a2/20") < position(seen, "a3/21"));
    assert!(position(seen, "b1/5") < position(seen, "b3/7"));
}

#[tokio::test]
async fn parents_come_before_children_and_nothing_is_missed() {
    check_family(&follow(&FakeEndpoint::start(family()), Collector::default()).await.unwrap());
}

#[tokio::test]
async fn expired_iterators_are_renewed_without_a_gap_or_a_repeat() {
    let expired = Failure {
        operation: Some("GetRecords"),
        every: 3,
        status: 400,
        code: "ExpiredIteratorException",
    };
    let fake = FakeEndpoint::start(family()).failing(expired);
    check_family(&follow(&fake, Collector::default()).await.unwrap());
}

#[tokio::test]
async fn calls_that_fail_for_a_while_are_made_again() {
    for (status, code) in [(500, "InternalServerError"), (400, "ThrottlingException")] {
        let failure = Failure { operation: None, every: 2, status, code };
        let fake = FakeEndpoint::start(family()).failing(failure);
        check_family(&follow(&fake, Collector::default()).await.unwrap());
    }
}

#[tokio::test]
async fn a_shard_that_is_gone_is_at_its_end() {
    let mut shards = family();
    shards[2].is_gone = true;
    let seen = follow(&FakeEndpoint::start(shards), Collector::default()).await.unwrap();
    assert!(of_shard(&seen, "a1").is_empty());
    assert_eq!(of_shard(&seen, "a2").len(), 10);
}

#[tokio::test]
async fn records_that_are_there_already_can_be_skipped() {
    let collector = Collector { skip_present: true, ..Collector::default() };
    let seen = follow(&FakeEndpoint::start(family()), collector).await.unwrap();
    assert_eq!(seen, [""; 0]);
}

#[tokio::test]
async fn what_waiting_cannot_mend_is_an_error() {
    let denied = Failure { operation: None, every: 2, status: 400, code: "AccessDeniedException" };
    let fake = FakeEndpoint::start(family()).failing(denied);
    let error = follow(&fake, Collector::default()).await.unwrap_err();
    assert!(error.is_refusal("AccessDeniedException"), "{error}");
    let fake = FakeEndpoint::without_stream();
    let error = follow(&fake, Collector::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "table likes has no stream");
}
