//! What a server tells other machines about itself.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;

use crate::own_network::{self, ADDRESS};
use crate::support::{Server, monotable, read_answer, run};

const TOKEN: &str = "a-token-for-prometheus";

/// Asks from an address that is not one of loopback, by that address.
fn get(server: &Server, path: &str, more: &str) -> (u16, String) {
    let mut stream = TcpStream::connect((ADDRESS, server.address().port())).unwrap();
    assert!(!stream.local_addr().unwrap().ip().is_loopback());
    let head = format!("GET /_monotable/{path} HTTP/1.1\r\nHost: {ADDRESS}:8000\r\n");
    write!(stream, "{head}{more}Connection: close\r\n\r\n").unwrap();
    read_answer(&mut stream)
}

/// A server that other machines reach.
fn start(more: &[&str]) -> Server {
    Server::start(monotable(
        &[&["serve", "--in-memory", "--host", "0.0.0.0", "--port", "0"], more].concat(),
    ))
}

/// A file that nobody else may open.
fn write_secret(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

/// Load balancers and Prometheus get what they ask for, and nobody gets anything else.
fn check(server: &Server) {
    assert_eq!(get(server, "ready", ""), (200, "{\"status\":\"ready\"}".to_owned()));
    assert_eq!(get(server, "health", "").0, 200);
    let endpoint = format!("http://{ADDRESS}:{}", server.address().port());
    let output = run(&["healthcheck", "--ready", "--endpoint", &endpoint]);
    assert!(output.status.success(), "{output:?}");
    let right = format!("Authorization: Bearer {TOKEN}\r\n");
    let (status, page) = get(server, "metrics", &right);
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("monotable_ready 1\n"), "{page}");
    for wrong in ["", "Authorization: Bearer a-token-for-prometheuS\r\n"] {
        assert_eq!(get(server, "metrics", wrong).0, 403, "{wrong}");
    }
    for other in ["clock", "faults", "insights"] {
        assert_eq!(get(server, other, &right).0, 403, "{other}");
    }
}

#[test]
fn without_credentials_other_machines_may_ask_whether_it_is_ready_and_with_the_token_for_metrics() {
    let name = "strangers::without_credentials_other_machines_may_ask_whether_it_is_ready_and_\
                with_the_token_for_metrics";
    if own_network::is_inside(name) {
        let folder = tempfile::tempdir().unwrap();
        let token = folder.path().join("token");
        write_secret(&token, &format!("{TOKEN}\n"));
        let token = token.to_str().unwrap();
        let open = ["--insecure", "--allow-host", ADDRESS, "--metrics-token-file", token];
        check(&start(&open));
        let unnamed = start(&["--insecure"]);
        assert_eq!(get(&unnamed, "ready", "").0, 200);
        assert_eq!(get(&unnamed, "metrics", "").0, 421);
    }
}

#[test]
fn with_credentials_other_machines_may_ask_whether_it_is_ready_and_with_the_token_for_metrics() {
    let name = "strangers::with_credentials_other_machines_may_ask_whether_it_is_ready_and_\
                with_the_token_for_metrics";
    if own_network::is_inside(name) {
        let folder = tempfile::tempdir().unwrap();
        let token = folder.path().join("token");
        write_secret(&token, TOKEN);
        let keys = folder.path().join("keys.toml");
        write_secret(&keys, "");
        let files = [keys.to_str().unwrap(), token.to_str().unwrap()];
        check(&start(&["--credentials", files[0], "--metrics-token-file", files[1]]));
    }
}
