//! What an operator reads, and what clients are answered, when the database is not there or not
//! what it should be.

use monotable_postgres_fixture::{Postgres, Programs, Setup, Syncs};
use serde_json::{Value, json};

use crate::session::Session;
use crate::support::{run, run_to_error};
use crate::{database, new_address, new_store, serve};

#[test]
fn a_server_that_cannot_start_says_what_to_do() {
    let missing = new_address();
    let unknown = missing.replacen("/postgres?", "/unknown?", 1);
    for (address, expected) in [
        (missing.as_str(), "; make one with monotable store init ADDRESS"),
        (&unknown, "database \"unknown\" does not exist; make it with createdb"),
        ("postgres://u@127.0.0.1:1/db", "Connection refused (os error 111); see that the host"),
        ("./data", "begins with postgres://; write it as postgres://user@host/database"),
        ("postgres://h/db?sslmode=verify-full", "sslrootcert must name a file; add sslrootcert="),
        ("postgres://h/db?sslmode=allow", "there is no sslmode \"allow\""),
        ("postgres://h/db?colour=red", "not an address of a PostgreSQL database"),
    ] {
        let error = run_to_error(&["serve", "--port", "0", "--store", address]);
        assert!(error.contains(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_database_that_is_not_what_it_should_be_is_told_with_what_to_do() {
    let newer = new_store();
    let session = Session::of(&newer);
    session.ask("update format set version = 99, floor = 98");
    session.ask("create role narrow login connection limit 0");
    let narrow = database().address().replacen("postgres@", "narrow@", 1);
    let read_only = "options=-cdefault_transaction_read_only%3Don";
    let read_only = format!("{}?{read_only}", database().address());
    let programs = Programs::find().expect("PostgreSQL is installed");
    let hba = Some("host all all 127.0.0.1/32 scram-sha-256\n");
    let guarded = Postgres::start_with(&programs, Syncs::Never, Setup { hba, ..Setup::default() });
    let guarded = guarded.expect("PostgreSQL starts");
    let wrong = guarded.address().replacen("postgres@", "postgres:wrong@", 1);
    for (address, expected) in [
        (newer.as_str(), "the store has format 99, and this version knows formats up to 2; run a"),
        (&narrow, "too many connections for role \"narrow\"; raise max_connections of PostgreSQL"),
        (&read_only, "takes no writes: it is a standby or read-only; name the primary, or all"),
        (&wrong, "password authentication failed for user \"postgres\"; see that the user is"),
    ] {
        let error = run_to_error(&["serve", "--port", "0", "--store", address]);
        assert!(error.contains(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_password_is_never_shown() {
    let error =
        run_to_error(&["serve", "--port", "0", "--store", "postgres://u:geheim@127.0.0.1:1/db"]);
    assert!(!error.contains("geheim"), "{error}");
    let error = run_to_error(&["serve", "--port", "0", "--store", "mysql://u:geheim@h/db"]);
    assert!(!error.contains("geheim"), "{error}");
}

#[test]
fn a_database_that_goes_away_makes_servers_unready_and_calls_fail_with_503() {
    let programs = Programs::find().expect("PostgreSQL is installed");
    let database = Postgres::start(&programs, Syncs::Never).expect("PostgreSQL starts");
    let address = database.address();
    assert!(run(&["store", "init", &address]).status.success());
    let server = serve(&address);
    server.create_table("orders", &json!({}));
    assert_eq!(server.get("/_monotable/ready").0, 200);
    drop(database);
    let item = json!({ "TableName": "orders", "Item": { "id": { "S": "1" } } }).to_string();
    let (status, answer) = server.try_call("PutItem", &item);
    assert_eq!(status, 503, "{answer}");
    assert!(answer.contains("ServiceUnavailable"), "{answer}");
    // A beat that was under way when the database went has another reason than those after it.
    loop {
        let (status, answer) = server.get("/_monotable/ready");
        let ready: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(status == 503, ready["status"] == "store-unavailable", "{answer}");
        let reason = ready["reason"].as_str().unwrap_or_default();
        if reason.starts_with("cannot connect to the database") {
            break;
        }
    }
    // A restart would not help.
    assert_eq!(server.get("/_monotable/health").0, 200);
    server.signal("TERM");
    server.wait();
}
