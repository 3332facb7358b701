//! Every example in every format: well-formed, and what it should be.

mod exchange_models;

use exchange_models::examples;
use monotable_exchange::{SourceFormat, TargetFormat, export, import};
use monotable_model::document::{Format, Model, Tree, read, write_tree};
use monotable_model::item_json::tree_of_item;
use serde_json::Value as Json;

fn json(model: &Model, target: TargetFormat) -> Json {
    let exported = export(model, target);
    serde_json::from_str(&exported.text)
        .unwrap_or_else(|error| panic!("{} as {}: {error}", model.name, target.name()))
}

#[test]
fn json_targets_are_json() {
    for model in examples() {
        for (_, target) in TargetFormat::ALL {
            let is_json = match target {
                TargetFormat::CloudFormationJson
                | TargetFormat::CdkJson
                | TargetFormat::Workbench
                | TargetFormat::OneTable
                | TargetFormat::JsonSchema
                | TargetFormat::CreateTable
                | TargetFormat::SchemaJson => true,
                TargetFormat::CloudFormation
                | TargetFormat::Terraform
                | TargetFormat::ElectroDb
                | TargetFormat::Rust
                | TargetFormat::TypeScript
                | TargetFormat::Python => false,
            };
            if is_json {
                json(&model, target);
            }
        }
    }
}

#[test]
fn tables_survive_cloudformation_in_both_forms_and_create_table() {
    for model in examples() {
        for (target, file) in [
            (TargetFormat::CloudFormation, "a.yaml"),
            (TargetFormat::CloudFormationJson, "a.json"),
            (TargetFormat::CreateTable, "a.json"),
        ] {
            let exported = export(&model, target);
            let imported = import(file, &exported.text, None)
                .unwrap_or_else(|problems| panic!("{problems:#?}\n{}", exported.text));
            for table in &model.tables {
                let physical = table.physical_name();
                let again =
                    imported.model.tables.iter().find(|one| one.physical_name() == physical);
                let again = again.unwrap_or_else(|| panic!("{physical}\n{}", exported.text));
                let mut expected = table.clone();
                expected.name.clone_from(&again.name);
                expected.stored_name.clone_from(&again.stored_name);
                expected.description = None;
                expected.type_attribute = None;
                expected.indexes.iter_mut().for_each(|index| index.description = None);
                if target == TargetFormat::CreateTable {
                    (expected.ttl, expected.backup) = (None, None);
                }
                assert_eq!(*again, expected, "{} by {}", model.name, target.name());
            }
        }
    }
}

#[test]
fn the_cdk_takes_properties_with_small_letters() {
    let model = examples().into_iter().find(|model| model.name == "e-commerce").unwrap();
    let exported = json(&model, TargetFormat::CdkJson);
    let table = &exported["EcommerceTable"];
    assert_eq!(table["construct"], "CfnTable");
    assert_eq!(table["props"]["keySchema"][0]["attributeName"], "PK");
    assert_eq!(table["props"]["globalSecondaryIndexes"][0]["projection"]["projectionType"], "ALL");
}

