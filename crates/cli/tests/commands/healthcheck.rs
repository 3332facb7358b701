//! `monotable healthcheck`: what it says, and its exit codes.

use std::process::Command;

use crate::guarded::Guarded;
use crate::support::{Server, run};
use serde_json::{Value, json};

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
    let server = Guarded::start(&["--admin"]);
    let code = |mut command: Command| command.output().unwrap().status.code();
    assert_eq!(code(server.command(&["healthcheck"])), Some(0));
    assert_eq!(code(server.command_with_key(&["healthcheck", "--ready"])), Some(0));
    assert_eq!(code(server.command(&["healthcheck", "--ready"])), Some(0));
    assert_eq!(code(server.command_with_key(&["clock"])), Some(0));
    assert_ne!(code(server.command(&["clock"])), Some(0));
}
