//! The units that a model's cost is counted in are those that the server reports.
//!
//! All worked models of the conformance suite are played. For every call that consumes capacity the
//! items before and after it are measured, their sizes are priced by the library, and the result
//! must be what the server says it charged, on the table and on each index.

#[path = "../support/mod.rs"]
mod support;

mod charge;
mod schema;
mod value;

use std::path::Path;

use serde_json::{Value, json};
use support::Server;

use charge::{Charges, Player};

/// Of the 433 steps at least this many consume capacity and succeed; the others fail on purpose, or
/// do something else.
const STEPS_COMPARED_MIN: usize = 300;

fn models() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/models");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    paths.iter().map(read).collect()
}

fn list<'v>(model: &'v Value, member: &str) -> impl Iterator<Item = &'v Value> {
    model[member].as_array().into_iter().flatten()
}

fn set_up(server: &Server, model: &Value) {
    let main =
        if model["initialTable"].is_null() { &model["table"] } else { &model["initialTable"] };
    for table in std::iter::once(main).chain(list(model, "moreTables")) {
        let mut request = table.clone();
        request.as_object_mut().unwrap().remove("TimeToLiveSpecification");
        server.call("CreateTable", &request);
        wait_until_active(server, &table["TableName"]);
    }
    for entry in list(model, "fixture") {
        let table = if entry["table"].is_null() { &main["TableName"] } else { &entry["table"] };
        server.call("PutItem", &json!({ "TableName": table, "Item": entry["item"] }));
    }
}

/// Waits until the table and its indexes are active; a table that is gone is waited for no longer.
fn wait_until_active(server: &Server, table: &Value) {
    let is_active = |description: &Value| {
        let table = &description["Table"];
        let mut indexes = table["GlobalSecondaryIndexes"].as_array().into_iter().flatten();
        table["TableStatus"] == "ACTIVE" && indexes.all(|index| index["IndexStatus"] == "ACTIVE")
    };
    let request = json!({ "TableName": table }).to_string();
    loop {
        let (status, body) = server.try_call("DescribeTable", &request);
        if status != 200 || is_active(&serde_json::from_str(&body).unwrap()) {
            return;
        }
    }
}

fn tear_down(server: &Server) {
    let names = server.call("ListTables", &json!({}))["TableNames"].clone();
    for name in names.as_array().unwrap() {
        server.try_call("DeleteTable", &json!({ "TableName": name }).to_string());
    }
    while server.call("ListTables", &json!({}))["TableNames"] != json!([]) {}
}

#[test]
fn the_server_charges_what_the_cost_of_a_model_says() {
    let server = Server::in_memory();
    let mut compared = 0;
    for model in models() {
        set_up(&server, &model);
        for step in list(&model, "scenario") {
            let operation = step["operation"].as_str().unwrap();
            let player = Player { server: &server, operation, params: &step["params"] };
            let played = player.play();
            if operation.ends_with("Table") {
                wait_until_active(&server, &step["params"]["TableName"]);
            }
            let Some((counted, charged)) = played else { continue };
            assert_eq!(counted, charged, "{} of {}: {step}", step["step"], model["name"]);
            assert_ne!(charged, Charges::new(), "{step}");
            compared += 1;
        }
        tear_down(&server);
    }
    assert!(compared >= STEPS_COMPARED_MIN, "only {compared} steps were compared");
}
