//! Models over HTTP: loading, replacing and forgetting them, and what is seen of their tables.

use crate::support;
use crate::support::TestServer;
use monotable_server::Monitoring;
use serde_json::{Value, json};

const SHOP: &str = r##"
format = 1
name = "shop"

[tables.orders]
partition_key = "pk"

[entities.Order]
key = { partition = "ORDER#{number:06}" }
attributes = { number = "N" }

[patterns."one order"]
operation = "get"
entity = "Order"
by = ["number"]

[patterns."save order"]
operation = "put"
entity = "Order"
"##;

fn send(server: &TestServer, method: &str, path: &str, body: &str) -> (u16, Value) {
    let length = body.len();
    let reply = server.send(format!(
        "{method} /_monotable/{path} HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    ));
    (reply.status, serde_json::from_slice(&reply.body).unwrap())
}

fn load(server: &TestServer, text: &str) -> (u16, Value) {
    let body = json!({ "source": "shop.toml", "text": text }).to_string();
    send(server, "PUT", "models", &body)
}

fn call(server: &TestServer, operation: &str, request: &Value) -> u16 {
    let target = format!("DynamoDB_20120810.{operation}");
    server.send(support::call(&target, request.to_string().as_bytes())).status
}

fn server() -> TestServer {
    let server = TestServer::of_api(Monitoring::default());
    let table = json!({
        "TableName": "orders",
        "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "BillingMode": "PAY_PER_REQUEST",
    });
    assert_eq!(call(&server, "CreateTable", &table), 200);
    server
}

fn put(server: &TestServer, key: &str) -> u16 {
    let item = json!({ "pk": { "S": key }, "number": { "N": "17" } });
    call(server, "PutItem", &json!({ "TableName": "orders", "Item": item }))
}

#[test]
fn calls_are_counted_under_their_pattern_with_hot_keys_and_drift() {
    let server = server();
    assert_eq!(send(&server, "GET", "models", ""), (200, json!({ "models": [] })));
    assert_eq!(load(&server, SHOP).0, 200);
    for _ in 0..5 {
        assert_eq!(put(&server, "ORDER#000017"), 200);
    }
    assert_eq!(put(&server, "ORDER#17"), 200);
    let scan = json!({ "TableName": "orders" });
    assert_eq!(call(&server, "Scan", &scan), 200);
    let (status, insights) = send(&server, "GET", "insights", "");
    assert_eq!(status, 200);
    let model = &insights["models"][0];
    assert_eq!((&insights["check"], &model["name"]), (&json!("warn"), &json!("shop")));
    let saved = &model["patterns"][1];
    assert_eq!((&saved["name"], &saved["requests"]), (&json!("save order"), &json!(5)));
    assert_eq!((&saved["writeUnits"], &saved["items"]), (&json!(5.0), &json!(5)));
    assert_eq!(model["unmatched"]["requests"], 2);
    let order = &model["entities"][0];
    assert_eq!((&order["name"], &order["itemsPut"]), (&json!("Order"), &json!(5)));
    assert_eq!((&order["reads"], &order["writes"]), (&json!(0), &json!(5)));
    assert_eq!(order["bytesPut"], 5 * 22);
    let hot = &model["tables"][0]["keys"][0]["mostAccessed"][0];
    assert_eq!((&hot["key"], &hot["count"]), (&json!("ORDER#000017"), &json!(5)));
    let drift = &model["drift"][0];
    assert_eq!((&drift["fault"], &drift["count"]), (&json!("unpadded-number"), &json!(1)));
    assert_eq!(drift["expected"], "ORDER#000017");
    let parts = saved["microseconds"]["histogram"].as_array().unwrap();
    assert_eq!(parts.iter().map(|part| part["count"].as_u64().unwrap()).sum::<u64>(), 5);
    let page = server.get("/_monotable/metrics");
    let name = "monotable_pattern_duration_seconds";
    for line in [
        format!("{name}_bucket{{model=\"shop\",pattern=\"save order\",le=\"+Inf\"}} 5\n"),
        format!("{name}_count{{model=\"shop\",pattern=\"save order\"}} 5\n"),
    ] {
        assert!(page.text().contains(&line), "{}", page.text());
    }
}

#[test]
fn patterns_are_added_up_by_entity_and_by_table() {
    let server = server();
    assert_eq!(load(&server, SHOP).0, 200);
    for _ in 0..5 {
        assert_eq!(put(&server, "ORDER#000017"), 200);
    }
    let get = json!({ "TableName": "orders", "Key": { "pk": { "S": "ORDER#000017" } } });
    assert_eq!(call(&server, "GetItem", &get), 200);
    let refused = json!({
        "TableName": "orders", "Item": { "pk": { "S": "ORDER#000017" } },
        "ConditionExpression": "attribute_not_exists(pk)",
    });
    assert_eq!(call(&server, "PutItem", &refused), 400);
    let (_, insights) = send(&server, "GET", "insights", "");
    let model = &insights["models"][0];
    for all in [&model["entities"][0]["patterns"], &model["tables"][0]["keys"][0]["patterns"]] {
        assert_eq!((&all["requests"], &all["errors"]), (&json!(7), &json!(1)));
        assert_eq!((&all["readUnits"], &all["writeUnits"]), (&json!(0.5), &json!(5.0)));
        assert_eq!((&all["items"], &all["unitsPerRequest"]), (&json!(6), &json!(5.5 / 6.0)));
        let parts = all["microseconds"]["histogram"].as_array().unwrap();
        assert_eq!(parts.iter().map(|part| part["count"].as_u64().unwrap()).sum::<u64>(), 7);
    }
    // Nothing is counted by pattern of what is of no entity.
    assert_eq!(
        model["entities"][1],
        json!({
            "name": "_undecided", "reads": 0, "writes": 0, "itemsPut": 0, "bytesPut": 0,
            "patterns": null,
        })
    );
}

#[test]
fn what_is_refused_says_nothing_about_the_units_of_a_request() {
    let server = server();
    assert_eq!(load(&server, SHOP).0, 200);
    assert_eq!(put(&server, "ORDER#000017"), 200);
    let saved = || {
        let (_, insights) = send(&server, "GET", "insights", "");
        insights["models"][0]["patterns"][1].clone()
    };
    let refused = json!({
        "TableName": "orders", "Item": { "pk": { "S": "ORDER#000017" } },
        "ConditionExpression": "attribute_not_exists(pk)",
    });
    for _ in 0..3 {
        assert_eq!(call(&server, "PutItem", &refused), 400);
    }
    let found = saved();
    assert_eq!((&found["requests"], &found["errors"]), (&json!(4), &json!(3)));
    assert_eq!((&found["unitsPerRequest"], &found["items"]), (&json!(1.0), &json!(1)));
}

#[test]
fn what_is_of_no_pattern_is_counted_with_its_table_or_index() {
    let server = TestServer::of_api(Monitoring::default());
    let attribute = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
    let key = |name: &str| json!([{ "AttributeName": name, "KeyType": "HASH" }]);
    let index = json!({
        "IndexName": "by_state", "KeySchema": key("state"),
        "Projection": { "ProjectionType": "ALL" },
    });
    let table = json!({
        "TableName": "orders", "AttributeDefinitions": [attribute("pk"), attribute("state")],
        "KeySchema": key("pk"), "GlobalSecondaryIndexes": [index],
        "BillingMode": "PAY_PER_REQUEST",
    });
    assert_eq!(call(&server, "CreateTable", &table), 200);
    let text = SHOP.replace(
        "[entities.Order]",
        "[tables.orders.global_indexes.by_state]\npartition_key = \"state\"\n\n[entities.Order]",
    );
    assert_eq!(load(&server, &text).0, 200);
    let query = |index: Value, name: &str| {
        json!({
            "TableName": "orders", "IndexName": index,
            "KeyConditionExpression": "#k = :k", "ExpressionAttributeNames": { "#k": name },
            "ExpressionAttributeValues": { ":k": { "S": "x" } },
        })
    };
    let mut of_table = query(Value::Null, "pk");
    of_table.as_object_mut().unwrap().remove("IndexName");
    assert_eq!(call(&server, "Query", &of_table), 200);
    assert_eq!(call(&server, "Query", &query(json!("by_state"), "state")), 200);
    let scan = json!({ "TableName": "orders", "IndexName": "by_state" });
    assert_eq!(call(&server, "Scan", &scan), 200);
    let (_, insights) = send(&server, "GET", "insights", "");
    let model = &insights["models"][0];
    let keys = &model["tables"][0]["keys"];
    assert_eq!((&keys[0]["index"], &keys[1]["index"]), (&Value::Null, &json!("by_state")));
    let counted = |keys: &Value| (keys["unmatched"]["requests"].clone(), keys["undecided"].clone());
    assert_eq!((counted(&keys[0]).0, counted(&keys[1]).0), (json!(1), json!(2)));
    assert_eq!(counted(&keys[1]).1["requests"], 0);
    assert_eq!(model["unmatched"]["requests"], 3);
}

#[test]
fn a_bad_model_is_refused_with_what_is_wrong_and_the_running_one_stays() {
    let server = server();
    assert_eq!(load(&server, SHOP).0, 200);
    assert_eq!(put(&server, "ORDER#000017"), 200);
    for (bad, expected) in [
        (SHOP.replace("{number:06}", "{nummer:06}"), "nummer"),
        (SHOP.replace("by = [\"number\"]", "by = []"), "one order"),
        ("format = 1".to_owned(), "name"),
    ] {
        let (status, refusal) = load(&server, &bad);
        let reason = refusal["error"].as_str().unwrap();
        assert_eq!(status, 400);
        assert!(reason.contains("error[") && reason.contains(expected), "{reason}");
    }
    let taken = SHOP.replace("name = \"shop\"", "name = \"other\"");
    assert_eq!(load(&server, &taken).0, 409);
    let (_, insights) = send(&server, "GET", "insights", "");
    assert_eq!(insights["models"][0]["patterns"][1]["requests"], 1);
    assert_eq!(send(&server, "PUT", "models", "{}").0, 400);
    assert_eq!(send(&server, "POST", "models", "{}").0, 405);
    assert_eq!(send(&server, "POST", "insights", "{}").0, 405);
}

#[test]
fn a_model_is_replaced_by_one_of_its_name_and_forgotten_on_request() {
    let server = server();
    assert_eq!(load(&server, SHOP).0, 200);
    assert_eq!(put(&server, "ORDER#000017"), 200);
    assert_eq!(load(&server, SHOP).0, 200);
    let (_, insights) = send(&server, "GET", "insights", "");
    assert_eq!(insights["models"].as_array().unwrap().len(), 1);
    assert_eq!(insights["models"][0]["patterns"][1]["requests"], 0);
    assert_eq!(send(&server, "DELETE", "models?name=other", "").0, 404);
    assert_eq!(send(&server, "DELETE", "models?name=shop", ""), (200, json!({ "models": [] })));
    assert_eq!(put(&server, "ORDER#17"), 200);
    assert_eq!(send(&server, "GET", "insights", "").1["models"], json!([]));
}

#[test]
fn the_text_of_a_model_can_be_read_back() {
    let server = server();
    assert_eq!(load(&server, SHOP).0, 200);
    let (status, model) = send(&server, "GET", "models?name=shop", "");
    assert_eq!((status, &model["name"], &model["text"]), (200, &json!("shop"), &json!(SHOP)));
    let (_, all) = send(&server, "GET", "models", "");
    assert_eq!(all["models"][0]["name"], "shop");
    assert!(all["models"][0].get("text").is_none());
    assert_eq!(send(&server, "GET", "models?name=other", "").0, 404);
    assert_eq!(send(&server, "GET", "models?name=sh%6Fp", "").1, model);
}

#[test]
fn contributor_insights_count_the_keys_of_a_table_without_a_model() {
    let server = server();
    for _ in 0..3 {
        assert_eq!(put(&server, "before"), 200);
    }
    let enable = json!({ "TableName": "orders", "ContributorInsightsAction": "ENABLE" });
    assert_eq!(call(&server, "UpdateContributorInsights", &enable), 200);
    for _ in 0..5 {
        assert_eq!(put(&server, "after"), 200);
    }
    let (_, insights) = send(&server, "GET", "insights", "");
    let table = &insights["tables"][0];
    assert_eq!(table["name"], "orders");
    let keys = table["keys"][0]["mostAccessed"].as_array().unwrap();
    assert_eq!(keys.len(), 1);
    assert_eq!((&keys[0]["key"], &keys[0]["count"]), (&json!("after"), &json!(5)));
}

#[test]
fn a_model_can_be_loaded_for_an_account() {
    let server = server();
    let body = |account: &str| {
        json!({ "source": "shop.toml", "text": SHOP, "account": account }).to_string()
    };
    assert_eq!(send(&server, "PUT", "models", &body("shop")).0, 400);
    let (status, models) = send(&server, "PUT", "models", &body("111122223333"));
    assert_eq!((status, &models["models"][0]["account"]), (200, &json!("111122223333")));
    assert_eq!(put(&server, "ORDER#000017"), 200);
    let (_, insights) = send(&server, "GET", "insights", "");
    let model = &insights["models"][0];
    assert_eq!(model["account"], "111122223333");
    assert_eq!(model["patterns"][1]["requests"], 0);
}
