//! `monotable model chart`: every form, parts of it, and mistakes.

use std::path::Path;

use crate::support::{monotable, run, run_to_error};
use serde_json::Value;

fn example() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models/e-commerce.toml");
    file.display().to_string()
}

#[track_caller]
fn chart(arguments: &[&str]) -> String {
    let file = example();
    let mut all = vec!["model", "chart", file.as_str()];
    all.extend(arguments);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn everything_is_drawn_in_the_terminal() {
    let text = chart(&[]);
    for part in [
        "Entities and relationships",
        "Global index GSI1",
        "Access patterns",
        "#ORDER#",
        "not here",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(!text.contains('\x1b'), "nobody asked for colours in a pipe");
}

#[test]
fn the_width_is_that_of_the_terminal() {
    let output = monotable(&["model", "chart", &example()]).env("COLUMNS", "90").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let widest = text.lines().filter(|line| line.starts_with('│')).map(|line| line.chars().count());
    assert_eq!(widest.max(), Some(90));
}

#[test]
fn only_the_parts_that_are_asked_for_are_drawn() {
    let patterns = chart(&["--only", "patterns"]);
    assert!(patterns.contains("save order") && !patterns.contains("Global index"), "{patterns}");
    let index = chart(&["--index", "GSI1"]);
    assert!(index.contains("Global index GSI1") && !index.contains("save order"), "{index}");
    assert!(!index.contains("Table EcommerceTable"), "{index}");
    let two = chart(&["--only", "er,entities", "--to", "markdown"]);
    assert!(two.contains("erDiagram") && two.contains("## Entity charts"), "{two}");
    assert!(!two.contains("## Access patterns"), "{two}");
}

#[test]
fn the_form_is_told_by_name_or_by_the_file_s_ending() {
    let folder = tempfile::tempdir().unwrap();
    for (form, ending, beginning) in [
        ("terminal", "txt", "e-commerce: "),
        ("markdown", "md", "# Customers"),
        ("html", "html", "<!doctype html>"),
        ("svg", "svg", "<svg "),
        ("mermaid", "mmd", "erDiagram"),
    ] {
        let path = folder.path().join(format!("shop.{ending}"));
        assert_eq!(chart(&["--file", path.to_str().unwrap()]), "");
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(beginning), "{form}: {written}");
        assert_eq!(chart(&["--to", form]).trim_end(), written.trim_end());
    }
}

#[test]
fn items_are_drawn_as_a_picture_of_their_own() {
    let picture = chart(&["--to", "svg", "--only", "collections"]);
    assert!(picture.starts_with("<svg ") && picture.contains("CUSTOMER#alice"), "{picture}");
}

#[test]
fn json_has_every_part() {
    let json: Value = serde_json::from_str(&chart(&["--output", "json"])).unwrap();
    assert_eq!(json["model"], "e-commerce");
    assert_eq!(json["patterns"].as_array().unwrap().len(), 7);
    let items = &json["collections"][1]["partitions"][0]["items"];
    let entities: Vec<&str> =
        items.as_array().unwrap().iter().map(|item| item["entity"].as_str().unwrap()).collect();
    assert_eq!(entities.last(), Some(&"Order"), "the items of an order come before it");
}

#[test]
fn a_pattern_that_nothing_serves_is_marked_and_ends_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.toml");
    let text = "format = 1\nname = \"shop\"\n[tables.Shop]\npartition_key = \
                \"PK\"\n[entities.Customer]\nkey = { partition = \"C#{id}\" }\nattributes = { id = \
                \"S\", mail = \"S\" }\n[patterns.\"by mail\"]\noperation = \"query\"\nreturns = \
                [\"Customer\"]\nby = [\"mail\"]\n";
    std::fs::write(&path, text).unwrap();
    let output = run(&["model", "chart", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("NOT SERVED") && text.contains("needs id"), "{text}");
}

#[test]
fn mistakes_are_said_with_what_to_do() {
    let file = example();
    for (arguments, said) in [
        (&["--index", "GSI2"][..], "no table or index is called GSI2, did you mean GSI1?"),
        (&["--to", "mermaid", "--only", "patterns"], "--only er"),
        (&["--to", "svg", "--only", "patterns"], "--only er or --only collections"),
        (&["--file", "shop.pdf"], "end it in .html, .md, .svg"),
        (&["--only", "all"], "possible values: entities, patterns, collections, er"),
        (&["--to", "html", "--output", "json"], "cannot be used with"),
    ] {
        let mut all = vec!["model", "chart", file.as_str()];
        all.extend(arguments);
        let error = run_to_error(&all);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn the_help_teaches_with_examples() {
    let output = run(&["model", "chart", "--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("monotable model chart shop.toml --file shop.html"), "{text}");
}

#[test]
fn seeded_items_stand_in_for_the_samples() {
    let seeded = chart(&["--data", "seeded", "--only", "collections", "--items-max", "30"]);
    let samples = chart(&["--only", "collections"]);
    assert_ne!(seeded, samples);
    assert!(seeded.contains("CUSTOMER#") && seeded.contains("Global index GSI1"), "{seeded}");
}

#[test]
fn items_are_drawn_in_the_shards_that_their_writers_chose() {
    let folder = tempfile::tempdir().unwrap();
    let (model, export) = (folder.path().join("m.toml"), folder.path().join("export.json"));
    let text = r##"format = 1
name = "readings"
[tables.Readings]
partition_key = "PK"
[tables.Readings.global_indexes.GSI1]
partition_key = "GSI1PK"
[entities.Reading]
key = { partition = "READING#{id}" }
indexes.GSI1 = { partition = "SHARD{shard_any(4)}" }
attributes.id = "S"
"##;
    let item = r#"{"Item":{"PK":{"S":"READING#a"},"id":{"S":"a"},"GSI1PK":{"S":"SHARD3"}}}"#;
    std::fs::write(&model, text).unwrap();
    std::fs::write(&export, item).unwrap();
    let (file, export) = (model.display().to_string(), export.display().to_string());
    for (source, wanted) in [("seeded", "SHARD"), (export.as_str(), "SHARD3")] {
        let output = run(&["model", "chart", &file, "--data", source, "--only", "collections"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let drawn = String::from_utf8(output.stdout).unwrap();
        assert!(drawn.contains(wanted) && !drawn.contains("no shard"), "{drawn}");
    }
}

#[test]
fn exported_items_are_drawn_under_their_keys_and_strangers_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let export = folder.path().join("export.json");
    let customer = r#"{"Item":{"PK":{"S":"CUSTOMER#zoe"},"SK":{"S":"CUSTOMER#zoe"},"Username":{"S":"zoe"},"Email":{"S":"zoe@example.com"},"Name":{"S":"Zoe"},"Addresses":{"M":{}}}}"#;
    let stranger = r#"{"Item":{"PK":{"S":"x"},"SK":{"S":"y"}}}"#;
    std::fs::write(&export, format!("{customer}\n{stranger}\n")).unwrap();
    let (file, export) = (example(), export.display().to_string());
    let output = run(&["model", "chart", &file, "--data", &export, "--only", "collections"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("CUSTOMER#zoe") && !text.contains("alexdebrie"), "{text}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("1 item is of no entity"), "{notes}");
}
