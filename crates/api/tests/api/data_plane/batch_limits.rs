//! Batches: how many members they have, which, and in which order they are refused.

use serde_json::{Value, json};

use super::support::{
    ABSENT, KEY_MISMATCH, PAIRS, PLAIN, null, old, one, tables, text, wrong_capacity,
};
use crate::harness::Harness;

const DUPLICATES: &str = "Provided list of item keys contains duplicates";
const NAME_CONSTRAINTS: &str = "Map keys must satisfy constraint: [Member must have length less \
    than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy \
    regular expression pattern: [a-zA-Z0-9_.-]+]";

fn key(number: usize) -> Value {
    json!({"pk": {"S": format!("k{number}")}})
}

fn keys(count: usize) -> Vec<Value> {
    (0..count).map(key).collect()
}

fn puts(count: usize) -> Vec<Value> {
    keys(count).into_iter().map(|item| json!({"PutRequest": {"Item": item}})).collect()
}

fn new(path: &str, constraint: &str) -> String {
    one(&format!(
        "Value at '{path}' failed to satisfy constraint: Member must have length {constraint}"
    ))
}

#[tokio::test]
async fn request_items_are_there() {
    let harness = Harness::new().await;
    for operation in ["BatchGetItem", "BatchWriteItem"] {
        harness.refuses(operation, json!({}), &one(&null("requestItems"))).await;
        let text = new("RequestItems", "greater than or equal to 1");
        harness.refuses(operation, json!({"RequestItems": {}}), &text).await;
    }
}

#[tokio::test]
async fn batch_get_item_has_1_to_100_keys() {
    let harness = tables().await;
    let get = |count: usize| json!({"RequestItems": {PLAIN: {"Keys": keys(count)}}});
    let path = "RequestItems.plain.member.Keys";
    harness.refuses("BatchGetItem", get(0), &new(path, "greater than or equal to 1")).await;
    harness.refuses("BatchGetItem", get(101), &new(path, "less than or equal to 100")).await;
    harness.call("BatchGetItem", get(100)).await;
    let request = json!({"RequestItems": {PLAIN: {}}});
    let text = one(&null("requestItems.plain.member.keys"));
    harness.refuses("BatchGetItem", request, &text).await;
    let request = json!({"RequestItems":
        {PLAIN: {"Keys": keys(100)}, ABSENT: {"Keys": keys(1)}}});
    let text = "Too many items requested for the BatchGetItem call";
    harness.refuses("BatchGetItem", request, text).await;
}

#[tokio::test]
async fn batch_write_item_has_1_to_25_requests() {
    let harness = tables().await;
    let write = |count: usize| json!({"RequestItems": {PLAIN: puts(count)}});
    let text = one(&old(
        "{plain=[]}",
        "requestItems",
        "Map value must satisfy constraint: [Member must have length less than or equal to 25, \
         Member must have length greater than or equal to 1]",
    ));
    harness.refuses("BatchWriteItem", write(0), &text).await;
    let text = new("RequestItems.plain.member", "less than or equal to 25");
    harness.refuses("BatchWriteItem", write(26), &text).await;
    harness.call("BatchWriteItem", write(25)).await;
    let request = json!({"RequestItems": {PLAIN: puts(25), ABSENT: puts(1)}});
    let text = "Too many items requested for the BatchWriteItem call";
    harness.refuses("BatchWriteItem", request, text).await;
}

#[tokio::test]
async fn batch_get_item_tells_a_wrong_table_name_with_the_map_and_other_members() {
    let harness = Harness::new().await;
    let request = json!({"RequestItems": {"bad!name": {"Keys": [{"pk": {"S": "a"}}]}},
        "ReturnConsumedCapacity": "BOGUS"});
    let echo = "{\"bad!name\":{\"Keys\":[{\"pk\":{\"S\":\"a\"}}]}}";
    let text = format!(
        "2 validation errors detected: {}; {}",
        old(echo, "requestItems", NAME_CONSTRAINTS),
        wrong_capacity("BOGUS")
    );
    harness.refuses("BatchGetItem", request, &text).await;
}

#[tokio::test]
async fn batch_write_item_tells_wrong_enums_before_a_wrong_table_name() {
    let harness = Harness::new().await;
    let items = json!({"bad!name": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]});
    let request = json!({"RequestItems": items, "ReturnConsumedCapacity": "BOGUS",
        "ReturnItemCollectionMetrics": "BOGUS2"});
    let metrics = old(
        "BOGUS2",
        "returnItemCollectionMetrics",
        "Member must satisfy enum value set: [SIZE, NONE]",
    );
    let text = format!("2 validation errors detected: {}; {metrics}", wrong_capacity("BOGUS"));
    harness.refuses("BatchWriteItem", request, &text).await;
    let text = harness.refusal("BatchWriteItem", json!({"RequestItems": items})).await;
    let start = "1 validation error detected: Value \
                 '{bad!name=[WriteRequest(putRequest=PutRequest(item={pk=";
    assert!(text.starts_with(start), "{text}");
    let end = format!("]}}' at 'requestItems' failed to satisfy constraint: {NAME_CONSTRAINTS}");
    assert!(text.ends_with(&end), "{text}");
}

