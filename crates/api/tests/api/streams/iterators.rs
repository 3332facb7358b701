//! Where iterators stand, and when they end.

use std::time::Duration;

use serde_json::{Value, json};

use super::world::{HOUR, MINUTE, World, sequence_number};

async fn put(world: &World, count: u32) {
    for sk in 0..count {
        world.put(json!({"pk": {"S": "a"}, "sk": {"N": sk.to_string()}})).await;
    }
}

fn keys(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["dynamodb"]["Keys"]["sk"]["N"].as_str().unwrap()).collect()
}

fn request(arn: &str, shard: &Value, kind: &str, number: Option<&str>) -> Value {
    let mut request =
        json!({"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": kind});
    if let Some(number) = number {
        request["SequenceNumber"] = json!(number);
    }
    request
}

#[tokio::test]
async fn each_type_of_iterator_has_its_place() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    put(&world, 3).await;
    let shard = world.shard_with_records(&arn).await;
    let numbers: Vec<String> = world.read_all(&arn).await.iter().map(sequence_number).collect();
    for (kind, number, expected) in [
        ("TRIM_HORIZON", None, &["0", "1", "2"] as &[&str]),
        ("LATEST", None, &[]),
        ("AT_SEQUENCE_NUMBER", Some(numbers[1].as_str()), &["1", "2"]),
        ("AFTER_SEQUENCE_NUMBER", Some(numbers[1].as_str()), &["2"]),
        ("AFTER_SEQUENCE_NUMBER", Some(numbers[2].as_str()), &[]),
    ] {
        let answer = world.call("GetShardIterator", request(&arn, &shard, kind, number)).await;
        let (records, next) = world.read_on(&answer["ShardIterator"]).await;
        assert_eq!(keys(&records), expected, "{kind}");
        assert!(next.is_some());
    }
}

/// AWS documents the type in its service model since October 2026: the first record at that time or
/// later, the oldest one if the time is before it, and a refusal of times to come.
#[tokio::test]
async fn an_iterator_at_a_time_stands_before_the_first_record_since_then() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let began_secs = world.now_secs();
    for sk in 0..9 {
        world.put(json!({"pk": {"S": "a"}, "sk": {"N": sk.to_string()}})).await;
        world.advance(Duration::from_secs(10)).await;
    }
    let shard = world.shard_with_records(&arn).await;
    let at = |secs: f64| {
        let mut request = request(&arn, &shard, "AT_TIMESTAMP", None);
        request["Timestamp"] = json!(began_secs as f64 + secs);
        request
    };
    let all = ["0", "1", "2", "3", "4", "5", "6", "7", "8"];
    for (secs, first) in
        [(-100.0, 0), (0.0, 0), (1.0, 1), (10.0, 1), (79.5, 8), (80.0, 8), (81.0, 9), (90.0, 9)]
    {
        let answer = world.call("GetShardIterator", at(secs)).await;
        let (records, _) = world.read_on(&answer["ShardIterator"]).await;
        assert_eq!(keys(&records), all[first..], "{secs} s");
    }
    let mut refused = Vec::new();
    refused.push(world.error("GetShardIterator", at(92.0)).await);
    refused
        .push(world.error("GetShardIterator", request(&arn, &shard, "AT_TIMESTAMP", None)).await);
    let mut both = at(0.0);
    both["SequenceNumber"] = json!("100000000000000000001");
    refused.push(world.error("GetShardIterator", both).await);
    let mut latest = at(0.0);
    latest["ShardIteratorType"] = json!("LATEST");
    refused.push(world.error("GetShardIterator", latest).await);
    for (name, _) in refused {
        assert_eq!(name, "ValidationException");
    }
}

#[tokio::test]
async fn the_first_sequence_number_of_an_empty_shard_is_a_place() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let mut iterators = Vec::new();
    for shard in world.shards(&arn).await {
        let start = shard["SequenceNumberRange"]["StartingSequenceNumber"].as_str();
        for kind in ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"] {
            let answer = world.call("GetShardIterator", request(&arn, &shard, kind, start)).await;
            iterators.push(answer["ShardIterator"].clone());
        }
    }
    put(&world, 3).await;
    let mut seen = Vec::new();
    for iterator in iterators.iter().step_by(2) {
        seen.extend(world.read_on(iterator).await.0);
    }
    assert_eq!(keys(&seen), ["0", "1", "2"]);
}

#[tokio::test]
async fn latest_sees_what_comes_later() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    put(&world, 2).await;
    let shard = world.shard_with_records(&arn).await;
    let iterator = world.iterator(&arn, &shard, "LATEST").await;
    put(&world, 3).await;
    assert_eq!(keys(&world.read_on(&iterator).await.0), ["2"]);
}

