//! Calls in whose middle records are removed and shards close, at every place where they read.

use serde_json::{Value, json};

use super::world::{HOUR, World, sequence_number};

fn item(sk: u32) -> Value {
    json!({"pk": {"S": "a"}, "sk": {"N": sk.to_string()}})
}

/// A table with one record, its stream, and the shard of the record.
async fn world_with_a_record() -> (World, String, Value) {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(item(1)).await;
    let shard = world.shard_with_records(&arn).await;
    (world, arn, shard)
}

#[tokio::test]
async fn the_place_after_a_record_can_be_asked_for_while_the_record_is_removed() {
    for reads in 0.. {
        let (world, arn, shard) = world_with_a_record().await;
        let request = json!({
            "StreamArn": arn,
            "ShardId": shard["ShardId"],
            "ShardIteratorType": "AFTER_SEQUENCE_NUMBER",
            "SequenceNumber": sequence_number(&world.read_all(&arn).await[0]),
        });
        let trim = world.advance(25 * HOUR);
        let answer = world.call_around(("GetShardIterator", request), reads, trim).await;
        let Some(answer) = answer else {
            assert!(reads > 1, "the call was never held up");
            return;
        };
        let iterator = answer.unwrap()["ShardIterator"].clone();
        assert_eq!(world.read_on(&iterator).await, (vec![], None), "held up after {reads} reads");
    }
}

#[tokio::test]
async fn a_record_that_comes_when_its_shard_has_closed_is_read_from_the_child_alone() {
    for reads in 0.. {
        let (world, arn, shard) = world_with_a_record().await;
        let iterator = world.iterator(&arn, &shard, "TRIM_HORIZON").await;
        let close = async {
            world.advance(4 * HOUR).await;
            world.put(item(2)).await;
        };
        let request = json!({ "ShardIterator": iterator });
        let Some(page) = world.call_around(("GetRecords", request), reads, close).await else {
            assert!(reads > 1, "the call was never held up");
            return;
        };
        let page = page.unwrap();
        let numbers = |records: &[Value]| records.iter().map(sequence_number).collect::<Vec<_>>();
        let all = numbers(&world.read_all(&arn).await);
        let of_shard = numbers(page["Records"].as_array().unwrap());
        assert_eq!(of_shard, all[..1], "held up after {reads} reads");
    }
}
