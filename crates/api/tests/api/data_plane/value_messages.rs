//! Values that are refused: two layers of DynamoDB word it, by operation.

use serde_json::{Value, json};

use super::support::{ABSENT, NESTING, invalid, nested, one};
use crate::harness::Harness;

/// A value, what the current layer says of it, and what the older one.
fn refused_values() -> Vec<(Value, String, String)> {
    let same = |value: Value, text: String| (value, text.clone(), text);
    let not_a_number = "The parameter cannot be converted to a numeric value";
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than \
                    supported range";
    let underflow = "Number underflow. Attempting to store a number with magnitude smaller than \
                     supported range";
    vec![
        same(json!({"N": "abc"}), format!("{not_a_number}: abc")),
        same(json!({"N": " 1"}), format!("{not_a_number}:  1")),
        same(json!({"NS": ["1", "x"]}), format!("{not_a_number}: x")),
        (json!({"N": ""}), format!("{not_a_number}: "), not_a_number.to_owned()),
        (json!({"NS": [""]}), format!("{not_a_number}: "), not_a_number.to_owned()),
        same(json!({"N": "1e126"}), overflow.to_owned()),
        same(json!({"N": "-1e126"}), overflow.to_owned()),
        (json!({"N": "1e2147483647"}), overflow.to_owned(), underflow.to_owned()),
        same(json!({"N": "1e-131"}), underflow.to_owned()),
        same(
            json!({"N": "123456789012345678901234567890123456789"}),
            "Attempting to store more than 38 significant digits in a Number".to_owned(),
        ),
        (
            json!({"SS": ["b", "a", "b", "c"]}),
            invalid("Input collection [\"a\", \"b\", \"b\", \"c\"] contains duplicates."),
            invalid("Input collection [b, a, b, c] contains duplicates."),
        ),
        (
            json!({"BS": ["/w==", "AA==", "AA=="]}),
            invalid("Input collection [\"AA==\",\"/w==\",\"AA==\"]of type BS contains duplicates."),
            invalid("Input collection [/w==, AA==, AA==]of type BS contains duplicates."),
        ),
        (
            json!({"NS": ["1", "1.0"]}),
            invalid("Input collection contains duplicates."),
            "Input collection contains duplicates".to_owned(),
        ),
        same(json!({"SS": []}), invalid("An string set  may not be empty")),
        same(json!({"NS": []}), invalid("An number set  may not be empty")),
        same(json!({"BS": []}), invalid("Binary sets should not be empty")),
        same(
            json!({"NULL": false}),
            invalid("Null attribute value types must have the value of true"),
        ),
        same(
            json!({}),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
                .to_owned(),
        ),
        same(
            json!({"S": "a", "BOOL": true}),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of \
             the supported datatypes"
                .to_owned(),
        ),
        // What is wrong with one of several types comes before their number.
        same(json!({"S": "a", "N": "b"}), format!("{not_a_number}: b")),
        same(json!({"L": [{"M": {"deep": {"N": "x"}}}]}), format!("{not_a_number}: x")),
        same(nested(32), NESTING.to_owned()),
    ]
}

/// Where a value can stand in a request.
type ValuePosition = (&'static str, fn(Value) -> Value);

/// The places where the current layer answers inside the envelope.
const ENVELOPED: &[ValuePosition] = &[
    ("PutItem", |value| json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}, "v": value}})),
    ("PutItem", |value| {
        json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}}, "ConditionExpression": "v = :v",
            "ExpressionAttributeValues": {":v": value}})
    }),
    ("PutItem", |value| {
        json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}},
            "Expected": {"v": {"Value": value}}})
    }),
    ("UpdateItem", |value| json!({"TableName": ABSENT, "Key": {"pk": value}})),
    ("UpdateItem", |value| {
        json!({"TableName": ABSENT, "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET v = :v",
            "ExpressionAttributeValues": {":v": value}})
    }),
    ("UpdateItem", |value| {
        json!({"TableName": ABSENT, "Key": {"pk": {"S": "a"}},
            "AttributeUpdates": {"v": {"Action": "PUT", "Value": value}}})
    }),
    ("DeleteItem", |value| json!({"TableName": ABSENT, "Key": {"pk": value}})),
    ("DeleteItem", |value| {
        json!({"TableName": ABSENT, "Key": {"pk": {"S": "a"}}, "ConditionExpression": "v = :v",
            "ExpressionAttributeValues": {":v": value}})
    }),
];

