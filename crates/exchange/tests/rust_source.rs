//! The Rust source of every example is what the tests of the embedded database compile and run.
//!
//! `UPDATE_EXPECT=1` writes the files. Beside the source of a model stands the code that calls its
//! functions with the arguments of the model's steps; it is made from their signatures.

mod exchange_models;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use exchange_models::examples;
use monotable_exchange::{Export, TargetFormat, export};
use monotable_model::diagnostic::Place;
use monotable_model::document::{Model, Pattern};

/// How many of the 235 access patterns of the examples have a function.
const FUNCTIONS: usize = 207;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../embedded/tests/models")
}

/// Files as rustfmt writes them, each under its path in the folder.
fn formatted(files: Vec<(PathBuf, String)>) -> Vec<(PathBuf, String)> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust_source");
    for (path, text) in &files {
        let file = scratch.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .args(files.iter().map(|(path, _)| scratch.join(path)))
        .output()
        .unwrap();
    assert!(rustfmt.status.success(), "{}", String::from_utf8_lossy(&rustfmt.stderr));
    let read = |(path, _): (PathBuf, String)| {
        let text = std::fs::read_to_string(scratch.join(&path)).unwrap();
        (path, text)
    };
    files.into_iter().map(read).collect()
}

/// Compares a text with a file, or writes it.
fn check(file: &Path, text: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, text).unwrap();
        return;
    }
    let known = std::fs::read_to_string(file).unwrap_or_default();
    let name = file.display();
    assert!(known == text, "{name} is not what the export writes: run with UPDATE_EXPECT=1");
}

/// A function of the source.
struct Signature<'s> {
    name: &'s str,
    parameters: Vec<(&'s str, &'s str)>,
    returns: &'s str,
}

/// The functions of the source, with the names of their patterns.
fn signatures(source: &str) -> Vec<Signature<'_>> {
    let heads = source.split("\npub fn ").skip(1);
    heads
        .map(|rest| {
            let (name, rest) = rest.split_once('(').unwrap();
            let (parameters, rest) = rest.split_once(") -> ").unwrap();
            let (returns, _) = rest.split_once(" {\n").unwrap();
            let parameters = split(parameters).into_iter().skip(1);
            let parameters = parameters.map(|it| it.split_once(": ").unwrap()).collect();
            Signature { name, parameters, returns }
        })
        .collect()
}

/// The parameters of a signature, which commas part outside of brackets.
fn split(parameters: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, character) in parameters.char_indices() {
        match character {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(parameters[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(parameters[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// `order_id` of `OrderId`, as the export names parameters: the examples have no other words.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The name of a parameter in the model.
fn original(pattern: &Pattern, model: &Model, ident: &str) -> String {
    let mut names: BTreeSet<String> = BTreeSet::new();
    names.extend(pattern.parameters.iter().map(|it| it.name.clone()));
    names.extend(pattern.actions.iter().filter_map(|it| it.each.clone()));
    for parameter in monotable_plan::run::parameters_of(model, pattern) {
        names.insert(parameter.name);
    }
    let found = names.into_iter().find(|name| plain(name) == plain(ident));
    found.unwrap_or_else(|| panic!("{}: no parameter {ident}", pattern.name))
}

/// The expression of an argument.
fn argument(model: &Model, pattern: &Pattern, ident: &str, kind: &str) -> String {
    let is_entity = |name: &str| model.entities.iter().any(|it| plain(&it.name) == plain(name));
    let name = || original(pattern, model, ident);
    match kind {
        "&str" => format!("&call.argument::<String>({:?})", name()),
        "Option<&str>" => format!("call.argument::<Option<String>>({:?}).as_deref()", name()),
        "usize" => format!("call.place({:?})", name()),
        _ if kind.starts_with("impl IntoIterator") => {
            let by: Vec<&str> = pattern.by.iter().map(|it| it.attribute.as_str()).collect();
            format!("call.keys(&{by:?})")
        }
        _ if kind.starts_with("&[") => {
            let element = kind.trim_start_matches("&[").trim_end_matches(']');
            if is_entity(element) {
                format!("&call.entities::<{element}>({:?})", name())
            } else {
                format!("&call.argument::<Vec<{element}>>({:?})", name())
            }
        }
        _ if kind.starts_with('&') && is_entity(&kind[1..]) => {
            format!("&call.entity::<{}>()", &kind[1..])
        }
        _ if kind.starts_with('&') => format!("&call.argument::<{}>({:?})", &kind[1..], name()),
        _ => format!("call.argument::<{kind}>({:?})", name()),
    }
}

/// The code that calls the functions of a model, and how many there are.
fn calls(model: &Model, source: &str) -> (String, usize) {
    let module = model.name.replace('-', "_");
    let mut arms = String::new();
    let functions = signatures(source);
    for function in &functions {
        let named = |pattern: &&Pattern| plain(&pattern.name) == plain(function.name);
        let pattern = model.patterns.iter().find(named).unwrap();
        let mut arguments = vec!["&call.db()".to_owned()];
        for (ident, kind) in &function.parameters {
            arguments.push(argument(model, pattern, ident, kind));
        }
        let made = format!("{}({})", function.name, arguments.join(", "));
        let sent = if function.returns.starts_with("Query<") {
            format!("call.query(|| {made})")
        } else {
            format!("call.send({made})")
        };
        arms.push_str(&format!("        {:?} => {sent}.await,\n", pattern.name));
    }
    let about =
        format!("//! The functions of `{}`, called with the arguments of a step.\n", model.name);
    let uses = format!("use crate::call::*;\nuse crate::generated::{module}::*;\n");
    let tables: Vec<String> = source
        .split("\npub struct ")
        .skip(1)
        .filter_map(|rest| rest.split_once('\n'))
        .filter_map(|(head, _)| head.strip_suffix(';'))
        .map(|table| format!("monotable::model_of::<{table}>()"))
        .collect();
    let function = format!(
        "/// The models that the code describes.\n\
         pub(crate) fn models() -> Vec<monotable_model::document::Model> {{\n    \
         vec![{}]\n}}\n\n\
         /// Calls the function of a pattern; nothing where it has none.\n\
         pub(crate) async fn call(call: &Call) -> Option<Answer> {{\n    \
         Some(match call.pattern() {{\n{arms}        _ => return None,\n    }})\n}}\n",
        tables.join(", ")
    );
    (format!("{about}\n{uses}\n{function}"), functions.len())
}

/// What has no function says why.
fn check_notes(model: &Model, written: &Export) {
    let functions: BTreeSet<String> =
        signatures(&written.text).iter().map(|it| plain(it.name)).collect();
    for pattern in &model.patterns {
        let place = Place::pattern(&pattern.name);
        let is_noted = written.notes.iter().any(|it| it.place == place);
        let has_function = functions.contains(&plain(&pattern.name));
        assert!(has_function != is_noted, "{}: {}", model.name, pattern.name);
    }
}

#[test]
fn the_source_of_every_example_is_what_is_compiled_and_run() {
    let (mut count, mut files) = (0, Vec::new());
    for model in examples() {
        let written = export(&model, TargetFormat::Rust);
        check_notes(&model, &written);
        let source = written.text;
        let name = format!("{}.rs", model.name.replace('-', "_"));
        let (calls, functions) = calls(&model, &source);
        files.push((Path::new("generated").join(&name), source));
        files.push((Path::new("calls").join(&name), calls));
        count += functions;
    }
    for (path, text) in formatted(files) {
        check(&folder().join(path), &text);
    }
    assert_eq!(count, FUNCTIONS);
}
