//! The models under `examples/models` are consistent, and build the keys of the fixtures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use monotable_item::{Item, Value};
use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_model::document::{Document, Format, Model, read};
use serde_json::Value as Json;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn examples() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("examples/models")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn document(file: &Path) -> Document {
    let text = std::fs::read_to_string(file).unwrap();
    read(&text, Format::Toml).unwrap_or_else(|diagnostics| {
        let source = SourceFile::new(file.display().to_string(), text.as_str());
        let shown = diagnostics.iter().map(|one| render_text(one, &source, Colour::Never));
        panic!("{}", shown.collect::<Vec<_>>().join("\n"));
    })
}

/// The fixture's items, in no order.
fn fixture(name: &str) -> Option<Vec<String>> {
    let file = root().join(format!("crates/conformance/models/{name}.json"));
    let model: Json = serde_json::from_str(&std::fs::read_to_string(file).ok()?).unwrap();
    let shown = |entry: &Json| format!("{:?}", item(&entry["item"]));
    Some(sorted(model["fixture"].as_array().unwrap().iter().map(shown).collect()))
}

fn sorted(mut items: Vec<String>) -> Vec<String> {
    items.sort();
    items
}

fn item(json: &Json) -> Item {
    let members = json.as_object().unwrap().iter();
    members.map(|(name, value)| (name.clone(), of_wire(value))).collect::<BTreeMap<_, _>>()
}

fn of_wire(json: &Json) -> Value {
    let (code, value) = json.as_object().unwrap().iter().next().unwrap();
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let bytes =
        |value: &Json| base64::engine::general_purpose::STANDARD.decode(text(value)).unwrap();
    let list = || value.as_array().unwrap().iter();
    match code.as_str() {
        "S" => Value::String(text(value)),
        "N" => Value::Number(text(value).parse().unwrap()),
        "B" => Value::Binary(bytes(value)),
        "BOOL" => Value::Bool(value.as_bool().unwrap()),
        "NULL" => Value::Null,
        "L" => Value::List(list().map(of_wire).collect()),
        "M" => Value::Map(item(value)),
        "SS" => Value::string_set(list().map(text).collect()),
        "NS" => Value::number_set(list().map(|value| text(value).parse().unwrap()).collect()),
        "BS" => Value::binary_set(list().map(bytes).collect()),
        other => panic!("no type is called {other}"),
    }
}

/// The items of the samples, in no order.
fn built(model: &Model) -> Vec<String> {
    let build = |sample| format!("{:?}", model.item_of_sample(sample).unwrap());
    sorted(model.samples.iter().map(build).collect())
}

#[test]
fn samples_build_the_items_of_the_fixtures_byte_for_byte() {
    let mut compared = 0;
    for file in examples() {
        let model = document(&file).model;
        let Some(expected) = fixture(&model.name) else { continue };
        assert_eq!(built(&model), expected, "{}", file.display());
        compared += expected.len();
    }
    assert!(compared >= 37, "only {compared} items were compared");
}
