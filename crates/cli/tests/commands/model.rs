//! `monotable model`: begins, checks, formats and explains models.

use std::path::Path;

use crate::support::{run, run_to_error};
use serde_json::Value;
use tempfile::TempDir;

/// Runs the binary, which must end with this code, and gives what it prints.
#[track_caller]
fn printed(code: i32, arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A file of this name and content in a folder.
fn file(folder: &TempDir, name: &str, content: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path.display().to_string()
}

/// A starter in a fresh folder.
fn starter(name: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name).display().to_string();
    printed(0, &["model", "init", &path]);
    (folder, path)
}

fn example() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models/e-commerce.toml");
    root.display().to_string()
}

#[test]
fn a_starter_is_consistent_and_formatted_in_every_format() {
    for name in ["shop.toml", "shop.yaml", "shop.json"] {
        let (_folder, path) = starter(name);
        let answer = printed(0, &["model", "check", &path]);
        let summary = "1 table, 1 index, 3 entities, 5 access patterns, 4 samples";
        assert!(answer.contains(summary), "{answer}");
        assert_eq!(printed(0, &["model", "fmt", "--check", &path]), "");
    }
}

#[test]
fn a_starter_keeps_its_comments_in_toml_and_yaml() {
    for name in ["shop.toml", "shop.yaml"] {
        let (_folder, path) = starter(name);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains("# A sparse index: what has been delivered is not in it."), "{text}");
    }
}

#[test]
fn init_does_not_overwrite() {
    let (_folder, path) = starter("shop.toml");
    assert!(run_to_error(&["model", "init", &path]).contains("exists"));
}

#[test]
fn a_mistake_is_underlined_and_ends_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\nname = \"a\"\n\n[tables.Shop]\npartition_kye = \"PK\"\n";
    let path = file(&folder, "a.toml", text);
    let answer = printed(1, &["model", "check", &path]);
    assert!(
        answer.contains("error[unknown-member]: a table has no member partition_kye"),
        "{answer}"
    );
    assert!(answer.contains(&format!("{path}:5:1")), "{answer}");
    assert!(answer.contains("5 | partition_kye = \"PK\"\n  | ^^^^^^^^^^^^^"), "{answer}");
    assert!(answer.contains("= help: did you mean partition_key?"), "{answer}");
    assert!(answer.ends_with(": 2 mistakes\n"), "{answer}");
}

#[test]
fn mistakes_are_json_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "a.json", "{ \"format\": 1, \"name\": 5, \"tables\": {} }");
    let answer = printed(1, &["model", "check", "--output", "json", &path]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["consistent"], false);
    let diagnostic = &answer["diagnostics"][0];
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["code"], "wrong-type");
    assert_eq!(diagnostic["path"], "name");
    assert_eq!(diagnostic["start"]["column"], 24);
    assert_eq!(diagnostic["start"]["offset"], 23);
}

#[test]
fn a_consistent_model_is_json_for_programs() {
    let answer = printed(0, &["model", "check", "--output", "json", &example()]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["model"], "e-commerce");
    assert_eq!(answer["consistent"], true);
    assert_eq!(answer["diagnostics"], Value::Array(Vec::new()));
    let patterns = answer["patterns"].as_array().unwrap();
    assert_eq!(patterns.len(), 7);
    assert!(patterns.iter().all(|pattern| pattern["served"] == true), "{patterns:?}");
}

#[test]
fn check_says_what_serves_each_pattern() {
    let answer = printed(0, &["model", "check", &example()]);
    let plan =
        "  order and its items\n    Query GSI1 where GSI1PK = ORDER#{OrderId:ksuid}, ascending\n";
    assert!(answer.contains(plan), "{answer}");
}

