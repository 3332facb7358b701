//! `monotable sql` runs statements from arguments, files and standard input.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::guarded::Guarded;
use crate::support::{Server, monotable, run_to_error};
use serde_json::{Value, json};

/// A server with a table of orders by customer and number, and an index by state.
struct Shop {
    server: Server,
}

impl Shop {
    fn new() -> Shop {
        let server = Server::in_memory();
        let key = |partition: &str, sort: &str| {
            json!([{ "AttributeName": partition, "KeyType": "HASH" },
                   { "AttributeName": sort, "KeyType": "RANGE" }])
        };
        let defined =
            |name: &str, kind: &str| json!({ "AttributeName": name, "AttributeType": kind });
        server.create_table(
            "orders",
            &json!({
                "AttributeDefinitions": [defined("customer", "S"), defined("number", "N"),
                    defined("state", "S")],
                "KeySchema": key("customer", "number"),
                "GlobalSecondaryIndexes": [{
                    "IndexName": "by_state", "KeySchema": key("state", "number"),
                    "Projection": { "ProjectionType": "ALL" },
                }],
            }),
        );
        Shop { server }
    }

    /// The shop with three orders.
    fn with_orders() -> Shop {
        let shop = Shop::new();
        for (customer, number, state) in
            [("alex", 1, "paid"), ("alex", 2, "open"), ("kim", 1, "open")]
        {
            shop.put(&json!({
                "customer": { "S": customer }, "number": { "N": number.to_string() },
                "state": { "S": state },
            }));
        }
        shop
    }

    fn put(&self, item: &Value) {
        self.server.call("PutItem", &json!({ "TableName": "orders", "Item": item }));
    }

    /// Runs the command with a script on standard input.
    fn run(&self, arguments: &[&str], script: &str) -> Output {
        let endpoint = format!("http://{}", self.server.address());
        let mut command = monotable(&[&["sql", "--endpoint", &endpoint], arguments].concat());
        command
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        // A process that has read enough closes the pipe.
        let _ = process.stdin.take().unwrap().write_all(script.as_bytes());
        process.wait_with_output().unwrap()
    }

    /// Runs one command, which must succeed; gives what it printed.
    #[track_caller]
    fn query(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments, "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs what must fail; gives what it printed, and what it said about that.
    #[track_caller]
    fn fail(&self, arguments: &[&str], script: &str) -> (String, String) {
        let output = self.run(arguments, script);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }
}

#[test]
fn a_select_prints_a_table_with_the_keys_first() {
    let shop = Shop::with_orders();
    assert_eq!(
        shop.query(&["-c", "SELECT * FROM orders WHERE customer = 'alex'"]),
        " customer │ number │ state\n\
         ──────────┼────────┼───────\n \
         alex     │      1 │ paid\n \
         alex     │      2 │ open\n\
         (2 rows, 0.5 read units)\n"
    );
}

#[test]
fn columns_stand_in_the_order_of_the_statement() {
    let shop = Shop::with_orders();
    let statement = "SELECT state, customer FROM orders WHERE customer = 'kim' AND number = 1";
    assert_eq!(shop.query(&["-o", "csv", "-c", statement]), "state,customer\r\nopen,kim\r\n");
    assert_eq!(
        shop.query(&["-o", "json", "-c", statement]),
        "{\"customer\":\"kim\",\"state\":\"open\"}\n"
    );
    assert_eq!(
        shop.query(&["-o", "dynamodb-json", "-c", statement]),
        "{\"customer\":{\"S\":\"kim\"},\"state\":{\"S\":\"open\"}}\n"
    );
}

#[test]
fn a_script_writes_and_reads_in_order() {
    let shop = Shop::new();
    let script = "-- two orders\n\
        INSERT INTO orders VALUE {'customer': 'alex', 'number': 1, 'note': 'a;b'};\n\
        UPDATE orders\n  SET state = 'paid' -- at last\n  WHERE customer = 'alex' AND number = 1;\n\
        SELECT note, state FROM orders WHERE customer = 'alex';\n\
        DELETE FROM orders WHERE customer = 'alex' AND number = 1;\n\
        SELECT * FROM orders";
    let output = shop.run(&["--output", "json"], script);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"note\":\"a;b\",\"state\":\"paid\"}\n"
    );
    assert!(output.stderr.is_empty());
}

