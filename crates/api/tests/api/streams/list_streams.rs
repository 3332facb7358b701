//! ListStreams names the streams that there are and were.

use serde_json::{Value, json};

use super::world::{HOUR, World};

async fn arns(world: &World, request: Value) -> Vec<String> {
    let page = world.call("ListStreams", request).await;
    let arn = |stream: &Value| stream["StreamArn"].as_str().unwrap().to_owned();
    page["Streams"].as_array().unwrap().iter().map(arn).collect()
}

#[tokio::test]
async fn a_stream_is_listed_by_the_names_that_its_table_shows() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let table = world.call("DescribeTable", json!({"TableName": "shop"})).await["Table"].clone();
    let streams = world.call("ListStreams", json!({})).await;
    assert_eq!(
        streams,
        json!({"Streams": [{
            "StreamArn": arn,
            "TableName": "shop",
            "StreamLabel": table["LatestStreamLabel"],
        }]})
    );
    assert_eq!(table["LatestStreamArn"], json!(arn));
    assert!(arn.ends_with(":table/shop/stream/2026-11-15T12:00:00.250"), "{arn}");
}

#[tokio::test]
async fn pages_follow_one_another_even_if_a_stream_goes_in_between() {
    let world = World::new().await;
    let mut expected = Vec::new();
    for name in ["shop-1", "shop-2", "shop-3"] {
        expected.push(world.create_table_named(name, "KEYS_ONLY").await);
    }
    let first = world.call("ListStreams", json!({"Limit": 2})).await;
    assert_eq!(first["LastEvaluatedStreamArn"], json!(expected[1]));
    world.call("DeleteTable", json!({"TableName": "shop-2"})).await;
    world.advance(25 * HOUR).await;
    let rest = json!({"Limit": 2, "ExclusiveStartStreamArn": expected[1]});
    let second = world.call("ListStreams", rest.clone()).await;
    assert_eq!(arns(&world, rest).await, expected[2..]);
    assert_eq!(second.get("LastEvaluatedStreamArn"), None);
    assert_eq!(arns(&world, json!({"TableName": "shop-3"})).await, expected[2..]);
    assert_eq!(arns(&world, json!({"TableName": "none"})).await, [] as [&str; 0]);
}

#[tokio::test]
async fn a_full_last_page_says_that_it_is_the_last() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    let page = world.call("ListStreams", json!({"Limit": 1})).await;
    assert_eq!(page.get("LastEvaluatedStreamArn"), None);
}

#[tokio::test]
async fn every_stream_of_a_table_has_its_own_name_though_the_clock_stands_still() {
    let world = World::new().await;
    let first = world.create_table("KEYS_ONLY").await;
    world.set_stream(json!({"StreamEnabled": false})).await;
    let enabled = json!({"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"});
    let table = world.set_stream(enabled).await;
    let second = table["LatestStreamArn"].as_str().unwrap().to_owned();
    world.call("DeleteTable", json!({"TableName": "shop"})).await;
    let third = world.create_table("OLD_IMAGE").await;
    assert_eq!(arns(&world, json!({"TableName": "shop"})).await, [first.clone(), second, third]);
    let shown = world.call("DescribeStream", json!({"StreamArn": first})).await;
    assert_eq!(shown["StreamDescription"]["StreamViewType"], "KEYS_ONLY");
}

#[tokio::test]
async fn limits_and_names_are_checked() {
    let world = World::new().await;
    for (request, text) in [
        (
            json!({"Limit": 0}),
            "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater \
             than or equal to 1",
        ),
        (
            json!({"Limit": 101}),
            "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than \
             or equal to 100",
        ),
        (
            json!({"ExclusiveStartStreamArn": "short"}),
            "Value 'short' at 'exclusiveStartStreamArn' failed to satisfy constraint: Member must \
             have length greater than or equal to 37",
        ),
    ] {
        let (code, found) = world.error("ListStreams", request).await;
        assert_eq!(code, "ValidationException");
        assert_eq!(found, format!("1 validation error detected: {text}"));
    }
    let request = json!({"ExclusiveStartStreamArn": "k".repeat(48)});
    let (code, text) = world.error("ListStreams", request).await;
    assert_eq!((code.as_str(), text.as_str()), ("ValidationException", "Invalid StreamArn"));
}
