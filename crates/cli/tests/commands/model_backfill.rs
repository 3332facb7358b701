//! `monotable model backfill`: it asks, it reports, and it survives being killed at any point.

use std::process::{Child, Output, Stdio};

use crate::proxy::Proxy;
use crate::support::{Server, monotable, run};
use serde_json::{Value, json};
use tempfile::TempDir;

const TABLE: &str = "Shop";
const ITEMS: usize = 300;

const TABLES: &str = r#"format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"

[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"

"#;

const ATTRIBUTES: &str = r#"
[entities.Order.attributes]
id = "S"
state = "S"

[entities.Visit.attributes]
id = "S"
page = "S"
"#;

const OLD: &str = r##"
[entities.Order]
key = { partition = "ORDER#{id}" }

[entities.Visit]
key = { partition = "VISIT#{id}" }
"##;

const NEW: &str = r##"
[entities.Order]
key = { partition = "ORDER#{id}" }
indexes.GSI1 = { partition = "STATE#{state}" }

[entities.Visit]
key = { partition = "PAGE#{page}#{id}" }
version = 2
"##;

/// A server with a table in the old form, and the two models.
struct Shop {
    server: Server,
    folder: TempDir,
}

impl Shop {
    fn start() -> Shop {
        let folder = tempfile::tempdir().unwrap();
        for (name, entities) in [("old.toml", OLD), ("new.toml", NEW)] {
            let text = format!("{TABLES}{entities}{ATTRIBUTES}");
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let server = Server::in_memory();
        let text = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
        let hash = |name: &str| json!([{ "AttributeName": name, "KeyType": "HASH" }]);
        let index = json!({
            "IndexName": "GSI1",
            "KeySchema": hash("GSI1PK"),
            "Projection": { "ProjectionType": "ALL" },
        });
        server.create_table(
            TABLE,
            &json!({
                "AttributeDefinitions": [text("PK"), text("GSI1PK")],
                "KeySchema": hash("PK"),
                "GlobalSecondaryIndexes": [index],
            }),
        );
        let items: Vec<Value> = (0..ITEMS).map(old_item).collect();
        for batch in items.chunks(25) {
            let puts: Vec<Value> =
                batch.iter().map(|item| json!({ "PutRequest": { "Item": item } })).collect();
            server.call("BatchWriteItem", &json!({ "RequestItems": { TABLE: puts } }));
        }
        Shop { server, folder }
    }

    fn arguments(&self, address: &str, more: &[&str]) -> Vec<String> {
        let model = |name: &str| self.folder.path().join(name).display().to_string();
        let fixed = ["model", "backfill"].map(str::to_owned);
        let models = [model("old.toml"), model("new.toml")];
        let rest = ["--table", TABLE, "--endpoint", address, "--output", "json"];
        let rest = rest.iter().chain(more).map(|text| (*text).to_owned());
        fixed.into_iter().chain(models).chain(rest).collect()
    }

    fn backfill(&self, more: &[&str]) -> Output {
        let address = format!("http://{}", self.server.address());
        let arguments = self.arguments(&address, more);
        run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn spawn(&self, proxy: &Proxy, more: &[&str]) -> Child {
        let arguments = self.arguments(&format!("http://{}", proxy.address), more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        monotable(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn items(&self) -> Vec<Value> {
        let answer = self.server.call("Scan", &json!({ "TableName": TABLE }));
        let mut items = answer["Items"].as_array().unwrap().clone();
        items.sort_by_key(Value::to_string);
        items
    }
}

fn old_item(number: usize) -> Value {
    let id = format!("{number:04}");
    match number % 3 {
        0 => {
            json!({ "PK": { "S": format!("VISIT#{id}") }, "id": { "S": id },
                "page": { "S": "home" } })
        }
        _ => {
            json!({ "PK": { "S": format!("ORDER#{id}") }, "id": { "S": id },
                "state": { "S": "PAID" } })
        }
    }
}

fn new_items() -> Vec<Value> {
    let mut items: Vec<Value> = (0..ITEMS).map(old_item).collect();
    for item in &mut items {
        let id = item["id"]["S"].as_str().unwrap().to_owned();
        if item["page"].is_null() {
            item["GSI1PK"] = json!({ "S": "STATE#PAID" });
        } else {
            item["PK"] = json!({ "S": format!("PAGE#home#{id}") });
        }
    }
    items.sort_by_key(Value::to_string);
    items
}

#[track_caller]
fn report(output: &Output, code: i32) -> Value {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_backfill_is_run_verified_and_leaves_nothing_behind() {
    let shop = Shop::start();
    let done = report(&shop.backfill(&["--yes", "--rate", "100000"]), 0);
    assert_eq!(
        (&done["backfill"]["updated"], &done["backfill"]["moved"]),
        (&json!(200), &json!(100))
    );
    assert_eq!(done["verification"]["scanned"], ITEMS);
    assert_eq!(done["verification"]["drifted"], json!([]));
    assert_eq!(shop.items(), new_items());
}

#[test]
fn nothing_is_changed_without_being_asked_to() {
    let shop = Shop::start();
    let before = shop.items();
    let output = shop.backfill(&[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--yes"), "{output:?}");
    let counted = report(&shop.backfill(&["--dry-run"]), 0);
    assert_eq!(counted["backfill"]["updated"], 200);
    let found = report(&shop.backfill(&["--verify-only"]), 1);
    assert_eq!(found["verification"]["drifted"].as_array().unwrap().len(), ITEMS);
    assert_eq!(shop.items(), before);
}

#[test]
fn a_backfill_that_is_killed_at_any_point_goes_on_and_ends_well() {
    let shop = Shop::start();
    // Small pages, so that a kill finds checkpoints, pages half done and pages not begun.
    let how = ["--yes", "--rate", "100000", "--page", "7", "--segments", "3"];
    let mut seed = 2026u32;
    for _ in 0..6 {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        // Every run can make as many requests, since that many items are left.
        let requests = 1 + usize::try_from(seed >> 16).unwrap() % 40;
        let proxy = Proxy::start(shop.server.address(), requests);
        let mut child = shop.spawn(&proxy, &how);
        proxy.is_full.recv().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let done = report(&shop.backfill(&how), 0);
    assert_eq!(done["verification"]["drifted"], json!([]));
    assert_eq!(shop.items(), new_items());
}

#[test]
fn a_table_that_is_not_there_is_named() {
    let shop = Shop::start();
    shop.server.call("DeleteTable", &json!({ "TableName": TABLE }));
    let output = shop.backfill(&["--yes"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("there is no table Shop"),
        "{output:?}"
    );
}
