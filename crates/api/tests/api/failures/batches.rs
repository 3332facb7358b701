//! Members of batches that are left for the client to send again.

use serde_json::{Value, json};

use super::world::{ON_DEMAND, PROVISIONED, World, batch};

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

fn gets(table: &str) -> Value {
    let keys: Vec<Value> = KEYS.iter().map(|key| json!({"pk": {"S": key}})).collect();
    json!({"RequestItems": {table: {"Keys": keys, "ConsistentRead": true}}})
}

async fn stored(world: &World, table: &str) -> usize {
    world.fault(&[]);
    let answer = world.ok("Scan", json!({"TableName": table, "ConsistentRead": true})).await;
    usize::try_from(answer["Count"].as_u64().unwrap()).unwrap()
}

#[tokio::test]
async fn a_count_of_writes_is_left_and_can_be_sent_again() {
    let world = World::new().await;
    world.fault(&["unprocessed count=3 first=1"]);
    let answer = world.ok("BatchWriteItem", batch(ON_DEMAND, &KEYS)).await;
    let left = answer["UnprocessedItems"].clone();
    assert_eq!(left[ON_DEMAND].as_array().unwrap().len(), 3);
    let answer = world.ok("BatchWriteItem", json!({ "RequestItems": left })).await;
    assert_eq!(answer["UnprocessedItems"], json!({}));
    assert_eq!(stored(&world, ON_DEMAND).await, 4);
}

#[tokio::test]
async fn what_is_left_was_not_written() {
    let world = World::new().await;
    world.fault(&["unprocessed share=0.5"]);
    let answer = world.ok("BatchWriteItem", batch(ON_DEMAND, &KEYS)).await;
    assert_eq!(answer["UnprocessedItems"][ON_DEMAND].as_array().unwrap().len(), 2);
    assert_eq!(stored(&world, ON_DEMAND).await, 2);
}

#[tokio::test]
async fn a_share_of_reads_is_left_with_the_settings_of_the_request() {
    let world = World::new().await;
    world.ok("BatchWriteItem", batch(ON_DEMAND, &KEYS)).await;
    world.fault(&["unprocessed share=0.25"]);
    let answer = world.ok("BatchGetItem", gets(ON_DEMAND)).await;
    assert_eq!(answer["Responses"][ON_DEMAND].as_array().unwrap().len(), 3);
    let left = &answer["UnprocessedKeys"][ON_DEMAND];
    assert_eq!(left["Keys"].as_array().unwrap().len(), 1);
    assert_eq!(left["ConsistentRead"], true);
}

#[tokio::test]
async fn a_throttle_of_some_members_leaves_them_and_one_of_all_refuses_the_batch() {
    // AWS: "If none of the items can be processed due to insufficient provisioned throughput on all
    // of the tables in the request, then BatchWriteItem returns a
    // ProvisionedThroughputExceededException" (API reference).
    let world = World::new().await;
    world.fault(&["throttle key=b"]);
    let answer = world.ok("BatchWriteItem", batch(PROVISIONED, &KEYS)).await;
    let left = json!([{"PutRequest": {"Item": {"pk": {"S": "b"}}}}]);
    assert_eq!(answer["UnprocessedItems"][PROVISIONED], left);
    for fault in ["throttle", "unprocessed share=1"] {
        world.fault(&[fault]);
        let error = world.error("BatchWriteItem", batch(PROVISIONED, &KEYS)).await;
        assert_eq!(error["__type"], "ProvisionedThroughputExceededException");
        let reasons = error["ThrottlingReasons"].as_array().unwrap();
        assert_eq!(reasons.len(), 1);
        let error = world.error("BatchGetItem", gets(PROVISIONED)).await;
        assert_eq!(error["__type"], "ProvisionedThroughputExceededException");
    }
}

#[tokio::test]
async fn consumed_capacity_counts_what_was_done() {
    let world = World::new().await;
    world.fault(&["unprocessed count=3"]);
    let mut request = batch(ON_DEMAND, &KEYS);
    request["ReturnConsumedCapacity"] = "TOTAL".into();
    let answer = world.ok("BatchWriteItem", request).await;
    assert_eq!(answer["ConsumedCapacity"][0]["CapacityUnits"], 1.0);
}
