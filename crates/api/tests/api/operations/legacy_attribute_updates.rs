//! `AttributeUpdates`.
//!
//! The facts were measured on AWS by ScyllaDB's Alternator tests, the texts by dynalite's.

use crate::harness::Harness;
use serde_json::{Value, json};

async fn table() -> Harness {
    let harness = Harness::new().await;
    let request = json!({
        "TableName": "things",
        "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", request).await;
    harness
}

/// A table with one item of these attributes beside its key.
async fn table_with(mut attributes: Value) -> Harness {
    let harness = table().await;
    let mut item = json!({"p": {"S": "x"}});
    item.as_object_mut().unwrap().append(attributes.as_object_mut().unwrap());
    harness.call("PutItem", json!({"TableName": "things", "Item": item})).await;
    harness
}

fn update(updates: Value, returns: &str) -> Value {
    let mut request = json!({
        "TableName": "things",
        "Key": {"p": {"S": "x"}},
        "ReturnValues": returns,
    });
    request["AttributeUpdates"] = updates;
    request
}

/// The attributes without their key after an update.
async fn after(harness: &Harness, updates: Value) -> Value {
    let answer = harness.call("UpdateItem", update(updates, "ALL_NEW")).await;
    let mut attributes = answer["Attributes"].clone();
    attributes.as_object_mut().unwrap().remove("p");
    attributes
}

fn refused(text: &str) -> (String, String) {
    ("ValidationException".to_owned(), text.to_owned())
}

#[tokio::test]
async fn put_is_the_action_if_none_is_given() {
    let harness = table_with(json!({"a": {"N": "1"}})).await;
    let updates = json!({"a": {"Value": {"S": "new"}}, "b": {"Action": "PUT", "Value": {"L": []}}});
    assert_eq!(after(&harness, updates).await, json!({"a": {"S": "new"}, "b": {"L": []}}));
}

#[tokio::test]
async fn add_sums_numbers_unites_sets_and_appends_to_lists() {
    let harness =
        table_with(json!({"n": {"N": "1"}, "s": {"SS": ["u"]}, "l": {"L": [{"N": "1"}]}})).await;
    let updates = json!({
        "n": {"Action": "ADD", "Value": {"N": "-3"}},
        "s": {"Action": "ADD", "Value": {"SS": ["u", "v"]}},
        "l": {"Action": "ADD", "Value": {"L": [{"N": "1"}, {"S": "x"}]}},
        "new": {"Action": "ADD", "Value": {"N": "7"}},
    });
    let expected = json!({
        "n": {"N": "-2"},
        "s": {"SS": ["u", "v"]},
        "l": {"L": [{"N": "1"}, {"N": "1"}, {"S": "x"}]},
        "new": {"N": "7"},
    });
    assert_eq!(after(&harness, updates).await, expected);
}

#[tokio::test]
async fn delete_takes_members_of_a_set_or_the_whole_attribute() {
    let harness = table_with(json!({
        "some": {"SS": ["u", "v"]},
        "all": {"SS": ["u"]},
        "whole": {"M": {}},
    }))
    .await;
    let updates = json!({
        "some": {"Action": "DELETE", "Value": {"SS": ["v", "w"]}},
        "all": {"Action": "DELETE", "Value": {"SS": ["u"]}},
        "whole": {"Action": "DELETE"},
        "missing": {"Action": "DELETE", "Value": {"SS": ["u"]}},
    });
    assert_eq!(after(&harness, updates).await, json!({"some": {"SS": ["u"]}}));
}

#[tokio::test]
async fn names_are_attributes_and_never_paths() {
    let harness = table_with(json!({"m": {"M": {"a": {"N": "1"}}}})).await;
    let updates = json!({"m.a": {"Value": {"N": "2"}}});
    let expected = json!({"m": {"M": {"a": {"N": "1"}}}, "m.a": {"N": "2"}});
    assert_eq!(after(&harness, updates).await, expected);
}

#[tokio::test]
async fn only_what_was_updated_is_returned_if_asked() {
    let harness = table_with(json!({"a": {"N": "1"}, "b": {"N": "1"}})).await;
    let updates = json!({"a": {"Action": "ADD", "Value": {"N": "1"}}});
    let old = harness.call("UpdateItem", update(updates.clone(), "UPDATED_OLD")).await;
    assert_eq!(old, json!({"Attributes": {"a": {"N": "1"}}}));
    let new = harness.call("UpdateItem", update(updates, "UPDATED_NEW")).await;
    assert_eq!(new, json!({"Attributes": {"a": {"N": "3"}}}));
}

#[tokio::test]
async fn an_absent_item_is_made_unless_the_update_only_deletes() {
    let harness = table().await;
    let get = || json!({"TableName": "things", "Key": {"p": {"S": "x"}}});
    let deletes = json!({
        "a": {"Action": "DELETE"},
        "b": {"Action": "DELETE", "Value": {"SS": ["u"]}},
    });
    harness.call("UpdateItem", update(deletes, "NONE")).await;
    assert_eq!(harness.call("GetItem", get()).await, json!({}));
    harness.call("UpdateItem", update(json!({}), "NONE")).await;
    assert_eq!(harness.call("GetItem", get()).await, json!({"Item": {"p": {"S": "x"}}}));
}

#[tokio::test]
async fn an_attribute_of_another_type_is_not_added_to_or_deleted_from() {
    let harness = table_with(json!({"n": {"N": "1"}, "s": {"SS": ["1"]}})).await;
    let text = refused("Type mismatch for attribute to update");
    for updates in [
        json!({"n": {"Action": "DELETE", "Value": {"NS": ["1"]}}}),
        json!({"s": {"Action": "DELETE", "Value": {"NS": ["1"]}}}),
        json!({"s": {"Action": "ADD", "Value": {"NS": ["1"]}}}),
        json!({"s": {"Action": "ADD", "Value": {"N": "1"}}}),
        json!({"n": {"Action": "ADD", "Value": {"L": []}}}),
    ] {
        assert_eq!(harness.error("UpdateItem", update(updates, "NONE")).await, text);
    }
}

#[tokio::test]
async fn a_key_attribute_is_not_updated() {
    let harness = table().await;
    let text = "One or more parameter values were invalid: Cannot update attribute p. This \
                attribute is part of the key";
    let request = update(json!({"p": {"Value": {"S": "y"}}}), "NONE");
    assert_eq!(harness.error("UpdateItem", request).await, refused(text));
}

#[tokio::test]
async fn malformed_updates_are_refused_before_the_table_is_looked_up() {
    let harness = Harness::new().await;
    let prefix = "1 validation error detected: One or more parameter values were invalid: ";
    let cases = [
        (json!({}), "Only DELETE action is allowed when no attribute value is specified"),
        (
            json!({"Action": "ADD"}),
            "Only DELETE action is allowed when no attribute value is specified",
        ),
        (
            json!({"Action": "DELETE", "Value": {"N": "1"}}),
            "DELETE action with value is not supported for the type N",
        ),
        (
            json!({"Action": "ADD", "Value": {"S": "x"}}),
            "ADD action is not supported for the type S",
        ),
    ];
    for (change, text) in cases {
        let request = update(json!({"a": change}), "NONE");
        let text = refused(&format!("{prefix}{text}"));
        assert_eq!(harness.error("UpdateItem", request).await, text);
    }
}
