//! SearchVectors, and writes to tables with vector indexes.
//!
//! The texts were recorded on AWS in eu-west-2 in August and October 2026 by public test suites,
//! but where a test says otherwise.

use crate::harness::{Harness, code_and_text};
use serde_json::{Value, json};

fn vector(numbers: &[&str]) -> Value {
    numbers.iter().map(|number| json!({"N": number})).collect()
}

/// A table with the indexes `plain` and `schema`, of which the latter has partitions and a filter.
async fn new_harness() -> Harness {
    let harness = Harness::new().await;
    let index = |name: &str, search: Value| {
        json!({
            "IndexName": name,
            "VectorAttribute": {"AttributeName": "embedding"},
            "Dimensions": 3,
            "DistanceFunction": "COSINE",
            "Projection": {"ProjectionType": "ALL"},
            "SearchSchema": search,
        })
    };
    let defined = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let search = json!([
        {"AttributeName": "tenant", "SearchSchemaElementType": "HASH"},
        {"AttributeName": "category", "SearchSchemaElementType": "INLINE_FILTER"},
    ]);
    let request = json!({
        "TableName": "docs",
        "AttributeDefinitions": [defined("pk"), defined("tenant"), defined("category")],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        "VectorIndexes": [index("plain", Value::Null), index("schema", search)],
    });
    harness.call("CreateTable", request).await;
    harness
}

