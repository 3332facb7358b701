//! Items that do not fit the model of their table: each way to break a key is reported with entity,
//! attribute and expected key, and refused if that is asked for, by every operation that writes.

use std::sync::Arc;

use monotable_model::diagnostic::SourceFile;
use monotable_model::document::read;
use monotable_observe::{CheckMode, DriftEntry, Observer};
use serde_json::{Value, json};

use crate::harness::Harness;

const SHOP: &str = r##"
format = 1
name = "shop"

[tables.shop]
partition_key = "pk"
sort_key = "sk"
type_attribute = "type"
ttl = "expires"

[tables.shop.global_indexes.by_state]
partition_key = "gpk"
sort_key = "gsk"

[tables.shop.global_indexes.by_rank]
partition_key = "rpk"
sort_key = { name = "rank_key", type = "N" }

[entities.Customer]
key = { partition = "CUSTOMER#{name}", sort = "PROFILE" }
attributes = { name = "S", email = "S" }

[entities.Order]
key = { partition = "CUSTOMER#{name}", sort = "ORDER#{number:06}" }
attributes = { name = "S", number = "N", state = "S", note = "S", rank = "N", address = "M" }

[entities.Order.indexes]
by_state = { partition = "STATE#{state}", sort = "{number:06}", when = "state <> 'DONE'" }
by_rank = { partition = "CITY#{address.city}#{shard(name, 8)}", sort = "{rank:number}" }

[patterns."one order"]
operation = "get"
entity = "Order"
by = ["name", "number"]

[patterns."save order"]
operation = "put"
entity = "Order"
"##;

struct Shop {
    harness: Harness,
    observer: Arc<Observer>,
}

impl Shop {
    async fn call(&self, operation: &str, request: Value) -> Value {
        self.harness.call(operation, request).await
    }

    async fn error(&self, operation: &str, request: Value) -> (String, String) {
        self.harness.error(operation, request).await
    }

    fn drift(&self) -> Vec<DriftEntry> {
        self.observer.report(0).models.remove(0).drift
    }
}

async fn shop(mode: CheckMode) -> Shop {
    let observer = Observer::new(read, mode);
    let loaded = observer.load(SourceFile::new("shop.toml", SHOP), 0);
    loaded.unwrap_or_else(|error| panic!("{error:#?}"));
    let observer = Arc::new(observer);
    let harness = Harness::observed_by(observer.clone()).await;
    let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let key = |partition: &str, sort: &str| {
        json!([
            {"AttributeName": partition, "KeyType": "HASH"},
            {"AttributeName": sort, "KeyType": "RANGE"},
        ])
    };
    let mut attributes = ["pk", "sk", "gpk", "gsk", "rpk"].map(attribute).to_vec();
    attributes.push(json!({"AttributeName": "rank_key", "AttributeType": "N"}));
    let index = |name: &str, key: Value| {
        let all = json!({"ProjectionType": "ALL"});
        json!({"IndexName": name, "KeySchema": key, "Projection": all})
    };
    let table = json!({
        "TableName": "shop",
        "AttributeDefinitions": attributes,
        "KeySchema": key("pk", "sk"),
        "GlobalSecondaryIndexes": [
            index("by_state", key("gpk", "gsk")),
            index("by_rank", key("rpk", "rank_key")),
        ],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", table).await;
    Shop { harness, observer }
}

/// An order that fits, with some attributes changed; `null` removes one.
fn order(changes: &Value) -> Value {
    let mut order = json!({
        "pk": {"S": "CUSTOMER#alex"}, "sk": {"S": "ORDER#000017"}, "type": {"S": "Order"},
        "name": {"S": "alex"}, "number": {"N": "17"}, "state": {"S": "OPEN"},
        "gpk": {"S": "STATE#OPEN"}, "gsk": {"S": "000017"}, "expires": {"N": "1794744000"},
        "rank": {"N": "5"}, "address": {"M": {"city": {"S": "rome"}}},
        "rpk": {"S": "CITY#rome#5"}, "rank_key": {"N": "5"},
    });
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(order.as_object_mut().unwrap().remove(name)),
            value => order[name] = value.clone(),
        }
    }
    order
}