/// Braces, brackets and quotes of a text that has no comments with any of them.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                while let Some(inside) = characters.next() {
                    match inside {
                        '\\' => drop(characters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '{' | '[' | '(' => open.push(character),
            '}' | ']' | ')' => {
                let pair = (open.pop(), character);
                if !matches!(pair, (Some('{'), '}') | (Some('['), ']') | (Some('('), ')')) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

#[test]
fn terraform_has_a_resource_for_each_table_and_an_attribute_for_each_key() {
    for model in examples() {
        let text = export(&model, TargetFormat::Terraform).text;
        assert!(is_balanced(&text), "{text}");
        assert_eq!(text.matches("resource \"aws_dynamodb_table\"").count(), model.tables.len());
        for table in &model.tables {
            for key in table.indexes.iter().flat_map(|index| index.key_attributes()) {
                let attribute = format!("    name = \"{}\"\n", key.name);
                assert!(text.contains(&attribute), "{attribute}{text}");
            }
        }
    }
}

#[test]
fn electrodb_has_every_entity_as_code_or_as_a_comment() {
    for model in examples() {
        let exported = export(&model, TargetFormat::ElectroDb);
        let code: String = exported
            .text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert!(is_balanced(&code), "{code}");
        for entity in model.entities.iter().filter(|entity| !entity.is_embedded()) {
            let is_code = code.contains(&format!("entity: \"{}\"", entity.name));
            let is_comment =
                exported.text.contains(&format!("// {}: ElectroDB cannot", entity.name));
            assert!(is_code != is_comment, "{}\n{}", entity.name, exported.text);
            let is_noted =
                exported.notes.iter().any(|note| note.place.as_str().contains(&entity.name));
            assert!(is_code || is_noted, "{}", entity.name);
        }
    }
}

/// Checks a value against the part of the vocabulary that exports use. A keyword that is not known
/// fails the test.
fn fits(root: &Json, schema: &Json, value: &Json) -> bool {
    schema.as_object().unwrap().iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "$defs" | "title" | "description" | "format" | "contentEncoding" => true,
        "$ref" => {
            let target = root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap();
            fits(root, target, value)
        }
        "anyOf" => rule.as_array().unwrap().iter().any(|one| fits(root, one, value)),
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            other => panic!("{other}"),
        },
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "minimum" => value.as_f64().unwrap() >= rule.as_f64().unwrap(),
        "maximum" => value.as_f64().unwrap() <= rule.as_f64().unwrap(),
        "maxLength" => value.as_str().unwrap().chars().count() as u64 <= rule.as_u64().unwrap(),
        "minItems" => value.as_array().unwrap().len() as u64 >= rule.as_u64().unwrap(),
        "uniqueItems" => true,
        "items" => value.as_array().unwrap().iter().all(|one| fits(root, rule, one)),
        "required" => {
            rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
        }
        "properties" => rule
            .as_object()
            .unwrap()
            .iter()
            .all(|(name, rule)| value.get(name).is_none_or(|member| fits(root, rule, member))),
        // Patterns are anchored, and begin with the literal that the keys begin with.
        "pattern" => {
            let pattern = rule.as_str().unwrap();
            let inside = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')).unwrap();
            let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '#' && c != '_');
            value.as_str().unwrap().starts_with(&inside[..end.unwrap_or(inside.len())])
        }
        other => panic!("the keyword {other} is not known here"),
    })
}

fn plain(tree: &Tree) -> Json {
    let typed: Json = serde_json::from_str(&write_tree(tree)).unwrap();
    untyped_item(&typed)
}

fn untyped_item(item: &Json) -> Json {
    item.as_object().unwrap().iter().map(|(name, value)| (name.clone(), untyped(value))).collect()
}

fn untyped(value: &Json) -> Json {
    let (code, content) = value.as_object().unwrap().iter().next().unwrap();
    match code.as_str() {
        "N" => serde_json::from_str(content.as_str().unwrap()).unwrap(),
        "L" => content.as_array().unwrap().iter().map(untyped).collect(),
        "M" => untyped_item(content),
        "NS" => {
            let numbers = content.as_array().unwrap().iter();
            numbers
                .map(|one| serde_json::from_str::<Json>(one.as_str().unwrap()).unwrap())
                .collect()
        }
        "NULL" => Json::Null,
        _ => content.clone(),
    }
}

