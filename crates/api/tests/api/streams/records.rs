//! Which changes have a record, and what it holds.

use serde_json::{Value, json};

use super::world::{World, sequence_number};

fn item(note: &str) -> Value {
    json!({"pk": {"S": "a"}, "sk": {"N": "1"}, "note": {"S": note}})
}

fn key() -> Value {
    json!({"pk": {"S": "a"}, "sk": {"N": "1"}})
}

fn names(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["eventName"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_record_tells_what_happened_when_and_where() {
    let world = World::new().await;
    let arn = world.create_table("NEW_AND_OLD_IMAGES").await;
    world.put(item("x")).await;
    let records = world.read_all(&arn).await;
    let [record] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!(record["eventID"].as_str().unwrap().len(), 32);
    assert_eq!(record["eventName"], "INSERT");
    assert_eq!(record["eventVersion"], "1.1");
    assert_eq!(record["eventSource"], "aws:dynamodb");
    assert_eq!(record["awsRegion"], "us-east-1");
    assert_eq!(record.get("userIdentity"), None);
    let change = &record["dynamodb"];
    assert_eq!(change["ApproximateCreationDateTime"].as_f64(), Some(1_794_744_000.0));
    assert_eq!(change["Keys"], key());
    assert_eq!(change["NewImage"], item("x"));
    assert_eq!(change.get("OldImage"), None);
    assert_eq!(change["StreamViewType"], "NEW_AND_OLD_IMAGES");
    assert_eq!(sequence_number(record).len(), 21);
}

#[tokio::test]
async fn sizes_are_those_of_the_keys_and_the_images() {
    let world = World::new().await;
    let arn = world.create_table("NEW_AND_OLD_IMAGES").await;
    world.put(item("sivar")).await;
    world.put(item("s")).await;
    let sizes: Vec<Value> = world.read_all(&arn).await.iter().map(size).collect();
    // pk and a, sk and 1: 3 + 4 bytes. note and sivar: 9 bytes, note and s: 5.
    assert_eq!(sizes, [json!(7 + 16), json!(7 + 16 + 12)]);
}

fn size(record: &Value) -> Value {
    record["dynamodb"]["SizeBytes"].clone()
}

#[tokio::test]
async fn the_view_type_says_which_images_a_record_holds() {
    for (view_type, has_old, has_new) in [
        ("KEYS_ONLY", false, false),
        ("NEW_IMAGE", false, true),
        ("OLD_IMAGE", true, false),
        ("NEW_AND_OLD_IMAGES", true, true),
    ] {
        let world = World::new().await;
        let arn = world.create_table(view_type).await;
        world.put(item("x")).await;
        world.put(item("y")).await;
        world.delete(key()).await;
        let records = world.read_all(&arn).await;
        assert_eq!(names(&records), ["INSERT", "MODIFY", "REMOVE"], "{view_type}");
        let image = |at: usize, name: &str| records[at]["dynamodb"].get(name).cloned();
        let old = |note| has_old.then(|| item(note));
        let new = |note| has_new.then(|| item(note));
        assert_eq!([image(0, "OldImage"), image(0, "NewImage")], [None, new("x")]);
        assert_eq!([image(1, "OldImage"), image(1, "NewImage")], [old("x"), new("y")]);
        assert_eq!([image(2, "OldImage"), image(2, "NewImage")], [old("y"), None]);
        assert!(records.iter().all(|record| record["dynamodb"]["Keys"] == key()));
        assert!(records.iter().all(|record| record["dynamodb"]["StreamViewType"] == view_type));
    }
}

#[tokio::test]
async fn an_update_gives_whole_images() {
    let world = World::new().await;
    let arn = world.create_table("NEW_AND_OLD_IMAGES").await;
    world.put(item("x")).await;
    let update = json!({
        "TableName": "shop",
        "Key": key(),
        "UpdateExpression": "SET hits = :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    });
    world.call("UpdateItem", update).await;
    let records = world.read_all(&arn).await;
    let mut after = item("x");
    after["hits"] = json!({"N": "1"});
    assert_eq!(records[1]["eventName"], "MODIFY");
    assert_eq!(records[1]["dynamodb"]["OldImage"], item("x"));
    assert_eq!(records[1]["dynamodb"]["NewImage"], after);
}

#[tokio::test]
async fn a_write_that_changes_nothing_has_no_record() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(item("x")).await;
    world.put(item("x")).await;
    let update = json!({
        "TableName": "shop",
        "Key": key(),
        "UpdateExpression": "SET note = :x REMOVE absent",
        "ExpressionAttributeValues": {":x": {"S": "x"}},
    });
    world.call("UpdateItem", update).await;
    world.delete(json!({"pk": {"S": "b"}, "sk": {"N": "1"}})).await;
    assert_eq!(names(&world.read_all(&arn).await), ["INSERT"]);
}

#[tokio::test]
async fn a_refused_write_has_no_record() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let put = json!({
        "TableName": "shop",
        "Item": item("x"),
        "ConditionExpression": "attribute_exists(pk)",
    });
    world.error("PutItem", put).await;
    assert_eq!(world.read_all(&arn).await, [] as [Value; 0]);
}

fn transaction(is_allowed: bool) -> Value {
    let condition = if is_allowed { "attribute_not_exists(pk)" } else { "attribute_exists(pk)" };
    let put = |pk: usize| {
        let item = json!({"pk": {"S": pk.to_string()}, "sk": {"N": "1"}});
        json!({"Put": {"TableName": "shop", "Item": item}})
    };
    let mut actions: Vec<Value> = (0..20).map(put).collect();
    actions[19]["Put"]["ConditionExpression"] = json!(condition);
    json!({"TransactItems": actions})
}

#[tokio::test]
async fn a_transaction_has_all_its_records_or_none() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.error("TransactWriteItems", transaction(false)).await;
    assert_eq!(world.read_all(&arn).await, [] as [Value; 0]);
    world.call("TransactWriteItems", transaction(true)).await;
    let records = world.read_all(&arn).await;
    let mut keys: Vec<String> =
        records.iter().map(|record| record["dynamodb"]["Keys"]["pk"]["S"].to_string()).collect();
    keys.sort();
    keys.dedup();
    assert_eq!((records.len(), keys.len()), (20, 20));
}

#[tokio::test]
async fn batches_have_a_record_for_each_change() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    world.put(item("x")).await;
    let other = json!({"pk": {"S": "b"}, "sk": {"N": "1"}});
    let batch = json!([{"DeleteRequest": {"Key": key()}}, {"PutRequest": {"Item": other}}]);
    world.call("BatchWriteItem", json!({"RequestItems": {"shop": batch}})).await;
    let mut records = world.read_all(&arn).await;
    records.sort_by_key(sequence_number);
    let mut names = names(&records);
    names[1..].sort_unstable();
    assert_eq!(names, ["INSERT", "INSERT", "REMOVE"]);
}