/// Each way to break an item: what is changed, and what is reported.
fn breaks() -> Vec<(&'static str, Value, [&'static str; 4])> {
    let text = |text: &str| json!({ "S": text });
    vec![
        (
            "wrong-delimiter",
            json!({"sk": text("ORDER-000017")}),
            ["wrong-delimiter", "Order", "sk", "ORDER#000017"],
        ),
        (
            "unpadded number",
            json!({"sk": text("ORDER#17")}),
            ["unpadded-number", "Order", "sk", "ORDER#000017"],
        ),
        (
            "wrong case",
            json!({"pk": text("customer#alex")}),
            ["wrong-case", "Order", "pk", "CUSTOMER#alex"],
        ),
        (
            "missing part",
            json!({"sk": text("ORDER#")}),
            ["missing-part", "Order", "sk", "ORDER#000017"],
        ),
        (
            "stale key",
            json!({"sk": text("ORDER#000018")}),
            ["stale-key", "Order", "sk", "ORDER#000017"],
        ),
        (
            "stale index key",
            json!({"gpk": text("STATE#PAID")}),
            ["stale-key", "Order", "gpk", "STATE#OPEN"],
        ),
        (
            "unpadded index key",
            json!({"gsk": text("17")}),
            ["unpadded-number", "Order", "gsk", "000017"],
        ),
        (
            "stale index key that is a number",
            json!({"rank_key": {"N": "1"}}),
            ["stale-key", "Order", "rank_key", "5"],
        ),
        (
            "stale part from within a map",
            json!({"address": {"M": {"city": text("oslo")}}}),
            ["stale-key", "Order", "rpk", "CITY#oslo#5"],
        ),
        (
            "stale shard",
            json!({"rpk": text("CITY#rome#3")}),
            ["stale-key", "Order", "rpk", "CITY#rome#5"],
        ),
        (
            "a text where the key has a number",
            json!({"number": text("17")}),
            ["stale-key", "Order", "sk", "ORDER#{number:06}"],
        ),
        (
            "a number that the key has no room for",
            json!({"number": {"N": "1234567"}, "sk": text("ORDER#123456")}),
            ["stale-key", "Order", "sk", "ORDER#{number:06}"],
        ),
        (
            "a number with a sign that the key has no room for",
            json!({"number": {"N": "-17"}}),
            ["stale-key", "Order", "sk", "ORDER#{number:06}"],
        ),
        (
            "a number with a fraction that the key has no room for",
            json!({"number": {"N": "17.5"}}),
            ["stale-key", "Order", "sk", "ORDER#{number:06}"],
        ),
        (
            "a number where the key has a text",
            json!({"name": {"N": "1"}}),
            ["stale-key", "Order", "pk", "CUSTOMER#{name}"],
        ),
        (
            "a text where the index key is a number",
            json!({"rank": text("5")}),
            ["stale-key", "Order", "rank_key", "{rank:number}"],
        ),
        (
            "index key of no state",
            json!({"state": text("DONE"), "gpk": text("STATE#DONE")}),
            ["unexpected-key", "Order", "gpk", ""],
        ),
        (
            "foreign entity",
            json!({"sk": text("PROFILE")}),
            ["foreign-key", "Order", "sk", "ORDER#000017"],
        ),
        ("unknown type", json!({"type": text("Invoice")}), ["unknown-type", "", "type", ""]),
        (
            "unknown key",
            json!({"type": null, "pk": text("x"), "sk": text("y"), "name": null}),
            ["unknown-key", "", "pk", ""],
        ),
        (
            "expiry in milliseconds",
            json!({"expires": {"N": "1794744000000"}}),
            ["expiry-in-milliseconds", "Order", "expires", "1794744000"],
        ),
        (
            "expiry in milliseconds with a fraction",
            json!({"expires": {"N": "1794744000000.5"}}),
            ["expiry-in-milliseconds", "Order", "expires", "1794744000"],
        ),
        (
            "expiry in microseconds",
            json!({"expires": {"N": "1794744000123456"}}),
            ["expiry-in-milliseconds", "Order", "expires", "1794744000"],
        ),
        (
            "expiry that is a text",
            json!({"expires": text("2026-11-15")}),
            ["expiry-not-number", "Order", "expires", ""],
        ),
    ]
}

fn told(entry: &DriftEntry) -> [&str; 4] {
    let newest = &entry.newest;
    [
        newest.fault.name(),
        newest.entity.as_deref().unwrap_or_default(),
        &newest.attribute,
        newest.expected.as_deref().unwrap_or_default(),
    ]
}