#[test]
fn json_schemas_take_the_samples_and_refuse_other_entities() {
    let mut checked = 0;
    for model in examples() {
        let schema = json(&model, TargetFormat::JsonSchema);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        for sample in &model.samples {
            let item = plain(&tree_of_item(&model.item_of_sample(sample).unwrap()));
            let definition = &schema["$defs"][&sample.entity];
            assert!(fits(&schema, definition, &item), "{} {}\n{item}", model.name, sample.entity);
            assert!(fits(&schema, &schema, &item));
            let mut without = item.clone();
            let key = model.tables_of(model.entity(&sample.entity).unwrap()).next().unwrap();
            without.as_object_mut().unwrap().remove(&key.partition_key.name);
            assert!(!fits(&schema, definition, &without));
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn what_a_target_cannot_say_is_noted() {
    let text = r##"
format = 1
name = "a"
[tables.App]
partition_key = "PK"
sort_key = "SK"
ttl = "expires"
stream = "new-image"
[tables.App.local_indexes.Local]
sort_key = "LSK"
[tables.App.global_indexes.Multi]
partition_key = ["a", "b"]
[entities.Thing]
key = { partition = "T#{shard(a, 4)}", sort = "{a}" }
indexes.Local = { sort = "{b}" }
indexes.Multi = { partition = ["{a}", "{b}"] }
attributes = { a = "S", b = "S", expires = "N" }
[patterns."get one"]
operation = "get"
entity = "Thing"
by = ["a"]
"##;
    let model = read(text, Format::Toml).unwrap().model;
    let expected = [
        (TargetFormat::CloudFormation, vec!["entities", "patterns"]),
        (TargetFormat::Terraform, vec!["tables.App.global_indexes.Multi", "entities"]),
        (TargetFormat::CreateTable, vec!["tables.App.ttl"]),
        (
            TargetFormat::Workbench,
            vec![
                "tables.App.local_indexes.Local",
                "tables.App.global_indexes.Multi",
                "tables.App.ttl",
                "patterns",
            ],
        ),
        (
            TargetFormat::OneTable,
            vec!["tables.App.global_indexes.Multi", "entities.Thing.key", "patterns"],
        ),
        (TargetFormat::SchemaJson, vec!["tables.App.local_indexes.Local", "entities.Thing.key"]),
        (TargetFormat::ElectroDb, vec!["entities.Thing.key", "patterns"]),
        (TargetFormat::Rust, vec!["tables.App.stream"]),
        (TargetFormat::JsonSchema, vec!["patterns"]),
    ];
    for (target, places) in expected {
        let notes = export(&model, target).notes;
        for place in places {
            let is_noted = notes.iter().any(|note| note.place.as_str() == place);
            assert!(is_noted, "{} says nothing of {place}: {notes:#?}", target.name());
        }
    }
}

/// An entity whose keys leave a shard to the writer.
const SHARDED: &str = r##"
format = 1
name = "readings"
[tables.Readings]
partition_key = "PK"
sort_key = "SK"
global_indexes.GSI1 = { partition_key = "GSI1PK", sort_key = "GSI1SK" }
[entities.Reading]
key = { partition = "READINGS#{shard_any(4)}", sort = "{at}" }
indexes.GSI1 = { partition = "SENSOR#{sensor}", sort = "{shard_any(4)}" }
attributes = { at = "S", sensor = "S" }
"##;

#[test]
fn what_schema_json_cannot_say_of_shards_is_left_out_and_it_is_read_again() {
    let model = read(SHARDED, Format::Toml).unwrap().model;
    let exported = export(&model, TargetFormat::SchemaJson);
    for place in ["entities.Reading.key", "entities.Reading.indexes.GSI1"] {
        assert!(exported.notes.iter().any(|note| note.place.as_str() == place), "{place}");
    }
    let again = import("schema.json", &exported.text, None)
        .unwrap_or_else(|problems| panic!("{problems:#?}\n{}", exported.text));
    let reading = again.model.entity("Reading").unwrap();
    assert_eq!(reading.key.as_ref().unwrap().partition[0].to_string(), "READINGS#shard");
    assert!(reading.indexes.is_empty(), "{:?}", reading.indexes);
}

#[test]
fn every_target_says_that_tests_and_accepted_findings_are_left_out() {
    let text = r##"
format = 1
name = "a"
[tables.App]
partition_key = "PK"
[entities.Thing]
key = { partition = "T#{a}" }
attributes = { a = "S" }
[patterns."get one"]
operation = "get"
entity = "Thing"
by = ["a"]
[[samples.Thing]]
a = "1"
[[tests."one is found".steps]]
pattern = "get one"
with = { a = "1" }
expect = ["Thing"]
[[allow]]
rule = "entity-never-written"
reason = "another program writes them"
"##;
    let model = read(text, Format::Toml).unwrap().model;
    for (_, target) in TargetFormat::ALL {
        let notes = export(&model, target).notes;
        for place in ["tests", "allow"] {
            let noted = notes.iter().filter(|note| note.place.as_str() == place).count();
            assert_eq!(noted, 1, "{} on {place}: {notes:#?}", target.name());
        }
    }
}

#[test]
fn every_format_that_is_read_is_also_written() {
    for (name, _) in SourceFormat::ALL {
        assert!(TargetFormat::ALL.iter().any(|(target, _)| *target == name), "{name}");
    }
}
