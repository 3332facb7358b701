//! A server that encrypts, from its flags to the commands that call it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::support::{monotable, run, run_to_error};

/// A server that is killed when this is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// Starts a server with a certificate of its own; gives its port and the second line that it
/// prints.
fn start(directory: &Path) -> (Process, u16, String) {
    let mut command = monotable(&["serve", "--in-memory", "--port", "0", "--tls", "self-signed"]);
    command.arg("--tls-dir").arg(directory);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let (_, address) = first.split_once("listening on https://").expect(&first);
    let port = address.split(' ').next().unwrap().rsplit(':').next().unwrap().parse().unwrap();
    assert!(first.contains(&format!("AWS_ENDPOINT_URL=https://127.0.0.1:{port}")), "{first}");
    (Process(process), port, lines.next().unwrap().unwrap())
}

#[test]
fn a_certificate_for_development_is_made_and_commands_can_be_told_to_trust_it() {
    let directory = tempfile::tempdir().unwrap();
    let (_server, port, note) = start(directory.path());
    let authority = directory.path().join("authority.pem").canonicalize().unwrap();
    assert!(note.contains(&format!("AWS_CA_BUNDLE={}", authority.display())), "{note}");
    let call = |bundle: Option<&Path>, host: &str| {
        let endpoint = format!("https://{host}:{port}");
        let mut command = monotable(&["tail", "missing", "--endpoint", &endpoint]);
        command.env_remove("AWS_CA_BUNDLE");
        if let Some(bundle) = bundle {
            command.env("AWS_CA_BUNDLE", bundle);
        }
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    for host in ["localhost", "127.0.0.1"] {
        let answer = call(Some(&authority), host);
        assert!(answer.contains("ResourceNotFoundException"), "{answer}");
    }
    let refused = call(None, "localhost");
    assert!(refused.contains("certificate"), "{refused}");
    let other = directory.path().join("names.txt");
    let refused = call(Some(&other), "localhost");
    assert!(refused.contains("names.txt"), "{refused}");
}

#[test]
fn files_that_cannot_be_served_are_errors_that_say_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    drop(start(directory.path()));
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (certificate, key, missing) = (path("certificate.pem"), path("key.pem"), path("missing"));
    let error = |certificate: &str, key: &str| {
        run_to_error(&[
            "serve",
            "--in-memory",
            "--port",
            "0",
            "--tls-cert",
            certificate,
            "--tls-key",
            key,
        ])
    };
    let unreadable = error(&missing, &key);
    assert!(unreadable.starts_with(&format!("error: cannot read {missing}: ")), "{unreadable}");
    assert!(unreadable.contains("--tls-cert"), "{unreadable}");
    let swapped = error(&key, &certificate);
    assert!(swapped.contains(&format!("{key} holds no certificate")), "{swapped}");
    let mismatch = error(&path("authority.pem"), &key);
    assert!(mismatch.contains("is not that of the certificate"), "{mismatch}");
    fs::write(directory.path().join("junk.pem"), "junk").unwrap();
    let junk = error(&certificate, &path("junk.pem"));
    assert!(junk.contains("holds no private key"), "{junk}");
}

#[test]
fn flags_that_belong_together_are_asked_for() {
    for (flags, part) in [
        (&["--tls-cert", "c.pem"][..], "--tls-key"),
        (&["--tls-key", "k.pem"], "--tls-cert"),
        (&["--tls", "self-signed", "--tls-cert", "c.pem", "--tls-key", "k.pem"], "cannot be used"),
        (&["--tls-client-ca", "ca.pem"], "--tls-client-ca is about TLS"),
        (&["--memory-max", "1MB"], "64MB"),
        (&["--connections-max", "0"], "greater than 0"),
    ] {
        let output = run(&[&["serve", "--in-memory", "--port", "0"], flags].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(part), "{flags:?}: {error}");
    }
}