#[tokio::test]
async fn each_way_to_break_a_key_is_reported_with_entity_attribute_and_expected_key() {
    for (what, changes, expected) in breaks() {
        let shop = shop(CheckMode::Warn).await;
        shop.call("PutItem", json!({"TableName": "shop", "Item": order(&changes)})).await;
        let drift = shop.drift();
        assert_eq!(drift.iter().map(told).collect::<Vec<_>>(), [expected], "{what}");
        assert_eq!((drift[0].count, drift[0].refused), (1, 0));
    }
}

#[tokio::test]
async fn what_fits_is_not_reported() {
    let shop = shop(CheckMode::Reject).await;
    for changes in [
        json!({}),
        json!({"type": null}),
        json!({"expires": null, "gpk": null, "gsk": null}),
        json!({"expires": {"N": "1794744000.123456"}}),
        json!({"state": {"S": "DONE"}, "gpk": null, "gsk": null}),
        json!({"note": {"S": "#$"}, "email": {"S": "anything else"}}),
        json!({"rank": null, "address": null}),
        json!({"address": {"M": {"street": {"S": "x"}}}}),
        json!({
            "sk": {"S": "PROFILE"}, "type": {"S": "Customer"},
            "gpk": null, "gsk": null, "rpk": null, "rank_key": null,
        }),
    ] {
        shop.call("PutItem", json!({"TableName": "shop", "Item": order(&changes)})).await;
    }
    assert!(shop.drift().is_empty());
}

#[tokio::test]
async fn a_write_that_does_not_fit_is_refused_by_every_operation_and_changes_nothing() {
    for (what, changes, [_, entity, attribute, _]) in breaks() {
        let shop = shop(CheckMode::Reject).await;
        let item = order(&changes);
        let good = order(
            &json!({"sk": {"S": "ORDER#000019"}, "number": {"N": "19"}, "gsk": {"S": "000019"}}),
        );
        let put = |item: &Value| json!({"PutRequest": {"Item": item}});
        let transact = |item: &Value| json!({"Put": {"TableName": "shop", "Item": item}});
        let key = json!({"pk": item["pk"], "sk": item["sk"]});
        let mut names = serde_json::Map::new();
        let mut values = serde_json::Map::new();
        let mut sets = Vec::new();
        for (number, (name, value)) in item.as_object().unwrap().iter().enumerate() {
            if name != "pk" && name != "sk" {
                sets.push(format!("#{number} = :{number}"));
                names.insert(format!("#{number}"), json!(name));
                values.insert(format!(":{number}"), value.clone());
            }
        }
        let update = json!({
            "TableName": "shop", "Key": key, "UpdateExpression": format!("SET {}", sets.join(", ")),
            "ExpressionAttributeNames": names, "ExpressionAttributeValues": values,
        });
        let parameters: Vec<&Value> = item.as_object().unwrap().values().collect();
        let members: Vec<String> =
            item.as_object().unwrap().keys().map(|name| format!("'{name}': ?")).collect();
        let statement = format!("INSERT INTO shop VALUE {{{}}}", members.join(", "));
        let statement = json!({"Statement": statement, "Parameters": parameters});
        for (operation, request) in [
            ("PutItem", json!({"TableName": "shop", "Item": item})),
            ("UpdateItem", update.clone()),
            ("BatchWriteItem", json!({"RequestItems": {"shop": [put(&good), put(&item)]}})),
            ("TransactWriteItems", json!({"TransactItems": [transact(&good), transact(&item)]})),
            ("TransactWriteItems", json!({"TransactItems": [transact(&good), {"Update": update}]})),
            ("ExecuteStatement", statement.clone()),
            ("ExecuteTransaction", json!({"TransactStatements": [statement]})),
        ] {
            let (code, text) = shop.error(operation, request).await;
            assert_eq!(code, "ValidationException", "{what} {operation}: {text}");
            assert!(
                text.contains(entity) && text.contains(attribute),
                "{what} {operation}: {text}"
            );
        }
        let found = shop.call("Scan", json!({"TableName": "shop"})).await;
        assert_eq!(found["Count"], 0, "{what}");
        assert_eq!(shop.drift()[0].refused, 7, "{what}");
    }
}

#[tokio::test]
async fn the_refusal_names_what_was_found_and_what_is_expected() {
    let shop = shop(CheckMode::Reject).await;
    let item = order(&json!({"sk": {"S": "ORDER#17"}}));
    let (_, text) = shop.error("PutItem", json!({"TableName": "shop", "Item": item})).await;
    assert_eq!(
        text,
        "The item does not fit the model of its table: Order: sk is \"ORDER#17\", expected \
         \"ORDER#000017\" (a number lacks its leading zeros)"
    );
}

