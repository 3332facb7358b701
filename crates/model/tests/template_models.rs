//! The templates of the worked models build the keys of the models' items byte for byte, and read
//! them back.

use std::collections::BTreeMap;

use monotable_item::{Item, Value};
use monotable_model::template::{Meaning, ReadError, Template};
use monotable_model_fixture::root;
use serde_json::Value as Json;

/// A model: its templates by entity and key attribute, and the entities of its items in order.
#[derive(Default)]
struct Model {
    name: String,
    templates: BTreeMap<(String, String), Template>,
    fixture: Vec<String>,
}

/// Keys that cannot be read back, since the model leaves out the delimiter between its parts to
/// show what comes of it.
const AMBIGUOUS: &[(&str, &str)] = &[("places-delimiters", "RawPlace")];

fn models() -> Vec<Model> {
    let mut models: Vec<Model> = Vec::new();
    for line in include_str!("template_models.txt").lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            models.push(Model { name: name.to_owned(), ..Model::default() });
        } else if let Some((left, right)) =
            line.split_once(" =").map(|(left, right)| (left, right.trim()))
        {
            let model = models.last_mut().expect("a line before the first model");
            add(model, left, right);
        }
    }
    models
}

fn add(model: &mut Model, left: &str, right: &str) {
    match left.split_once('.') {
        None => model.fixture = right.split_whitespace().map(str::to_owned).collect(),
        Some((entity, attribute)) => {
            let template =
                Template::parse(right).unwrap_or_else(|error| panic!("{right}: {error}"));
            assert_eq!(template.to_string(), right);
            model.templates.insert((entity.to_owned(), attribute.to_owned()), template);
        }
    }
}

fn items(model: &str) -> Vec<Item> {
    let path = root().join(format!("crates/conformance/models/{model}.json"));
    let text = std::fs::read_to_string(&path).unwrap();
    let json: Json = serde_json::from_str(&text).unwrap();
    let fixture = json["fixture"].as_array().unwrap();
    fixture.iter().map(|entry| map(&entry["item"])).collect()
}

fn map(json: &Json) -> Item {
    json.as_object().unwrap().iter().map(|(name, json)| (name.clone(), value(json))).collect()
}

fn value(json: &Json) -> Value {
    let (kind, content) = json.as_object().unwrap().iter().next().unwrap();
    let texts = || content.as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    match kind.as_str() {
        "S" => Value::from(content.as_str().unwrap()),
        "N" => Value::Number(content.as_str().unwrap().parse().unwrap()),
        "BOOL" => Value::Bool(content.as_bool().unwrap()),
        "NULL" => Value::Null,
        "M" => Value::Map(map(content)),
        "L" => Value::List(content.as_array().unwrap().iter().map(value).collect()),
        "SS" => Value::string_set(texts().map(str::to_owned).collect()),
        "NS" => Value::number_set(texts().map(|text| text.parse().unwrap()).collect()),
        other => panic!("no item of the models has type {other}"),
    }
}

/// Calls `check` with each key that an item of the models has.
fn for_each_key(mut check: impl FnMut(&Model, &str, &Template, &Item, &Value)) {
    for model in models() {
        let items = items(&model.name);
        assert_eq!(items.len(), model.fixture.len(), "{}", model.name);
        for (entity, item) in model.fixture.iter().zip(&items) {
            let of_entity = model.templates.iter().filter(|((of, _), _)| of == entity);
            for ((_, attribute), template) in of_entity {
                if let Some(key) = item.get(attribute) {
                    check(&model, entity, template, item, key);
                }
            }
        }
    }
}

#[test]
fn keys_are_built_byte_for_byte() {
    let mut count = 0;
    for_each_key(|model, entity, template, item, key| {
        let built = template.build(item);
        assert_eq!(built.as_ref(), Ok(key), "{} {entity} {template}", model.name);
        count += 1;
    });
    assert!(count > 500, "{count} keys");
}

#[test]
fn keys_are_read_back() {
    for_each_key(|model, entity, template, item, key| {
        let reading = template.read(key);
        if AMBIGUOUS.contains(&(model.name.as_str(), entity)) && !template.is_singleton() {
            assert_eq!(reading, Err(ReadError::Ambiguous));
            return;
        }
        let reading = reading.unwrap_or_else(|error| panic!("{template} {key:?}: {error}"));
        assert_eq!(template.build(&reading).as_ref().unwrap_or(key), key);
        for part in reading.parts() {
            if let Meaning::Attribute { path, value, lossless: true } = &part.meaning {
                assert_eq!(item.get(&path.root), Some(value), "{template} {key:?}");
            }
        }
    });
}

#[test]
fn all_models_are_covered() {
    assert_eq!(models().len(), 39);
}
