//! Requests as the SDKs send them.

use std::collections::BTreeMap;

use monotable_item::{Item, Value, stored};
use monotable_protocol::batch_write_item::BatchWriteItemRequest;
use monotable_protocol::create_table::CreateTableRequest;
use monotable_protocol::put_item::PutItemRequest;
use monotable_protocol::transact_write_items::TransactWriteItemsRequest;
use monotable_protocol::update_item::UpdateItemRequest;
use monotable_protocol::{StoredItem, WireItem, WireValue, decode_request, encode_json};

fn item(attributes: &[(&str, Value)]) -> WireItem {
    let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    WireItem(Ok(attributes.collect::<Item>()))
}

fn stored_item(attributes: &[(&str, Value)]) -> StoredItem {
    StoredItem(item(attributes).0.map(|item| stored::encode(&item).into()))
}

#[test]
fn put_item() {
    let request: PutItemRequest = decode_request(
        br##"{
            "TableName": "orders",
            "Item": {"pk": {"S": "u#1"}, "total": {"N": "12.50"}},
            "ConditionExpression": "attribute_not_exists(#k)",
            "ExpressionAttributeNames": {"#k": "pk"},
            "ReturnValues": "ALL_OLD"
        }"##,
    )
    .unwrap();
    let expected = PutItemRequest {
        table_name: Some("orders".to_owned()),
        item: Some(stored_item(&[
            ("pk", "u#1".into()),
            ("total", Value::Number("12.5".parse().unwrap())),
        ])),
        condition_expression: Some("attribute_not_exists(#k)".to_owned()),
        expression_attribute_names: Some(BTreeMap::from([("#k".to_owned(), "pk".to_owned())])),
        return_values: Some("ALL_OLD".to_owned()),
        ..PutItemRequest::default()
    };
    assert_eq!(request, expected);
}

#[test]
fn update_item_with_conditions_from_before_expressions() {
    let request: UpdateItemRequest = decode_request(
        br#"{
            "Key": {"pk": {"S": "a"}},
            "AttributeUpdates": {"n": {"Action": "ADD", "Value": {"N": "1"}}},
            "Expected": {"n": {"ComparisonOperator": "LT", "AttributeValueList": [{"N": "9"}]}}
        }"#,
    )
    .unwrap();
    let updates = request.attribute_updates.unwrap();
    assert_eq!(updates["n"].action.as_deref(), Some("ADD"));
    assert_eq!(updates["n"].value, Some(WireValue(Ok(1.into()))));
    let expected = request.expected.unwrap();
    assert_eq!(expected["n"].attribute_value_list, Some(vec![WireValue(Ok(9.into()))]));
}

#[test]
fn create_table_with_an_index() {
    let request: CreateTableRequest = decode_request(
        br#"{
            "TableName": "t",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{
                "IndexName": "i",
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b"]},
                "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}
            }],
            "DeletionProtectionEnabled": true
        }"#,
    )
    .unwrap();
    assert_eq!(request.deletion_protection_enabled, Some(true));
    let index = &request.global_secondary_indexes.unwrap()[0];
    let projection = index.projection.as_ref().unwrap();
    assert_eq!(projection.non_key_attributes, Some(vec!["a".to_owned(), "b".to_owned()]));
    let throughput = index.provisioned_throughput.as_ref().unwrap();
    assert_eq!(throughput.write_capacity_units, Some(6));
}

#[test]
fn transact_write_items_of_each_kind() {
    let request: TransactWriteItemsRequest = decode_request(
        br#"{"TransactItems": [
            {"Put": {"TableName": "t", "Item": {"pk": {"S": "a"}}}},
            {"Update": {"TableName": "t", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET a = :a"}},
            {"Delete": {"TableName": "t", "Key": {"pk": {"S": "c"}}}},
            {"ConditionCheck": {"TableName": "t", "Key": {"pk": {"S": "d"}}}}
        ], "ClientRequestToken": "token"}"#,
    )
    .unwrap();
    let [put, update, delete, check] = &request.transact_items.unwrap()[..] else { panic!() };
    let key = |name: &str| Some(stored_item(&[("pk", name.into())]));
    assert_eq!(put.put.as_ref().unwrap().item, key("a"));
    assert_eq!(update.update.as_ref().unwrap().key, key("b"));
    assert_eq!(delete.delete.as_ref().unwrap().key, key("c"));
    assert_eq!(check.condition_check.as_ref().unwrap().key, key("d"));
}

/// What is not processed is sent back as it came, for the client to send again.
#[test]
fn a_batch_write_is_encoded_as_it_was_sent() {
    let body = r#"{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}"#;
    let request: BatchWriteItemRequest =
        decode_request(format!("{{\"RequestItems\": {body}}}").as_bytes()).unwrap();
    let encoded = encode_json(&request.request_items.unwrap()).unwrap();
    assert_eq!(String::from_utf8(encoded).unwrap(), body);
}

#[test]
fn of_definitions_without_end_a_thousand_are_read_and_the_rest_must_be_json() {
    let body = |count: usize, last: &str| {
        let tags = vec![r#"{"Key":"k","Value":"v"}"#; count].join(",");
        format!(r#"{{"Tags":[{tags},{last}],"TableName":"t"}}"#)
    };
    let request: CreateTableRequest = decode_request(body(100_000, "7").as_bytes()).unwrap();
    assert_eq!(request.tags.unwrap().len(), 1_000);
    assert_eq!(request.table_name.as_deref(), Some("t"));
    decode_request::<CreateTableRequest>(body(10, "7").as_bytes()).unwrap_err();
    decode_request::<CreateTableRequest>(body(100_000, "{").as_bytes()).unwrap_err();
}
