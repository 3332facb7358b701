//! DescribeStream tells what a stream is and which shards it has.

use monotable_api::Code;
use serde_json::{Value, json};

use super::world::{HOUR, World};

async fn describe(world: &World, arn: &str) -> Value {
    let described = world.call("DescribeStream", json!({"StreamArn": arn})).await;
    described["StreamDescription"].clone()
}

#[tokio::test]
async fn a_stream_shows_its_table_and_view() {
    let world = World::new().await;
    let arn = world.create_table("NEW_IMAGE").await;
    let mut stream = describe(&world, &arn).await;
    let shards = stream.as_object_mut().unwrap().remove("Shards").unwrap();
    assert_eq!(
        stream,
        json!({
            "StreamArn": arn,
            "StreamLabel": "2026-11-15T12:00:00.250",
            "StreamStatus": "ENABLED",
            "StreamViewType": "NEW_IMAGE",
            "CreationRequestDateTime": 1_794_744_000.25,
            "TableName": "shop",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
        })
    );
    assert_eq!(
        shards[3],
        json!({
            "ShardId": "shardId-00000001794744000250-00000003",
            "SequenceNumberRange": {"StartingSequenceNumber": "100000000000000000000"},
        })
    );
}

#[tokio::test]
async fn pages_of_shards_are_in_the_order_of_their_ids() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.advance(4 * HOUR).await;
    let shards = world.shards(&arn).await;
    let ids: Vec<&str> = shards.iter().map(|shard| shard["ShardId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 8);
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert!(ids.iter().all(|id| id.len() == 37));
    for start in [ids[7], &"z".repeat(30)] {
        let after = json!({"StreamArn": arn, "ExclusiveStartShardId": start});
        let stream = world.call("DescribeStream", after).await["StreamDescription"].clone();
        assert_eq!(stream["Shards"], json!([]));
        assert_eq!(stream.get("LastEvaluatedShardId"), None);
    }
}

#[tokio::test]
async fn a_filter_gives_the_children_of_a_shard() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let children = async |shard: &Value| {
        let filter = json!({"Type": "CHILD_SHARDS", "ShardId": shard["ShardId"]});
        let request = json!({"StreamArn": arn, "ShardFilter": filter});
        world.call("DescribeStream", request).await["StreamDescription"]["Shards"].clone()
    };
    let parents = world.shards(&arn).await;
    assert_eq!(children(&parents[0]).await, json!([]));
    world.advance(4 * HOUR).await;
    for parent in &parents {
        let found = children(parent).await;
        let [child] = found.as_array().unwrap().as_slice() else { panic!("{found}") };
        assert_eq!(child["ParentShardId"], parent["ShardId"]);
    }
    let unknown = json!({"ShardId": "x".repeat(30)});
    assert_eq!(children(&unknown).await, json!([]));
}

#[tokio::test]
async fn what_is_no_stream_is_refused() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let gone = arn.replace("12:00", "12:01");
    for (request, code, text) in [
        (
            json!({}),
            "ValidationException",
            "1 validation error detected: Value null at 'streamArn' failed to satisfy constraint: \
             Member must not be null"
                .to_owned(),
        ),
        (
            json!({"StreamArn": "x".repeat(52)}),
            "ValidationException",
            "Invalid StreamArn".to_owned(),
        ),
        (
            json!({"StreamArn": gone}),
            "ResourceNotFoundException",
            format!("Requested resource not found: Stream: {gone} not found"),
        ),
        (
            json!({"StreamArn": arn, "ShardFilter": {"Type": "PARENTS"}}),
            "ValidationException",
            "1 validation error detected: Value 'PARENTS' at 'shardFilter.type' failed to satisfy \
             constraint: Member must satisfy enum value set: [CHILD_SHARDS]"
                .to_owned(),
        ),
    ] {
        assert_eq!(world.error("DescribeStream", request).await, (code.to_owned(), text));
    }
}

#[tokio::test]
async fn calls_on_streams_have_a_target_of_their_own() {
    let world = World::new().await;
    for target in [
        "DynamoDB_20120810.ListStreams",
        "DynamoDBStreams_20120810.ListTables",
        "DynamoDBStreams_20120810.",
        "DynamoDBStreams_20120810",
        "DynamoDBStreams.ListStreams",
    ] {
        let error = world.answer_to(target, json!({})).await.unwrap_err();
        assert_eq!(error.code(), Code::UnknownOperation, "{target}");
    }
    world.answer_to("DynamoDBStreams_20120810.ListStreams", json!({})).await.unwrap();
}
