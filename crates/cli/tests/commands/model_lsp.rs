//! `monotable model lsp`: sessions of an editor with the real process.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

use crate::support::monotable;
use serde_json::{Value, json};

const URI: &str = "file:///shop.toml";

const MODEL: &str = r#"format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Order]
key = { partition = "CUSTOMER#{customer:fold}", sort = "ORDER#{number:06}" }
indexes.GSI1 = { partition = "STATUS#{status}", sort = "ORDER#{number:06}", when = "status <> 'DONE'" }
attributes = { customer = "S", number = "N", status = { type = "S", required = true } }

[entities.Customer]
key = { partition = "CUSTOMER#{name:fold}", sort = "PROFILE" }
attributes = { name = "S" }

[patterns."orders of a customer"]
operation = "query"
returns = ["Order"]
by = ["customer"]
filter = "status = :status AND customer <> 'x'"
rate = 5

[patterns."ship"]
operation = "update"
entity = "Order"
by = ["customer", "number"]
condition = "attribute_exists(PK)"
change = "SET status = :status"

[[samples.Order]]
customer = "Alex"
number = 17
status = "NEW"

[[tests."a new order is found".steps]]
pattern = "orders of a customer"
with = { customer = "Alex", status = "NEW" }
expect = [{ Order = { number = 17 } }]
"#;

