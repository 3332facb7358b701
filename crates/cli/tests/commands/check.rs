//! `monotable check` on real directories.
use crate::support;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{Server, run, run_to_error};
use monotable_storage::{Batch, Decision, Engine, Reads, Wants};
use monotable_storage_local::{LocalEngine, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A store that a server has made: a table with an index, a stream and items that expire.
fn make() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::on(directory.path());
    let index = json!([{
        "IndexName": "by-state",
        "KeySchema": [{ "AttributeName": "state", "KeyType": "HASH" }],
        "Projection": { "ProjectionType": "ALL" },
    }]);
    let definitions = json!([
        { "AttributeName": "id", "AttributeType": "S" },
        { "AttributeName": "state", "AttributeType": "S" },
    ]);
    let mut more = support::stream_of("NEW_AND_OLD_IMAGES");
    more["AttributeDefinitions"] = definitions;
    more["GlobalSecondaryIndexes"] = index;
    server.create_table("orders", &more);
    let ttl = json!({ "Enabled": true, "AttributeName": "expires" });
    let request = json!({ "TableName": "orders", "TimeToLiveSpecification": ttl });
    server.call("UpdateTimeToLive", &request);
    for (id, state) in [("o1", "open"), ("o2", "paid"), ("o3", "open")] {
        let item = json!({
            "id": { "S": id }, "state": { "S": state }, "expires": { "N": "4102444800" },
        });
        server.call("PutItem", &json!({ "TableName": "orders", "Item": item }));
    }
    server.signal("INT");
    assert!(server.wait().0.success());
    directory
}

/// Changes a store past everything that would keep it right.
fn write_raw(directory: &Path, change: impl FnOnce(&mut Batch)) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let engine = LocalEngine::open(directory, &Options::default()).unwrap();
    let mut batch = Batch::new();
    change(&mut batch);
    let decide = |_: &Reads| Decision::Commit(batch.clone(), ());
    runtime.block_on(engine.transact(Wants::nothing(), decide)).unwrap();
    runtime.block_on(engine.close()).unwrap();
}

/// Takes the index its entries, adds one that belongs to nothing, and counts one item too many.
fn break_indexes(directory: &Path) {
    write_raw(directory, |batch| {
        batch.delete_range(monotable_storage::KeyRange::prefix(&[3]));
        batch.put([&[3, 0, 0, 0, 1, 0, 0, 0, 0][..], b"?"].concat(), b"?".to_vec());
        batch.add(vec![4, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0], 1);
    });
}

fn check(directory: &Path, flags: &[&str]) -> Output {
    run(&[&["check", directory.to_str().unwrap()], flags].concat())
}

fn printed(output: &Output, directory: &Path) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.replace(directory.to_str().unwrap(), "DIR")
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn only_file(directory: PathBuf) -> PathBuf {
    fs::read_dir(directory).unwrap().next().unwrap().unwrap().path()
}

