//! `monotable model watch`: the page, and its reload when the file changes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::support::{monotable, run_to_error};

const MODEL: &str = r#"format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{number:06}" }
attributes = { customer = "S", number = "N" }

[patterns."orders of a customer"]
operation = "query"
returns = ["Order"]
by = ["customer"]
"#;

/// A page that is served. The process is killed when this is dropped.
struct Watched {
    process: Child,
    address: String,
}

impl Watched {
    fn start(file: &str, more: &[&str]) -> Watched {
        let mut command = monotable(&[&["model", "watch", file], more].concat());
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
        Watched { process, address }
    }

    fn get(&self, path: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    }

    fn page(&self) -> String {
        let (status, page) = self.get("/", &self.address);
        assert_eq!(status, "HTTP/1.1 200 OK");
        page
    }

    /// Waits for another version of the file.
    fn change_since(&self, version: &str) -> String {
        self.get(&format!("/changes?since={version}"), &self.address).1
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn version(page: &str) -> &str {
    let (_, after) = page.split_once("data-version=\"").unwrap();
    after.split('"').next().unwrap()
}

#[test]
fn the_page_follows_the_file_through_changes_and_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    std::fs::write(&file, MODEL).unwrap();
    let watched = Watched::start(&file.display().to_string(), &[]);
    let first = watched.page();
    assert!(first.contains("orders of a customer") && first.contains("Read units"), "{first}");
    std::fs::write(&file, MODEL.replace("orders of a customer", "all orders")).unwrap();
    let changed = watched.change_since(version(&first));
    let second = watched.page();
    assert!(second.contains("all orders") && !second.contains("orders of a customer"));
    assert_eq!(version(&second), changed);
    std::fs::write(&file, MODEL.replace("{customer}", "{buyer}")).unwrap();
    assert_ne!(watched.change_since(&changed), changed);
    let third = watched.page();
    assert!(third.contains("has mistakes") && third.contains("Order has no attribute buyer"));
}

#[test]
fn the_page_shows_the_items_of_an_export() {
    let folder = tempfile::tempdir().unwrap();
    let (file, items) = (folder.path().join("shop.toml"), folder.path().join("items.json"));
    std::fs::write(&file, MODEL).unwrap();
    let item = |number: u32| {
        format!(
            r#"{{"Item":{{"PK":{{"S":"CUSTOMER#ada"}},"SK":{{"S":"ORDER#{number:06}"}},
            "customer":{{"S":"ada"}},"number":{{"N":"{number}"}}}}}}"#
        )
        .replace('\n', "")
    };
    std::fs::write(&items, item(17)).unwrap();
    let data = items.display().to_string();
    let watched = Watched::start(&file.display().to_string(), &["--data", &data]);
    let first = watched.page();
    assert!(first.contains("000017"), "{first}");
    std::fs::write(&items, item(18)).unwrap();
    assert!(watched.page().contains("000018"), "the items are read again");
    std::fs::write(&items, "no export").unwrap();
    let broken = watched.page();
    assert!(!broken.contains("000018") && broken.contains("items.json"), "{broken}");
}

#[test]
fn other_pages_and_other_hosts_get_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    std::fs::write(&file, MODEL).unwrap();
    let watched = Watched::start(&file.display().to_string(), &[]);
    assert_eq!(watched.get("/etc/passwd", &watched.address).0, "HTTP/1.1 404 Not Found");
    assert_eq!(watched.get("/", "evil.example").0, "HTTP/1.1 403 Forbidden");
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let error = run_to_error(&["model", "watch", "nowhere.toml"]);
    assert!(error.contains("monotable model init nowhere.toml"), "{error}");
}