#[tokio::test]
async fn the_records_of_an_item_are_in_one_shard_and_in_order() {
    let world = World::new().await;
    let arn = world.create_table("NEW_AND_OLD_IMAGES").await;
    for round in 0..10 {
        for pk in 0..10 {
            let hits = json!({"N": round.to_string()});
            world.put(json!({"pk": {"S": pk.to_string()}, "sk": {"N": "1"}, "hits": hits})).await;
        }
    }
    let mut seen = 0;
    for shard in world.shards(&arn).await {
        let iterator = world.iterator(&arn, &shard, "TRIM_HORIZON").await;
        let (records, _) = world.read_on(&iterator).await;
        assert!(records.is_sorted_by(|a, b| sequence_number(a) < sequence_number(b)));
        for pk in (0..10).map(|pk: u32| pk.to_string()) {
            let is_of_item = |record: &&Value| record["dynamodb"]["Keys"]["pk"]["S"] == pk;
            let of_item: Vec<&Value> = records.iter().filter(is_of_item).collect();
            assert!([0, 10].contains(&of_item.len()));
            seen += of_item.len();
            for pair in of_item.windows(2) {
                assert_eq!(pair[1]["dynamodb"]["OldImage"], pair[0]["dynamodb"]["NewImage"]);
            }
        }
    }
    assert_eq!(seen, 100);
}

#[tokio::test]
async fn records_outlive_a_restart() {
    let mut world = World::new().await;
    let arn = world.create_table("NEW_IMAGE").await;
    world.put(item("x")).await;
    let before = world.read_all(&arn).await;
    world.restart().await;
    assert_eq!(world.read_all(&arn).await, before);
    world.put(item("y")).await;
    assert_eq!(names(&world.read_all(&arn).await), ["INSERT", "MODIFY"]);
}
