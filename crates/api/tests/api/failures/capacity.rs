//! Capacity that is enforced on a provisioned table: 5 read and 5 write units, with an index of 3
//! write units.
//!
//! AWS's developer guide: a table keeps up to 300 seconds of capacity that it did not use, a
//! partition takes 3,000 read and 1,000 write units, and a write is throttled if an index cannot
//! take it.

use serde_json::{Value, json};

use super::world::{PROVISIONED, World, batch, put, put_value, transaction, units};

/// How many puts of one unit are let in at once.
pub(crate) async fn puts_let_in(world: &World) -> usize {
    let mut count = 0;
    while world.put(PROVISIONED, &format!("key-{count}")).await.is_ok() {
        count += 1;
        assert!(count < 10_000);
    }
    count
}

#[tokio::test]
async fn a_table_takes_its_units_of_a_second_and_those_it_did_not_use() {
    let world = World::with_capacity().await;
    assert_eq!(puts_let_in(&world).await, 5);
    let error = world.error("PutItem", put(PROVISIONED, "a")).await;
    assert_eq!(error["__type"], "ProvisionedThroughputExceededException");
    let reason = &error["ThrottlingReasons"][0]["reason"];
    assert_eq!(reason, "TableWriteProvisionedThroughputExceeded");
    world.advance(1.0);
    assert_eq!(puts_let_in(&world).await, 5);
    world.advance(10.0);
    assert_eq!(puts_let_in(&world).await, 50);
    world.advance(3600.0);
    // Five minutes of units are there, but the only partition takes no more than 1,000 a second.
    assert_eq!(puts_let_in(&world).await, 1000);
    world.advance(1.0);
    assert_eq!(puts_let_in(&world).await, 505);
}

#[tokio::test]
async fn a_large_item_is_let_in_and_owed_for() {
    let world = World::with_capacity().await;
    let large = json!({"TableName": PROVISIONED,
        "Item": {"pk": {"S": "a"}, "v": {"S": "x".repeat(20 * 1024)}}});
    world.ok("PutItem", large).await;
    // 21 units were taken of 5.
    world.advance(3.1);
    assert!(world.put(PROVISIONED, "b").await.is_err());
    world.advance(0.2);
    assert!(world.put(PROVISIONED, "b").await.is_ok());
}

#[tokio::test]
async fn reads_are_counted_by_their_consistency_and_apart_from_writes() {
    let world = World::with_capacity().await;
    assert_eq!(puts_let_in(&world).await, 5);
    let get = |is_consistent: bool| {
        json!({"TableName": PROVISIONED, "Key": {"pk": {"S": "key-0"}},
            "ConsistentRead": is_consistent})
    };
    for _ in 0..10 {
        world.ok("GetItem", get(false)).await;
    }
    let error = world.error("GetItem", get(true)).await;
    let reason = &error["ThrottlingReasons"][0]["reason"];
    assert_eq!(reason, "TableReadProvisionedThroughputExceeded");
    world.advance(1.0);
    for _ in 0..5 {
        world.ok("GetItem", get(true)).await;
    }
    assert!(world.call("GetItem", get(true)).await.is_err());
}

#[tokio::test]
async fn a_failed_condition_is_charged() {
    // AWS: "If a ConditionExpression evaluates to false during a conditional write, DynamoDB still
    // consumes write capacity from the table" (developer guide).
    let world = World::with_capacity().await;
    let mut conditional = put(PROVISIONED, "a");
    conditional["ConditionExpression"] = "attribute_exists(pk)".into();
    for _ in 0..5 {
        let error = world.error("PutItem", conditional.clone()).await;
        assert_eq!(error["__type"], "ConditionalCheckFailedException");
    }
    assert!(world.put(PROVISIONED, "b").await.is_err());
}

#[tokio::test]
async fn a_write_is_throttled_if_an_index_cannot_take_it() {
    let world = World::with_capacity().await;
    for number in 0..3 {
        let key = number.to_string();
        world.ok("PutItem", put_value(PROVISIONED, &key, "x")).await;
    }
    let error = world.error("PutItem", put_value(PROVISIONED, "3", "x")).await;
    assert_eq!(
        error["ThrottlingReasons"],
        json!([{"reason": "IndexWriteProvisionedThroughputExceeded",
            "resource":
                "arn:aws:dynamodb:us-east-1:000000000000:table/provisioned/index/by-owner"}])
    );
    let text = error["message"].as_str().unwrap();
    assert!(text.contains("one or more global secondary indexes of the table"), "{text}");
    // An item that the index does not hold is no concern of it, but one that it holds is.
    assert!(world.put(PROVISIONED, "4").await.is_ok());
    let key = json!({"TableName": PROVISIONED, "Key": {"pk": {"S": "0"}}});
    assert!(world.call("DeleteItem", key).await.is_err());
    let enter = json!({"TableName": PROVISIONED, "Key": {"pk": {"S": "4"}},
        "UpdateExpression": "SET #o = :o", "ExpressionAttributeNames": {"#o": "owner"},
        "ExpressionAttributeValues": {":o": {"S": "o"}}});
    assert!(world.call("UpdateItem", enter).await.is_err());
}