#[test]
fn a_store_that_a_server_has_closed_is_sound() {
    let directory = make();
    let output = check(directory.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = printed(&output, directory.path());
    let contents = "contents: 1 table, 3 items, 3 index entries, 3 expiry entries, 1 stream, 3 \
                    stream records\n";
    assert!(text.starts_with("files: ") && text.contains(contents), "{text}");
    assert!(text.ends_with("DIR: sound\n"), "{text}");
    assert!(output.stderr.is_empty(), "{output:?}");
    let report = parsed(&check(directory.path(), &["--output", "json"]));
    assert_eq!((&report["sound"], &report["contents"]["items"]), (&json!(true), &json!(3)));
    assert_eq!(report["contents"]["faults"], json!([]));
}

#[test]
fn a_store_whose_server_was_killed_is_sound() {
    let directory = make();
    for round in 0..3 {
        let server = Server::on(directory.path());
        let address = server.address();
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let put = move |number| {
                    support::try_put(address, "orders", &format!("{writer} {number}"), number)
                };
                std::thread::spawn(move || (0..).take_while(|number| put(*number)).count())
            })
            .collect();
        // When these are answered, the others are in the midst of theirs.
        for number in 0..20 {
            assert!(support::try_put(address, "orders", &format!("{round} mine"), number));
        }
        server.signal("KILL");
        server.wait();
        assert!(writers.into_iter().all(|writer| writer.join().is_ok()));
        let output = check(directory.path(), &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn faults_are_named_and_repaired_and_the_items_stay() {
    let directory = make();
    break_indexes(directory.path());
    let output = check(directory.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = printed(&output, directory.path());
    for line in [
        "fault: table orders, index by-state, id=\"o1\": the item has no entry in the index\n",
        "fault: table orders, index by-state, id=\"o2\": the item has no entry in the index\n",
        "fault: table orders, index by-state, key 0300000001000000003f: \
         the index has an entry that leads to no item\n",
        "fault: table orders: items are counted as 4, and are 3\n",
        "DIR: 5 faults; --repair mends them\n",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    let output = check(directory.path(), &["--repair"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = printed(&output, directory.path());
    for line in [
        "repair: table orders, index by-state, id=\"o1\": wrote the index entry\n",
        "repair: table orders, index by-state, key 0300000001000000003f: removed the index entry\n",
        "repair: table orders: set the counter from 4 to 3\n",
        "repair: 5 changes\n",
        "DIR: sound\n",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    let server = Server::on(directory.path());
    let query = json!({
        "TableName": "orders", "IndexName": "by-state",
        "KeyConditionExpression": "#s = :s",
        "ExpressionAttributeNames": { "#s": "state" },
        "ExpressionAttributeValues": { ":s": { "S": "open" } },
    });
    assert_eq!(server.call("Query", &query)["Count"], 2);
    assert_eq!(server.call("Scan", &json!({ "TableName": "orders" }))["Count"], 3);
}

#[test]
fn the_json_of_a_repair_has_every_change_with_what_it_takes_away() {
    let directory = make();
    break_indexes(directory.path());
    let found = parsed(&check(directory.path(), &["--output", "json"]));
    assert_eq!(found["sound"], false);
    assert_eq!(found.get("changes"), None);
    let fault = |code: &str| {
        let faults = found["contents"]["faults"].as_array().unwrap();
        faults.iter().find(|fault| fault["code"] == code).cloned().unwrap()
    };
    assert_eq!(
        fault("counter"),
        json!({
            "code": "counter", "table": "orders", "index": null, "repairable": true,
            "problem": "items are counted as 4, and are 3",
        })
    );
    assert_eq!(fault("index-entry-missing")["key"]["id"]["S"].as_str().unwrap().len(), 2);
    let output = check(directory.path(), &["--repair", "--output", "json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let repaired = parsed(&output);
    assert_eq!(repaired["sound"], true);
    let changes = repaired["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 5);
    let removed = changes.iter().find(|change| change["code"] == "removed").unwrap();
    assert_eq!(
        *removed,
        json!({
            "code": "removed", "table": "orders", "index": "by-state",
            "change": "removed the index entry",
            "storageKey": "0300000001000000003f", "storageValueBefore": "3f",
        })
    );
    let again = parsed(&check(directory.path(), &["--repair", "--output", "json"]));
    assert_eq!(again["changes"], json!([]));
}

#[test]
fn a_repair_leaves_an_item_that_cannot_be_read() {
    let directory = make();
    write_raw(directory.path(), |batch| batch.put(vec![2, 0, 0, 0, 1, 9, 9], b"junk".to_vec()));
    let output = check(directory.path(), &["--repair"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = printed(&output, directory.path());
    let fault = "fault: table orders, key 02000000010909: the item cannot be read: \
                 stored item is corrupt: unknown form\n";
    assert!(text.contains(fault), "{text}");
    assert!(text.ends_with("DIR: 1 fault that no repair mends\n"), "{text}");
}

#[test]
fn a_flipped_byte_is_found_and_its_file_named() {
    let directory = make();
    // Opening and writing enough makes a table file of what is in the journal.
    let options = Options { memtable_bytes: 1, ..Options::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let engine = LocalEngine::open(directory.path(), &options).unwrap();
    for _ in 0..3 {
        let mut batch = Batch::new();
        batch.put(vec![0x0C, 1], vec![0; 100]);
        let decide = |_: &Reads| Decision::Commit(batch.clone(), ());
        runtime.block_on(engine.transact(Wants::nothing(), decide)).unwrap();
    }
    runtime.block_on(engine.close()).unwrap();
    drop(engine);
    let table = only_file(directory.path().join("data/tables"));
    let file = fs::File::options().read(true).write(true).open(&table).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, 40).unwrap();
    file.write_all_at(&[byte[0] ^ 1], 40).unwrap();
    for flags in [&[][..], &["--repair"]] {
        let output = check(directory.path(), flags);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(&format!("fault: {}: ", table.display())), "{text}");
        assert!(text.contains("1 file is damaged") && text.contains("not opened"), "{text}");
    }
    let report = parsed(&check(directory.path(), &["--output", "json"]));
    assert_eq!(report["files"]["faults"][0]["file"], table.to_str().unwrap());
    assert_eq!((&report["sound"], &report["contents"]), (&json!(false), &Value::Null));
}

#[test]
fn a_store_in_use_and_a_directory_that_is_none_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let _server = Server::on(directory.path());
    let error = run_to_error(&["check", directory.path().to_str().unwrap()]);
    assert!(error.contains("is in use by another process; stop the server"), "{error}");
    let empty = tempfile::tempdir().unwrap();
    let error = run_to_error(&["check", empty.path().to_str().unwrap()]);
    assert!(error.contains("is no data directory of monotable"), "{error}");
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn lines_are_broken_where_the_terminal_ends() {
    let directory = make();
    break_indexes(directory.path());
    let arguments = ["check", directory.path().to_str().unwrap()];
    let output = support::monotable(&arguments).env("COLUMNS", "60").output().unwrap();
    let text = printed(&output, directory.path());
    let line =
        "fault: table orders, index by-state, id=\"o1\": the item has\n    no entry in the index\n";
    assert!(text.contains(line), "{text}");
}