#[test]
fn a_script_ends_at_the_first_error_with_its_line_and_place() {
    let shop = Shop::with_orders();
    let script =
        "SELECT state FROM orders WHERE customer = 'kim';\n\nSELECT *\n  FORM orders;\nSELECT 1;";
    let (printed, said) = shop.fail(&["--output", "json"], script);
    assert_eq!(printed, "{\"state\":\"open\"}\n");
    assert!(said.starts_with("error: line 3: ValidationException: "), "{said}");
    assert!(said.ends_with("\n    FORM orders\n    ^\n"), "{said}");
}

#[test]
fn an_error_names_its_argument_and_the_line_in_it() {
    let shop = Shop::with_orders();
    let select = "SELECT state FROM orders WHERE customer = 'kim'";
    let gone = "\n SELECT * FROM gone";
    let (printed, said) = shop.fail(&["-o", "json", "-c", select, "-c", gone, "-c", select], "");
    assert_eq!(printed, "{\"state\":\"open\"}\n");
    assert!(said.starts_with("error: -c 2, line 2: ResourceNotFoundException"), "{said}");
    let (_, said) = shop.fail(&["-c", gone], "");
    assert!(said.starts_with("error: line 2: ResourceNotFoundException"), "{said}");
    let open = "SELECT * FROM orders WHERE customer = 'kim";
    let (printed, said) = shop.fail(&["-o", "json", "--keep-going", "-c", open, "-c", select], "");
    assert_eq!(printed, "{\"state\":\"open\"}\n");
    assert!(said.starts_with("error: -c 1, line 1: ValidationException"), "{said}");
}

#[test]
fn keep_going_runs_the_rest_and_fails_at_the_end() {
    let shop = Shop::with_orders();
    let script =
        "SELECT * FROM gone;\n\\nonsense\nSELECT state FROM orders WHERE customer = 'kim';";
    let (printed, said) = shop.fail(&["--output", "json", "--keep-going"], script);
    assert_eq!(printed, "{\"state\":\"open\"}\n");
    assert!(said.contains("error: line 1: ResourceNotFoundException"), "{said}");
    assert!(said.contains("error: line 2: there is no command \\nonsense"), "{said}");
    assert!(said.contains("error: 2 statements failed"), "{said}");
}

#[test]
fn explain_says_how_items_are_found_without_running_anything() {
    let shop = Shop::with_orders();
    for (statement, expected) in [
        (
            "SELECT * FROM orders WHERE customer = 'a' AND number = 1",
            "GetItem orders\n  key      customer = 'a' AND number = 1\n",
        ),
        (
            "SELECT * FROM orders.by_state WHERE state = 'open'",
            "Query orders.by_state\n  key      state = 'open'\n",
        ),
        ("SELECT * FROM orders WHERE state = 'open'", "Scan orders\n  filter   state"),
        ("DELETE FROM orders WHERE customer = 'alex' AND number = 1", "Write orders\n"),
    ] {
        let printed = shop.query(&["-c", &format!("\\explain {statement}")]);
        assert!(printed.starts_with(expected), "{printed}");
    }
    let printed = shop.query(&["-c", "\\explain SELECT * FROM orders WHERE state = 'open'"]);
    assert!(printed.contains("instead  FROM \"orders\".\"by_state\" WHERE state = …"), "{printed}");
    let rows =
        shop.query(&["-o", "json", "-c", "SELECT number FROM orders WHERE customer = 'alex'"]);
    assert_eq!(rows.lines().count(), 2);
}

#[test]
fn a_large_scan_is_refused_where_nobody_can_be_asked() {
    let shop = Shop::with_orders();
    let scan = "SELECT * FROM orders WHERE state = 'open'";
    let (_, said) = shop.fail(&["--ask-above", "0", "-c", scan], "");
    assert!(said.contains("Scan orders reads") && said.contains("--yes"), "{said}");
    assert!(shop.query(&["--ask-above", "0", "--yes", "-c", scan]).contains("(2 rows"));
    assert!(shop.query(&["-c", scan]).contains("(2 rows"));
    let query = "SELECT * FROM orders.by_state WHERE state = 'open'";
    assert!(shop.query(&["--ask-above", "0", "-c", query]).contains("(2 rows"));
}