#[tokio::test]
async fn a_write_request_puts_or_deletes() {
    let harness = Harness::new().await;
    let text = "Supplied AttributeValue has more than one datatypes set, must contain exactly one \
                of the supported datatypes";
    let both = json!({"PutRequest": {"Item": key(1)}, "DeleteRequest": {"Key": key(1)}});
    for request in [json!({}), both] {
        let request = json!({"RequestItems": {ABSENT: [request]}});
        harness.refuses("BatchWriteItem", request, text).await;
    }
    let missing = [
        (json!({"PutRequest": {}}), "requestItems.absent.member.1.member.putRequest.item"),
        (json!({"DeleteRequest": {}}), "requestItems.absent.member.1.member.deleteRequest.key"),
    ];
    for (request, path) in missing {
        let request = json!({"RequestItems": {ABSENT: [request]}});
        harness.refuses("BatchWriteItem", request, &one(&null(path))).await;
    }
}

#[tokio::test]
async fn batch_get_item_tells_equal_keys_before_the_table() {
    let harness = tables().await;
    let same = json!([{"pk": {"N": "1"}}, {"pk": {"N": "1.0"}}]);
    for table in [PLAIN, ABSENT] {
        let request = json!({"RequestItems": {table: {"Keys": same}}});
        harness.refuses("BatchGetItem", request, DUPLICATES).await;
    }
}

#[tokio::test]
async fn batch_write_item_tells_equal_keys_after_the_tables_and_the_keys() {
    let harness = tables().await;
    let twice = json!([{"PutRequest": {"Item": key(1)}}, {"DeleteRequest": {"Key": key(1)}}]);
    let request = json!({"RequestItems": {PLAIN: twice}});
    harness.refuses("BatchWriteItem", request, DUPLICATES).await;
    harness.finds_no_table("BatchWriteItem", json!({"RequestItems": {ABSENT: twice}})).await;
    let request = json!({"RequestItems": {PAIRS: twice}});
    harness.refuses("BatchWriteItem", request, KEY_MISMATCH).await;
    let request = json!({"RequestItems": {PAIRS: twice, "zzz": twice}});
    harness.finds_no_table("BatchWriteItem", request).await;
}

#[tokio::test]
async fn one_missing_table_fails_the_whole_batch() {
    let harness = tables().await;
    let request = json!({"RequestItems": {PLAIN: puts(1), "zzz": puts(1)}});
    harness.finds_no_table("BatchWriteItem", request).await;
    assert_eq!(harness.get(PLAIN, key(0)).await, Value::Null);
    let request = json!({"RequestItems": {PLAIN: {"Keys": keys(1)}, "zzz": {"Keys": keys(1)}}});
    harness.finds_no_table("BatchGetItem", request).await;
}

#[tokio::test]
async fn answers_always_say_what_is_left() {
    let harness = tables().await;
    harness.put(PLAIN, key(1)).await;
    let request = json!({"RequestItems": {PLAIN: {"Keys": [key(1), key(2)]},
        PAIRS: {"Keys": [{"pk": {"S": "a"}, "sk": {"S": "b"}}]}}});
    let answer = harness.call("BatchGetItem", request).await;
    let expected = json!({"Responses": {PLAIN: [key(1)], PAIRS: []}, "UnprocessedKeys": {}});
    assert_eq!(answer, expected);
    let answer = harness.call("BatchWriteItem", json!({"RequestItems": {PLAIN: puts(2)}})).await;
    assert_eq!(answer, json!({"UnprocessedItems": {}}));
}

#[tokio::test]
async fn keys_beyond_16_megabytes_are_left_in_the_form_of_the_request() {
    let harness = tables().await;
    for number in 0..42 {
        let item = super::support::with(key(number), json!({"data": text(409_000)}));
        harness.put(PLAIN, item).await;
    }
    let asked = json!({"Keys": keys(42), "ConsistentRead": true, "ProjectionExpression": "#p",
        "ExpressionAttributeNames": {"#p": "pk"}});
    let answer = harness.call("BatchGetItem", json!({"RequestItems": {PLAIN: asked}})).await;
    let found = answer["Responses"][PLAIN].as_array().unwrap().len();
    assert_eq!(found, 16 * 1024 * 1024 / 409_006);
    let left = &answer["UnprocessedKeys"][PLAIN];
    assert_eq!(left["Keys"].as_array().unwrap().len(), 42 - found);
    assert_eq!(left["ProjectionExpression"], "#p");
    let again = harness.call("BatchGetItem", json!({"RequestItems": {PLAIN: left}})).await;
    assert_eq!(again["Responses"][PLAIN].as_array().unwrap().len(), 42 - found);
    assert_eq!(again["UnprocessedKeys"], json!({}));
}