/// The places where the current layer answers without envelope.
const BARE: &[ValuePosition] = &[
    ("GetItem", |value| json!({"TableName": ABSENT, "Key": {"pk": value}})),
    ("BatchGetItem", |value| json!({"RequestItems": {ABSENT: {"Keys": [{"pk": value}]}}})),
    ("Query", |value| {
        json!({"TableName": ABSENT, "KeyConditionExpression": "pk = :v",
            "ExpressionAttributeValues": {":v": value}})
    }),
    ("Query", |value| {
        json!({"TableName": ABSENT, "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "a"}}, "ExclusiveStartKey": {"pk": value}})
    }),
    ("Query", |value| {
        json!({"TableName": ABSENT,
            "KeyConditions": {"pk": {"ComparisonOperator": "EQ",
                "AttributeValueList": [{"S": "a"}]}},
            "QueryFilter": {"v": {"ComparisonOperator": "EQ", "AttributeValueList": [value]}}})
    }),
    ("TransactWriteItems", |value| {
        json!({"TransactItems": [
            {"Put": {"TableName": ABSENT, "Item": {"pk": {"S": "a"}, "v": value}}}]})
    }),
    (
        "TransactWriteItems",
        |value| json!({"TransactItems": [{"Delete": {"TableName": ABSENT, "Key": {"pk": value}}}]}),
    ),
    (
        "TransactGetItems",
        |value| json!({"TransactItems": [{"Get": {"TableName": ABSENT, "Key": {"pk": value}}}]}),
    ),
];

/// The places where the older layer answers.
const OLDER: &[ValuePosition] = &[
    ("BatchWriteItem", |value| {
        json!({"RequestItems": {ABSENT: [{"PutRequest": {"Item": {"pk": {"S": "a"},
            "v": value}}}]}})
    }),
    (
        "BatchWriteItem",
        |value| json!({"RequestItems": {ABSENT: [{"DeleteRequest": {"Key": {"pk": value}}}]}}),
    ),
    ("Scan", |value| {
        json!({"TableName": ABSENT,
            "ScanFilter": {"v": {"ComparisonOperator": "EQ", "AttributeValueList": [value]}}})
    }),
];

#[tokio::test]
async fn single_writes_answer_in_the_current_words_inside_the_envelope() {
    let harness = Harness::new().await;
    for (value, text, _) in refused_values() {
        for (operation, request) in ENVELOPED {
            harness.refuses(operation, request(value.clone()), &one(&text)).await;
        }
    }
}

#[tokio::test]
async fn reads_by_key_queries_and_transactions_answer_in_the_current_words_bare() {
    let harness = Harness::new().await;
    for (value, text, _) in refused_values() {
        for (operation, request) in BARE {
            harness.refuses(operation, request(value.clone()), &text).await;
        }
    }
}

#[tokio::test]
async fn every_action_of_a_transaction_checks_its_expression_values_but_for_their_depth() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    for (value, text, _) in refused_values().into_iter().filter(|(_, text, _)| text != NESTING) {
        let more = json!({"TableName": ABSENT, "Item": key, "Key": key,
            "ConditionExpression": "v = :v", "UpdateExpression": "SET v = :v",
            "ExpressionAttributeValues": {":v": value}});
        for action in ["Put", "Update", "Delete", "ConditionCheck"] {
            let request = json!({"TransactItems": [{action: more}]});
            harness.refuses("TransactWriteItems", request, &text).await;
        }
    }
}

#[tokio::test]
async fn batch_writes_and_scans_answer_in_the_older_words() {
    let harness = Harness::new().await;
    for (value, _, text) in refused_values() {
        for (operation, request) in OLDER {
            harness.refuses(operation, request(value.clone()), &text).await;
        }
    }
}

#[tokio::test]
async fn a_scan_names_the_expression_value_that_is_wrong() {
    let harness = Harness::new().await;
    for (value, _, text) in refused_values() {
        let request = json!({"TableName": ABSENT, "FilterExpression": "v = :v",
            "ExpressionAttributeValues": {":v": value}});
        let text = format!("ExpressionAttributeValues contains invalid value: {text} for key :v");
        harness.refuses("Scan", request, &text).await;
    }
}

#[tokio::test]
async fn a_scan_says_of_most_values_that_they_make_the_start_key_invalid() {
    let harness = Harness::new().await;
    for (value, _, text) in refused_values() {
        let is_bare =
            text.contains("umber") || text.contains("numeric") || text.contains("duplicates");
        let text =
            if is_bare { text } else { format!("The provided starting key is invalid: {text}") };
        let request = json!({"TableName": ABSENT, "ExclusiveStartKey": {"pk": value}});
        harness.refuses("Scan", request, &text).await;
    }
}

#[tokio::test]
async fn the_first_wrong_value_in_the_request_is_told() {
    let harness = Harness::new().await;
    let body = br#"{"TableName": "absent", "Item": {"z": {"NULL": false}, "a": {"N": "x"}}}"#;
    let error = harness.send("PutItem", body).await.unwrap_err();
    let text = one(&invalid("Null attribute value types must have the value of true"));
    assert_eq!(error.message(), Some(text.as_str()));
}

#[tokio::test]
async fn an_item_has_no_empty_attribute_name() {
    let harness = Harness::new().await;
    let item = json!({"pk": {"S": "a"}, "": {"S": "b"}});
    // Measured for transactions only; the single write follows the rule for its other refusals.
    let request = json!({"TableName": ABSENT, "Item": item});
    harness.refuses("PutItem", request, &one("Empty attribute name")).await;
    let request = json!({"TransactItems": [{"Put": {"TableName": ABSENT, "Item": item}}]});
    harness.refuses("TransactWriteItems", request, "Empty attribute name").await;
    let request = json!({"RequestItems": {ABSENT: [{"PutRequest": {"Item": item}}]}});
    harness.refuses("BatchWriteItem", request, "Empty attribute name").await;
}

#[tokio::test]
async fn an_attribute_name_has_at_most_65535_bytes() {
    let harness = super::support::tables().await;
    let item = |bytes: usize| json!({"pk": {"S": "a"}, "n".repeat(bytes): {"S": "b"}});
    harness.put("plain", item(65_535)).await;
    let request = json!({"TableName": "plain", "Item": item(65_536)});
    let text = one(LONG_NAME);
    harness.refuses("PutItem", request, &text).await;
}

const LONG_NAME: &str = "Attribute name is too large, must be less than 65536 bytes";

/// Which requests are refused is known from Alternator's tests, which run against AWS; the words
/// around the text are those that AWS has for an empty name.
#[tokio::test]
async fn an_attribute_name_in_an_expression_has_at_most_65535_bytes() {
    let harness = super::support::tables().await;
    let names = |bytes: usize| json!({"#n": "n".repeat(bytes)});
    let key = json!({"pk": {"S": "a"}});
    let values = json!({":v": {"N": "1"}});
    let update = |bytes: usize| {
        json!({"TableName": "plain", "Key": key, "UpdateExpression": "SET #n = :v",
            "ExpressionAttributeNames": names(bytes), "ExpressionAttributeValues": values})
    };
    let conditional = json!({"TableName": "plain", "Key": key, "ConditionExpression": "#n = :v",
        "ExpressionAttributeNames": names(65_536), "ExpressionAttributeValues": values});
    let get = json!({"TableName": "plain", "Key": key, "ProjectionExpression": "#n",
        "ExpressionAttributeNames": names(65_536)});
    let scan = json!({"TableName": "plain", "FilterExpression": "#n = :v",
        "ExpressionAttributeNames": names(65_536), "ExpressionAttributeValues": values});
    harness.call("UpdateItem", update(65_535)).await;
    let text = format!("ExpressionAttributeNames contains invalid value: {LONG_NAME} for key #n");
    harness.refuses("UpdateItem", update(65_536), &one(&text)).await;
    harness.refuses("DeleteItem", conditional, &one(&text)).await;
    harness.refuses("GetItem", get, &text).await;
    harness.refuses("Scan", scan, &text).await;
    let request = json!({"TransactItems": [{"Update": update(65_536)}]});
    harness.refuses("TransactWriteItems", request, &text).await;
    let empty = "ExpressionAttributeNames contains invalid value: Empty attribute name for key #n";
    harness.refuses("UpdateItem", update(0), &one(empty)).await;
}

#[tokio::test]
async fn an_attribute_name_of_a_legacy_parameter_has_at_most_65535_bytes() {
    let harness = super::support::tables().await;
    let name = "n".repeat(65_536);
    let key = json!({"pk": {"S": "a"}});
    let updates = json!({&name: {"Value": {"N": "2"}, "Action": "PUT"}});
    let request = json!({"TableName": "plain", "Key": key, "AttributeUpdates": updates});
    harness.refuses("UpdateItem", request, &one(LONG_NAME)).await;
    let expected = json!({&name: {"Exists": false}});
    let request = json!({"TableName": "plain", "Key": key, "Expected": expected});
    harness.refuses("DeleteItem", request, &one(LONG_NAME)).await;
    let request = json!({"TableName": "plain", "Key": key, "AttributesToGet": [&name]});
    harness.refuses("GetItem", request, LONG_NAME).await;
    let filter = json!({&name: {"ComparisonOperator": "NOT_NULL"}});
    let request = json!({"TableName": "plain", "ScanFilter": filter});
    harness.refuses("Scan", request, LONG_NAME).await;
}
