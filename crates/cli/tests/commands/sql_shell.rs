//! `monotable sql` at a terminal.

use std::net::SocketAddr;

use crate::proxy::Proxy;
use crate::support::Server;
use crate::terminal::Terminal;
use serde_json::json;
use tempfile::TempDir;

/// A shell at a terminal of 100 columns.
struct Shell {
    terminal: Terminal,
    server: Server,
    home: TempDir,
}

impl Shell {
    fn start(arguments: &str) -> Shell {
        Shell::by_way_of(Server::address, arguments)
    }

    /// A shell at a server that lets so many requests pass and answers no other, with the proxy
    /// that sees to that.
    fn with_silence_after(requests: usize, arguments: &str) -> (Shell, Proxy) {
        let mut proxy = None;
        let start =
            |server: &Server| proxy.insert(Proxy::start(server.address(), requests)).address;
        let shell = Shell::by_way_of(start, arguments);
        (shell, proxy.unwrap())
    }

    /// A shell that calls its server at the address that it is given.
    fn by_way_of(address: impl FnOnce(&Server) -> SocketAddr, arguments: &str) -> Shell {
        let server = Server::in_memory();
        server.create_table("orders", &json!({}));
        for number in 1..=3 {
            let id = format!("o{number}");
            let item = json!({ "id": { "S": id }, "state": { "S": "open" } });
            server.call("PutItem", &json!({ "TableName": "orders", "Item": item }));
        }
        let home = tempfile::tempdir().unwrap();
        let binary = env!("CARGO_BIN_EXE_monotable");
        let endpoint = format!("http://{}", address(&server));
        let typed = format!("stty cols 100; exec {binary} sql --endpoint {endpoint} {arguments}");
        let terminal = Terminal::run(&typed, home.path());
        let mut shell = Shell { terminal, server, home };
        shell.expect("for help");
        shell.expect("monotable> ");
        shell
    }

    fn press(&mut self, keys: &str) {
        self.terminal.press(keys);
    }

    #[track_caller]
    fn expect(&mut self, text: &str) -> String {
        self.terminal.expect(text)
    }
}

#[test]
fn statements_go_over_lines_until_their_semicolon() {
    let mut shell = Shell::start("");
    shell.press("SELECT *\rFROM orders\rWHERE id = 'o2';\r");
    shell.expect("(1 row, 0.5 read units)");
    shell.expect("monotable> ");
    shell.press("\\q\r");
    assert_eq!(shell.terminal.end(), Some(0));
}

#[test]
fn tab_completes_tables_and_attributes() {
    let mut shell = Shell::start("");
    shell.press("SELECT * FROM ord\t WHERE i\td = 'o1';\r");
    shell.expect("(1 row");
}

#[test]
fn ctrl_c_drops_the_line_and_ctrl_d_leaves() {
    let mut shell = Shell::start("");
    shell.press("SELECT nonsense");
    shell.expect("nonsense");
    shell.press("\x03");
    shell.expect("monotable> ");
    shell.press("SELECT * FROM orders WHERE id = 'o3';\r");
    shell.expect("(1 row");
    shell.expect("monotable> ");
    shell.press("\x04");
    assert_eq!(shell.terminal.end(), Some(0));
}

/// Presses Ctrl-C while the endpoint owes an answer. The shell must ask for the next statement, and
/// must not have sent another request by then.
#[track_caller]
fn interrupt(requests_before: usize, arguments: &str, typed: &str) -> Shell {
    let (mut shell, proxy) = Shell::with_silence_after(requests_before, arguments);
    shell.press(&format!("{typed}\r"));
    proxy.is_full.recv().unwrap();
    shell.press("\x03");
    shell.expect("error: interrupted");
    shell.expect("monotable> ");
    assert!(proxy.is_full.try_recv().is_err(), "{typed} went on after Ctrl-C");
    shell
}

#[test]
fn ctrl_c_ends_the_wait_for_a_description_and_nothing_is_run() {
    for arguments in ["", "--ask-above 0"] {
        interrupt(0, arguments, "SELECT * FROM orders WHERE state = 'open';");
    }
    let update = "UPDATE orders SET state = 'lost' WHERE id = 'o1';";
    let shell = interrupt(0, "--cost", update);
    let key = json!({ "TableName": "orders", "Key": { "id": { "S": "o1" } } });
    assert_eq!(shell.server.call("GetItem", &key)["Item"]["state"]["S"], "open");
}

#[test]
fn ctrl_c_ends_a_list_and_a_description_of_tables() {
    interrupt(1, "", "\\d");
    interrupt(1, "", "\\d orders");
}

#[test]
fn more_rows_come_when_they_are_asked_for() {
    let mut shell = Shell::start("--limit 2");
    shell.press("SELECT * FROM orders;\r");
    shell.expect("(2 rows, 0.5 read units; more: \\next)");
    shell.expect("monotable> ");
    shell.press("\\next\r");
    shell.expect("(3 rows, 1 read unit)");
    shell.expect("monotable> ");
    shell.press("\\next\r");
    shell.expect("there are no more rows");
}

#[test]
fn a_large_scan_asks_first() {
    let mut shell = Shell::start("--ask-above 0");
    shell.press("SELECT * FROM orders WHERE state = 'open';\r");
    shell.expect("Scan orders may read");
    shell.expect("[y/N] ");
    shell.press("n\r");
    shell.expect("not run");
    shell.expect("monotable> ");
    shell.press("SELECT * FROM orders WHERE state = 'open';\r");
    shell.expect("[y/N] ");
    shell.press("y\r");
    shell.expect("(3 rows");
    shell.expect("monotable> ");
    // Without a filter it reads no more than it prints.
    shell.press("SELECT * FROM orders;\r");
    shell.expect("(3 rows");
}

#[test]
fn a_mistake_shows_its_place_and_the_shell_goes_on() {
    let mut shell = Shell::start("");
    shell.press("SELECT * FORM orders;\r");
    shell.expect("ValidationException");
    shell.expect("  SELECT * FORM orders\r\n           ^");
    shell.expect("monotable> ");
    shell.press("\\x on\r");
    shell.expect("is on");
    shell.expect("monotable> ");
    shell.press("SELECT * FROM orders WHERE id = 'o1';\r");
    shell.expect("─[ row 1 ]─\r\nid    │ o1\r\nstate │ open");
}

#[test]
fn statements_are_remembered() {
    let mut shell = Shell::start("");
    shell.press("SELECT *\rFROM orders WHERE id = 'o1';\r");
    shell.expect("(1 row");
    shell.expect("monotable> ");
    shell.press("\\q\r");
    shell.terminal.end();
    let history = shell.home.path().join("monotable/sql_history");
    let text = std::fs::read_to_string(history).unwrap();
    assert!(text.contains("FROM orders WHERE id = 'o1';"), "{text}");
}
