//! The models under `examples/models` are consistent, build the keys of the fixtures, and read them
//! back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use monotable_item::{Item, Value};
use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_model::document::{
    Attribute, Document, Entity, Format, ItemSource, Model, build_item, read,
};
use monotable_model::template::{Meaning, ReadError, Template};
use monotable_model_fixture::root;
use serde_json::Value as Json;

/// How many items the fixtures have.
const FIXTURE_ITEMS: usize = 221;

/// Items that the fixtures have because no model would write them: a time to live that is no
/// number, and one half of an index key.
const UNMODELLED: &[(&str, &str, &str)] =
    &[("scheduled-delete", "SK", "TOKEN#d"), ("sparse-shipped-orders", "PK", "ORDER#00006")];

/// Keys that cannot be read back, since the entity leaves out the delimiters to show what comes of
/// it.
const AMBIGUOUS: &[(&str, &str)] = &[("places-delimiters", "RawPlace")];

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

/// The model of this name in the conformance suite.
fn conformance(name: &str) -> Option<Json> {
    let file = root().join(format!("crates/conformance/models/{name}.json"));
    Some(serde_json::from_str(&std::fs::read_to_string(file).ok()?).unwrap())
}

/// The fixture's items, in no order.
fn fixture(name: &str) -> Option<Vec<String>> {
    let items = fixture_items(name)?.into_iter();
    let modelled = items.filter(|item| !is_unmodelled(name, item));
    Some(sorted(modelled.map(|item| format!("{item:?}")).collect()))
}

fn fixture_items(name: &str) -> Option<Vec<Item>> {
    let model = conformance(name)?;
    let items = model["fixture"].as_array().unwrap().iter().map(|entry| item(&entry["item"]));
    Some(items.collect())
}

fn is_unmodelled(name: &str, item: &Item) -> bool {
    let is = |(model, attribute, key): &(&str, &str, &str)| {
        *model == name && item.get(*attribute) == Some(&Value::from(*key))
    };
    UNMODELLED.iter().any(is)
}

/// The items that the scenario puts, alone, in batches and in transactions.
fn scenario_puts(name: &str) -> Vec<Item> {
    let Some(model) = conformance(name) else { return Vec::new() };
    let mut puts = Vec::new();
    for step in model["scenario"].as_array().unwrap() {
        let params = &step["params"];
        let members = params["TransactItems"].as_array().into_iter().flatten();
        let batches = params["RequestItems"].as_object().into_iter().flat_map(|all| all.values());
        let writes = batches.filter_map(Json::as_array).flatten();
        let places = std::iter::once(&params["Item"])
            .chain(members.map(|member| &member["Put"]["Item"]))
            .chain(writes.map(|write| &write["PutRequest"]["Item"]));
        puts.extend(places.filter(|json| json.is_object()).map(item));
    }
    puts
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
    assert_eq!(compared, FIXTURE_ITEMS - UNMODELLED.len());
}

#[test]
fn items_of_the_fixtures_are_built_from_their_attributes_and_read_back() {
    let (mut built, mut refused) = (0, 0);
    for file in examples() {
        let model = document(&file).model;
        for item in fixture_items(&model.name).into_iter().flatten() {
            let fitting = model.entities.iter().find(|entity| builds(&model, entity, &item));
            assert_eq!(fitting.is_none(), is_unmodelled(&model.name, &item), "{item:#?}");
            let Some(entity) = fitting else {
                refused += 1;
                continue;
            };
            let attributes = attributes_of(entity, &item);
            for (attribute, template) in key_templates(&model, entity) {
                if let Some(key) = item.get(&attribute) {
                    read_back(&model, entity, &attributes, template, key);
                }
            }
            built += 1;
        }
    }
    assert_eq!((built, refused), (FIXTURE_ITEMS - UNMODELLED.len(), UNMODELLED.len()));
}

/// Whether an entity builds just this item from its attributes. An item that was not backfilled
/// lacks the whole key of an index.
fn builds(model: &Model, entity: &Entity, item: &Item) -> bool {
    let lacks = |index: &&str| {
        let table = model.tables_of(entity).next().unwrap();
        let mut keys = table.index(index).unwrap().key_attributes();
        keys.all(|key| !item.contains_key(&key.name))
    };
    let indexes = entity.indexes.iter().map(|keys| keys.index.as_str());
    let without: Vec<String> = indexes.filter(lacks).map(str::to_owned).collect();
    let attributes = attributes_of(entity, item);
    let is_typed = |(name, value): (&String, &Value)| {
        entity.attribute(name).is_some_and(|attribute| attribute.kind == value.kind())
    };
    let built = model.tables_of(entity).next().map(|table| {
        let (attributes, without) = (&attributes, without.as_slice());
        build_item(&ItemSource { table, entity, attributes, without, shard: None })
    });
    attributes.iter().all(is_typed) && built.is_some_and(|built| built.as_ref() == Ok(item))
}