#[test]
fn a_read_of_a_table_that_is_not_described_is_not_run_unasked() {
    // Without a policy a user may neither describe a table nor read it; the error says which of
    // both was tried last.
    let server = Guarded::start(&[]);
    let run = |arguments: &[&str]| {
        let output = server.command_with_key(&[&["sql"], arguments].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let read = "SELECT * FROM orders WHERE state = 'open'";
    let said = run(&["-c", read]);
    let why = "cannot tell what this reads (DescribeTable was refused: AccessDeniedException: ";
    assert!(said.contains(why) && said.contains("--yes"), "{said}");
    assert!(!said.contains("PartiQLSelect"), "{said}");
    assert!(run(&["--yes", "-c", read]).contains("dynamodb:PartiQLSelect"));
    // It reads no more than it prints.
    assert!(
        run(&["--limit", "5", "-c", "SELECT * FROM orders"]).contains("dynamodb:PartiQLSelect")
    );
}

#[test]
fn a_script_reads_all_pages_and_a_limit_ends_it_before() {
    let shop = Shop::new();
    let note = "x".repeat(100_000);
    for number in 0..40 {
        shop.put(&json!({
            "customer": { "S": "alex" }, "number": { "N": number.to_string() },
            "note": { "S": note },
        }));
    }
    let statement = "SELECT number FROM orders WHERE customer = 'alex'";
    let all = shop.query(&["-o", "json", "-c", statement]);
    let expected: String = (0..40).map(|number| format!("{{\"number\":{number}}}\n")).collect();
    assert_eq!(all, expected);
    let some = shop.query(&["-o", "json", "--limit", "25", "-c", statement]);
    assert_eq!(some.lines().count(), 25);
    assert!(expected.starts_with(&some));
}

#[test]
fn tables_are_listed_and_described() {
    let shop = Shop::with_orders();
    let listed = shop.query(&["-c", "\\d"]);
    assert!(listed.starts_with("orders  ACTIVE, 3 items, "), "{listed}");
    assert!(listed.ends_with("customer (S), number (N, sorts), 1 index\n(1 table)\n"), "{listed}");
    let described = shop.query(&["-c", "\\d orders"]);
    for part in [
        "key      customer (S), number (N, sorts)",
        "by_state: state (S), number (N, sorts); global, ALL",
        "stream   off",
        "expiry   off",
    ] {
        assert!(described.contains(part), "{part} is not in:\n{described}");
    }
}

#[test]
fn a_vector_index_is_described_and_not_a_way_to_items() {
    let shop = Shop::new();
    let index = json!({
        "IndexName": "by_meaning", "VectorAttribute": { "AttributeName": "embedding" },
        "Dimensions": 4, "DistanceFunction": "COSINE",
        "Projection": { "ProjectionType": "KEYS_ONLY" },
    });
    shop.server.create_table("texts", &json!({ "VectorIndexes": [index] }));
    let described = shop.query(&["-c", "\\d texts"]);
    let line =
        "by_meaning: embedding (4 numbers, COSINE); vector, for SearchVectors only, KEYS_ONLY";
    assert!(described.contains(line), "{described}");
    let (_, said) = shop.fail(&["-c", "\\explain SELECT id FROM texts.by_meaning"], "");
    assert!(said.contains("is a vector index, which only SearchVectors reads"), "{said}");
}

#[test]
fn costs_are_said_on_standard_error() {
    let shop = Shop::with_orders();
    let output = shop.run(&["--cost", "-c", "SELECT * FROM orders WHERE customer = 'alex'"], "");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "Query orders · orders 0.5\n");
    let estimate = shop.query(&["-c", "\\cost SELECT * FROM orders"]);
    assert!(estimate.starts_with("Scan orders: all 3 items, "), "{estimate}");
}

#[test]
fn what_cannot_be_done_is_said_with_what_to_do() {
    let shop = Shop::new();
    for (arguments, said) in [
        (&["-c", "SELECT * FROM orders", "-f", "x"][..], "cannot be used with"),
        (&["-f", "no-such-file.sql"], "cannot read no-such-file.sql"),
        (&["--limit", "0"], "give a number from 1"),
        (&["-c", "\\explain SELECT"], "SELECT\n"),
        (&["-c", "\\d gone"], "ResourceNotFoundException"),
    ] {
        let (_, error) = shop.fail(arguments, "");
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
    let error = run_to_error(&["sql", "--endpoint", "http://127.0.0.1:1", "-c", "\\d"]);
    assert!(error.contains("monotable serve"), "{error}");
}

#[test]
fn a_statement_without_an_end_is_found() {
    let shop = Shop::new();
    let script = format!("SELECT 1;\nSELECT '{}", format!("{}\n", "x".repeat(10_000)).repeat(8));
    let (_, error) = shop.fail(&["--keep-going"], &script);
    assert!(error.contains("line 2: the statement that begins here does not end"), "{error}");
}