/// An editor and the server that it started.
struct Editor {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Editor {
    fn start() -> Editor {
        let mut command = monotable(&["model", "lsp"]);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut editor = Editor { process, input, output, last_id: 0 };
        let answer = editor.ask("initialize", &json!({ "capabilities": {} }));
        assert_eq!(answer["result"]["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server is gone");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Opens a file and gives what is wrong with it.
    fn open(&mut self, text: &str) -> Vec<Value> {
        let document = json!({ "uri": URI, "languageId": "toml", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
        self.problems()
    }

    /// Changes the file and gives what is wrong with it.
    fn change(&mut self, text: &str, version: u64) -> Vec<Value> {
        let document = json!({ "uri": URI, "version": version });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", &params);
        self.problems()
    }

    fn problems(&mut self) -> Vec<Value> {
        let notice = self.receive();
        assert_eq!(notice["method"], "textDocument/publishDiagnostics");
        assert_eq!(notice["params"]["uri"], URI);
        notice["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Asks about the end of a part of the text.
    fn ask_after(&mut self, method: &str, text: &str, part: &str, more: &Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": URI }, "position": after(text, part) });
        let object = params.as_object_mut().unwrap();
        object.extend(more.as_object().unwrap().clone());
        self.ask(method, &params)
    }

    fn leave(mut self) -> ExitStatus {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        self.input = None;
        self.process.wait().unwrap()
    }
}

/// The position after the first time that a part occurs.
fn after(text: &str, part: &str) -> Value {
    position(text, text.find(part).unwrap_or_else(|| panic!("no {part}")) + part.len())
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
    json!({ "line": line, "character": character })
}

fn codes(problems: &[Value]) -> Vec<&str> {
    problems.iter().filter_map(|problem| problem["code"].as_str()).collect()
}

fn labels(answer: &Value) -> Vec<&str> {
    let items = answer["result"].as_array().unwrap();
    items.iter().map(|item| item["label"].as_str().unwrap()).collect()
}

/// Applies the edits of a rename, the last one first.
fn edited(text: &str, answer: &Value) -> String {
    let edits = answer["result"]["changes"][URI].as_array().unwrap();
    let offset = |position: &Value| -> usize {
        let line = position["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + position["character"].as_u64().unwrap() as usize
    };
    let mut edited = text.to_owned();
    for edit in edits.iter().rev() {
        let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
        edited.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    edited
}

#[test]
fn mistakes_come_and_go_while_the_file_changes() {
    let mut editor = Editor::start();
    let found = editor.open(MODEL);
    assert!(!codes(&found).contains(&"unknown-attribute"), "{found:?}");
    let broken = MODEL.replace("{status}", "{state}");
    let found = editor.change(&broken, 2);
    let mistake = found.iter().find(|one| one["code"] == "unknown-attribute").unwrap();
    assert_eq!(mistake["severity"], 1);
    assert_eq!(mistake["range"]["start"]["line"], 13);
    assert!(mistake["message"].as_str().unwrap().contains("Order has no attribute state"));
    let linted = MODEL.replace("{number:06}", "{number:plain}");
    let found = editor.change(&linted, 3);
    assert!(codes(&found).contains(&"unpadded-number"), "{found:?}");
    let half_typed = MODEL.replace("rate = 5", "rate = ");
    assert_eq!(codes(&editor.change(&half_typed, 4)), ["syntax"]);
    editor.tell("textDocument/didClose", &json!({ "textDocument": { "uri": URI } }));
    assert_eq!(editor.problems(), Vec::<Value>::new());
    assert!(editor.leave().success());
}

#[test]
fn a_file_that_is_no_model_is_left_alone() {
    let mut editor = Editor::start();
    assert_eq!(editor.open("[package]\nname = \"x\"\n"), Vec::<Value>::new());
    assert!(editor.leave().success());
}

#[test]
fn hover_shows_built_keys_plans_and_costs() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let hover = |editor: &mut Editor, part: &str| -> String {
        let answer = editor.ask_after("textDocument/hover", MODEL, part, &json!({}));
        answer["result"]["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let keys = hover(&mut editor, "partition = \"CUSTOMER");
    for part in ["CUSTOMER#alex", "ORDER#000017", "STATUS#NEW"] {
        assert!(keys.contains(part), "{part}: {keys}");
    }
    let pattern = hover(&mut editor, "[patterns.\"orders");
    for part in ["Query", "read units", "a month"] {
        assert!(pattern.contains(part), "{part}: {pattern}");
    }
    assert!(hover(&mut editor, "\npattern = \"ord").contains("Query"));
    assert!(hover(&mut editor, "\nrat").contains("How often, per second."));
    assert!(hover(&mut editor, "\npartition_ke").contains("by which items are spread"));
    assert!(editor.leave().success());
}

#[test]
fn completion_offers_what_fits_the_place() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let mut version = 1;
    let mut complete = |typed: &str| -> Value {
        version += 1;
        let text = format!("{MODEL}\n{typed}");
        editor.change(&text, version);
        editor.ask_after("textDocument/completion", &text, typed, &json!({}))
    };
    for (typed, offered) in [
        ("[patterns.new]\noper", "operation"),
        ("[patterns.new]\noperation = \"", "transact-write"),
        ("[patterns.new]\nreturns = [\"", "Customer"),
        ("[patterns.new]\nindex = \"", "GSI1"),
        ("[patterns.new]\nby = [\"", "customer"),
        ("[entities.Order.key]\nsort = \"A#{", "number"),
        ("[entities.Order.key]\nsort = \"A#{", "shard(x, n)"),
        ("[entities.Order.key]\nsort = \"A#{number:", "first(n)"),
        ("[[allow]]\nrule = \"", "unpadded-number"),
        ("[[samples.Order]]\ncus", "customer"),
        ("[[tests.new.steps]]\npat", "pattern"),
        ("[[tests.new.steps]]\npattern = \"", "ship"),
        ("[[tests.new.steps]]\npattern = \"ship\"\nwith = { ", "number"),
        ("[[tests.new.steps]]\nexpect = \"", "refused"),
        ("[[tests.new.steps]]\nexpect = [{ ", "Customer"),
        ("[[tests.new.steps]]\nexpect = [{ Customer = { ", "name"),
        ("[[relationships]]\nfrom = \"", "Order"),
    ] {
        let answer = complete(typed);
        assert!(labels(&answer).contains(&offered), "{typed}: {answer}");
    }
    let in_template = complete("[entities.Order.key]\nsort = \"A#{");
    assert!(!labels(&in_template).contains(&"name"), "attributes of another entity");
    assert!(editor.leave().success());
}

#[test]
fn definitions_are_found_from_every_mention() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    for (mention, line) in [
        ("sort = \"ORDER#{num", 14),
        ("filter = \"stat", 14),
        ("by = [\"cust", 14),
        ("returns = [\"Ord", 11),
        ("\nindexes.GS", 7),
        ("[[samples.Ord", 11),
        ("pattern = \"orders", 20),
        ("with = { cust", 14),
        ("expect = [{ Ord", 11),
        ("expect = [{ Order = { num", 14),
    ] {
        let answer = editor.ask_after("textDocument/definition", MODEL, mention, &json!({}));
        assert_eq!(answer["result"]["range"]["start"]["line"], line, "{mention}: {answer}");
    }
    assert!(editor.leave().success());
}

#[test]
fn renaming_an_attribute_changes_it_everywhere_and_nothing_else() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let named = json!({ "newName": "buyer" });
    let answer = editor.ask_after("textDocument/rename", MODEL, "{cust", &named);
    let renamed = edited(MODEL, &answer);
    assert!(!renamed.contains("\"customer\"") && !renamed.contains("{customer"), "{renamed}");
    assert!(renamed.contains("sort = \"ORDER#{number:06}\""));
    assert!(renamed.contains("[patterns.\"orders of a customer\"]"), "{renamed}");
    assert!(renamed.contains("buyer <> 'x'") && renamed.contains("buyer = \"Alex\""), "{renamed}");
    assert!(renamed.contains("with = { buyer = \"Alex\","), "{renamed}");
    assert!(!codes(&editor.change(&renamed, 2)).contains(&"unknown-attribute"));
    let taken = json!({ "newName": "status" });
    let answer = editor.ask_after("textDocument/rename", &renamed, "{buy", &taken);
    assert_eq!(answer["error"]["message"], "Order has an attribute status already");
    let odd = json!({ "newName": "a b" });
    let answer = editor.ask_after("textDocument/rename", &renamed, "{buy", &odd);
    assert!(answer["error"]["message"].as_str().unwrap().contains("is no name"));
    assert!(editor.leave().success());
}

#[test]
fn unknown_methods_are_refused_and_leaving_without_a_word_is_noticed() {
    let mut editor = Editor::start();
    let answer = editor.ask("textDocument/foldingRange", &json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    editor.input = None;
    assert_eq!(editor.process.wait().unwrap().code(), Some(1));
}

#[test]
fn arguments_that_a_pattern_does_not_take_are_mistakes_at_their_place() {
    let mut editor = Editor::start();
    let found = editor.open(&MODEL.replace("with = { customer", "with = { custmer"));
    let mistake = found.iter().find(|one| one["code"] == "unknown-parameter").unwrap();
    assert_eq!(mistake["range"]["start"]["line"], 41, "{mistake}");
    assert!(mistake["message"].as_str().unwrap().contains("did you mean customer?"), "{mistake}");
    assert!(codes(&found).contains(&"missing-parameter"), "{found:?}");
    assert!(editor.leave().success());
}

#[test]
fn every_example_is_opened_without_mistakes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut editor = Editor::start();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let found = editor.open(&std::fs::read_to_string(&path).unwrap());
        let errors: Vec<&Value> = found.iter().filter(|one| one["severity"] == 1).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
    assert!(editor.leave().success());
}
