//! Shards close and have children, and nothing is lost or out of order on the way.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::world::{HOUR, World, sequence_number};

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
        // A shard without records takes no number, so its child begins with the same one.
        let has_records = parent["ShardId"] == with_records["ShardId"];
        let begin = text(&open["StartingSequenceNumber"]);
        assert!(begin > end || begin == end && !has_records, "{begin} after {end}");
        if parent["ShardId"] == with_records["ShardId"] {
            assert_eq!(end, written);
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
    assert_eq!(walker.records.len(), rounds * items);
    for pk in (0..items).map(|pk| pk.to_string()) {
        let is_of_item = |record: &&Value| record["dynamodb"]["Keys"]["pk"]["S"] == pk;
        let of_item: Vec<&Value> = walker.records.iter().filter(is_of_item).collect();
        for pair in of_item.windows(2) {
            assert_eq!(pair[1]["dynamodb"]["OldImage"], pair[0]["dynamodb"]["NewImage"]);
            assert!(sequence_number(pair[0]) < sequence_number(pair[1]));
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
