//! `Select` and what it goes with.

use serde_json::{Value, json};

use super::support::{ABSENT, PAIRS, invalid, one, tables, text, with};
use crate::harness::Harness;

fn query(table: &str, more: Value) -> Value {
    let base = json!({"TableName": table, "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "p"}}});
    with(base, more)
}

#[tokio::test]
async fn a_contradiction_is_told_before_the_table_by_query_inside_the_envelope() {
    let harness = Harness::new().await;
    let cases = [
        (
            json!({"Select": "SPECIFIC_ATTRIBUTES"}),
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get \
             SPECIFIC_ATTRIBUTES",
        ),
        (
            json!({"Select": "ALL_ATTRIBUTES", "ProjectionExpression": "a"}),
            "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
        ),
        (
            json!({"Select": "COUNT", "ProjectionExpression": "a"}),
            "Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
        (
            json!({"Select": "ALL_PROJECTED_ATTRIBUTES"}),
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        // Of two contradictions, that of the projection is told.
        (
            json!({"Select": "ALL_PROJECTED_ATTRIBUTES", "ProjectionExpression": "a"}),
            "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES",
        ),
    ];
    for (members, text) in cases {
        harness.refuses("Query", query(ABSENT, members.clone()), &one(text)).await;
        harness.refuses("Scan", with(json!({"TableName": ABSENT}), members), text).await;
    }
    let older = json!({"TableName": ABSENT, "AttributesToGet": ["a"], "Select": "COUNT"});
    let text = "Cannot specify the AttributesToGet when choosing to get only the Count";
    harness.refuses("Scan", older, text).await;
}

#[tokio::test]
async fn a_global_index_has_only_what_it_projects() {
    let harness = tables().await;
    let index = |more: Value| {
        let base = json!({"TableName": PAIRS, "IndexName": "by-gsi",
            "KeyConditionExpression": "gsiPk = :g",
            "ExpressionAttributeValues": {":g": {"S": "g"}}});
        with(base, more)
    };
    let all = json!({"Select": "ALL_ATTRIBUTES"});
    let text = invalid(
        "Select type ALL_ATTRIBUTES is not supported for global secondary index by-gsi because its \
         projection type is not ALL",
    );
    harness.refuses("Query", index(all.clone()), &text).await;
    let scan = json!({"TableName": PAIRS, "IndexName": "by-gsi"});
    harness.refuses("Scan", with(scan, all), &text).await;
    let text = invalid("Global secondary index by-gsi does not project [x, y]");
    harness.refuses("Query", index(json!({"ProjectionExpression": "y, proj, x"})), &text).await;
    let text = "Consistent reads are not supported on global secondary indexes";
    harness.refuses("Query", index(json!({"ConsistentRead": true})), text).await;
}

#[tokio::test]
async fn a_local_index_fetches_what_it_does_not_project() {
    let harness = Harness::new().await;
    let table = json!({"TableName": "local", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
            {"AttributeName": "l", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"}],
        "LocalSecondaryIndexes": [{"IndexName": "by-l",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "l", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"}}]});
    harness.call("CreateTable", table).await;
    let item = json!({"pk": {"S": "p"}, "sk": {"S": "s"}, "l": {"S": "l"}, "d": text(5000)});
    harness.put("local", item.clone()).await;
    let index = json!({"IndexName": "by-l", "ConsistentRead": true,
        "ReturnConsumedCapacity": "INDEXES"});
    let all = json!({"Select": "ALL_ATTRIBUTES"});
    let answer = harness.call("Query", with(query("local", index.clone()), all)).await;
    assert_eq!(answer["Items"], json!([item]));
    assert_eq!(
        answer["ConsumedCapacity"],
        json!({"TableName": "local", "CapacityUnits": 3.0,
        "Table": {"CapacityUnits": 2.0}, "LocalSecondaryIndexes": {"by-l": {"CapacityUnits": 1.0}}})
    );
    let answer = harness.call("Query", query("local", index)).await;
    assert_eq!(answer["Items"], json!([{"pk": {"S": "p"}, "sk": {"S": "s"}, "l": {"S": "l"}}]));
}

#[tokio::test]
async fn an_unknown_index_is_told() {
    let harness = tables().await;
    let text = "The table does not have the specified index: nope";
    let index = json!({"IndexName": "nope"});
    harness.refuses("Query", query(PAIRS, index.clone()), text).await;
    let scan = with(json!({"TableName": PAIRS}), index);
    harness.refuses("Scan", scan.clone(), text).await;
    let start = json!({"ExclusiveStartKey": {"pk": {"S": "p"}, "sk": {"S": "s"}}});
    harness.refuses("Scan", with(scan, start), "The provided starting key is invalid").await;
}