fn searching(index: &str, mut changes: Value) -> Value {
    let mut request = json!({
        "TableName": "docs", "IndexName": index, "TopK": 10,
        "SearchVector": vector(&["1", "0", "0"]),
    });
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

fn on(index: &str, condition: &str, values: &Value) -> Value {
    let changes =
        json!({"SearchConditionExpression": condition, "ExpressionAttributeValues": values});
    searching(index, changes)
}

async fn put(harness: &Harness, mut attributes: Value) -> Value {
    let mut item = json!({"pk": {"S": "a"}});
    item.as_object_mut().unwrap().append(attributes.as_object_mut().unwrap());
    let request = json!({"TableName": "docs", "Item": item, "ReturnConsumedCapacity": "INDEXES"});
    harness.call("PutItem", request).await
}

async fn put_error(harness: &Harness, mut attributes: Value) -> String {
    let mut item = json!({"pk": {"S": "a"}});
    item.as_object_mut().unwrap().append(attributes.as_object_mut().unwrap());
    let (code, text) = harness.error("PutItem", json!({"TableName": "docs", "Item": item})).await;
    assert_eq!(code, "ValidationException");
    text
}

#[tokio::test]
async fn searches_are_refused_that_the_index_cannot_answer() {
    let harness = new_harness().await;
    let invalid = "Invalid SearchConditionExpression: ";
    let comparator = format!("{invalid}Invalid comparator used in SearchConditionExpression");
    let operator = format!("{invalid}Invalid operator used in SearchConditionExpression");
    let t = json!({":t": {"S": "t"}});
    let both = json!({":t": {"S": "t"}, ":c": {"S": "c"}});
    for (request, expected) in [
        (
            searching("plain", json!({"TopK": 101})),
            "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 \
             inclusive",
        ),
        (
            searching("plain", json!({"TopK": 0})),
            "1 validation error detected: Value at 'TopK' failed to satisfy constraint: Member \
             must have value greater than or equal to 1",
        ),
        (
            searching("ab", json!({})),
            "1 validation error detected: Value at 'IndexName' failed to satisfy constraint: \
             Member must have length greater than or equal to 3",
        ),
        (
            searching("plain", json!({"SearchVector": []})),
            "1 validation error detected: Value at 'SearchVector' failed to satisfy constraint: \
             Member must have length greater than or equal to 1",
        ),
        (searching("other", json!({})), "The table does not have the specified index: other"),
        (
            searching("schema", json!({})),
            "SearchConditionExpression must be provided when SearchSchema has a HASH key",
        ),
        (on("schema", "tenant < :t", &t), &comparator),
        (on("schema", "tenant = :t AND category < :c", &both), &comparator),
        (on("schema", "tenant = :t OR category = :c", &both), &operator),
        (on("schema", "tenant BETWEEN :c AND :t", &both), &operator),
        (
            on("schema", "category = :t", &t),
            "SearchConditionExpression must have all HASH attributes in configured SearchSchema",
        ),
        (
            on("plain", "tenant = :t", &t),
            "SearchConditionExpression must not contain any attributes that is not in \
             SearchSchema. Invalid attribute: tenant",
        ),
        (
            on("schema", "tenant.x = :t", &t),
            &format!(
                "{invalid}SearchConditionExpression cannot have conditions on nested attributes"
            ),
        ),
        (
            on("schema", "tenant = :t AND tenant = :t", &t),
            &format!(
                "{invalid}SearchConditionExpression must only contain one condition per attribute"
            ),
        ),
        (
            on("schema", "tenant = :t", &json!({":t": {"N": "1"}})),
            "Type of 'tenant' attribute in SearchConditionExpression (N) does not match type in \
             search schema (S)",
        ),
        (
            on("schema", "tenant = :t", &json!({":t": {"S": ""}})),
            "One or more parameter values are not valid. The AttributeValue for a key attribute \
             cannot contain an empty string value. Key: tenant",
        ),
        (
            searching("plain", json!({"SearchVector": vector(&["1", "0"])})),
            "Input search vector dimension 2 does not match vector index dimension 3",
        ),
        (
            searching("plain", json!({"SearchVector": [{"L": vector(&["1", "0", "0"])}]})),
            "Search vector contains invalid values. All values in the search vector must be a \
             32-bit floating-point number attribute",
        ),
        (
            searching("plain", json!({"SearchVector": vector(&["1E39", "0", "0"])})),
            "Search vector contains invalid values. All values in the search vector must be a \
             32-bit floating-point number attribute",
        ),
    ] {
        let refused = harness.error("SearchVectors", request.clone()).await;
        assert_eq!(refused, ("ValidationException".to_owned(), expected.to_owned()), "{request}");
    }
    let (code, _) =
        harness.error("SearchVectors", searching("plain", json!({"TableName": "absent"}))).await;
    assert_eq!(code, "ResourceNotFoundException");
}

#[tokio::test]
async fn a_request_is_read_strictly() {
    let harness = new_harness().await;
    for (name, expected) in [
        ("IndexName", "a string"),
        ("TableName", "a string"),
        ("SearchVector", "a sequence"),
        ("TopK", "i32"),
    ] {
        let body = format!("{{\"{name}\": null}}");
        let error = harness.send("SearchVectors", body.as_bytes()).await.unwrap_err();
        let text =
            format!("invalid type: null, expected {expected} at line 1 column {}", body.len() - 1);
        assert_eq!(code_and_text(error), ("SerializationException".to_owned(), text));
    }
    let body = br#"{"IndexName":"ab","TopK":1}"#;
    let error = harness.send("SearchVectors", body).await.unwrap_err();
    let text = format!("missing field `TableName` at line 1 column {}", body.len());
    assert_eq!(code_and_text(error), ("ValidationException".to_owned(), text));
}

#[tokio::test]
async fn writes_are_refused_whose_vectors_no_index_can_hold() {
    let harness = new_harness().await;
    let invalid = "One or more parameter values were invalid.";
    for (attributes, expected) in [
        (
            json!({"embedding": {"L": vector(&["1", "0"])}}),
            format!(
                "{invalid} Invalid size for parameter embedding, Expected: 3, Actual: 2 IndexName: \
                 plain"
            ),
        ),
        (
            json!({"embedding": {"L": [{"N": "1"}, {"S": "oops"}, {"N": "0"}]}}),
            format!(
                "{invalid} Invalid type for parameter embedding[1], Expected: 32-bit floating \
                 point number, Actual: S. IndexName: plain"
            ),
        ),
        (
            json!({"embedding": {"S": "not-a-vector"}}),
            format!(
                "{invalid} Invalid type for parameter embedding, Expected: 32-bit floating point \
                 number list IndexName: plain"
            ),
        ),
        (
            json!({"embedding": {"L": vector(&["0", "1.3E40", "0"])}}),
            format!(
                "{invalid} Invalid value for parameter embedding[1], Value: 1.3E+40 is outside \
                 valid range [-3.4028235E38, 3.4028235E38]. IndexName: plain"
            ),
        ),
        (
            json!({"category": {"N": "1"}}),
            format!(
                "{invalid} Attribute 'category' type mismatch. Expected: S, Actual: N. IndexName: \
                 schema"
            ),
        ),
        (
            json!({"tenant": {"S": ""}, "embedding": {"L": vector(&["0", "0", "1"])}}),
            "One or more parameter values are not valid. A value specified for a secondary index \
             key is not supported. The AttributeValue for a key attribute cannot contain an empty \
             string value. IndexName: schema, IndexKey: tenant"
                .to_owned(),
        ),
    ] {
        assert_eq!(put_error(&harness, attributes).await, expected);
    }
    let update = json!({
        "TableName": "docs", "Key": {"pk": {"S": "a"}},
        "UpdateExpression": "SET embedding = :v",
        "ExpressionAttributeValues": {":v": {"L": vector(&["1"])}},
    });
    let (_, text) = harness.error("UpdateItem", update).await;
    let expected = "Invalid size for parameter embedding, Expected: 3, Actual: 1 IndexName: plain";
    assert_eq!(text, format!("{invalid} {expected}"));
    assert_eq!(harness.call("Scan", json!({"TableName": "docs"})).await["Count"], 0);
}

#[tokio::test]
async fn the_vector_is_returned_when_it_is_asked_for_as_the_index_has_it() {
    let harness = new_harness().await;
    let precise = ["0.1", "16777217", "1.000000059604644775390625"];
    let attributes = json!({"label": {"S": "x"}, "embedding": {"L": vector(&precise)}});
    put(&harness, attributes.clone()).await;
    let found = harness.call("SearchVectors", searching("plain", json!({}))).await;
    let item = &found["SearchResults"][0]["Item"];
    assert_eq!(*item, json!({"pk": {"S": "a"}, "label": {"S": "x"}}));
    let projected = searching("plain", json!({"ProjectionExpression": "pk, embedding, absent"}));
    let found = harness.call("SearchVectors", projected).await;
    let embedding = json!({"L": vector(&["0.1", "16777216", "1"])});
    let expected = json!({"pk": {"S": "a"}, "embedding": embedding});
    assert_eq!(found["SearchResults"][0]["Item"], expected);
    // The table has it as it was sent.
    let get = json!({"TableName": "docs", "Key": {"pk": {"S": "a"}}});
    let got = harness.call("GetItem", get).await;
    assert_eq!(got["Item"]["embedding"], attributes["embedding"]);
}

#[tokio::test]
async fn an_index_is_charged_for_what_changes_in_it() {
    let harness = new_harness().await;
    let vectors = |answer: &Value| answer["ConsumedCapacity"]["VectorIndexes"].clone();
    let written = |bytes: f64| json!({"VectorWriteRequestBytes": bytes});
    let plain = json!({"embedding": {"L": vector(&["0", "1", "0"])}});
    let answer = put(&harness, plain.clone()).await;
    assert_eq!(answer["ConsumedCapacity"]["CapacityUnits"], 1.0);
    assert_eq!(vectors(&answer), json!({"plain": written(1024.0)}));
    assert_eq!(vectors(&put(&harness, plain).await), Value::Null);
    // Four bytes for each number, the names, and what else the entry has.
    let long = json!({
        "embedding": {"L": vector(&["0", "1", "0"])},
        "tenant": {"S": "t"},
        "blob": {"S": "x".repeat(1500)},
    });
    let bytes = (3 * 4 + "embedding".len() + "pk".len() + 1 + "tenant".len() + 1 + 1504) as f64;
    let answer = put(&harness, long).await;
    assert_eq!(vectors(&answer), json!({"plain": written(bytes), "schema": written(bytes)}));
    let total = json!({
        "TableName": "docs", "ReturnConsumedCapacity": "TOTAL",
        "Item": {"pk": {"S": "b"}, "embedding": {"L": vector(&["0", "1", "0"])}},
    });
    let answer = harness.call("PutItem", total).await;
    assert_eq!(answer["ConsumedCapacity"], json!({"TableName": "docs", "CapacityUnits": 1.0}));
}

/// On a write the vector counts four bytes a number, whatever its digits; on a read and for the
/// largest item it counts as the list that it is.
#[tokio::test]
async fn a_vector_is_charged_by_its_dimensions() {
    let harness = new_harness().await;
    let wide = "12345678901234567890123456789012345678";
    let fixed = "pk".len() + 1 + "embedding".len() + 12 + "pad".len();
    for (charged_bytes, units) in [(1024, 1.0), (1025, 2.0)] {
        let attributes = json!({
            "embedding": {"L": vector(&[wide, wide, wide])},
            "pad": {"S": "x".repeat(charged_bytes - fixed)},
        });
        let answer = put(&harness, attributes).await;
        assert_eq!(answer["ConsumedCapacity"]["Table"]["CapacityUnits"], units);
    }
}

#[tokio::test]
async fn a_search_is_charged_in_bytes_alone() {
    let harness = new_harness().await;
    for wanted in ["TOTAL", "INDEXES"] {
        let request = searching("plain", json!({"ReturnConsumedCapacity": wanted}));
        let answer = harness.call("SearchVectors", request).await;
        let expected = json!({"VectorSearchRequestBytes": 1024.0});
        assert_eq!(answer["ConsumedCapacity"], expected);
        assert_eq!(answer["SearchResults"], json!([]));
    }
    let answer = harness.call("SearchVectors", searching("plain", json!({}))).await;
    assert_eq!(answer["ConsumedCapacity"], Value::Null);
}
