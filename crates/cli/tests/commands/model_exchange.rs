//! `monotable model init --from` and `monotable model export`.

use std::path::Path;

use crate::support::{Server, run, run_to_error};
use serde_json::{Value, json};
use tempfile::TempDir;

const TARGETS: [&str; 13] = [
    "cloudformation",
    "cloudformation-json",
    "terraform",
    "cdk-json",
    "workbench",
    "onetable",
    "json-schema",
    "electrodb",
    "rust",
    "typescript",
    "python",
    "create-table",
    "schema-json",
];

/// Runs the binary, which must end well; gives what it prints and what it notes.
#[track_caller]
fn done(arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    folder.join(name).display().to_string()
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[test]
fn an_export_is_imported_again_and_is_consistent() {
    let folder = tempfile::tempdir().unwrap();
    for (target, file) in [
        ("workbench", "shop.json"),
        ("onetable", "one.json"),
        ("schema-json", "schema.json"),
        ("cloudformation", "template.yaml"),
        ("create-table", "table.json"),
        ("terraform", "tables.tf"),
        ("electrodb", "entities.ts"),
    ] {
        let (exported, model) = (path(&folder, file), path(&folder, &format!("{target}.toml")));
        let source = example("e-commerce.toml");
        let (printed, notes) =
            done(&["model", "export", &source, "--to", target, "--file", &exported]);
        assert_eq!(printed, "");
        assert!(notes.starts_with("note: "), "{target}: {notes}");
        let (printed, _) = done(&["model", "init", &model, "--from", &exported]);
        assert!(printed.contains("is a model with 1 table"), "{printed}");
        done(&["model", "check", &model]);
        assert_eq!(done(&["model", "fmt", "--check", &model]).0, "");
    }
}

#[test]
fn every_target_goes_to_standard_output() {
    for target in TARGETS {
        let (printed, _) =
            done(&["model", "export", &example("session-store.toml"), "--to", target]);
        assert!(printed.contains("SessionStore") || printed.contains("Session"), "{printed}");
    }
}

#[test]
fn exports_and_imports_are_json_for_programs() {
    let arguments =
        ["model", "export", &example("e-commerce.toml"), "--to", "terraform", "--output", "json"];
    let (printed, notes) = done(&arguments);
    assert_eq!(notes, "");
    let answer: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(answer["format"], "terraform");
    assert!(answer["text"].as_str().unwrap().contains("aws_dynamodb_table"));
    assert_eq!(answer["notes"][0]["path"], "entities");
}

#[test]
fn a_mistake_in_a_foreign_file_is_underlined() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "table.json");
    let text =
        "{\n  \"TableName\": \"Shop\",\n  \"AttributeDefinitions\": [],\n  \"KeySchema\": 5\n}\n";
    std::fs::write(&file, text).unwrap();
    let error = run_to_error(&["model", "init", &path(&folder, "a.toml"), "--from", &file]);
    assert!(error.contains("expected a list, found a number"), "{error}");
    assert!(error.contains(&format!("{file}:4:")), "{error}");
    assert!(!folder.path().join("a.toml").exists());
}

#[test]
fn unknown_formats_name_those_that_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "a.json");
    std::fs::write(&file, "{ \"hello\": 1 }").unwrap();
    let model = path(&folder, "a.toml");
    let error = run_to_error(&["model", "init", &model, "--from", &file]);
    assert!(error.contains("workbench, onetable, schema-json, cloudformation"), "{error}");
    let error =
        run_to_error(&["model", "init", &model, "--from", &file, "--from-format", "workbnch"]);
    assert!(error.contains("did you mean workbench?"), "{error}");
}

fn order(customer: &str, number: u64) -> Value {
    let sort = format!("ORDER#{number:05}");
    json!({
        "PK": { "S": format!("CUSTOMER#{customer}") },
        "SK": { "S": sort },
        "Customer": { "S": customer },
        "OrderId": { "N": number.to_string() },
    })
}

/// A server with a table of customers and their orders.
fn server() -> Server {
    let server = Server::in_memory();
    let table = json!({
        "AttributeDefinitions": [
            { "AttributeName": "PK", "AttributeType": "S" },
            { "AttributeName": "SK", "AttributeType": "S" },
        ],
        "KeySchema": [
            { "AttributeName": "PK", "KeyType": "HASH" },
            { "AttributeName": "SK", "KeyType": "RANGE" },
        ],
    });
    server.create_table("Shop", &table);
    for customer in ["alex", "kim"] {
        let key = format!("CUSTOMER#{customer}");
        let item = json!({
            "PK": { "S": key }, "SK": { "S": key }, "Customer": { "S": customer },
            "Age": { "N": "30" },
        });
        server.call("PutItem", &json!({ "TableName": "Shop", "Item": item }));
        for number in [7, 12] {
            let item = order(customer, number);
            server.call("PutItem", &json!({ "TableName": "Shop", "Item": item }));
        }
    }
    server
}

#[test]
fn a_live_table_becomes_a_model_of_its_entities() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    let (endpoint, model) = (format!("http://{}", server.address()), path(&folder, "shop.toml"));
    let arguments = ["model", "init", &model, "--from", "dynamodb://Shop", "--endpoint", &endpoint];
    let (printed, _) = done(&arguments);
    assert!(printed.contains("1 table, 2 entities, 6 samples"), "{printed}");
    let text = std::fs::read_to_string(&model).unwrap();
    let key = "key = { partition = \"CUSTOMER#{Customer}\", sort = \"ORDER#{OrderId:05}\" }";
    assert!(text.contains(key), "{text}");
    done(&["model", "check", &model]);
}

#[test]
fn a_table_that_is_not_there_or_empty_is_an_error() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    server.create_table("Empty", &json!({}));
    let endpoint = format!("http://{}", server.address());
    let model = path(&folder, "shop.toml");
    let from = |source: &str| {
        run_to_error(&["model", "init", &model, "--from", source, "--endpoint", &endpoint])
    };
    assert!(
        from("dynamodb://Nothing").contains("ResourceNotFoundException"),
        "{}",
        from("dynamodb://Nothing")
    );
    assert!(from("dynamodb://Empty").contains("has no items"));
    assert!(from("dynamodb://").contains("the name of a table"));
}

#[test]
fn the_help_teaches_with_examples() {
    for (subcommand, example) in [
        ("init", "monotable model init shop.toml --from dynamodb://Shop"),
        ("export", "monotable model export shop.toml --to cloudformation"),
    ] {
        let (text, _) = done(&["model", subcommand, "--help"]);
        assert!(text.contains(example), "{text}");
    }
}
