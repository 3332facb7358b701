//! `monotable model lint`: findings, rules, pages, settings and exit codes.

use std::path::Path;

use crate::support::{Server, run, run_to_error};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A model with a warning: the number in the sort key has no leading zeros.
const MODEL: &str = r#"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{number:plain}" }
attributes = { username = "S", number = "N" }

[patterns."place order"]
operation = "put"
entity = "Order"
condition = "attribute_not_exists(PK)"

[patterns."get order"]
operation = "get"
entity = "Order"
by = ["username", "number"]
"#;

const ONLY: [&str; 2] = ["--only", "unpadded-number"];

fn model(more: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.toml");
    std::fs::write(&path, format!("{MODEL}{more}")).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[track_caller]
fn printed(code: i32, arguments: &[&str]) -> String {
    let mut all = vec!["model", "lint"];
    all.extend(arguments);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_finding_has_its_source_why_and_what_to_do() {
    let (_folder, path) = model("");
    let text = printed(0, &[&path, ONLY[0], ONLY[1]]);
    for part in [
        "warning[unpadded-number]: number sorts by its digits",
        "shop.toml:10:51",
        "^^^^^^^^^^^^^^^^^^^^^^",
        "= note: why: docs/guide/lint/unpadded-number.md, or --explain unpadded-number",
        "= help: write {number:08}",
        "shop.toml: 1 warning\n",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn errors_end_with_one_and_warnings_do_if_they_are_denied() {
    let (_folder, path) = model("");
    printed(1, &[&path, ONLY[0], ONLY[1], "--deny", "warnings"]);
    let (_folder, path) = model("[lint]\nseverity = { unpadded-number = \"error\" }\n");
    printed(1, &[&path]);
    let (_folder, path) = model("[lint]\nseverity = { unpadded-number = \"off\" }\n");
    assert!(printed(0, &[&path, ONLY[0], ONLY[1]]).ends_with("shop.toml: no mistakes\n"));
}

#[test]
fn what_the_model_accepts_is_counted_and_listed_if_asked_for() {
    let allow = "[[allow]]\nrule = \"unpadded-number\"\nreason = \"nine orders at most\"\n";
    let (_folder, path) = model(allow);
    let text = printed(0, &[&path, ONLY[0], ONLY[1]]);
    assert!(text.ends_with("shop.toml: no mistakes, 1 accepted\n"), "{text}");
    let text = printed(0, &[&path, ONLY[0], ONLY[1], "--accepted"]);
    assert!(text.contains("= note: accepted: nine orders at most"), "{text}");
}

#[test]
fn json_and_sarif_are_for_programs() {
    let (_folder, path) = model("");
    let json = |form: &str| -> Value {
        let text = printed(0, &[&path, ONLY[0], ONLY[1], "--output", form]);
        serde_json::from_str(&text).unwrap()
    };
    let report = json("json");
    assert_eq!(report["summary"]["warnings"], 1);
    assert_eq!(report["findings"][0]["code"], "unpadded-number");
    let log = json("sarif");
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "unpadded-number");
}

#[test]
fn rules_are_listed_and_explained() {
    let list = printed(0, &["--rules"]);
    assert!(list.contains("Rules on keys") && list.contains("unpadded-number"), "{list}");
    let json: Value = serde_json::from_str(&printed(0, &["--rules", "--output", "json"])).unwrap();
    assert_eq!(json[0]["topic"], "keys");
    let page = printed(0, &["--explain", "unpadded-number"]);
    assert!(page.starts_with("# unpadded-number\n"), "{page}");
}

#[test]
fn names_that_mean_nothing_are_errors_that_say_what_was_meant() {
    let (_folder, path) = model("");
    for (arguments, expected) in [
        (vec!["--explain", "unpaded-number"], "did you mean unpadded-number?"),
        (vec![&path, "--only", "unpaded-number"], "did you mean unpadded-number?"),
        (vec![&path, "--threshold", "filter-hitrate=1"], "did you mean filter-hit-rate?"),
        (vec![&path, "--threshold", "filter-hit-rate=much"], "much is not a number"),
        (vec![&path, "--profile", "no-table"], "expected single-table or multi-table"),
        (vec![&path, "--before", "nowhere.toml"], "cannot read nowhere.toml"),
    ] {
        let mut all = vec!["model", "lint"];
        all.extend(arguments);
        let error = run_to_error(&all);
        assert!(error.contains(expected), "{error}");
    }
}

/// An item whose number is in its key alone.
const ITEM: &str =
    r#"{"PK": {"S": "CUSTOMER#alex"}, "SK": {"S": "ORDER#17"}, "username": {"S": "alex"}}"#;

const LACKING: &str = "1 of 1 items of Order have number in SK and not as an attribute";

#[test]
fn an_export_is_read_and_its_items_are_judged() {
    let (folder, path) = model("");
    let export = folder.path().join("export.json");
    std::fs::write(&export, format!("{{\"Item\": {ITEM}}}\n")).unwrap();
    let export = export.display().to_string();
    for source in [export.clone(), format!("Shop={export}")] {
        let text = printed(0, &[&path, "--only", "attribute-only-in-key", "--data", &source]);
        assert!(text.contains(LACKING), "{text}");
    }
    std::fs::write(&export, "{\"Item\": 5}\n").unwrap();
    let error = run_to_error(&["model", "lint", &path, "--data", &export]);
    assert!(error.contains("export.json") && error.contains("line 1"), "{error}");
}

#[test]
fn a_live_table_is_read_and_its_items_are_judged() {
    let server = Server::in_memory();
    let endpoint = format!("http://{}", server.address());
    let (_folder, path) = model("");
    let applied = run(&["model", "apply", &path, "--yes", "--endpoint", &endpoint]);
    assert!(applied.status.success(), "{applied:?}");
    let item: Value = serde_json::from_str(ITEM).unwrap();
    server.call("PutItem", &json!({ "TableName": "Shop", "Item": item }));
    let only = ["--only", "attribute-only-in-key", "--endpoint", &endpoint];
    let live = |source: &'static str| [&[path.as_str(), "--data", source], &only[..]].concat();
    let text = printed(0, &live("dynamodb://Shop"));
    assert!(text.contains(LACKING), "{text}");
    let error = run_to_error(&[&["model", "lint"], &live("dynamodb://Shops")[..]].concat());
    assert!(error.contains("the model has no table Shops; its tables are Shop"), "{error}");
}

#[test]
fn recorded_requests_are_judged() {
    let (folder, path) = model("");
    let recording = folder.path().join("requests.jsonl");
    let request = json!({
        "operation": "Query",
        "request": {
            "TableName": "Shop",
            "KeyConditionExpression": "PK = :pk, SK = :sk",
            "ExpressionAttributeValues": { ":pk": { "S": "CUSTOMER#alex" },
                ":sk": { "S": "ORDER#17" } },
        },
    });
    std::fs::write(&recording, request.to_string()).unwrap();
    let recording = recording.display().to_string();
    let text = printed(1, &[&path, "--only", "key-condition-comma", "--requests", &recording]);
    assert!(text.contains("error[key-condition-comma]"), "{text}");
}

#[test]
fn a_change_of_the_model_is_judged() {
    let (folder, path) = model("");
    let before = folder.path().join("before.toml");
    std::fs::write(&before, MODEL.replace("ORDER#{number:plain}", "ORDER#{number:08}")).unwrap();
    let before = before.display().to_string();
    let only = "rewriting-change-unannounced";
    let text = printed(1, &[&path, "--only", only, "--before", &before]);
    assert!(text.contains(&format!("error[{only}]")), "{text}");
}

#[test]
fn a_model_that_cannot_be_read_is_an_error() {
    let (_folder, path) = model("[lint]\nprofile = \"no-table\"\n");
    let error = run_to_error(&["model", "lint", &path]);
    assert!(error.contains("no-table is not one of single-table, multi-table"), "{error}");
}

#[test]
fn the_examples_have_nothing_but_accepted_findings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    for name in ["e-commerce.toml", "session-store.toml"] {
        let path = folder.join(name).display().to_string();
        let text = printed(0, &[&path, "--deny", "warnings"]);
        assert!(text.contains(&format!("{name}: no mistakes")), "{text}");
    }
}

#[test]
fn what_has_one_right_answer_is_mended_and_comments_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.toml");
    let written = MODEL
        .replace("number = \"N\"", "number = { type = \"N\", min = 1, max = 99999 }")
        .replace("by = [\"username\"", "# who asks\nby = [\"usernam\"");
    std::fs::write(&path, &written).unwrap();
    let name = path.display().to_string();
    let output = run(&["model", "lint", &name, "--fix", ONLY[0], ONLY[1]]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("usernam is username now"), "{notes}");
    assert!(notes.contains("{number:plain} is {number:05} now"), "{notes}");
    let mended = std::fs::read_to_string(&path).unwrap();
    let expected =
        written.replace("{number:plain}", "{number:05}").replace("\"usernam\"", "\"username\"");
    assert_eq!(mended, expected);
}

#[test]
fn addresses_are_mended_in_every_key_and_other_text_in_none() {
    let text = "format = 1\nname = \"x\"\n\
                [tables.Users]\npartition_key = \"PK\"\nsort_key = \"SK\"\n\
                [entities.User]\n\
                key = { partition = \"USER#{email}\", sort = \"USER#{email}#{word}\" }\n\
                attributes = { email = { type = \"S\", format = \"email\" }, word = \"S\" }\n\
                [[samples.User]]\nemail = \"a@example.com\"\nword = \"one\"\n\
                [[samples.User]]\nemail = \"b@example.com\"\nword = \"Two\"\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    std::fs::write(&path, text).unwrap();
    let name = path.display().to_string();
    let output = run(&["model", "lint", &name, "--fix", "--only", "mixed-case-key"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("once \"one\" and once \"Two\""), "{shown}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text.replace("{email}", "{email:fold}"));
}

/// The rule would fold the address in the key; the sample says that the key is as it was typed.
#[test]
fn what_the_model_itself_contradicts_is_not_mended() {
    let text = "format = 1\nname = \"x\"\n\
                [tables.Users]\npartition_key = \"email\"\n\
                [entities.User]\nkey.partition = \"{email}\"\n\
                attributes = { email = { type = \"S\", format = \"email\" } }\n\
                [[samples.User]]\nemail = \"Ann@x.com\"\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    std::fs::write(&path, text).unwrap();
    let name = path.display().to_string();
    let output = run(&["model", "lint", &name, "--fix", "--only", "mixed-case-key"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("mixed-case-key"), "{shown}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn what_is_a_guess_is_not_mended() {
    let (_folder, path) = model("");
    let before = std::fs::read_to_string(&path).unwrap();
    let text = printed(0, &[&path, "--fix", ONLY[0], ONLY[1]]);
    assert!(text.contains("warning[unpadded-number]"), "{text}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
}

/// The model with entities whose numbers have no leading zeros either.
fn with_alike(names: &[&str]) -> (TempDir, String) {
    let entity = |name: &&str| {
        format!(
            "\n[entities.{name}]\nkey = {{ partition = \"{0}#{{owner}}\", sort = \
             \"{0}#{{serial:plain}}\" }}\nattributes = {{ owner = \"S\", serial = \"N\" }}\n",
            name.to_uppercase()
        )
    };
    model(&names.iter().map(entity).collect::<String>())
}

#[test]
fn findings_that_say_the_same_of_many_things_are_one_with_the_other_places() {
    let (_folder, path) = with_alike(&["Invoice", "Parcel"]);
    let text = printed(0, &[&path, ONLY[0], ONLY[1]]);
    assert_eq!(text.matches("warning[unpadded-number]").count(), 1, "{text}");
    for part in [
        "= note: the same at 2 other places: entities.Invoice.key.sort (line 24), \
         entities.Parcel.key.sort (line 28); --all shows each\n",
        "shop.toml: 3 warnings\n",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let text = printed(0, &[&path, ONLY[0], ONLY[1], "--all"]);
    assert_eq!(text.matches("warning[unpadded-number]").count(), 3, "{text}");
    assert!(!text.contains("the same at"), "{text}");
}

#[test]
fn programs_get_every_finding_and_two_are_no_group() {
    let (_folder, path) = with_alike(&["Invoice", "Parcel"]);
    let json = |form: &str| -> Value {
        serde_json::from_str(&printed(0, &[&path, ONLY[0], ONLY[1], "--output", form])).unwrap()
    };
    assert_eq!(json("json")["findings"].as_array().unwrap().len(), 3);
    assert_eq!(json("sarif")["runs"][0]["results"].as_array().unwrap().len(), 3);
    let (_folder, path) = with_alike(&["Invoice"]);
    let text = printed(0, &[&path, ONLY[0], ONLY[1]]);
    assert_eq!(text.matches("warning[unpadded-number]").count(), 2, "{text}");
}
