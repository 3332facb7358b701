//! UpdateTimeToLive and DescribeTimeToLive.

use serde_json::{Value, json};

use super::world::{HOUR, MINUTE, World};

fn change(enabled: bool, attribute: &str) -> Value {
    let specification = json!({"Enabled": enabled, "AttributeName": attribute});
    json!({"TableName": "shop", "TimeToLiveSpecification": specification})
}

async fn describe(world: &World) -> Value {
    let described = world.call("DescribeTimeToLive", json!({"TableName": "shop"})).await;
    described["TimeToLiveDescription"].clone()
}

async fn refusal(world: &World, request: Value) -> String {
    let (code, text) = world.error("UpdateTimeToLive", request).await;
    assert_eq!(code, "ValidationException");
    text
}

#[tokio::test]
async fn it_is_enabled_and_disabled_and_forgets_the_attribute() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    assert_eq!(describe(&world).await, json!({"TimeToLiveStatus": "DISABLED"}));
    let answer = world.call("UpdateTimeToLive", change(true, "ttl")).await;
    let specification = json!({"Enabled": true, "AttributeName": "ttl"});
    assert_eq!(answer, json!({"TimeToLiveSpecification": specification}));
    world.advance(HOUR).await;
    world.time_to_live_is_enabled().await;
    let enabled = json!({"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"});
    assert_eq!(describe(&world).await, enabled);
    world.call("UpdateTimeToLive", change(false, "ttl")).await;
    assert_eq!(describe(&world).await, json!({"TimeToLiveStatus": "DISABLED"}));
}

#[tokio::test]
async fn it_is_being_enabled_until_the_items_that_were_there_are_known() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.put(json!({"pk": {"S": "a"}, "sk": {"N": "1"}})).await;
    world.call("UpdateTimeToLive", change(true, "ttl")).await;
    let enabling = json!({"TimeToLiveStatus": "ENABLING", "AttributeName": "ttl"});
    assert_eq!(describe(&world).await, enabling);
    world.time_to_live_is_enabled().await;
}

#[tokio::test]
async fn a_change_that_changes_nothing_is_refused() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    assert_eq!(refusal(&world, change(false, "ttl")).await, "TimeToLive is already disabled");
    world.call("UpdateTimeToLive", change(true, "ttl")).await;
    assert_eq!(refusal(&world, change(true, "ttl")).await, "TimeToLive is already enabled");
    let other = "TimeToLive is active on a different AttributeName: current AttributeName is ttl";
    assert_eq!(refusal(&world, change(true, "x")).await, other);
    assert_eq!(refusal(&world, change(false, "x")).await, other);
}

#[tokio::test]
async fn one_change_an_hour_is_enough() {
    let mut world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.call("UpdateTimeToLive", change(true, "ttl")).await;
    world.advance(59 * MINUTE).await;
    world.restart().await;
    let text = "Time to live has been modified multiple times within a fixed interval";
    assert_eq!(refusal(&world, change(false, "ttl")).await, text);
    world.advance(MINUTE).await;
    world.call("UpdateTimeToLive", change(false, "ttl")).await;
    assert_eq!(refusal(&world, change(true, "other")).await, text);
    assert_eq!(refusal(&world, change(false, "ttl")).await, "TimeToLive is already disabled");
}

#[tokio::test]
async fn members_are_checked() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    let path = "timeToLiveSpecification";
    let null = |path: &str| {
        format!("Value null at '{path}' failed to satisfy constraint: Member must not be null")
    };
    let long = "a".repeat(256);
    for (request, violation) in [
        (json!({"TableName": "shop"}), null(path)),
        (
            json!({"TableName": "shop", "TimeToLiveSpecification": {"Enabled": true}}),
            null("timeToLiveSpecification.attributeName"),
        ),
        (
            json!({"TableName": "shop", "TimeToLiveSpecification": {"AttributeName": "a"}}),
            null("timeToLiveSpecification.enabled"),
        ),
        (
            change(true, ""),
            format!(
                "Value '' at '{path}.attributeName' failed to satisfy constraint: Member must have \
                 length greater than or equal to 1"
            ),
        ),
        (
            change(true, &long),
            format!(
                "Value '{long}' at '{path}.attributeName' failed to satisfy constraint: Member \
                 must have length less than or equal to 255"
            ),
        ),
    ] {
        let expected = format!("1 validation error detected: {violation}");
        assert_eq!(refusal(&world, request).await, expected);
    }
}

#[tokio::test]
async fn the_table_must_exist() {
    let world = World::new().await;
    for (operation, request) in [
        ("UpdateTimeToLive", change(true, "ttl")),
        ("DescribeTimeToLive", json!({"TableName": "shop"})),
    ] {
        assert_eq!(
            world.error(operation, request).await,
            (
                "ResourceNotFoundException".to_owned(),
                "Requested resource not found: Table: shop not found".to_owned()
            )
        );
    }
}
