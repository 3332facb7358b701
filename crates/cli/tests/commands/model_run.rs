//! `monotable model run`: patterns on a real server.

use std::path::{Path, PathBuf};

use crate::support::{Server, run, run_to_error};
use serde_json::{Value, json};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models").join(name)
}

/// A server that holds the samples of a model.
struct Loaded {
    server: Server,
    file: String,
}

impl Loaded {
    fn new(name: &str) -> Loaded {
        let loaded =
            Loaded { server: Server::in_memory(), file: model(name).to_str().unwrap().to_owned() };
        assert_eq!(loaded.model("apply", &["--yes"]).0, 0);
        assert_eq!(loaded.model("seed", &["--samples"]).0, 0);
        loaded
    }

    fn endpoint(&self) -> String {
        format!("http://{}", self.server.address())
    }

    /// Runs a command about the model; gives the exit code and what it printed.
    fn model(&self, command: &str, arguments: &[&str]) -> (i32, String, String) {
        let endpoint = self.endpoint();
        let mut all = vec!["model", command, &self.file, "--endpoint", &endpoint];
        all.extend(arguments);
        let output = run(&all);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let mut all = arguments.to_vec();
        all.extend(["--output", "json"]);
        let (code, stdout, stderr) = self.model("run", &all);
        let parsed = serde_json::from_str(&stdout);
        (code, parsed.unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}")))
    }
}

fn rows(answer: &Value) -> Vec<&Value> {
    let requests = answer["requests"].as_array().unwrap();
    requests.iter().flat_map(|request| request["rows"].as_array().unwrap()).collect()
}

#[test]
fn a_query_shows_the_request_the_rows_by_entity_and_the_units() {
    let loaded = Loaded::new("e-commerce.toml");
    let (code, stdout, _) = loaded.model("run", &["customer and newest orders", "Username=alice"]);
    assert_eq!(code, 0, "{stdout}");
    for part in [
        "Query EcommerceTable where PK = \"CUSTOMER#alice\", descending, limit 11",
        "  Customer\n     PK             │ SK             │ Username │ ",
        "\n     CUSTOMER#alice │ CUSTOMER#alice │ alice    │ ",
        "  Order\n     PK             │ SK ",
        "4 rows, 0.5 units of EcommerceTable",
        "consumed 0.5 read units (estimated ",
    ] {
        assert!(stdout.contains(part), "{part} is not in:\n{stdout}");
    }
}

