//! Responses as the SDKs receive them.

use std::collections::BTreeMap;

use bytes::Bytes;
use expect_test::{Expect, expect};
use monotable_item::{Item, Value, stored};
use monotable_protocol::describe_table::DescribeTableResponse;
use monotable_protocol::error_response::{CancellationReason, ErrorResponse};
use monotable_protocol::put_item::PutItemResponse;
use monotable_protocol::query::QueryResponse;
use monotable_protocol::shapes::{
    Capacity, ConsumedCapacity, ItemCollectionMetrics, KeySchemaElement, TableDescription,
    Timestamp,
};
use monotable_protocol::{Encode, ResponseItem, encode_json};

#[track_caller]
fn check(response: &impl Encode, expected: &Expect) {
    expected.assert_eq(&String::from_utf8(encode_json(response).unwrap()).unwrap());
}

fn item(attributes: &[(&str, Value)]) -> Item {
    attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

#[test]
fn absent_members_are_left_out() {
    check(&PutItemResponse::default(), &expect!["{}"]);
}

#[test]
fn stored_items_stand_beside_items_of_values() {
    let stored_item = item(&[("pk", "a\"".into()), ("tags", Value::string_set(vec!["x".into()]))]);
    let response = QueryResponse {
        items: Some(vec![
            ResponseItem::Stored(Bytes::from(stored::encode(&stored_item))),
            ResponseItem::Values(item(&[("n", 7.into())])),
        ]),
        count: Some(2),
        scanned_count: Some(2),
        last_evaluated_key: Some(item(&[("pk", "a".into())])),
        ..QueryResponse::default()
    };
    check(
        &response,
        &expect![[
            r#"{"Items":[{"pk":{"S":"a\""},"tags":{"SS":["x"]}},{"n":{"N":"7"}}],"Count":2,"ScannedCount":2,"LastEvaluatedKey":{"pk":{"S":"a"}}}"#
        ]],
    );
}

#[test]
fn capacity_and_collection_metrics() {
    let capacity = |units| Capacity { capacity_units: Some(units), ..Capacity::default() };
    let response = PutItemResponse {
        consumed_capacity: Some(ConsumedCapacity {
            table_name: Some("t".to_owned()),
            capacity_units: Some(2.5),
            table: Some(capacity(1.0)),
            global_secondary_indexes: Some(BTreeMap::from([("i".to_owned(), capacity(1.5))])),
            ..ConsumedCapacity::default()
        }),
        item_collection_metrics: Some(ItemCollectionMetrics {
            item_collection_key: Some(item(&[("pk", "a".into())])),
            size_estimate_range_gb: Some(vec![0.0, 1.0]),
        }),
        ..PutItemResponse::default()
    };
    check(
        &response,
        &expect![[
            r#"{"ConsumedCapacity":{"TableName":"t","CapacityUnits":2.5,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"i":{"CapacityUnits":1.5}}},"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}}"#
        ]],
    );
}

#[test]
fn times_are_seconds_with_milliseconds() {
    let key = KeySchemaElement {
        attribute_name: Some("pk".to_owned()),
        key_type: Some("HASH".to_owned()),
    };
    let table = TableDescription {
        key_schema: Some(vec![key]),
        creation_date_time: Some(Timestamp { epoch_millis: 1_731_628_800_123 }),
        item_count: Some(0),
        deletion_protection_enabled: Some(false),
        ..TableDescription::default()
    };
    check(
        &DescribeTableResponse { table: Some(table) },
        &expect![[
            r#"{"Table":{"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"CreationDateTime":1731628800.123,"ItemCount":0,"DeletionProtectionEnabled":false}}"#
        ]],
    );
}

#[test]
fn a_cancelled_transaction_tells_a_reason_for_each_action() {
    let reason = |code: &str| CancellationReason {
        code: Some(code.to_owned()),
        ..CancellationReason::default()
    };
    let failed = CancellationReason {
        item: Some(ResponseItem::Values(item(&[("pk", "a".into())]))),
        message: Some("The conditional request failed".to_owned()),
        ..reason("ConditionalCheckFailed")
    };
    let response = ErrorResponse {
        error_type: Some(
            "com.amazonaws.dynamodb.v20120810#TransactionCanceledException".to_owned(),
        ),
        message_capitalized: Some("Transaction cancelled".to_owned()),
        cancellation_reasons: Some(vec![reason("None"), failed]),
        ..ErrorResponse::default()
    };
    check(
        &response,
        &expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled","CancellationReasons":[{"Code":"None"},{"Item":{"pk":{"S":"a"}},"Code":"ConditionalCheckFailed","Message":"The conditional request failed"}]}"#
        ]],
    );
}

#[test]
fn a_corrupt_item_is_an_error() {
    let response = QueryResponse {
        items: Some(vec![ResponseItem::Stored(Bytes::from_static(b"\xff"))]),
        ..QueryResponse::default()
    };
    assert!(encode_json(&response).is_err());
}
