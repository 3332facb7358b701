//! A server that records writes every call and its answer, and the linter reads them.

use std::fs;

use crate::support::{Server, monotable, run};
use monotable_lint::read_recording;
use serde_json::json;

const MODEL: &str = r#"
format = 1
name = "posts"

[tables.posts]
partition_key = "id"

[entities.Post]
key = { partition = "{id}" }
attributes = { id = "S", likes = "N" }

[patterns."get post"]
operation = "get"
entity = "Post"
by = ["id"]
"#;

#[test]
fn calls_are_recorded_in_order_with_their_answers_and_connections() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("requests.jsonl");
    let mut command = monotable(&["serve", "--port", "0", "--in-memory", "--record"]);
    command.arg(&file);
    let server = Server::start(command);
    server.create_table("posts", &json!({}));
    let key = json!({ "id": { "S": "1" } });
    let item = json!({ "id": { "S": "1" }, "likes": { "N": "7" } });
    server.call("PutItem", &json!({ "TableName": "posts", "Item": item }));
    server.call("GetItem", &json!({ "TableName": "posts", "Key": key }));
    server.try_call("GetItem", "not JSON");
    server.try_call(
        "UpdateItem",
        &json!({
            "TableName": "posts",
            "Key": key,
            "UpdateExpression": "SET likes :n",
            "ExpressionAttributeValues": { ":n": { "N": "8" } },
        })
        .to_string(),
    );
    server.signal("INT");
    assert!(server.wait().0.success());

    let requests = read_recording(&fs::read_to_string(&file).unwrap()).unwrap();
    let about_items: Vec<_> =
        requests.iter().filter(|request| request.operation.ends_with("Item")).collect();
    let operations: Vec<&str> =
        about_items.iter().map(|request| request.operation.as_str()).collect();
    assert_eq!(operations, ["PutItem", "GetItem", "UpdateItem"]);
    let answer = about_items[1].response.as_ref().unwrap();
    assert!(answer.member("Item").is_some(), "{answer:?}");
    let is_time = |at: &String| at.len() == 24 && at.ends_with('Z');
    assert!(requests.iter().all(|request| request.at.as_ref().is_some_and(is_time)));
    let mut connections: Vec<_> = requests.iter().map(|request| &request.connection).collect();
    connections.dedup();
    assert_eq!(connections.len(), requests.len(), "each call came by its own connection");

    let model = directory.path().join("posts.toml");
    fs::write(&model, MODEL).unwrap();
    let (model, file) = (model.to_str().unwrap(), file.to_str().unwrap());
    let output = run(&["model", "lint", model, "--requests", file]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("set-without-equals"), "{text}");
    assert!(text.contains("no-keep-alive"), "{text}");
    assert!(text.contains("UpdateItem of posts, line "), "{text}");
    assert!(text.contains(&format!(" of {file}, at ")), "{text}");
}

#[cfg(unix)]
#[test]
fn a_recording_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("requests.jsonl");
    let mut command = monotable(&["serve", "--port", "0", "--in-memory", "--record"]);
    command.arg(&file);
    let server = Server::start(command);
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    drop(server);

    // A file that its owner has opened to others stays as it is.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let mut command = monotable(&["serve", "--port", "0", "--in-memory", "--record"]);
    command.arg(&file);
    let _server = Server::start(command);
    assert_eq!(mode(), 0o640);
}
