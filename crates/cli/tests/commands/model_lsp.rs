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
    uri: &'static str,
}

impl Editor {
    fn start() -> Editor {
        Editor::start_with(URI)
    }

    /// An editor of the file at an address.
    fn start_with(uri: &'static str) -> Editor {
        let mut command = monotable(&["model", "lsp"]);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut editor = Editor { process, input, output, last_id: 0, uri };
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
        let document = json!({ "uri": self.uri, "languageId": "toml", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
        self.problems()
    }

    /// Changes the file and gives what is wrong with it.
    fn change(&mut self, text: &str, version: u64) -> Vec<Value> {
        self.send_change(text, version);
        self.problems()
    }

    fn send_change(&mut self, text: &str, version: u64) {
        let document = json!({ "uri": self.uri, "version": version });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", &params);
    }

    fn problems(&mut self) -> Vec<Value> {
        let notice = self.receive();
        assert_eq!(notice["method"], "textDocument/publishDiagnostics");
        assert_eq!(notice["params"]["uri"], self.uri);
        notice["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Asks about the end of a part of the text.
    fn ask_after(&mut self, method: &str, text: &str, part: &str, more: &Value) -> Value {
        let document = json!({ "uri": self.uri });
        let mut params = json!({ "textDocument": document, "position": after(text, part) });
        let object = params.as_object_mut().unwrap();
        object.extend(more.as_object().unwrap().clone());
        self.ask(method, &params)
    }

    /// The actions that are offered after a part of the text.
    fn actions(&mut self, text: &str, part: &str) -> Vec<Value> {
        let place = after(text, part);
        let more = json!({ "range": { "start": place, "end": place }, "context": {} });
        let answer = self.ask_after("textDocument/codeAction", text, part, &more);
        answer["result"].as_array().unwrap().clone()
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
    let changes = answer["result"]["changes"].as_object().unwrap();
    let edits = changes.values().next().unwrap().as_array().unwrap();
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
    assert!(codes(&editor.change(&half_typed, 4)).contains(&"syntax"));
    editor.tell("textDocument/didClose", &json!({ "textDocument": { "uri": URI } }));
    assert_eq!(editor.problems(), Vec::<Value>::new());
    assert!(editor.leave().success());
}

#[test]
fn findings_stay_beside_a_mistake_where_nothing_was_changed() {
    let mut editor = Editor::start();
    let linted = MODEL.replace("{number:06}", "{number:plain}");
    let found = editor.open(&linted);
    let unpadded = |found: &[Value]| -> Vec<Value> {
        let is_it = |one: &&Value| one["code"] == "unpadded-number";
        found.iter().filter(is_it).map(|one| one["range"]["start"]["line"].clone()).collect()
    };
    let lines = unpadded(&found);
    assert!(!lines.is_empty(), "{found:?}");
    let found = editor.change(&linted.replace("rate = 5", "rate = "), 2);
    assert!(codes(&found).contains(&"syntax") && unpadded(&found) == lines, "{found:?}");
    let more = "name = \"shop\"\ntitle = \"Shop\"\nsize = 1\n";
    let broken = linted.replace("name = \"shop\"\n", more);
    let found = editor.change(&broken, 3);
    let moved: Vec<u64> = lines.iter().map(|line| line.as_u64().unwrap() + 2).collect();
    assert!(codes(&found).contains(&"unknown-member"), "{found:?}");
    assert_eq!(unpadded(&found), moved);
    assert!(editor.leave().success());
}

/// A document with a mistake can lack anything that its other members name.
#[test]
fn a_model_that_lacks_any_line_is_still_asked_about() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut editor = Editor::start();
    let mut broken = 0;
    for name in ["unique-user-email.toml", "multiplayer-games.toml", "job-queue.toml"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for left_out in (0..lines.len()).step_by(5) {
            let text: String = [&lines[..left_out], &lines[left_out + 1..]].concat().concat();
            let found = editor.open(&text);
            broken += usize::from(found.iter().any(|one| one["severity"] == 1));
            for (at, _) in text.match_indices("[patterns.") {
                let (document, at) = (json!({ "uri": URI }), position(&text, at + 11));
                let place = json!({ "textDocument": document, "position": at });
                for method in ["textDocument/hover", "textDocument/definition"] {
                    assert!(editor.ask(method, &place).get("error").is_none());
                }
            }
        }
    }
    assert!(broken > 10, "{broken}");
    assert!(editor.leave().success());
}

#[test]
fn what_has_one_right_answer_is_offered_as_an_action() {
    let mut editor = Editor::start();
    let declared = MODEL
        .replace("{number:06}", "{number:plain}")
        .replace("number = \"N\"", "number = { type = \"N\", max = 99999 }");
    editor.open(&declared);
    let found = editor.actions(&declared, "sort = \"ORDER#{num");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["title"], "write {number:05}");
    assert_eq!(found[0]["diagnostics"][0]["code"], "unpadded-number");
    let mended = edited(&declared, &json!({ "result": found[0]["edit"] }));
    assert!(mended.contains("{customer:fold}\", sort = \"ORDER#{number:05}\""), "{mended}");
    assert_eq!(editor.actions(&declared, "name = \"sh"), Vec::<Value>::new());
    let misspelt = declared.replace("by = [\"customer\"]", "by = [\"custmer\"]");
    editor.change(&misspelt, 2);
    let found = editor.actions(&misspelt, "by = [\"cust");
    assert_eq!(found[0]["title"], "write customer", "{found:?}");
    assert!(editor.leave().success());
}

#[test]
fn a_mistake_does_not_silence_what_is_known_elsewhere() {
    let mut editor = Editor::start();
    let broken = MODEL.replace("{status}", "{state}");
    assert_eq!(codes(&editor.open(&broken)), ["unknown-attribute"]);
    let half_typed = broken.replace("\n[patterns.\"ship\"]", "\nlimit = \n\n[patterns.\"ship\"]");
    for (version, text) in [(2, &broken), (3, &half_typed)] {
        assert!(!editor.change(text, version).is_empty());
        let hover = editor.ask_after("textDocument/hover", text, "\n[patterns.\"ship", &json!({}));
        let shown = hover["result"]["contents"]["value"].as_str().unwrap_or_default();
        assert!(shown.contains("UpdateItem"), "{version}: {hover}");
        let line = after(text, "[patterns.\"ship")["line"].clone();
        assert_eq!(hover["result"]["range"]["start"]["line"], line);
        let defined =
            editor.ask_after("textDocument/definition", text, "change = \"SET stat", &json!({}));
        assert_eq!(defined["result"]["range"]["start"]["line"], 14, "{version}: {defined}");
        let typed = format!("{text}\n[[relationships]]\nfrom = \"");
        editor.change(&typed, version + 10);
        let end = position(&typed, typed.len());
        let at = json!({ "textDocument": { "uri": URI }, "position": end });
        let offered = editor.ask("textDocument/completion", &at);
        assert!(labels(&offered).contains(&"Customer"), "{version}: {offered}");
        editor.change(text, version + 20);
        let renamable =
            editor.ask_after("textDocument/prepareRename", text, "change = \"SET stat", &json!({}));
        assert_eq!(renamable["result"]["start"]["character"], 14, "{version}: {renamable}");
        let named = json!({ "newName": "phase" });
        let refused = editor.ask_after("textDocument/rename", text, "SET stat", &named);
        assert!(refused["error"]["message"].as_str().unwrap().contains("mend them first"));
    }
    assert!(editor.leave().success());
}

#[test]
fn a_name_between_backticks_is_renamed_between_them() {
    let mut editor = Editor::start();
    let text = MODEL
        .replace("attributes = { customer", "attributes = { \"follower#\" = \"N\", customer")
        .replace("SET status", "SET `follower#` = :n, status");
    editor.open(&text);
    let named = json!({ "newName": "followers" });
    let answer = editor.ask_after("textDocument/rename", &text, "SET `foll", &named);
    assert_eq!(edited(&text, &answer), text.replace("follower#", "followers"));
    assert!(editor.leave().success());
}

#[test]
fn what_the_model_itself_contradicts_is_not_offered() {
    let mut editor = Editor::start();
    let text = "format = 1\nname = \"x\"\n[tables.Users]\npartition_key = \"email\"\n\
                [entities.User]\nkey.partition = \"{email}\"\n\
                attributes = { email = { type = \"S\", format = \"email\" } }\n\
                [[samples.User]]\nemail = \"Ann@x.com\"\n";
    assert!(codes(&editor.open(text)).contains(&"mixed-case-key"));
    assert_eq!(editor.actions(text, "\"{ema"), Vec::<Value>::new());
    let fitting = text.replace("Ann", "ann");
    editor.change(&fitting, 2);
    assert_eq!(editor.actions(&fitting, "\"{ema").len(), 1);
    assert!(editor.leave().success());
}

#[test]
fn the_last_of_many_changes_is_judged() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    for version in 2..40 {
        let text = MODEL.replace("{status}", &format!("{{state{version}}}"));
        editor.send_change(&text, version);
    }
    let mut last = 1;
    while last < 39 {
        let notice = editor.receive();
        let version = notice["params"]["version"].as_u64().unwrap();
        assert!(version > last, "{version} after {last}");
        let told = notice["params"]["diagnostics"][0]["message"].as_str().unwrap();
        assert!(told.contains(&format!("state{version}")), "{notice}");
        last = version;
    }
    assert!(editor.leave().success());
}

const YAML: &str = r#"format: 1
name: shop
tables:
  Shop:
    partition_key: PK
entities:
  Order:
    key:
      partition: "ORDER#{number:06}"
    attributes:
      number: N
      status: S
patterns:
  ship:
    operation: update
    entity: Order
    by: [number]
    change: "SET status = :status"
"#;

#[test]
fn a_model_in_yaml_gets_the_same_help() {
    let mut editor = Editor::start_with("file:///shop.yaml");
    editor.open(YAML);
    let broken = YAML.replace("by: [number]", "by: [number, size]");
    assert!(codes(&editor.change(&broken, 2)).contains(&"unknown-attribute"));
    let hover = editor.ask_after("textDocument/hover", &broken, "  shi", &json!({}));
    assert!(hover["result"]["contents"]["value"].as_str().unwrap().contains("UpdateItem"));
    let defined = editor.ask_after("textDocument/definition", &broken, "SET stat", &json!({}));
    assert_eq!(defined["result"]["range"]["start"]["line"], 11, "{defined}");
    editor.change(YAML, 3);
    let named = json!({ "newName": "serial" });
    let answer = editor.ask_after("textDocument/rename", YAML, "{num", &named);
    let renamed = edited(YAML, &answer);
    assert_eq!(renamed.matches("serial").count(), 3, "{renamed}");
    assert!(!codes(&editor.change(&renamed, 4)).contains(&"unknown-attribute"));
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
