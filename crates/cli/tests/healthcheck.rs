//! `monotable healthcheck`: what it says, and its exit codes.

mod support;

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};
use support::{Server, monotable, run};

#[test]
fn a_server_that_is_alive_and_ready_is_told_by_exit_code_0() {
    let server = Server::in_memory();
    let endpoint = format!("http://{}", server.address());
    for (more, status) in [(&[][..], "ok"), (&["--ready"], "ready")] {
        let arguments = ["healthcheck", "--endpoint", &endpoint];
        let output = run(&[&arguments[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(&format!("{status} (http://")), "{text}");
    }
}

#[test]
fn a_server_that_does_not_answer_is_told_by_exit_code_1() {
    let server = Server::in_memory();
    let endpoint = format!("http://{}", server.address());
    server.signal("TERM");
    assert!(server.wait().0.success());
    let output = run(&["healthcheck", "--endpoint", &endpoint, "--output", "json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["ok"], &answer["status"]), (&json!(false), &json!("unreachable")));
}

#[test]
fn the_answer_can_be_json() {
    let server = Server::in_memory();
    let endpoint = format!("http://{}/", server.address());
    let output = run(&["healthcheck", "--ready", "--output", "json", "--endpoint", &endpoint]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let url = format!("{endpoint}_monotable/ready");
    assert_eq!(answer, json!({ "ok": true, "status": "ready", "reason": null, "url": url }));
}

#[test]
fn a_server_that_encrypts_and_wants_signatures_is_asked_over_tls_with_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (keys, authority) = (path("keys.toml"), path("authority.pem"));
    let made =
        run(&["keys", "create", "ops", "--admin", "--credentials", &keys, "--output", "json"]);
    let key: Value = serde_json::from_slice(&made.stdout).unwrap();
    let text = |name: &str| key[name].as_str().unwrap().to_owned();
    let mut command =
        monotable(&["serve", "--in-memory", "--port", "0", "--tls", "self-signed", "--tls-dir"]);
    command.arg(folder.path()).args(["--credentials", &keys]).stdout(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let first = BufReader::new(server.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    let (_, address) = first.split_once("listening on ").unwrap();
    let endpoint = address.split(' ').next().unwrap();
    let ask = |arguments: &[&str], is_signed: bool| {
        let mut command = monotable(&["healthcheck", "--endpoint", endpoint]);
        command.args(arguments).env("AWS_CA_BUNDLE", &authority).env_remove("AWS_PROFILE");
        command.env("HOME", folder.path());
        if is_signed {
            command.env("AWS_ACCESS_KEY_ID", text("accessKeyId"));
            command.env("AWS_SECRET_ACCESS_KEY", text("secretAccessKey"));
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (alive, ready, stranger) =
        (ask(&[], false), ask(&["--ready"], true), ask(&["--ready"], false));
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(alive.0, Some(0), "{alive:?}");
    assert_eq!(ready.0, Some(0), "{ready:?}");
    assert_eq!(stranger.0, Some(1), "{stranger:?}");
}
