//! Which items expire, and when.

use std::time::Duration;

use monotable_database::DatabaseOptions;
use serde_json::{Value, json};

use super::world::{HOUR, MINUTE, World};

const SECOND: Duration = Duration::from_secs(1);
const YEAR_SECS: u64 = 365 * 24 * 60 * 60;

fn item(sk: u64, ttl: &Value) -> Value {
    json!({"pk": {"S": "a"}, "sk": {"N": sk.to_string()}, "ttl": ttl})
}

fn number(secs: u64) -> Value {
    json!({"N": secs.to_string()})
}

async fn left(world: &World) -> Vec<String> {
    let page = world.call("Scan", json!({"TableName": "shop"})).await;
    let sk = |item: &Value| item["sk"]["N"].as_str().unwrap().to_owned();
    page["Items"].as_array().unwrap().iter().map(sk).collect()
}

/// As Python's `time.time()` gives it.
#[tokio::test]
async fn a_time_with_a_fraction_expires_like_its_whole_number() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    let secs = world.now_secs() + 10;
    world.put(item(1, &json!({"N": format!("{secs}.75")}))).await;
    world.put(item(2, &json!({"N": format!("{}.5", secs + 1)}))).await;
    world.put(item(3, &json!({"N": "0.5"}))).await;
    world.advance(9 * SECOND).await;
    assert_eq!(left(&world).await, ["1", "2", "3"]);
    world.advance(SECOND).await;
    assert_eq!(left(&world).await, ["2", "3"]);
    world.advance(SECOND).await;
    assert_eq!(left(&world).await, ["3"]);
}

#[tokio::test]
async fn an_expired_item_goes_with_the_next_sweep_and_the_service_is_named() {
    let world = World::new().await;
    let arn = world.create_table("NEW_AND_OLD_IMAGES").await;
    world.enable_time_to_live().await;
    let expiring = item(1, &number(world.now_secs() + 10));
    world.put(expiring.clone()).await;
    world.advance(9 * SECOND).await;
    assert_eq!(left(&world).await, ["1"]);
    world.advance(SECOND).await;
    assert_eq!(left(&world).await, [] as [&str; 0]);
    let records = world.read_all(&arn).await;
    assert_eq!(records[0].get("userIdentity"), None);
    let removed = &records[1];
    assert_eq!(removed["eventName"], "REMOVE");
    assert_eq!(
        removed["userIdentity"],
        json!({"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"})
    );
    assert_eq!(removed["dynamodb"]["OldImage"], expiring);
}

/// Many more than the sweeper removes at once, at several times, and some among them that stay.
#[tokio::test]
async fn one_sweep_removes_all_that_is_due_however_much_it_is() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    let now = world.now_secs();
    for sk in 0..400 {
        let lasts = if sk % 100 == 0 { 1000 } else { sk % 7 };
        world.put(item(sk, &number(now + 10 + lasts))).await;
    }
    world.advance(20 * SECOND).await;
    assert_eq!(left(&world).await, ["0", "100", "200", "300"]);
}

#[tokio::test]
async fn an_expired_item_is_there_until_it_is_swept() {
    let options = DatabaseOptions { ttl_interval: MINUTE, ..DatabaseOptions::default() };
    let world = World::with(options).await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    world.put(item(1, &number(world.now_secs() + 10))).await;
    world.advance(30 * SECOND).await;
    assert_eq!(left(&world).await, ["1"]);
    world.advance(30 * SECOND).await;
    assert_eq!(left(&world).await, [] as [&str; 0]);
}

#[tokio::test]
async fn only_numbers_of_the_last_five_years_expire_an_item() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    let now = world.now_secs();
    for (sk, ttl) in [
        (1, json!({"S": now.to_string()})),
        (2, number(now - 5 * YEAR_SECS - 60)),
        (3, number(now - 5 * YEAR_SECS + 60)),
        (4, json!({"N": "-1"})),
        (5, json!({"NULL": true})),
        (6, json!({"NS": [now.to_string()]})),
        (7, number(now)),
        (8, number(now + 3600)),
        (9, number(now * 1000)),
    ] {
        world.put(item(sk, &ttl)).await;
    }
    world.put(json!({"pk": {"S": "a"}, "sk": {"N": "10"}})).await;
    world.advance(SECOND).await;
    assert_eq!(left(&world).await, ["1", "2", "4", "5", "6", "8", "9", "10"]);
}

#[tokio::test]
async fn an_item_whose_time_was_moved_stays() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    let now = world.now_secs();
    for sk in 1..=3 {
        world.put(item(sk, &number(now + 10))).await;
    }
    world.put(item(1, &number(now + 100))).await;
    let update = json!({
        "TableName": "shop",
        "Key": {"pk": {"S": "a"}, "sk": {"N": "2"}},
        "UpdateExpression": "REMOVE #ttl",
        "ExpressionAttributeNames": {"#ttl": "ttl"},
    });
    world.call("UpdateItem", update).await;
    world.advance(20 * SECOND).await;
    assert_eq!(left(&world).await, ["1", "2"]);
    world.advance(100 * SECOND).await;
    assert_eq!(left(&world).await, ["2"]);
}

#[tokio::test]
async fn items_that_were_there_before_expire_too() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    let now = world.now_secs();
    for sk in 0..600 {
        let secs = if sk % 2 == 0 { now - 1 } else { now + 3600 };
        world.put(item(sk, &number(secs))).await;
    }
    world.advance(HOUR / 2).await;
    assert_eq!(left(&world).await.len(), 600);
    world.enable_time_to_live().await;
    world.advance(SECOND).await;
    let left = left(&world).await;
    assert_eq!(left.len(), 300);
    assert!(left.iter().all(|sk| sk.parse::<u64>().unwrap() % 2 == 1));
}

#[tokio::test]
async fn index_entries_go_with_their_item() {
    let world = World::new().await;
    let table = json!({
        "TableName": "shop",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
            {"AttributeName": "state", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "by-state",
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }],
        "BillingMode": "PAY_PER_REQUEST",
    });
    world.call("CreateTable", table).await;
    world.enable_time_to_live().await;
    let mut item = item(1, &number(world.now_secs() + 1));
    item["state"] = json!({"S": "paid"});
    world.put(item).await;
    let scan = json!({"TableName": "shop", "IndexName": "by-state", "Select": "COUNT"});
    assert_eq!(world.call("Scan", scan.clone()).await["Count"], 1);
    world.advance(SECOND).await;
    assert_eq!(world.call("Scan", scan).await["Count"], 0);
}

#[tokio::test]
async fn nothing_expires_when_it_is_disabled() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    world.put(item(1, &number(world.now_secs() + 2 * 3600))).await;
    world.advance(HOUR).await;
    let specification = json!({"Enabled": false, "AttributeName": "ttl"});
    let change = json!({"TableName": "shop", "TimeToLiveSpecification": specification});
    world.call("UpdateTimeToLive", change).await;
    world.advance(2 * HOUR).await;
    assert_eq!(left(&world).await, ["1"]);
}

#[tokio::test]
async fn items_expire_after_a_restart() {
    let mut world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    world.put(item(1, &number(world.now_secs() + 10))).await;
    world.restart().await;
    assert_eq!(left(&world).await, ["1"]);
    world.advance(10 * SECOND).await;
    assert_eq!(left(&world).await, [] as [&str; 0]);
}