#[test]
fn a_pattern_that_nothing_serves_is_underlined_and_ends_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = r##"
format = 1
name = "a"
[tables.Shop]
partition_key = "PK"
[entities.Order]
key = { partition = "ORDER#{id}" }
[entities.Order.attributes]
id = "S"
status = "S"
[patterns."orders by status"]
operation = "query"
returns = ["Order"]
by = ["status"]
"##;
    let path = file(&folder, "a.toml", text);
    let answer = printed(1, &["model", "check", &path]);
    let error = "error[unserved-pattern]: no table or index serves this pattern";
    assert!(answer.contains(error), "{answer}");
    assert!(answer.contains(&format!("{path}:11:")), "{answer}");
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let error = run_to_error(&["model", "check", "no-such-model.toml"]);
    assert!(error.contains("cannot read no-such-model.toml"), "{error}");
}

#[test]
fn formatting_changes_the_file_once_and_keeps_comments() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# about the model\n\nname = \"a\" # its name\nformat = 1\n[tables.Shop]\n\
                # the key\npartition_key = 'PK'\n# the end\n";
    let path = file(&folder, "a.toml", text);
    assert_eq!(printed(1, &["model", "fmt", "--check", &path]), format!("{path}\n"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!(printed(0, &["model", "fmt", &path]), format!("{path}\n"));
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "# about the model\n\nformat = 1\nname = \"a\" # its name\n\n[tables.Shop]\n\
         # the key\npartition_key = \"PK\"\n# the end\n"
    );
    assert_eq!(printed(0, &["model", "fmt", &path]), "");
}

#[test]
fn what_is_not_consistent_is_not_formatted() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "a.toml", "format = 1\n");
    let error = run_to_error(&["model", "fmt", &path]);
    assert!(error.contains("a model needs the member name"), "{error}");
    assert!(error.contains("2 mistakes"), "{error}");
}

#[test]
fn every_entity_that_can_have_a_key_is_explained() {
    let answer = printed(0, &["model", "explain", &example(), "CUSTOMER#alex"]);
    assert_eq!(
        answer,
        "Customer: partition key PK of table EcommerceTable\n    \
             CUSTOMER#{Username}\n    \
             Username = \"alex\"\n\
         Customer: sort key SK of table EcommerceTable\n    \
             CUSTOMER#{Username}\n    \
             Username = \"alex\"\n\
         Order: partition key PK of table EcommerceTable\n    \
             CUSTOMER#{Username}\n    \
             Username = \"alex\"\n"
    );
}

#[test]
fn an_explanation_is_json_for_programs() {
    let key = "ORDER#2aQNuT4sonBubfcgFuHjZyCOesI#ITEM#48d7";
    let answer = printed(0, &["model", "explain", &example(), key, "--output", "json"]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let candidate = &answer["candidates"][0];
    assert_eq!(candidate["entity"], "OrderItem");
    assert_eq!(candidate["side"], "partition");
    assert_eq!(candidate["index"], Value::Null);
    let parts = &candidate["readings"][0];
    assert_eq!(parts[0]["attribute"], "OrderId");
    assert_eq!(parts[1]["value"], "48d7");
}

#[test]
fn a_key_that_no_entity_has_ends_with_one() {
    let answer = printed(1, &["model", "explain", &example(), "INVOICE#7"]);
    assert_eq!(answer, "no entity has a key like INVOICE#7\n");
}

#[test]
fn the_schema_is_json() {
    let schema: Value = serde_json::from_str(&printed(0, &["model", "schema"])).unwrap();
    assert_eq!(schema["title"], "Monotable model");
}

#[test]
fn the_help_of_every_subcommand_teaches_with_an_example() {
    for (subcommand, example) in [
        ("init", "monotable model init shop.toml"),
        ("check", "monotable model check shop.toml"),
        ("fmt", "monotable model fmt --check"),
        ("explain", "monotable model explain shop.toml"),
        ("schema", "monotable model schema > model.schema.json"),
    ] {
        let text = printed(0, &["model", subcommand, "--help"]);
        assert!(text.contains("Examples:") && text.contains(example), "{text}");
    }
}