#[tokio::test]
async fn a_page_holds_at_most_a_megabyte() {
    let world = World::new().await;
    let arn = world.create_table("NEW_IMAGE").await;
    for sk in 0..5 {
        let text = "x".repeat(350 * 1024);
        world.put(json!({"pk": {"S": "a"}, "sk": {"N": sk.to_string()}, "t": {"S": text}})).await;
    }
    let shard = world.shard_with_records(&arn).await;
    let iterator = world.iterator(&arn, &shard, "TRIM_HORIZON").await;
    let first = world.call("GetRecords", json!({"ShardIterator": iterator})).await;
    assert_eq!(keys(first["Records"].as_array().unwrap()), ["0", "1", "2"]);
    let rest = json!({"ShardIterator": first["NextShardIterator"]});
    let second = world.call("GetRecords", rest).await;
    assert_eq!(keys(second["Records"].as_array().unwrap()), ["3", "4"]);
}

#[tokio::test]
async fn an_iterator_ends_after_fifteen_minutes_and_reading_gives_a_fresh_one() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let shard = world.shards(&arn).await[0].clone();
    let iterator = world.iterator(&arn, &shard, "TRIM_HORIZON").await;
    world.advance(15 * MINUTE).await;
    let fresh = world.read_on(&iterator).await.1.unwrap();
    world.advance(MINUTE).await;
    assert_eq!(
        world.error("GetRecords", json!({"ShardIterator": iterator})).await,
        (
            "ExpiredIteratorException".to_owned(),
            "The provided iterator exceeds the maximum age allowed.".to_owned()
        )
    );
    world.call("GetRecords", json!({"ShardIterator": fresh})).await;
}

#[tokio::test]
async fn what_was_no_iterator_is_refused() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    let shard = world.shards(&arn).await[0].clone();
    let iterator = world.iterator(&arn, &shard, "LATEST").await.as_str().unwrap().to_owned();
    assert!(iterator.starts_with(&format!("{arn}|1|")), "{iterator}");
    let other = iterator.replace("table/shop/", "table/ship/");
    for text in ["x", &iterator[..iterator.len() - 4], &other, &format!("{iterator}AAAA")] {
        let (code, found) = world.error("GetRecords", json!({"ShardIterator": text})).await;
        assert_eq!(
            (code.as_str(), found.as_str()),
            ("ValidationException", "Invalid ShardIterator")
        );
    }
    for limit in [0, 1001] {
        let request = json!({"ShardIterator": iterator, "Limit": limit});
        let (code, text) = world.error("GetRecords", request).await;
        assert_eq!(code, "ValidationException");
        assert!(text.starts_with("1 validation error detected: Value '"), "{text}");
    }
}

#[tokio::test]
async fn what_is_no_place_is_refused() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    put(&world, 1).await;
    let shard = world.shard_with_records(&arn).await;
    let number = sequence_number(&world.read_all(&arn).await[0]);
    let beyond = "100000000000000000999";
    for (kind, number) in [
        ("TRIM_HORIZON", Some(number.as_str())),
        ("LATEST", Some(number.as_str())),
        ("AT_SEQUENCE_NUMBER", None),
        ("AFTER_SEQUENCE_NUMBER", None),
        ("AT_SEQUENCE_NUMBER", Some(beyond)),
        ("AT_SEQUENCE_NUMBER", Some("1")),
        ("AT_SEQUENCE_NUMBER", Some("sdfsafglldfngjdafnasdfl")),
        ("SOMEWHERE", None),
    ] {
        let request = request(&arn, &shard, kind, number);
        let (code, _) = world.error("GetShardIterator", request).await;
        assert_eq!(code, "ValidationException", "{kind} {number:?}");
    }
    let unknown = json!({"ShardId": "x".repeat(35)});
    assert_eq!(
        world.error("GetShardIterator", request(&arn, &unknown, "LATEST", None)).await,
        (
            "ResourceNotFoundException".to_owned(),
            "Requested resource not found: Shard does not exist".to_owned()
        )
    );
}

#[tokio::test]
async fn iterators_outlive_a_restart() {
    let mut world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    put(&world, 2).await;
    let shard = world.shard_with_records(&arn).await;
    let latest = world.iterator(&arn, &shard, "LATEST").await;
    world.restart().await;
    put(&world, 3).await;
    assert_eq!(keys(&world.read_on(&latest).await.0), ["2"]);
}

#[tokio::test]
async fn reading_a_closed_shard_comes_to_an_end() {
    let world = World::new().await;
    let arn = world.create_table("KEYS_ONLY").await;
    put(&world, 2).await;
    let shard = world.shard_with_records(&arn).await;
    world.advance(4 * HOUR).await;
    for (kind, expected) in [("TRIM_HORIZON", &["0", "1"] as &[&str]), ("LATEST", &[])] {
        let iterator = world.iterator(&arn, &shard, kind).await;
        let (records, next) = world.read_on(&iterator).await;
        assert_eq!((keys(&records).as_slice(), next), (expected, None));
    }
}
