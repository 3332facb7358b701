//! A server says where it is and serves there, or says why it cannot and what to do about it.

use crate::support;
use std::fs;
use std::process::Stdio;

use crate::support::{Server, monotable, run_to_error};
use serde_json::{Value, json};

#[test]
fn the_first_line_says_where_the_server_and_its_data_are() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let server = Server::on(&data);
    let address = server.address();
    let expected = format!(
        "monotable {} listening on http://{address} · data in {} (durable: sync) · \
         point an SDK at it: AWS_ENDPOINT_URL=http://{address}\n",
        env!("CARGO_PKG_VERSION"),
        data.display()
    );
    assert_eq!(server.first_line(), expected);
}

#[test]
fn the_first_line_names_other_places_and_durabilities() {
    assert!(Server::in_memory().first_line().contains(" · data in memory only · "));
    let directory = tempfile::tempdir().unwrap();
    let mut command = monotable(&["serve", "--port", "0", "--durability", "interval", "--data"]);
    command.arg(directory.path());
    assert!(Server::start(command).first_line().contains(" (durable: interval) · "));
}

#[test]
fn calls_and_health_checks_are_answered() {
    let server = Server::in_memory();
    assert_eq!(server.call("ListTables", &json!({})), json!({ "TableNames": [] }));
    let healthy = "healthy: dynamodb.us-east-1.amazonaws.com ";
    assert_eq!(server.get("/"), (200, healthy.to_owned()));
    let (status, health) = server.get("/_monotable/health");
    let health: Value = serde_json::from_str(&health).unwrap();
    assert_eq!((status, &health["status"]), (200, &json!("ok")));
}

#[test]
fn the_region_shows_in_the_health_text_and_in_resource_names() {
    let server =
        Server::start(monotable(&["serve", "--port", "0", "--in-memory", "--region", "eu-west-2"]));
    assert_eq!(server.get("/").1, "healthy: dynamodb.eu-west-2.amazonaws.com ");
    let created = server.call(
        "CreateTable",
        &json!({
            "TableName": "orders",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
            "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
        }),
    );
    let arn = created["TableDescription"]["TableArn"].as_str().unwrap();
    assert!(arn.starts_with("arn:aws:dynamodb:eu-west-2:"), "{arn}");
}

#[test]
fn errors_come_in_the_order_that_dynamodb_has() {
    let server = Server::in_memory();
    let unparsable = r#"{"__type":"com.amazon.coral.service#SerializationException"}"#;
    let unknown = r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#;
    for (operation, body, expected) in [
        ("ListTables", "not JSON", unparsable),
        ("ListTables", "", unparsable),
        ("ListTables", "[]", unparsable),
        ("ListTables", r#"{"Limit": {}, "#, unparsable),
        ("NoSuchOperation", "not JSON", unparsable),
        ("NoSuchOperation", "", unknown),
        ("NoSuchOperation", "{}", unknown),
        ("listtables", "{}", unknown),
    ] {
        let answer = server.try_call(operation, body);
        assert_eq!(answer, (400, expected.to_owned()), "{operation} {body}");
    }
}

#[test]
fn a_port_in_use_is_an_error_that_says_so() {
    let taken = Server::in_memory();
    let port = taken.address().port().to_string();
    let error = run_to_error(&["serve", "--in-memory", "--port", &port]);
    assert_eq!(
        error,
        format!(
            "error: port {port} of 127.0.0.1 is in use; stop what listens there, \
             or choose another port with --port (0 takes any free one)\n"
        )
    );
}

#[test]
fn a_data_directory_in_use_is_an_error_that_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::on(directory.path());
    let path = directory.path().to_str().unwrap();
    assert_eq!(
        run_to_error(&["serve", "--port", "0", "--data", path]),
        format!(
            "error: {path} is in use by another process; stop it, \
             or choose another directory with --data\n"
        )
    );
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn a_directory_with_other_files_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("letter.txt"), "dear").unwrap();
    let path = directory.path().to_str().unwrap();
    let error = run_to_error(&["serve", "--port", "0", "--data", path]);
    assert!(
        error.contains("letter.txt; choose an empty or a new directory with --data"),
        "{error}"
    );
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_place_where_no_directory_can_be_made_is_an_error_that_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let path = file.join("data");
    let error = run_to_error(&["serve", "--port", "0", "--data", path.to_str().unwrap()]);
    assert!(error.starts_with(&format!("error: cannot open {}", path.display())), "{error}");
    assert!(error.ends_with("choose a directory that you may write to with --data\n"), "{error}");
}

#[test]
fn a_host_that_others_can_reach_is_refused() {
    let error = run_to_error(&["serve", "--in-memory", "--host", "0.0.0.0", "--port", "0"]);
    assert_eq!(
        error,
        "error: 0.0.0.0 can be reached from other machines, and a server without credentials lets \
         everybody who reaches it read and change everything; make a key with monotable keys \
         create and start with --credentials FILE, or listen on 127.0.0.1, or let everybody in \
         with --insecure\n"
    );
}

#[test]
fn the_log_goes_to_standard_error_and_is_chosen_by_the_environment() {
    let mut command = monotable(&["serve", "--port", "0", "--in-memory"]);
    command.env("MONOTABLE_LOG", "monotable_server=debug").stderr(Stdio::piped());
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let output = process.stderr.take().unwrap();
    let server = Server::of(process);
    // A connection that breaks off within its body is worth a line of that level.
    drop(server.send_half_a_request());
    let line = support::first_line_of(output);
    assert!(line.contains("DEBUG") && line.contains("monotable_server"), "{line}");
    assert!(!line.contains('\u{1b}'), "{line}");
}

#[cfg(unix)]
#[test]
fn connections_leave_half_of_the_open_files_to_the_data() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new("sh");
    let script = "ulimit -n 100 && exec \"$0\" serve --port 0 --log error --data \"$1\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_monotable")]).arg(directory.path());
    let server = Server::start(command);
    let admitted: Vec<_> = (0..50).map(|_| server.connect()).collect();
    let (status, _) = server.get("/");
    assert_eq!(status, 503);
    drop(admitted);
    // The slots are free a moment after the connections are closed.
    assert!((0..1000).any(|_| server.get("/").0 == 200));
}
