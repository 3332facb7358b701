//! Tags of tables. The texts were measured in October 2026.

use crate::harness::Harness;
use serde_json::{Value, json};

const ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/shop";

async fn with_shop() -> Harness {
    let harness = Harness::new().await;
    let shop = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        "Tags": [{"Key": "team", "Value": "sales"}],
    });
    harness.call("CreateTable", shop).await;
    harness
}

fn tag(key: &str, value: &str) -> Value {
    json!({"Key": key, "Value": value})
}

async fn tags(harness: &Harness) -> Value {
    harness.call("ListTagsOfResource", json!({"ResourceArn": ARN})).await["Tags"].clone()
}

#[tokio::test]
async fn tags_are_added_changed_and_removed() {
    let harness = with_shop().await;
    assert_eq!(tags(&harness).await, json!([tag("team", "sales")]));
    let add = json!({"ResourceArn": ARN, "Tags": [tag("Env", ""), tag("team", "support")]});
    assert_eq!(harness.call("TagResource", add).await, json!({}));
    assert_eq!(tags(&harness).await, json!([tag("Env", ""), tag("team", "support")]));
    let remove = json!({"ResourceArn": ARN, "TagKeys": ["team", "absent"]});
    assert_eq!(harness.call("UntagResource", remove).await, json!({}));
    assert_eq!(tags(&harness).await, json!([tag("Env", "")]));
}

#[tokio::test]
async fn a_table_has_at_most_fifty_tags_and_they_come_in_one_page() {
    let harness = with_shop().await;
    let many: Vec<Value> = (0..49).map(|number| tag(&format!("k{number:02}"), "v")).collect();
    harness.call("TagResource", json!({"ResourceArn": ARN, "Tags": many})).await;
    let one_more = json!({"ResourceArn": ARN, "Tags": [tag("k01", "new"), tag("k51", "")]});
    let (code, text) = harness.error("TagResource", one_more).await;
    assert_eq!(code, "ValidationException");
    assert_eq!(text, "Number of Tags exceed the current limit for the provided ResourceArn");
    let list = json!({"ResourceArn": ARN, "NextToken": "no such page"});
    let page = harness.call("ListTagsOfResource", list).await;
    assert_eq!(page["Tags"].as_array().unwrap().len(), 50);
    assert_eq!(page.get("NextToken"), None);
}

#[tokio::test]
async fn what_is_wrong_with_tags_is_told_before_anything_about_the_table() {
    let harness = Harness::new().await;
    let text = async |operation: &str, request: Value| harness.error(operation, request).await.1;
    let add = |tags: Value| json!({"ResourceArn": ARN, "Tags": tags});
    for (tags, expected) in [
        (json!([]), "Atleast one Tag needs to be provided as Input."),
        (json!([tag("AWS:x", "")]), "Tag Key cannot be prefixed with aws:, Key: AWS:x"),
        (json!([tag("a#b", "")]), "The Tag Key provided is invalid, Key: a#b"),
        (json!([tag("a", "b#")]), "The Tag Value provided is invalid, Value: b#"),
        (
            json!([tag("a", "1"), tag("a", "2")]),
            "Duplicate Tag Keys provided as input: Duplicate Tag Key found a",
        ),
    ] {
        assert_eq!(text("TagResource", add(tags)).await, expected);
    }
    let remove = |keys: Value| json!({"ResourceArn": ARN, "TagKeys": keys});
    assert_eq!(
        text("UntagResource", remove(json!([]))).await,
        "Atleast one Tag Key needs to be provided as Input."
    );
    assert_eq!(
        text("UntagResource", remove(json!(["aws:x"]))).await,
        "Tag Key cannot be prefixed with aws:, Key: aws:x"
    );
    assert_eq!(
        text("UntagResource", json!({"ResourceArn": ARN})).await,
        "1 validation error detected: Value null at 'tagKeys' failed to satisfy constraint: Member \
         must not be null"
    );
    assert_eq!(
        text("TagResource", add(json!([tag("a", "")]))).await,
        format!("Requested resource not found: ResourceArn: {ARN} not found")
    );
}

#[tokio::test]
async fn indexes_and_streams_have_no_tags() {
    let harness = with_shop().await;
    let list = |arn: String| json!({"ResourceArn": arn});
    let index = format!("{ARN}/index/by_state");
    let (code, text) = harness.error("ListTagsOfResource", list(index)).await;
    assert_eq!(code, "ValidationException");
    assert!(text.contains("only table or stream is accepted"), "{text}");
    let stream = format!("{ARN}/stream/2026-11-15T12:00:00.250");
    let (code, _) = harness.error("ListTagsOfResource", list(stream)).await;
    assert_eq!(code, "ResourceNotFoundException");
}