#[tokio::test]
async fn an_index_has_its_own_read_units() {
    let world = World::with_capacity().await;
    let scan = |index: Option<&str>| {
        let mut request = json!({ "TableName": PROVISIONED });
        if let Some(index) = index {
            request["IndexName"] = index.into();
        }
        request
    };
    for _ in 0..10 {
        world.ok("Scan", scan(None)).await;
    }
    assert!(world.call("Scan", scan(None)).await.is_err());
    for _ in 0..200 {
        world.ok("Scan", scan(Some("by-owner"))).await;
    }
    let error = world.error("Scan", scan(Some("by-owner"))).await;
    let reason = &error["ThrottlingReasons"][0]["reason"];
    assert_eq!(reason, "IndexReadProvisionedThroughputExceeded");
}

#[tokio::test]
async fn a_batch_is_done_as_far_as_capacity_goes() {
    let world = World::with_capacity().await;
    let keys = ["a", "b", "c", "d", "e", "f", "g"];
    let answer = world.ok("BatchWriteItem", batch(PROVISIONED, &keys)).await;
    let left = answer["UnprocessedItems"][PROVISIONED].as_array().unwrap();
    assert_eq!(left.len(), 2);
    let error = world.error("BatchWriteItem", batch(PROVISIONED, &keys)).await;
    assert_eq!(error["__type"], "ProvisionedThroughputExceededException");
}

#[tokio::test]
async fn a_transaction_takes_twice_as_much_or_is_cancelled() {
    let world = World::with_capacity().await;
    world.ok("TransactWriteItems", transaction(PROVISIONED, &["a", "b"])).await;
    let error = world.error("TransactWriteItems", transaction(PROVISIONED, &["c", "d"])).await;
    let codes: Vec<&Value> =
        error["CancellationReasons"].as_array().unwrap().iter().map(|it| &it["Code"]).collect();
    assert_eq!(codes, ["None", "ProvisionedThroughputExceeded"]);
    // What a cancelled transaction had taken is there for others.
    assert_eq!(puts_let_in(&world).await, 1);
}

#[tokio::test]
async fn a_change_of_capacity_counts_at_once() {
    let world = World::with_capacity().await;
    assert_eq!(puts_let_in(&world).await, 5);
    let update = json!({"TableName": PROVISIONED, "ProvisionedThroughput": units(5, 20)});
    world.ok("UpdateTable", update).await;
    assert_eq!(puts_let_in(&world).await, 15);
    world.advance(1.0);
    assert_eq!(puts_let_in(&world).await, 20);
}

#[tokio::test]
async fn a_partition_takes_no_more_than_its_share() {
    let world = World::with_capacity().await;
    let table = json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5, 4000)});
    let index = json!({"ProvisionedThroughput": units(5, 4000)});
    world.create("large", table, index).await;
    let item = json!({"pk": {"S": "hot"}, "v": {"S": "x".repeat(399 * 1024)}});
    for _ in 0..3 {
        world.ok("PutItem", json!({"TableName": "large", "Item": item})).await;
    }
    let error = world.error("PutItem", put("large", "hot")).await;
    assert_eq!(error["__type"], "ProvisionedThroughputExceededException");
    let reason = &error["ThrottlingReasons"][0]["reason"];
    assert_eq!(reason, "TableWriteKeyRangeThroughputExceeded");
    let mut others = 0;
    for number in 0..20 {
        others += usize::from(world.put("large", &format!("cold-{number}")).await.is_ok());
    }
    assert!(others > 10, "{others}");
}

#[tokio::test]
async fn a_page_of_a_scan_counts_for_the_partition_where_it_begins() {
    let world = World::with_capacity().await;
    let table = json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(6000, 4000)});
    let index = json!({"ProvisionedThroughput": units(5, 4000)});
    world.create("large", table, index).await;
    for number in 0..3 {
        let key = number.to_string();
        let item = json!({"pk": {"S": key}, "v": {"S": "x".repeat(399 * 1024)}});
        world.ok("PutItem", json!({"TableName": "large", "Item": item})).await;
        world.advance(1.0);
    }
    // Two partitions of 3,000 units; a page takes about 250.
    let scan = json!({"TableName": "large", "ConsistentRead": true, "Select": "COUNT"});
    for _ in 0..9 {
        world.ok("Scan", scan.clone()).await;
    }
    for _ in 0..5 {
        drop(world.call("Scan", scan.clone()).await);
    }
    let error = world.error("Scan", scan.clone()).await;
    let reason = &error["ThrottlingReasons"][0]["reason"];
    assert_eq!(reason, "TableReadKeyRangeThroughputExceeded");
    let mut second_half = scan;
    second_half["Segment"] = json!(1);
    second_half["TotalSegments"] = json!(2);
    world.ok("Scan", second_half).await;
}

#[tokio::test]
async fn nothing_is_throttled_unless_it_is_asked_for() {
    let world = World::new().await;
    for number in 0..50 {
        world.put(PROVISIONED, &number.to_string()).await.unwrap();
    }
}
