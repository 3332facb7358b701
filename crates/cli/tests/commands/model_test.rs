//! `monotable model test`: the tests of a model, on a database in the process.

use std::path::Path;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{run, run_to_error};

const MODEL: &str = r#"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
global_indexes.GSI1 = { partition_key = "GSI1PK", sort_key = "GSI1SK", projection = "keys-only" }

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{number:08}" }
indexes.GSI1 = { partition = "STATUS#{status}", sort = "ORDER#{number:08}" }
attributes = { username = "S", number = "N", status = { type = "S", required = true }, total = "N" }

[patterns."place order"]
operation = "put"
entity = "Order"
condition = "attribute_not_exists(PK)"

[patterns."orders of a customer"]
operation = "query"
returns = ["Order"]
by = ["username"]
order = "descending"

[patterns."orders by status"]
operation = "query"
returns = ["Order"]
by = ["status"]

[patterns."all orders"]
operation = "scan"
returns = ["Order"]

[samples]
Order = [
    { username = "alex", number = 1, status = "SHIPPED", total = 10 },
    { username = "alex", number = 2, status = "PLACED", total = 20 },
    { username = "sam", number = 3, status = "PLACED", total = 30 },
]
"#;

/// The model with more at its end, in a file.
fn model(more: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.toml");
    std::fs::write(&path, format!("{MODEL}{more}")).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[track_caller]
fn tested(code: i32, file: &str, arguments: &[&str]) -> String {
    let output = run(&[&["model", "test", file], arguments].concat());
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn check(code: i32, tests: &str, expected: &Expect) {
    let (_folder, path) = model(tests);
    expected.assert_eq(&tested(code, &path, &[]));
}

fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models/e-commerce.toml");
    path.display().to_string()
}

#[test]
fn the_tests_of_an_example_pass() {
    expect![[r#"
        ok   a customer comes with the newest orders first
        ok   an email address belongs to one customer
        ok   an order appears with its items
        ok   only an order that exists changes its status
        4 passed, 0 failed
    "#]]
    .assert_eq(&tested(0, &example(), &[]));
}

#[test]
fn the_tests_of_a_starter_pass() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.yaml").display().to_string();
    assert!(run(&["model", "init", &path]).status.success());
    assert!(tested(0, &path, &[]).ends_with("2 passed, 0 failed\n"));
}

#[test]
fn a_broken_expectation_of_an_example_is_shown_beside_what_came() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.toml");
    let text = std::fs::read_to_string(example()).unwrap();
    let broken = text.replace(
        "CreatedAt = \"2024-01-04T18:53:24Z\", Status = \"CANCELLED\" } }",
        "CreatedAt = \"2024-01-04T18:53:24Z\", Status = \"DELIVERED\" } }",
    );
    assert_ne!(broken, text);
    std::fs::write(&path, broken).unwrap();
    expect![[r#"
        FAIL a customer comes with the newest orders first
             customer and newest orders: other rows than expected: 1 missing (-), 1 unexpected (+)
                 Customer { Email = "alice@example.com" }
                 Order { CreatedAt = "2024-02-10T08:00:00Z", Status = "PLACED" }
               - Order { CreatedAt = "2024-01-04T18:53:24Z", Status = "DELIVERED" }
               + Order { CreatedAt = "2024-01-04T18:53:24Z", Status = "CANCELLED" }
                 Order { CreatedAt = "2024-01-03T01:57:44Z", Status = "SHIPPED" }
        0 passed, 1 failed
    "#]]
    .assert_eq(&tested(1, &path.display().to_string(), &["newest"]));
}

#[test]
fn rows_come_in_the_order_of_a_query_and_in_any_order_of_a_scan() {
    check(
        0,
        r#"
[[tests."the newest order comes first".steps]]
pattern = "orders of a customer"
with = { username = "alex" }
expect = [{ Order = { number = 2 } }, { Order = { number = 1, total = 10 } }]
units = { read = 0.5, write = 0 }

[[tests."a scan has no order".steps]]
pattern = "all orders"
expect = ["Order", { Order = { number = 1 } }, { Order = { number = 3 } }]
"#,
        &expect![[r#"
            ok   the newest order comes first
            ok   a scan has no order
            2 passed, 0 failed
        "#]],
    );
}

#[test]
fn what_an_index_lacks_is_fetched_before_rows_are_compared() {
    check(
        0,
        r#"
[[tests."placed orders have their totals".steps]]
pattern = "orders by status"
with = { status = "PLACED" }
expect = [{ Order = { number = 2, total = 20 } }, { Order = { number = 3, total = 30 } }]
"#,
        &expect![[r#"
            ok   placed orders have their totals
            1 passed, 0 failed
        "#]],
    );
}

#[test]
fn every_test_begins_with_the_samples_and_steps_see_earlier_writes() {
    check(
        0,
        r#"
[[tests."an order is placed once".steps]]
pattern = "place order"
with = { username = "sam", number = 4, status = "PLACED" }

[[tests."an order is placed once".steps]]
pattern = "place order"
with = { username = "sam", number = 4, status = "PLACED" }
expect = "refused"

[[tests."another test does not see it".steps]]
pattern = "orders of a customer"
with = { username = "sam" }
expect = [{ Order = { number = 3 } }]

[tests."a test may have items of its own".samples]
Order = [{ username = "kim", number = 9, status = "PLACED" }]

[[tests."a test may have items of its own".steps]]
pattern = "all orders"
expect = [{ Order = { username = "kim" } }]

[tests."or none".samples]

[[tests."or none".steps]]
pattern = "all orders"
expect = []
"#,
        &expect![[r#"
            ok   an order is placed once
            ok   another test does not see it
            ok   a test may have items of its own
            ok   or none
            4 passed, 0 failed
        "#]],
    );
}

const FAILING: &str = r#"
[[tests."refused".steps]]
pattern = "place order"
with = { username = "alex", number = 1, status = "PLACED" }

[[tests."not refused".steps]]
pattern = "orders of a customer"
with = { username = "sam" }

[[tests."not refused".steps]]
pattern = "place order"
with = { username = "alex", number = 8, status = "PLACED" }
expect = "refused"

[[tests."not refused".steps]]
pattern = "all orders"
expect = []

[[tests."units".steps]]
pattern = "orders of a customer"
with = { username = "alex" }
units = { read = 7 }

[[tests."rows".steps]]
pattern = "orders of a customer"
with = { username = "alex" }
expect = [{ Order = { number = 2, status = "PLACED" } }, { Order = { number = 1, status = "PLACED" } }]
"#;

#[test]
fn each_failure_says_what_was_expected_and_what_came() {
    check(
        1,
        FAILING,
        &expect![[r#"
            FAIL refused
                 place order: was refused: The conditional request failed
            FAIL not refused
                 step 2, place order: expected to be refused, and was carried out
            FAIL units
                 orders of a customer: expected 7 read units, and consumed 0.5
            FAIL rows
                 orders of a customer: other rows than expected: 1 missing (-), 1 unexpected (+)
                     Order { number = 2, status = "PLACED" }
                   - Order { number = 1, status = "PLACED" }
                   + Order { number = 1, status = "SHIPPED" }
            0 passed, 4 failed
        "#]],
    );
}

#[test]
fn a_name_chooses_tests_and_json_is_for_programs() {
    let (_folder, path) = model(FAILING);
    let text = tested(1, &path, &["rows", "--output", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let failure = &report["tests"][0]["steps"][0]["failures"][0];
    assert_eq!((&report["passed"], &report["failed"]), (&json!(0), &json!(1)));
    assert_eq!(report["tests"][0]["steps"][0]["consumed"], json!({ "read": 0.5, "write": 0.0 }));
    assert_eq!(failure["kind"], "rows");
    assert_eq!(
        failure["difference"][1],
        json!({ "side": "expected", "row": "Order { number = 1, status = \"PLACED\" }" })
    );
    assert_eq!(
        failure["difference"][2],
        json!({ "side": "found", "row": "Order { number = 1, status = \"SHIPPED\" }" })
    );
}

#[test]
fn what_cannot_be_tested_is_an_error_that_says_what_to_do() {
    let (_folder, path) = model("");
    let error = run_to_error(&["model", "test", &path]);
    assert!(error.contains("has no tests; --help shows what one looks like"), "{error}");
    let (_folder, path) = model(FAILING);
    let error = run_to_error(&["model", "test", &path, "not refusd"]);
    assert!(error.contains("has no test \"not refusd\", did you mean \"not refused\"?"), "{error}");
    let (_folder, path) = model(&FAILING.replace("username = \"sam\"", "usernme = \"sam\""));
    let error = run_to_error(&["model", "test", &path]);
    assert!(error.contains("has no parameter usernme"), "{error}");
    assert!(error.contains("did you mean username?"), "{error}");
}

#[test]
fn a_misspelt_parameter_is_not_mended_in_its_value() {
    let (_folder, path) = model(&FAILING.replace("username = \"sam\"", "usernme = \"usernme\""));
    let before = std::fs::read_to_string(&path).unwrap();
    run(&["model", "lint", &path, "--fix"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
}