#[tokio::test]
async fn an_update_of_a_key_alone_is_refused_with_the_key_that_is_expected() {
    for (partition, sort, expected) in [
        (
            "CUSTOMER#alex",
            "ORDER#17",
            "sk is \"ORDER#17\", expected \"ORDER#000017\" (a number lacks its leading zeros)",
        ),
        (
            "customer#alex",
            "ORDER#000017",
            "pk is \"customer#alex\", expected \"CUSTOMER#alex\" (the case of letters differs)",
        ),
        (
            "CUSTOMER#alex",
            "ORDER#x",
            "sk is \"ORDER#x\", expected \"ORDER#{number:06}\" \
             (the key has the form of no entity)",
        ),
    ] {
        let shop = shop(CheckMode::Reject).await;
        let key = json!({"pk": {"S": partition}, "sk": {"S": sort}});
        let update = json!({"TableName": "shop", "Key": key});
        let (_, text) = shop.error("UpdateItem", update).await;
        let told = format!("The item does not fit the model of its table: Order: {expected}");
        assert_eq!(text, told);
    }
}

#[tokio::test]
async fn an_update_that_leaves_an_index_key_stale_is_refused() {
    let shop = shop(CheckMode::Reject).await;
    shop.call("PutItem", json!({"TableName": "shop", "Item": order(&json!({}))})).await;
    let update = |text: &str, values: Value| {
        json!({
            "TableName": "shop",
            "Key": {"pk": {"S": "CUSTOMER#alex"}, "sk": {"S": "ORDER#000017"}},
            "UpdateExpression": text,
            "ExpressionAttributeNames": {"#s": "state"},
            "ExpressionAttributeValues": values,
        })
    };
    let paid = json!({":s": {"S": "PAID"}});
    let (code, text) = shop.error("UpdateItem", update("SET #s = :s", paid)).await;
    assert_eq!(code, "ValidationException");
    assert!(text.contains("gpk is \"STATE#OPEN\", expected \"STATE#PAID\""), "{text}");
    let both = json!({":s": {"S": "PAID"}, ":g": {"S": "STATE#PAID"}});
    shop.call("UpdateItem", update("SET #s = :s, gpk = :g", both)).await;
}

#[tokio::test]
async fn deletes_and_other_tables_are_left_alone() {
    let shop = shop(CheckMode::Reject).await;
    let key = json!({"pk": {"S": "x"}, "sk": {"S": "y"}});
    shop.call("DeleteItem", json!({"TableName": "shop", "Key": key})).await;
    shop.call("CreateTable", other_table()).await;
    shop.call("PutItem", json!({"TableName": "other", "Item": {"pk": {"S": "x"}}})).await;
    assert!(shop.drift().is_empty());
}

#[tokio::test]
async fn without_a_check_nothing_is_looked_at() {
    let shop = shop(CheckMode::Off).await;
    let item = order(&json!({"sk": {"S": "ORDER#17"}}));
    shop.call("PutItem", json!({"TableName": "shop", "Item": item})).await;
    assert!(shop.drift().is_empty());
}

#[tokio::test]
async fn without_a_model_every_item_is_taken() {
    let harness = Harness::new().await;
    harness.call("CreateTable", other_table()).await;
    harness.call("PutItem", json!({"TableName": "other", "Item": {"pk": {"S": "x"}}})).await;
}

#[tokio::test]
async fn what_drifts_in_a_table_for_a_period_is_said_of_that_table() {
    let text = r##"
format = 1
name = "events"

[tables.Events]
name = "events_{at:month}"
partition_key = "pk"

[entities.Event]
key = { partition = "EVENT#{at:time(s)}" }
attributes = { at = "S" }
"##;
    let observer = Arc::new(Observer::new(read, CheckMode::Warn));
    observer.load(SourceFile::new("events.toml", text), 0).unwrap();
    let harness = Harness::observed_by(observer.clone()).await;
    let name = "events_2026-11";
    let mut table = other_table();
    table["TableName"] = json!(name);
    harness.call("CreateTable", table).await;
    harness.call("PutItem", json!({"TableName": name, "Item": {"pk": {"S": "x"}}})).await;
    let drift = observer.report(0).models.remove(0).drift;
    assert_eq!((drift.len(), drift[0].newest.table.as_str()), (1, name));
}

fn other_table() -> Value {
    json!({
        "TableName": "other",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    })
}
