//! A server that knows a model, from the command line: loading it, the view, and taking over what
//! was observed.

use std::fs;
use std::path::PathBuf;

use crate::support::{Server, monotable, run, run_to_error};
use serde_json::{Value, json};
use tempfile::TempDir;

const SHOP: &str = r##"# Orders, and a comment that stays.

format = 1
name = "shop"

[tables.orders]
partition_key = "id"

[entities.Order]
key = { partition = "ORDER#{number:06}" }

[entities.Order.attributes]
number = "N"

[patterns."save order"]
operation = "put"
entity = "Order"
# How often an order comes in.
rate = 1000
"##;

fn model(directory: &TempDir, text: &str) -> PathBuf {
    let path = directory.path().join("shop.toml");
    fs::write(&path, text).unwrap();
    path
}

fn put(server: &Server, id: &str) -> (u16, String) {
    let item = json!({ "id": { "S": id }, "number": { "N": "17" } });
    let request = json!({ "TableName": "orders", "Item": item });
    server.try_call("PutItem", &request.to_string())
}

#[test]
fn what_a_server_sees_is_shown_and_can_be_taken_over() {
    let directory = TempDir::new().unwrap();
    let path = model(&directory, SHOP);
    let file = path.to_str().unwrap();
    let server =
        Server::start(monotable(&["serve", "--port", "0", "--in-memory", "--model", file]));
    server.create_table("orders", &json!({}));
    for _ in 0..4 {
        assert_eq!(put(&server, "ORDER#000017").0, 200);
    }
    assert_eq!(put(&server, "ORDER#17").0, 200);
    let endpoint = format!("http://{}", server.address());
    let shown = run(&["insights", "--once", "--endpoint", &endpoint]);
    let text = String::from_utf8(shown.stdout).unwrap();
    for part in ["save order", "hot keys of orders", "ORDER#000017", "lacks its leading zeros"] {
        assert!(text.contains(part), "{text}");
    }
    let json = run(&["insights", "--output", "json", "--endpoint", &endpoint]);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["models"][0]["patterns"][0]["requests"], 4);

    let compared = run(&["model", "observe", file, "--write", "--endpoint", &endpoint]);
    assert_eq!(compared.status.code(), Some(1), "the rate is not what the model says");
    let text = String::from_utf8(compared.stdout).unwrap();
    assert!(text.contains("requests a second:") && text.contains("1000 in the model"), "{text}");
    let written = fs::read_to_string(&path).unwrap();
    assert!(!written.contains("rate = 1000"), "{written}");
    assert!(written.contains("average_bytes = "), "{written}");
    for comment in ["# Orders, and a comment that stays.", "# How often an order comes in."] {
        assert!(written.contains(comment), "{written}");
    }
}

#[test]
fn what_a_server_saw_is_compared_with_the_file_though_the_server_has_read_another_text() {
    let directory = TempDir::new().unwrap();
    let path = model(&directory, SHOP);
    let file = path.to_str().unwrap();
    let server =
        Server::start(monotable(&["serve", "--port", "0", "--in-memory", "--model", file]));
    server.create_table("orders", &json!({}));
    assert_eq!(put(&server, "ORDER#000017").0, 200);
    let endpoint = format!("http://{}", server.address());
    let observe = || run(&["model", "observe", file, "--endpoint", &endpoint]);
    let noted = |output: &std::process::Output| {
        String::from_utf8_lossy(&output.stderr).contains("another text of the model shop")
    };
    assert!(!noted(&observe()));
    fs::write(&path, SHOP.replace("rate = 1000", "rate = 7000")).unwrap();
    let compared = observe();
    assert!(noted(&compared));
    let text = String::from_utf8(compared.stdout).unwrap();
    assert!(text.contains("7000 in the model") && !text.contains("1000 in the model"), "{text}");
}

#[test]
fn a_server_refuses_what_does_not_fit_if_it_is_asked_to() {
    let directory = TempDir::new().unwrap();
    let path = model(&directory, SHOP);
    let file = path.to_str().unwrap();
    let line = ["serve", "--port", "0", "--in-memory", "--model", file, "--model-check", "reject"];
    let server = Server::start(monotable(&line));
    server.create_table("orders", &json!({}));
    let (status, answer) = put(&server, "ORDER#17");
    assert_eq!(status, 400);
    assert!(answer.contains("ValidationException") && answer.contains("ORDER#000017"), "{answer}");
    assert_eq!(put(&server, "ORDER#000017").0, 200);
}

#[test]
fn a_server_does_not_start_with_a_model_that_has_mistakes() {
    let directory = TempDir::new().unwrap();
    let path = model(&directory, &SHOP.replace("entity = \"Order\"", "entity = \"Ordre\""));
    let file = path.to_str().unwrap();
    let told = run_to_error(&["serve", "--port", "0", "--in-memory", "--model", file]);
    assert!(told.contains("Ordre") && told.contains("did you mean"), "{told}");
    let missing = directory.path().join("none.toml");
    let line = ["serve", "--port", "0", "--in-memory", "--model", missing.to_str().unwrap()];
    assert!(run_to_error(&line).contains("cannot read"));
}