#[test]
fn samples_that_no_model_would_write_are_refused() {
    let with = |name: &str, sample: &str, more: &str| {
        let file = root().join(format!("examples/models/{name}.toml"));
        let text = std::fs::read_to_string(file).unwrap();
        let problems = read(&text.replacen(sample, more, 1), Format::Toml).unwrap_err();
        problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let ttl = with("scheduled-delete", "ttl = 1709247600", "ttl = '1709247600'");
    assert!(ttl.contains("number"), "{ttl}");
    let half = with(
        "sparse-shipped-orders",
        "STATUS = \"AWAITING_SHIPMENT\", CustomerId = \"JHD\"",
        "STATUS = \"AWAITING_SHIPMENT\", CustomerId = \"JHD\", SPARSE_SHIPPED_PK = \
         \"CUSTOMER#JHD\"",
    );
    assert!(half.contains("SPARSE_SHIPPED_PK"), "{half}");
}

#[test]
fn items_that_scenarios_put_are_built_from_their_attributes() {
    let mut count = 0;
    for file in examples() {
        let model = document(&file).model;
        for item in scenario_puts(&model.name) {
            let is_built = |entity: &Entity| {
                let built = model.item_of(entity, &attributes_of(entity, &item));
                built.is_ok_and(|built| built == item)
            };
            assert!(model.entities.iter().any(is_built), "{}: {item:#?}", model.name);
            count += 1;
        }
    }
    assert!(count >= 150, "only {count} items were compared");
}

/// What an entity declares of an item, by the names in the model.
fn attributes_of(entity: &Entity, item: &Item) -> Item {
    let declared = entity.attributes.iter();
    let named = |attribute: &Attribute| {
        Some((attribute.name.clone(), item.get(attribute.item_name())?.clone()))
    };
    declared.filter_map(named).collect()
}

#[test]
fn every_model_of_the_conformance_suite_is_written_down() {
    let folder = std::fs::read_dir(root().join("crates/conformance/models")).unwrap();
    let mut count = 0;
    for entry in folder {
        let name = entry.unwrap().path().with_extension("toml");
        let file = root().join("examples/models").join(name.file_name().unwrap());
        assert!(file.exists(), "{} is missing", file.display());
        count += 1;
    }
    assert_eq!(count, 39);
}

#[test]
fn keys_of_samples_are_read_back() {
    let mut count = 0;
    for file in examples() {
        let model = document(&file).model;
        for sample in &model.samples {
            let entity = model.entity(&sample.entity).unwrap();
            let item = model.item_of_sample(sample).unwrap();
            for (attribute, template) in key_templates(&model, entity) {
                if let Some(key) = item.get(&attribute) {
                    read_back(&model, entity, &sample.attributes, template, key);
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 500, "only {count} keys were read");
}

/// The attributes of the keys that an entity has, and their templates.
fn key_templates<'m>(model: &'m Model, entity: &'m Entity) -> Vec<(String, &'m Template)> {
    let table = model.tables_of(entity).next().unwrap();
    let key = entity.key.as_ref().unwrap();
    let own = table.key_attributes().zip(key.partition.iter().chain(&key.sort));
    let of_indexes = entity.indexes.iter().flat_map(|keys| {
        let attributes = table.index(&keys.index).unwrap().key_attributes();
        attributes.zip(keys.keys.partition.iter().chain(&keys.keys.sort))
    });
    own.chain(of_indexes).map(|(key, template)| (key.name.clone(), template)).collect()
}

fn read_back(model: &Model, entity: &Entity, attributes: &Item, template: &Template, key: &Value) {
    let reading = template.read(key);
    let is_ambiguous = AMBIGUOUS.contains(&(model.name.as_str(), entity.name.as_str()));
    if is_ambiguous && !template.is_singleton() {
        assert_eq!(reading, Err(ReadError::Ambiguous));
        return;
    }
    let reading =
        reading.unwrap_or_else(|error| panic!("{}: {template} {key:?}: {error}", model.name));
    for part in reading.parts() {
        if let Meaning::Attribute { path, value, lossless: true } = &part.meaning {
            assert_eq!(attributes.get(&path.root), Some(value), "{template} {key:?}");
        }
    }
}
