//! `monotable insights` at a terminal: it is entered, drawn again, follows the size, and is left as
//! it was found.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc;
use std::thread;

use crate::support::{Server, monotable};
use crate::terminal::Terminal;
use serde_json::json;
use tempfile::TempDir;

const SHOP: &str = r##"
format = 1
name = "shop"

[tables.orders]
partition_key = "id"

[entities.Order]
key = { partition = "ORDER#{number:06}" }
attributes = { number = "N" }

[patterns."save order"]
operation = "put"
entity = "Order"
"##;

/// What ends a frame.
const END: &str = "\x1b[J";

fn put(server: &Server) {
    let item = json!({ "id": { "S": "ORDER#000017" }, "number": { "N": "17" } });
    server.call("PutItem", &json!({ "TableName": "orders", "Item": item }));
}

/// Waits for a frame whose line of the pattern is as wanted.
#[track_caller]
fn wait_for(terminal: &mut Terminal, wanted: impl Fn(&str) -> bool) {
    loop {
        let frame = terminal.expect(END);
        assert!(frame.contains("q leaves"), "{frame:?}");
        if frame.lines().any(|line| line.contains("save order") && wanted(line)) {
            return;
        }
    }
}

#[test]
fn the_live_view_follows_requests_and_the_size_and_leaves_the_terminal_as_it_was() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("shop.toml");
    fs::write(&path, SHOP).unwrap();
    let model = path.to_str().unwrap();
    let server =
        Server::start(monotable(&["serve", "--port", "0", "--in-memory", "--model", model]));
    server.create_table("orders", &json!({}));
    put(&server);
    let binary = env!("CARGO_BIN_EXE_monotable");
    let view = format!("{binary} insights --interval 50ms --endpoint http://{}", server.address());
    let typed = format!("stty cols 100 rows 30; tty; stty -g; {view}; echo left $?; stty -g");
    let mut terminal = Terminal::run(&typed, directory.path());
    let place = terminal.expect("\r\n");
    let settings = terminal.expect("\r\n");
    assert!(place.starts_with("/dev/"), "{place}");

    terminal.expect("\x1b[?1049h");
    wait_for(&mut terminal, |line| line.contains(" 1 █"));
    put(&server);
    wait_for(&mut terminal, |line| line.contains(" 2 █"));
    // There are no bars where there is no room for them.
    let resized = Command::new("stty").args(["-F", &place, "cols", "60"]).status().unwrap();
    assert!(resized.success());
    wait_for(&mut terminal, |line| !line.contains('█') && line.chars().count() < 90);

    terminal.press("q");
    terminal.expect("\x1b[?1049l");
    terminal.expect("left 0\r\n");
    // But for the size, which is none of these.
    assert_eq!(terminal.expect("\r\n"), settings);
    assert_eq!(terminal.end(), Some(0));
}

/// The line of a shell that shows the insights of an address, and says how that was left.
fn view_of(listener: &TcpListener) -> String {
    let (binary, address) = (env!("CARGO_BIN_EXE_monotable"), listener.local_addr().unwrap());
    let view = format!("exec {binary} insights --interval 50ms --endpoint http://{address}");
    format!("stty cols 100 rows 30; sh -c 'echo pid $$; {view}'; echo left $?")
}

/// Takes the next request.
fn request(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().unwrap();
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    while !seen.ends_with(b"\r\n\r\n") {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend(&buffer[..length]);
    }
    stream
}

/// Answers the next request with a report of a model without tables.
fn answer(listener: &TcpListener, model: &str) {
    let report = json!({ "models": [{
        "name": model, "seconds": 1, "patterns": [], "undecided": {}, "unmatched": {},
        "tables": [], "drift": [],
    }] })
    .to_string();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", report.len());
    let answer = format!("{head}Connection: close\r\n\r\n{report}");
    request(listener).write_all(answer.as_bytes()).unwrap();
}

#[test]
fn the_view_is_left_while_the_server_takes_a_request_and_says_nothing() {
    let home = TempDir::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut terminal = Terminal::run(&view_of(&listener), home.path());
    answer(&listener, "shop");
    terminal.expect("shop");
    let _unanswered = request(&listener);
    terminal.press("q");
    terminal.expect("\x1b[?1049l");
    terminal.expect("left 0\r\n");
}

#[test]
fn a_server_that_is_started_again_does_not_end_the_view() {
    let home = TempDir::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut terminal = Terminal::run(&view_of(&listener), home.path());
    let (go_on, told) = mpsc::channel();
    let server = thread::spawn(move || {
        answer(&listener, "before");
        while told.try_recv().is_err() {
            drop(request(&listener));
        }
        answer(&listener, "after");
    });
    terminal.expect("before");
    terminal.expect("q leaves · ");
    assert!(terminal.expect(END).contains("does not answer"));
    go_on.send(()).unwrap();
    terminal.expect("after");
    assert!(terminal.expect(END).ends_with("q leaves\x1b[K"));
    terminal.press("q");
    terminal.expect("left 0\r\n");
    server.join().unwrap();
}

#[test]
fn a_view_that_is_told_to_stop_leaves_the_terminal_as_it_was() {
    let home = TempDir::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut terminal = Terminal::run(&view_of(&listener), home.path());
    terminal.expect("pid ");
    let process = terminal.expect("\r\n");
    answer(&listener, "shop");
    terminal.expect("q leaves");
    let told = Command::new("kill").args(["-TERM", &process]).status().unwrap();
    assert!(told.success());
    terminal.expect("\x1b[?25h\x1b[?1049l");
    terminal.expect("left 0\r\n");
}
