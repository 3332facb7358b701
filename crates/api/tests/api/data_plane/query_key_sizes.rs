//! Key values of Query and Scan that are longer than keys may be.
//!
//! For the partition key of a global index, by `=` in an expression, the text is known from a call
//! on AWS that its user reported: it is that of GetItem. Nobody has measured the others: for
//! tables, sort keys, the other operators, `KeyConditions` and keys of many attributes it is taken
//! to be the same, and so is the order, which is that of GetItem. The texts for start keys, and
//! their place in the order, are those of wrong types: so does dynalite.

use serde_json::{Value, json};

use super::support::{BYTES, EMPTY_PK, KEY_MISMATCH, MANY, PAIRS, invalid, tables, text, with};
use crate::harness::Harness;

const START: &str = "The provided starting key is invalid: ";

fn partition_too_long() -> String {
    invalid("Size of hashkey has exceeded the maximum size limit of2048 bytes")
}

fn sort_too_long() -> String {
    invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
}

fn query(table: &str, index: Option<&str>, condition: &str, values: &Value) -> Value {
    json!({"TableName": table, "IndexName": index, "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values})
}

/// A Query of the older kind, with values of this many bytes.
fn older(partition: usize, operator: &str, sort: &[usize]) -> Value {
    let sort: Value = sort.iter().map(|bytes| text(*bytes)).collect();
    json!({"TableName": PAIRS, "KeyConditions": {
        "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [text(partition)]},
        "sk": {"ComparisonOperator": operator, "AttributeValueList": sort}}})
}

async fn finds_nothing(harness: &Harness, request: Value) {
    assert_eq!(harness.call("Query", request).await["Count"], 0);
}

#[tokio::test]
async fn a_partition_key_has_at_most_2048_bytes() {
    let harness = tables().await;
    for (index, name) in [(None, "pk"), (Some("by-lsi"), "pk"), (Some("by-gsi"), "gsiPk")] {
        let request =
            |bytes| query(PAIRS, index, &format!("{name} = :p"), &json!({":p": text(bytes)}));
        finds_nothing(&harness, request(2048)).await;
        for bytes in [2049, 65_536, 300_000] {
            harness.refuses("Query", request(bytes), &partition_too_long()).await;
        }
    }
    // 2049 bytes, of which their text has more.
    let binary = json!({":p": {"B": "AAAA".repeat(683)}});
    harness.refuses("Query", query(BYTES, None, "pk = :p", &binary), &partition_too_long()).await;
}

#[tokio::test]
async fn a_sort_key_has_at_most_1024_bytes_whatever_the_operator() {
    let harness = tables().await;
    let comparisons = ["X = :s", "X < :s", "X <= :s", "X > :s", "X >= :s", "begins_with(X, :s)"];
    for (index, name) in [(None, "sk"), (Some("by-lsi"), "lsiSk")] {
        for comparison in comparisons {
            let condition = format!("pk = :p AND {}", comparison.replace('X', name));
            let request = |bytes| {
                query(PAIRS, index, &condition, &json!({":p": {"S": "p"}, ":s": text(bytes)}))
            };
            finds_nothing(&harness, request(1024)).await;
            for bytes in [1025, 65_536, 300_000] {
                harness.refuses("Query", request(bytes), &sort_too_long()).await;
            }
        }
        let condition = format!("pk = :p AND {name} BETWEEN :low AND :high");
        for (low, high) in [(1, 1025), (1025, 1025)] {
            let values = json!({":p": {"S": "p"}, ":low": text(low), ":high": text(high)});
            let request = query(PAIRS, index, &condition, &values);
            harness.refuses("Query", request, &sort_too_long()).await;
        }
    }
}

#[tokio::test]
async fn older_key_conditions_are_as_long_as_others() {
    let harness = tables().await;
    finds_nothing(&harness, older(2048, "BETWEEN", &[1, 1024])).await;
    harness.refuses("Query", older(2049, "EQ", &[1]), &partition_too_long()).await;
    for operator in ["EQ", "LT", "LE", "GT", "GE", "BEGINS_WITH"] {
        harness.refuses("Query", older(1, operator, &[1025]), &sort_too_long()).await;
    }
    harness.refuses("Query", older(1, "BETWEEN", &[1, 1025]), &sort_too_long()).await;
}

#[tokio::test]
async fn the_attributes_of_one_role_are_counted_together() {
    let harness = tables().await;
    let by = |condition: &str, values: &Value| query(MANY, Some("by-many"), condition, values);
    let partition = |first: usize, second: usize| {
        by("h1 = :a AND h2 = :b", &json!({":a": text(first), ":b": text(second)}))
    };
    finds_nothing(&harness, partition(1024, 1024)).await;
    harness.refuses("Query", partition(1024, 1025), &partition_too_long()).await;
    let sort = |comparison: &str, last: usize| {
        let values = json!({":p": {"S": "p"}, ":a": text(500), ":b": text(last)});
        by(&format!("h1 = :p AND h2 = :p AND a = :a AND {comparison}"), &values)
    };
    for comparison in ["b = :b", "b > :b", "begins_with(b, :b)", "b BETWEEN :b AND :b"] {
        finds_nothing(&harness, sort(comparison, 524)).await;
        harness.refuses("Query", sort(comparison, 525), &sort_too_long()).await;
    }
}

#[tokio::test]
async fn attributes_are_checked_one_after_the_other() {
    let harness = tables().await;
    let pair = |partition: Value, sort: Value| {
        query(PAIRS, None, "pk = :p AND sk = :s", &json!({":p": partition, ":s": sort}))
    };
    let wrong_type = invalid("Condition parameter type does not match schema type");
    let cases = [
        (pair(text(2049), json!({"N": "1"})), partition_too_long()),
        (pair(text(2049), text(1025)), partition_too_long()),
        (pair(json!({"N": "1"}), text(1025)), wrong_type),
        (pair(json!({"S": ""}), text(1025)), EMPTY_PK.to_owned()),
    ];
    for (request, refusal) in cases {
        harness.refuses("Query", request, &refusal).await;
    }
}

#[tokio::test]
async fn a_start_key_of_a_query_is_as_long_as_keys_are() {
    let harness = tables().await;
    let short = || json!({"S": "p"});
    let start = |index, condition: &str, start: Value| {
        let request = query(PAIRS, index, condition, &json!({":p": short()}));
        with(request, json!({"ExclusiveStartKey": start}))
    };
    let table_cases = [
        (json!({"pk": text(2049), "sk": short()}), partition_too_long()),
        (json!({"pk": short(), "sk": text(1025)}), sort_too_long()),
        (json!({"pk": text(300_000), "sk": text(300_000)}), partition_too_long()),
        (json!({"pk": text(2049), "sk": {"N": "1"}}), partition_too_long()),
    ];
    for (key, refusal) in table_cases {
        harness.refuses("Query", start(None, "pk = :p", key), &refusal).await;
    }
    let index_cases = [
        (json!({"gsiPk": text(2049), "pk": short(), "sk": short()}), partition_too_long()),
        (
            json!({"gsiPk": short(), "pk": text(2049), "sk": short()}),
            format!("{START}{}", partition_too_long()),
        ),
        (
            json!({"gsiPk": short(), "pk": short(), "sk": text(1025)}),
            format!("{START}{}", sort_too_long()),
        ),
        (
            json!({"gsiPk": short(), "pk": text(2049), "sk": {"N": "1"}}),
            format!("{START}{KEY_MISMATCH}"),
        ),
    ];
    for (key, refusal) in index_cases {
        harness.refuses("Query", start(Some("by-gsi"), "gsiPk = :p", key), &refusal).await;
    }
}

#[tokio::test]
async fn a_start_key_of_a_scan_is_as_long_as_keys_are() {
    let harness = tables().await;
    let scan = |table: &str, index: Option<&str>, start: Value| {
        json!({"TableName": table, "IndexName": index,
            "ExclusiveStartKey": start})
    };
    let key = json!({"pk": text(2049), "sk": {"S": "s"}});
    let refusal = format!("{START}{}", partition_too_long());
    harness.refuses("Scan", scan(PAIRS, None, key), &refusal).await;
    let key = json!({"pk": {"S": "p"}, "sk": text(1025)});
    let refusal = format!("{START}{}", sort_too_long());
    harness.refuses("Scan", scan(PAIRS, None, key), &refusal).await;
    let many = |a: usize, b: usize| {
        json!({"pk": {"S": "p"}, "h1": text(1024), "h2": text(1024), "a": text(a), "b": text(b),
            "c": text(1)})
    };
    harness.call("Scan", scan(MANY, Some("by-many"), many(500, 523))).await;
    let request = scan(MANY, Some("by-many"), many(500, 524));
    harness.refuses("Scan", request, &sort_too_long()).await;
}
