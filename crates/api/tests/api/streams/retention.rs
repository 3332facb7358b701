//! Records are kept for a day, also of streams that are disabled and tables that are deleted.

use serde_json::{Value, json};

use super::world::{HOUR, MINUTE, World, sequence_number};

fn item(sk: u32) -> Value {
    json!({"pk": {"S": "a"}, "sk": {"N": sk.to_string()}})
}

fn at(arn: &str, shard: &Value, kind: &str, number: &str) -> Value {
    json!({
        "StreamArn": arn,
        "ShardId": shard["ShardId"],
        "ShardIteratorType": kind,
        "SequenceNumber": number,
    })
}

fn trimmed() -> (String, String) {
    let text = "The data you are trying to access has been trimmed";
    ("TrimmedDataAccessException".to_owned(), text.to_owned())
}

#[tokio::test]
async fn records_go_after_a_day_and_places_before_them_are_refused() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(item(1)).await;
    world.advance(HOUR).await;
    world.put(item(2)).await;
    let shard = world.shard_with_records(&arn).await;
    let numbers: Vec<String> = world.read_all(&arn).await.iter().map(sequence_number).collect();
    world.advance(23 * HOUR - 5 * MINUTE).await;
    let early =
        world.call("GetShardIterator", at(&arn, &shard, "AT_SEQUENCE_NUMBER", &numbers[0])).await;
    let oldest = world.iterator(&arn, &shard, "TRIM_HORIZON").await;
    assert_eq!(world.read_on(&oldest).await.0.len(), 2);
    world.advance(10 * MINUTE).await;
    assert_eq!(world.error("GetRecords", early).await, trimmed());
    let (left, next) = world.read_on(&oldest).await;
    assert_eq!(left.iter().map(sequence_number).collect::<Vec<_>>(), numbers[1..]);
    assert_eq!(next, None);
    let gone = at(&arn, &shard, "AT_SEQUENCE_NUMBER", &numbers[0]);
    assert_eq!(world.error("GetShardIterator", gone).await, trimmed());
    let after = at(&arn, &shard, "AFTER_SEQUENCE_NUMBER", &numbers[0]);
    let iterator = world.call("GetShardIterator", after).await;
    assert_eq!(world.read_on(&iterator["ShardIterator"]).await.0, left);
}

#[tokio::test]
async fn a_closed_shard_without_records_still_ends_and_goes_a_day_after_it_closed() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(item(1)).await;
    let shard = world.shard_with_records(&arn).await;
    world.advance(4 * HOUR).await;
    world.advance(21 * HOUR).await;
    let iterator = world.iterator(&arn, &shard, "TRIM_HORIZON").await;
    assert_eq!(world.read_on(&iterator).await, (vec![], None));
    world.advance(4 * HOUR).await;
    let (code, _) = world.error("GetRecords", json!({"ShardIterator": iterator})).await;
    assert_eq!(code, "ExpiredIteratorException");
    let shards = world.shards(&arn).await;
    assert!(!shards.iter().any(|listed| listed["ShardId"] == shard["ShardId"]));
    assert!(shards.iter().any(|listed| listed.get("ParentShardId").is_none()));
    let request = json!({
        "StreamArn": arn,
        "ShardId": shard["ShardId"],
        "ShardIteratorType": "LATEST",
    });
    let (code, text) = world.error("GetShardIterator", request).await;
    assert_eq!(code, "ResourceNotFoundException");
    assert_eq!(text, "Requested resource not found: Shard does not exist");
}

async fn status(world: &World, arn: &str) -> Value {
    let stream = world.call("DescribeStream", json!({"StreamArn": arn})).await;
    stream["StreamDescription"]["StreamStatus"].clone()
}

async fn check_gone(world: &World, arn: &str) {
    let (code, text) = world.error("DescribeStream", json!({"StreamArn": arn})).await;
    assert_eq!(code, "ResourceNotFoundException");
    assert_eq!(text, format!("Requested resource not found: Stream: {arn} not found"));
}

#[tokio::test]
async fn a_disabled_stream_is_readable_for_a_day() {
    let mut world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(item(1)).await;
    world.set_stream(json!({"StreamEnabled": false})).await;
    world.put(item(2)).await;
    assert_eq!(status(&world, &arn).await, "DISABLED");
    assert_eq!(world.read_all(&arn).await.len(), 1);
    let table = world.call("DescribeTable", json!({"TableName": "shop"})).await["Table"].clone();
    assert_eq!(table.get("StreamSpecification"), None);
    assert_eq!(table["LatestStreamArn"], json!(arn));
    world.restart().await;
    world.advance(24 * HOUR - MINUTE).await;
    assert_eq!(world.read_all(&arn).await.len(), 1);
    world.advance(MINUTE).await;
    check_gone(&world, &arn).await;
    assert_eq!(world.call("ListStreams", json!({})).await, json!({"Streams": []}));
}

#[tokio::test]
async fn the_stream_of_a_deleted_table_is_readable_for_a_day() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(item(1)).await;
    let shard = world.shard_with_records(&arn).await;
    world.call("DeleteTable", json!({"TableName": "shop"})).await;
    assert_eq!(status(&world, &arn).await, "DISABLED");
    assert_eq!(world.read_all(&arn).await.len(), 1);
    world.advance(24 * HOUR - MINUTE).await;
    let iterator = world.iterator(&arn, &shard, "TRIM_HORIZON").await;
    world.advance(MINUTE).await;
    check_gone(&world, &arn).await;
    let (code, _) = world.error("GetRecords", json!({"ShardIterator": iterator})).await;
    assert_eq!(code, "ResourceNotFoundException");
}

#[tokio::test]
async fn a_stream_that_is_enabled_again_is_another_one() {
    let world = World::new().await;
    let first = world.create_table("KEYS_ONLY").await;
    world.put(item(1)).await;
    world.set_stream(json!({"StreamEnabled": false})).await;
    world.advance(MINUTE).await;
    let enabled = json!({"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"});
    let table = world.set_stream(enabled.clone()).await;
    let second = table["LatestStreamArn"].as_str().unwrap().to_owned();
    world.put(item(2)).await;
    assert_ne!(first, second);
    assert_eq!(status(&world, &first).await, "DISABLED");
    assert_eq!(status(&world, &second).await, "ENABLED");
    assert_eq!(world.read_all(&first).await.len(), 1);
    assert_eq!(world.read_all(&second).await.len(), 1);
    let again = json!({"TableName": "shop", "StreamSpecification": enabled});
    let (_, text) = world.error("UpdateTable", again).await;
    assert_eq!(text, "Table already has an enabled stream: TableName: shop");
}
