//! The differential test finds differences that were planted, makes their histories short, and
//! finds none where there is none.

mod proxy;

use std::fs;
use std::path::Path;

use monotable_conformance::differential::{self, Aspect, Finding, Findings, Options, Side, report};
use monotable_conformance::server::{Server, Storage, binary};
use monotable_remote::{Credentials, Identity, tls_config_with};
use proxy::Proxy;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How many histories are played until a difference must have been met.
const HISTORIES: u64 = 40;

fn start() -> Server {
    Server::start(&binary().unwrap(), Storage::Memory).unwrap()
}

/// Plays at our server and at another one behind a proxy that changes its answers, until something
/// is found.
fn compare(change: fn(&str, &mut Value)) -> Findings {
    let (server, reference) = (start(), start());
    let proxy = Proxy::start(reference.endpoint(), change);
    let is_enough =
        |found: &Findings| found.histories >= HISTORIES || !found.by_signature.is_empty();
    let (ours, theirs) = (unsigned(server.endpoint()), unsigned(proxy.endpoint()));
    differential::run(ours, theirs, &Options::default(), is_enough).unwrap()
}

fn unsigned(endpoint: &str) -> Side {
    Side::unsigned(endpoint).unwrap()
}

#[track_caller]
fn the_finding(findings: &Findings, calls_max: usize) -> &Finding {
    let text = report::text(findings);
    let finding = findings.by_signature.values().next().expect("nothing was found");
    assert!(finding.calls.len() <= calls_max, "{text}");
    assert!(text.contains(&format!("{}. {}", finding.calls.len(), finding.difference.action)));
    assert!(text.contains("\nreference: "), "{text}");
    finding
}

#[test]
fn a_server_does_not_differ_from_itself() {
    let (server, reference) = (start(), start());
    let proxy = Proxy::start(reference.endpoint(), |_, _| {});
    let options = Options { compares_capacity: true, ..Options::default() };
    let is_enough = |found: &Findings| found.histories >= HISTORIES;
    let (ours, theirs) = (unsigned(server.endpoint()), unsigned(proxy.endpoint()));
    let findings = differential::run(ours, theirs, &options, is_enough).unwrap();
    assert!(findings.by_signature.is_empty(), "{}", report::text(&findings));
    assert!(findings.calls > HISTORIES * 30, "{}", findings.calls);
}

/// What a client of the guarded server signs with.
const KEYS: &str = r#"
[[key]]
access_key_id = "AKIAROOT000000000001"
secret_access_key = "root/secret+12345678"
session_token = "token/+1=="
user = "root"
policies = ["AmazonDynamoDBFullAccess"]
"#;

fn holder_of_the_key() -> Identity {
    let credentials = Credentials {
        access_key_id: "AKIAROOT000000000001".to_owned(),
        secret_access_key: "root/secret+12345678".to_owned(),
        session_token: Some("token/+1==".to_owned()),
    };
    Identity { credentials: Some(credentials), region: Some("us-east-1".to_owned()) }
}

/// A server that encrypts and verifies signatures, as AWS does.
fn start_guarded(folder: &TempDir) -> Server {
    let keys = folder.path().join("keys.toml");
    write_private(&keys, KEYS);
    let (keys, tls) = (keys.to_str().unwrap(), folder.path().to_str().unwrap());
    let flags = ["--credentials", keys, "--tls", "self-signed", "--tls-dir", tls];
    Server::start_with(&binary().unwrap(), Storage::Memory, &flags).unwrap()
}

/// Writes a file that its owner alone may read, as the server wants it.
fn write_private(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

#[test]
fn a_reference_that_encrypts_and_verifies_signatures_is_called_with_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let (server, reference) = (start(), start_guarded(&folder));
    assert!(reference.endpoint().starts_with("https://"), "{}", reference.endpoint());
    let compare = |identity: Identity| {
        let tls = tls_config_with(&folder.path().join("authority.pem")).unwrap();
        let theirs = Side::new(reference.endpoint(), identity, tls);
        let is_enough = |found: &Findings| found.histories >= 5 || !found.by_signature.is_empty();
        differential::run(unsigned(server.endpoint()), theirs, &Options::default(), is_enough)
            .unwrap()
    };
    let signed = compare(holder_of_the_key());
    assert!(signed.by_signature.is_empty(), "{}", report::text(&signed));
    let anonymous = compare(Identity::anonymous());
    let said = report::text(&anonymous);
    assert!(said.contains("InvalidSignatureException"), "{said}");
}

#[test]
fn a_wrong_text_is_found() {
    let findings = compare(|_, body| {
        if let Some(Value::String(text)) = body.get_mut("message") {
            *text = text.replace("Syntax error", "Syntax fault");
        }
    });
    let finding = the_finding(&findings, 1);
    assert_eq!(finding.difference.aspect, Aspect::Message);
    assert!(finding.difference.theirs.body.to_string().contains("Syntax fault"));
}

#[test]
fn an_attribute_that_is_missing_is_found() {
    let findings = compare(|action, body| {
        if action == "GetItem"
            && let Some(Value::Object(item)) = body.get_mut("Item")
        {
            item.remove("n");
        }
    });
    // A table, an item with the attribute, and the call that reads it.
    let finding = the_finding(&findings, 3);
    assert_eq!(finding.difference.action, "GetItem");
    assert!(
        matches!(&finding.difference.aspect, Aspect::Body(place) if place.starts_with("/Item"))
    );
}

#[test]
fn a_wrong_count_is_found() {
    let findings = compare(|action, body| {
        if action == "Scan" && body["Count"].as_u64() >= Some(2) {
            body["Count"] = json!(1);
        }
    });
    let finding = the_finding(&findings, 4);
    assert_eq!(finding.difference.aspect, Aspect::Body("/Count".to_owned()));
}

#[test]
fn a_wrong_order_is_found() {
    let findings = compare(|action, body| {
        if action == "Query"
            && let Some(Value::Array(items)) = body.get_mut("Items")
        {
            items.reverse();
        }
    });
    let finding = the_finding(&findings, 4);
    assert_eq!(finding.difference.action, "Query");
    assert!(finding.difference.ours.body["Items"].as_array().map(Vec::len) >= Some(2));
}

#[test]
fn a_wrong_answer_to_a_statement_is_found() {
    let findings = compare(|action, body| {
        if action == "ExecuteStatement"
            && let Some(Value::Array(items)) = body.get_mut("Items")
        {
            items.pop();
        }
    });
    // A table, an item, and the statement that reads it.
    let finding = the_finding(&findings, 3);
    assert_eq!(finding.difference.action, "ExecuteStatement");
    assert!(finding.difference.ours.body["Items"].as_array().map(Vec::len) >= Some(1));
}

#[test]
fn a_wrong_answer_to_a_filter_from_before_expressions_is_found() {
    let findings = compare(|_, body| {
        if let Some(Value::String(text)) = body.get_mut("message") {
            *text = text.replace("Invalid number of argument", "Invalid count of argument");
        }
    });
    let finding = the_finding(&findings, 2);
    assert_eq!(finding.difference.aspect, Aspect::Message);
}