#[test]
fn values_are_whole_where_no_terminal_cuts_them() {
    let loaded = Loaded::new("e-commerce.toml");
    let street = "a street whose name is so long that it fits no terminal ".repeat(5);
    let address = format!(r#"{{"Street": "{street}", "City": "a=b c=d"}}"#);
    let address = format!("address={address}");
    let pattern = "create or update address";
    let arguments = [pattern, "Username=alice", "AddressName=home", "max=20", &address];
    let (code, stdout, stderr) = loaded.model("run", &arguments);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (_, stdout, _) = loaded.model("run", &["customer and newest orders", "Username=alice"]);
    assert!(stdout.contains(street.trim_end()) && !stdout.contains('…'), "{stdout}");
    assert!(stdout.contains(r#"City: "a=b c=d""#), "{stdout}");
}

#[test]
fn pages_follow_one_another_only_as_far_as_is_wanted() {
    let loaded = Loaded::new("e-commerce.toml");
    let pattern = "customer and newest orders";
    let (_, first) = loaded.json(&[pattern, "Username=alice", "--limit", "3"]);
    assert_eq!(rows(&first).len(), 3);
    let next = first["requests"][0]["next"].to_string();
    let (_, second) = loaded.json(&[pattern, "Username=alice", "--limit", "3", "--start", &next]);
    assert_eq!(rows(&second).len(), 1);
    let (_, all) = loaded.json(&[pattern, "Username=alice", "--limit", "1", "--all"]);
    assert_eq!((rows(&all).len(), &all["requests"][0]["pages"]), (4, &json!(5)));
}

#[test]
fn the_request_that_is_shown_has_the_limit_of_the_run() {
    let loaded = Loaded::new("e-commerce.toml");
    let asked = ["customer and newest orders", "Username=alice", "--limit", "3"];
    for more in [&[][..], &["--dry-run"]] {
        let (code, stdout, _) = loaded.model("run", &[&asked[..], more].concat());
        assert_eq!(code, 0);
        assert!(stdout.contains("limit 3") && !stdout.contains("limit 11"), "{stdout}");
    }
}

#[test]
fn conditions_that_are_not_met_and_rows_that_are_not_there_are_a_no() {
    let loaded = Loaded::new("e-commerce.toml");
    let missing = ["customer and newest orders", "Username=nobody"];
    assert_eq!(loaded.model("run", &missing).0, 1);
    let taken = ["create customer", "Username=alice", "Email=new@example.com", "Name=Alice"];
    let (code, stdout, _) = loaded.model("run", &taken);
    assert_eq!(code, 1);
    assert!(stdout.contains("member 1: ConditionalCheckFailed"), "{stdout}");
    assert!(stdout.contains("member 2: not to blame"), "{stdout}");
}

#[test]
fn writes_are_seen_by_later_reads_and_take_json() {
    let loaded = Loaded::new("e-commerce.toml");
    let order = "OrderId=2cAQeq9LsDN0Iuu5OlkdYJnztzz";
    let items = r#"items=[{"ItemId": "a", "Price": 1.5}, {"ItemId": "b", "Price": 2}]"#;
    let save = [
        "save order",
        "Username=bob",
        order,
        "CreatedAt=2024-03-01T00:00:00Z",
        "Status=PLACED",
        "Amount=3.5",
        "NumberItems=2",
        items,
    ];
    let (code, stdout, stderr) = loaded.model("run", &save);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, answer) = loaded.json(&["order and its items", order]);
    let entities: Vec<&Value> = rows(&answer).iter().map(|row| &row["entity"]).collect();
    assert_eq!(
        (code, entities),
        (0, vec![&json!("OrderItem"), &json!("OrderItem"), &json!("Order")])
    );
}

#[test]
fn a_dry_run_sends_nothing() {
    let file = model("e-commerce.toml");
    let file = file.to_str().unwrap();
    let dry = ["model", "run", file, "order and its items", "OrderId=2cAQeq9LsDN0Iuu5OlkdYJnztrt"];
    let output = run(&[&dry[..], &["--dry-run", "--endpoint", "http://127.0.0.1:1"]].concat());
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert_eq!(
        stdout,
        "Query EcommerceTable.GSI1 where GSI1PK = \"ORDER#2cAQeq9LsDN0Iuu5OlkdYJnztrt\"\n"
    );
}

#[test]
fn mistakes_are_said_with_what_was_meant() {
    let loaded = Loaded::new("e-commerce.toml");
    let (code, _, stderr) = loaded.model("run", &["customer and newest order", "Username=alice"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("did you mean \"customer and newest orders\"?"), "{stderr}");
    let (code, _, stderr) = loaded.model("run", &["customer and newest orders", "username=alice"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("did you mean Username?"), "{stderr}");
    assert!(stderr.contains("parameter Username is missing: Username=TEXT"), "{stderr}");
    let nobody =
        ["customer and newest orders", "Username=alice", "--endpoint", "http://127.0.0.1:1"];
    let stderr = run_to_error(&[&["model", "run", &loaded.file], &nobody[..]].concat());
    assert!(stderr.contains("monotable serve"), "{stderr}");
}

#[test]
fn a_step_takes_what_it_needs_from_the_rows_of_the_step_before() {
    let loaded = Loaded::new("version-history.toml");
    let listed = loaded.json(&[]).1;
    let pattern = listed["patterns"].as_array().unwrap().iter();
    let pattern = pattern.clone().find(|one| one["name"] == "current version").unwrap();
    let required = pattern["parameters"].as_array().unwrap().iter();
    let required: Vec<&Value> = required.filter(|one| one["required"] == true).collect();
    let (code, answer) = loaded.json(&first_sample(&loaded, "current version", &required));
    assert_eq!((code, answer["requests"].as_array().unwrap().len()), (0, 2), "{answer:#}");
    assert_eq!(rows(&answer).len(), 2);
}

/// The pattern with parameters of the first sample that has them all.
fn first_sample<'a>(loaded: &Loaded, pattern: &'a str, required: &[&Value]) -> Vec<&'a str> {
    let (_, stdout, _) = loaded.model("seed", &["--samples", "--dry-run", "--output", "json"]);
    let items: Value = serde_json::from_str(&stdout).unwrap();
    let has_all = |item: &&Value| {
        required.iter().all(|one| !item["attributes"][one["name"].as_str().unwrap()].is_null())
    };
    let item = items["items"].as_array().unwrap().iter().find(has_all).unwrap();
    let argument = |one: &&Value| {
        let name = one["name"].as_str().unwrap();
        let value = item["attributes"][name].as_object().unwrap().values().next().unwrap();
        let text: &str = Box::leak(format!("{name}={}", value.as_str().unwrap()).into_boxed_str());
        text
    };
    std::iter::once(pattern).chain(required.iter().map(argument)).collect()
}
