//! `monotable insights` at a terminal: it is entered, drawn again, follows the size, and is left as
//! it was found.

use std::fs;
use std::process::Command;

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
