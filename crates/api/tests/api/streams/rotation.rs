//! Shards close and have children, and nothing is lost or out of order on the way.

use std::collections::{BTreeMap, BTreeSet};

use monotable_database::DatabaseOptions;
use monotable_database::stream::StreamOptions;
use serde_json::{Value, json};

use super::world::{HOUR, World, sequence_number};

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_shard_closes_after_its_time_and_has_one_child() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(json!({"pk": {"S": "a"}, "sk": {"N": "1"}})).await;
    let written = sequence_number(&world.read_all(&arn).await[0]);
    world.advance(3 * HOUR).await;
    assert_eq!(world.shards(&arn).await.len(), 4);
    let with_records = world.shard_with_records(&arn).await;
    world.advance(HOUR).await;
    let shards = world.shards(&arn).await;
    assert_eq!(shards.len(), 8);
    for (parent, child) in shards[..4].iter().zip(&shards[4..]) {
        assert_eq!(child["ParentShardId"], parent["ShardId"]);
        let (closed, open) = (&parent["SequenceNumberRange"], &child["SequenceNumberRange"]);
        assert_eq!(open.get("EndingSequenceNumber"), None);
        let [start, end] =
            ["StartingSequenceNumber", "EndingSequenceNumber"].map(|n| text(&closed[n]));
        assert!(start <= end);
        let begin = text(&open["StartingSequenceNumber"]);
        assert!(begin > end, "{begin} after {end}");
        if parent["ShardId"] == with_records["ShardId"] {
            // The first record comes after the start of its shard, on AWS too.
            assert!(start < written);
            assert_eq!(end, written);
        } else {
            assert_eq!(start, end);
        }
    }
}

/// A reader that knows the shards it has finished, and reads a shard only after its parent.
#[derive(Default)]
struct Walker {
    finished: BTreeSet<String>,
    iterators: BTreeMap<String, Value>,
    records: Vec<Value>,
}

impl Walker {
    async fn walk(&mut self, world: &World, arn: &str) {
        let shards = world.shards(arn).await;
        let listed: BTreeSet<String> = shards.iter().map(|shard| text(&shard["ShardId"])).collect();
        for shard in &shards {
            let id = text(&shard["ShardId"]);
            let parent = shard.get("ParentShardId").map(text);
            let must_wait =
                |parent: &String| listed.contains(parent) && !self.finished.contains(parent);
            if self.finished.contains(&id) || parent.as_ref().is_some_and(must_wait) {
                continue;
            }
            let iterator = match self.iterators.remove(&id) {
                Some(iterator) => iterator,
                None => world.iterator(arn, shard, "TRIM_HORIZON").await,
            };
            let (records, next) = world.read_on(&iterator).await;
            self.records.extend(records);
            match next {
                Some(next) => _ = self.iterators.insert(id, next),
                None => _ = self.finished.insert(id),
            }
        }
    }
}

impl Walker {
    /// Checks that every change of the items was read, and those of an item in order.
    fn check(&self, rounds: usize, items: usize) {
        assert_eq!(self.records.len(), rounds * items);
        for pk in (0..items).map(|pk| pk.to_string()) {
            let is_of_item = |record: &&Value| record["dynamodb"]["Keys"]["pk"]["S"] == pk;
            let of_item: Vec<&Value> = self.records.iter().filter(is_of_item).collect();
            for pair in of_item.windows(2) {
                assert_eq!(pair[1]["dynamodb"]["OldImage"], pair[0]["dynamodb"]["NewImage"]);
                assert!(sequence_number(pair[0]) < sequence_number(pair[1]));
            }
        }
    }
}

#[tokio::test]
async fn a_walk_over_parents_and_children_misses_nothing_and_ends() {
    let world = World::new().await;
    let arn = world.create_table("NEW_AND_OLD_IMAGES").await;
    let mut walker = Walker::default();
    let (rounds, items) = (40, 12);
    for round in 0..rounds {
        for pk in 0..items {
            let hits = json!({"N": round.to_string()});
            world.put(json!({"pk": {"S": pk.to_string()}, "sk": {"N": "1"}, "hits": hits})).await;
        }
        world.advance(HOUR / 4).await;
        walker.walk(&world, &arn).await;
    }
    world.set_stream(json!({"StreamEnabled": false})).await;
    walker.walk(&world, &arn).await;
    walker.walk(&world, &arn).await;
    assert!(walker.iterators.is_empty(), "the walk has not ended");
    assert_eq!(walker.finished.len(), 12);
    walker.check(rounds, items);
}

