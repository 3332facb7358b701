//! Reads that see what was there a short time ago.

use serde_json::{Value, json};

use super::world::{ON_DEMAND, PROVISIONED, World, put_value};

async fn write(world: &World, value: &str) {
    world.ok("PutItem", put_value(ON_DEMAND, "a", value)).await;
}

async fn query_index(world: &World) -> Value {
    let request = json!({"TableName": ON_DEMAND, "IndexName": "by-owner",
        "KeyConditionExpression": "#o = :o", "ExpressionAttributeNames": {"#o": "owner"},
        "ExpressionAttributeValues": {":o": {"S": "o"}}});
    world.ok("Query", request).await["Items"][0]["v"]["S"].clone()
}

#[tokio::test]
async fn a_stale_read_sees_what_was_there_and_a_consistent_one_does_not() {
    let world = World::new().await;
    world.fault(&["stale age=5s"]);
    write(&world, "one").await;
    world.advance(10.0);
    write(&world, "two").await;
    assert_eq!(world.value(ON_DEMAND, "a", false).await, "one");
    assert_eq!(world.value(ON_DEMAND, "a", true).await, "two");
    world.advance(4.9);
    assert_eq!(world.value(ON_DEMAND, "a", false).await, "one");
    world.advance(0.1);
    assert_eq!(world.value(ON_DEMAND, "a", false).await, "two");
}

#[tokio::test]
async fn an_item_that_is_new_is_not_there_yet() {
    let world = World::new().await;
    world.fault(&["stale age=5s"]);
    write(&world, "one").await;
    assert_eq!(world.value(ON_DEMAND, "a", false).await, Value::Null);
    let keys = json!({"RequestItems": {ON_DEMAND: {"Keys": [{"pk": {"S": "a"}}]}}});
    let answer = world.ok("BatchGetItem", keys.clone()).await;
    assert_eq!(answer["Responses"][ON_DEMAND], json!([]));
    let scan = world.ok("Scan", json!({"TableName": ON_DEMAND})).await;
    assert_eq!(scan["Count"], 0);
    let consistent = json!({"TableName": ON_DEMAND, "ConsistentRead": true});
    assert_eq!(world.ok("Scan", consistent).await["Count"], 1);
    world.advance(5.0);
    let answer = world.ok("BatchGetItem", keys).await;
    assert_eq!(answer["Responses"][ON_DEMAND].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn only_the_tables_that_are_meant_are_stale() {
    let world = World::new().await;
    world.fault(&["stale age=5s table=provisioned"]);
    write(&world, "one").await;
    world.ok("PutItem", put_value(PROVISIONED, "a", "one")).await;
    let keys = json!({"Keys": [{"pk": {"S": "a"}}]});
    let request = json!({"RequestItems": {ON_DEMAND: keys, PROVISIONED: keys}});
    let answer = world.ok("BatchGetItem", request).await;
    let count = |table: &str| answer["Responses"][table].as_array().unwrap().len();
    assert_eq!((count(ON_DEMAND), count(PROVISIONED)), (1, 0));
}

#[tokio::test]
async fn an_index_lags_while_its_table_does_not() {
    let world = World::new().await;
    world.fault(&["index-lag age=2s"]);
    write(&world, "one").await;
    world.advance(3.0);
    write(&world, "two").await;
    assert_eq!(query_index(&world).await, "one");
    assert_eq!(world.value(ON_DEMAND, "a", false).await, "two");
    world.advance(2.0);
    assert_eq!(query_index(&world).await, "two");
}

#[tokio::test]
async fn every_moment_of_the_past_is_seen_for_its_time() {
    let world = World::new().await;
    world.fault(&["stale age=1s"]);
    for number in 0..20 {
        write(&world, &number.to_string()).await;
        world.advance(0.1);
        // A second ago is the moment of the write nine before this one, which counts.
        let expected = if number < 9 { Value::Null } else { (number - 9).to_string().into() };
        assert_eq!(world.value(ON_DEMAND, "a", false).await, expected, "{number}");
    }
}

#[tokio::test]
async fn reads_are_fresh_when_the_fault_has_ended() {
    let world = World::new().await;
    world.fault(&["stale age=5s"]);
    write(&world, "one").await;
    world.fault(&[]);
    assert_eq!(world.value(ON_DEMAND, "a", false).await, "one");
}
