//! Servers on one store behave as one, and tell the store that they are there.

use serde_json::json;

use crate::support::{Server, monotable, run, run_to_error};
use crate::{new_address, new_store, run_for_json, serve, stop};

#[test]
fn the_first_line_names_the_store_without_secrets_and_the_last_one_too() {
    let address = new_store();
    let secret = address.replacen("postgres@", "postgres:secret@", 1);
    let server = serve(&secret);
    let shown = format!(" · data in {address} (shared) · ");
    assert!(server.first_line().contains(&shown), "{}", server.first_line());
    let printed = stop(server);
    assert_eq!(printed, format!("monotable stopped: every answered write is in {address}\n"));
}

#[test]
fn what_one_server_does_all_others_see_at_once() {
    let address = new_store();
    let (one, other) = (serve(&address), serve(&address));
    one.create_table("orders", &json!({}));
    let item = json!({ "id": { "S": "1" }, "n": { "N": "7" } });
    other.call("PutItem", &json!({ "TableName": "orders", "Item": item }));
    let key =
        json!({ "TableName": "orders", "Key": { "id": { "S": "1" } }, "ConsistentRead": true });
    assert_eq!(one.call("GetItem", &key)["Item"], item);
    one.call("DeleteTable", &json!({ "TableName": "orders" }));
    let (status, answer) =
        other.try_call("PutItem", &json!({ "TableName": "orders", "Item": item }).to_string());
    assert_eq!(status, 400);
    assert!(answer.contains("ResourceNotFoundException"), "{answer}");
}

#[test]
fn an_index_that_one_server_has_made_is_read_on_another_at_once() {
    let address = new_store();
    let (one, other) = (serve(&address), serve(&address));
    one.create_table("orders", &json!({}));
    // The other server remembers the table as it is before.
    other.call("Scan", &json!({ "TableName": "orders" }));
    let index = json!({
        "IndexName": "by-state",
        "KeySchema": [{ "AttributeName": "state", "KeyType": "HASH" }],
        "Projection": { "ProjectionType": "ALL" },
    });
    let change = json!({
        "TableName": "orders",
        "AttributeDefinitions": [
            { "AttributeName": "id", "AttributeType": "S" },
            { "AttributeName": "state", "AttributeType": "S" },
        ],
        "GlobalSecondaryIndexUpdates": [{ "Create": index }],
    });
    one.call("UpdateTable", &change);
    let status = "/Table/GlobalSecondaryIndexes/0/IndexStatus";
    let table = json!({ "TableName": "orders" });
    while one.call("DescribeTable", &table).pointer(status) != Some(&json!("ACTIVE")) {}
    let scanned = other.call("Scan", &json!({ "TableName": "orders", "IndexName": "by-state" }));
    assert_eq!(scanned["Count"], 0);
}

#[test]
fn the_status_lists_servers_with_their_leases() {
    let address = new_store();
    // Shards that live for a second are looked after every second, under a lease.
    let line = ["serve", "--port", "0", "--stream-shard-age", "1s", "--store", &address];
    let (one, other) = (Server::start(monotable(&line)), Server::start(monotable(&line)));
    let status = loop {
        let status = run_for_json(&["store", "status", &address]);
        let (servers, leases) = (status["servers"].as_array(), status["leases"].as_array());
        if servers.is_some_and(|it| it.len() == 2) && leases.is_some_and(|it| !it.is_empty()) {
            break status;
        }
    };
    let servers = status["servers"].as_array().unwrap();
    assert!(servers.iter().all(|it| it["version"] == env!("CARGO_PKG_VERSION")), "{status}");
    assert!(servers.iter().all(|it| it["lagSeconds"].as_f64().unwrap() < 60.0), "{status}");
    let owner = &status["leases"][0]["server"];
    assert!(servers.iter().any(|it| it["id"] == *owner), "{status}");
    assert_eq!(status["store"], address);
    let text = run(&["store", "status", &address]);
    let text = String::from_utf8(text.stdout).unwrap();
    for part in ["PostgreSQL  ", "servers      2", "heard of", "leases", "durability", "  kv  "] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    stop(one);
    let status = run_for_json(&["store", "status", &address]);
    assert_eq!(status["servers"].as_array().unwrap().len(), 1);
    stop(other);
}

#[test]
fn a_store_is_made_once_and_is_of_the_newest_format() {
    let address = new_address();
    let made = run_for_json(&["store", "init", &address]);
    assert_eq!((&made["made"], &made["store"]), (&json!(true), &json!(address)));
    assert_eq!(run_for_json(&["store", "init", &address])["made"], false);
    let migrated = run_for_json(&["store", "migrate", &address]);
    assert_eq!((&migrated["from"], &migrated["to"]), (&made["format"], &made["format"]));
}

#[test]
fn a_store_is_checked_when_no_server_uses_it() {
    let address = new_store();
    let server = serve(&address);
    server.create_table("orders", &json!({}));
    server.call("PutItem", &json!({ "TableName": "orders", "Item": { "id": { "S": "1" } } }));
    while run_for_json(&["store", "status", &address])["servers"].as_array().unwrap().is_empty() {}
    let error = run_to_error(&["store", "check", &address]);
    assert!(
        error.contains(" is used by ") && error.contains("; stop all servers first"),
        "{error}"
    );
    stop(server);
    let found = run_for_json(&["store", "check", &address]);
    assert_eq!((&found["sound"], &found["contents"]["items"]), (&json!(true), &json!(1)));
}

#[test]
fn metrics_tell_how_the_database_is_doing() {
    let server = serve(&new_store());
    server.create_table("orders", &json!({}));
    let (status, page) = server.get("/_monotable/metrics");
    assert_eq!(status, 200);
    let value = |name: &str| -> f64 {
        let line = page.lines().find(|line| line.starts_with(&format!("{name} ")));
        line.unwrap_or_else(|| panic!("{name}")).rsplit_once(' ').unwrap().1.parse().unwrap()
    };
    assert!(value("monotable_postgres_connections_open") >= 2.0);
    assert!(value("monotable_postgres_group_size_count") >= 1.0);
    assert_eq!(value("monotable_postgres_connection_failures_total"), 0.0);
    assert_eq!(value("monotable_storage_writable"), 1.0);
}

#[test]
fn what_belongs_to_one_server_is_refused() {
    let address = new_store();
    for (arguments, expected) in [
        (&["--clock", "manual"][..], "--clock manual moves the time of one server"),
        (&["--durability", "interval"], "cannot be used with"),
        (&["--in-memory"], "cannot be used with"),
    ] {
        let line = [&["serve", "--port", "0", "--store", &address], arguments].concat();
        let error = run_to_error(&line);
        assert!(error.contains(expected), "{error}");
    }
}