fn provisioned(read: u64, write: u64) -> Value {
    let units = json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
    json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units})
}

/// A partition does 3,000 read and 1,000 write units, and a shard belongs to a partition. A new
/// on-demand table takes 4,000 write units, so it has four partitions.
#[tokio::test]
async fn a_stream_has_as_many_shards_as_the_table_has_partitions() {
    let world = World::new().await;
    for (name, settings, shards) in [
        ("small", provisioned(5, 5), 1),
        ("reads", provisioned(3000, 1), 2),
        ("writes", provisioned(1, 2999), 3),
        ("on-demand", json!({"BillingMode": "PAY_PER_REQUEST"}), 4),
        ("huge", provisioned(40_000, 1_000_000), 64),
    ] {
        let arn = world.create_table_with(name, "KEYS_ONLY", settings).await;
        assert_eq!(world.shards(&arn).await.len(), shards, "{name}");
    }
}

#[tokio::test]
async fn shards_divide_when_throughput_grows_and_nothing_is_lost_or_out_of_order() {
    let mut world = World::new().await;
    let arn = world.create_table_with("shop", "NEW_AND_OLD_IMAGES", provisioned(5, 5)).await;
    let (rounds, items) = (12, 24);
    for round in 0..rounds {
        for pk in 0..items {
            let hits = json!({"N": round.to_string()});
            world.put(json!({"pk": {"S": pk.to_string()}, "sk": {"N": "1"}, "hits": hits})).await;
        }
        match round {
            2 => world.update_table(provisioned(5, 1500)).await,
            5 => world.update_table(provisioned(5, 5)).await,
            7 => world.advance(4 * HOUR).await,
            9 => world.restart().await,
            10 => world.update_table(provisioned(9000, 4000)).await,
            _ => {}
        }
    }
    // 1, then 2 that stay though less is provisioned, then their children, then 8 for 7 partitions.
    let shards = world.shards(&arn).await;
    assert_eq!(shards.len(), 1 + 2 + 2 + 8);
    let children = |parent: &Value| {
        shards.iter().filter(|shard| shard.get("ParentShardId") == Some(&parent["ShardId"])).count()
    };
    let counts: Vec<usize> = shards.iter().map(children).collect();
    assert_eq!(counts, [2, 1, 1, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
    let mut walker = Walker::default();
    for _ in 0..4 {
        walker.walk(&world, &arn).await;
    }
    walker.check(rounds, items);
}

#[tokio::test]
async fn a_stream_with_a_set_number_of_shards_keeps_it() {
    let streams = StreamOptions { lanes: Some(3), ..StreamOptions::default() };
    let world = World::with(DatabaseOptions { streams, ..DatabaseOptions::default() }).await;
    let arn = world.create_table_with("shop", "KEYS_ONLY", provisioned(5, 5)).await;
    assert_eq!(world.shards(&arn).await.len(), 3);
    world.update_table(provisioned(5, 9000)).await;
    world.advance(4 * HOUR).await;
    assert_eq!(world.shards(&arn).await.len(), 6);
}

#[tokio::test]
async fn an_iterator_at_the_start_of_a_shard_reads_all_of_it() {
    let world = World::new().await;
    let arn = world.create_table_with("shop", "KEYS_ONLY", provisioned(5, 5)).await;
    for sk in ["1", "2"] {
        world.put(json!({"pk": {"S": "a"}, "sk": {"N": sk}})).await;
        world.advance(4 * HOUR).await;
    }
    for shard in &world.shards(&arn).await[..2] {
        let start = shard["SequenceNumberRange"]["StartingSequenceNumber"].clone();
        for kind in ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"] {
            let request = json!({"StreamArn": arn, "ShardId": shard["ShardId"],
                "ShardIteratorType": kind, "SequenceNumber": start});
            let iterator = world.call("GetShardIterator", request).await["ShardIterator"].clone();
            assert_eq!(world.read_on(&iterator).await.0.len(), 1, "{kind} {shard}");
        }
    }
}

#[tokio::test]
async fn shards_outlive_a_restart() {
    let mut world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(json!({"pk": {"S": "a"}, "sk": {"N": "1"}})).await;
    world.advance(4 * HOUR).await;
    let before = world.shards(&arn).await;
    world.restart().await;
    assert_eq!(world.shards(&arn).await, before);
    world.advance(4 * HOUR).await;
    assert_eq!(world.shards(&arn).await.len(), 12);
}
