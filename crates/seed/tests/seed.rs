//! Generated items: they build, parse back, belong to parents that exist, and come again with the
//! same seed.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::{Item, Value};
use monotable_model::document::{Entity, Format, Model, Table, read};
use monotable_model::recognition::{Recognition, Recognizer};
use monotable_model::template::{Escaping, Form, Template};
use monotable_seed::{
    SeedError, SeedItem, SeedSettings, generate, generate_each, parents_of, sample_items,
};
use proptest::prelude::*;

fn models() -> Vec<Model> {
    let examples = monotable_model_fixture::examples();
    examples.iter().map(|one| read(&one.text, Format::Toml).unwrap().model).collect()
}

fn seeded(model: &Model, seed: u64) -> Vec<SeedItem> {
    let settings = SeedSettings { seed, counts: BTreeMap::new() };
    generate(model, &settings).unwrap_or_else(|error| panic!("{}: {error}", model.name))
}

fn table<'m>(model: &'m Model, item: &SeedItem) -> &'m Table {
    model.tables.iter().find(|table| table.physical_name() == item.table).unwrap()
}

/// Texts that are written as they are may hold anything, so such keys can be read in several ways.
fn is_readable(template: &Template) -> bool {
    template.attributes().all(|part| match part.encoding.form() {
        Form::Text(text) => text.escaping == Escaping::Delimiter && part.encoding.is_lossless(),
        _ => part.encoding.is_lossless(),
    })
}

fn check_key(entity: &Entity, seeded: &SeedItem, name: &str, template: &Template) {
    let key = &seeded.item[name];
    assert!(template.matches(key), "{} {key:?}", entity.name);
    if !is_readable(template) {
        return;
    }
    let reading = template.read(key).unwrap();
    for path in template.paths().filter(|path| path.steps.is_empty()) {
        let read = reading.values().get(path);
        assert!(read.is_none_or(|value| *value == seeded.attributes[&path.root]), "{key:?} {path}");
    }
}

/// The rules that hold for all items of all models.
fn check(model: &Model, items: &[SeedItem]) {
    let mut keys = BTreeSet::new();
    for seeded in items {
        let (entity, table) = (model.entity(&seeded.entity).unwrap(), table(model, seeded));
        let own = entity.key.as_ref().unwrap();
        let templates = own.partition.iter().chain(&own.sort);
        for (attribute, template) in table.key_attributes().zip(templates) {
            check_key(entity, seeded, &attribute.name, template);
        }
        let recognised = Recognizer::new(model, table).recognise(&seeded.item);
        assert_ne!(recognised, Recognition::Unknown, "{:?}", seeded.item);
        let key: Vec<&Value> = table.key_attributes().map(|key| &seeded.item[&key.name]).collect();
        assert!(keys.insert(format!("{} {key:?}", table.name)), "twice: {:?}", seeded.item);
        check_attributes(entity, &seeded.attributes);
    }
    check_parents(model, items);
}

fn check_attributes(entity: &Entity, attributes: &Item) {
    for attribute in &entity.attributes {
        let Some(value) = attributes.get(&attribute.name) else {
            assert!(!attribute.required, "{}.{} is missing", entity.name, attribute.name);
            continue;
        };
        assert_eq!(value.kind(), attribute.kind, "{}.{}", entity.name, attribute.name);
        let is_listed = attribute.values.is_empty() || attribute.values.contains(value);
        assert!(is_listed, "{}.{}: {value:?}", entity.name, attribute.name);
        if let (Value::String(text), Some(max)) = (value, attribute.max_bytes) {
            assert!(text.len() as u64 <= max, "{}.{}: {text}", entity.name, attribute.name);
        }
        if let (Value::Number(number), Some(min)) = (value, &attribute.min) {
            assert!(number >= min, "{}.{}: {number}", entity.name, attribute.name);
        }
        if let (Value::Number(number), Some(max)) = (value, &attribute.max) {
            assert!(number <= max, "{}.{}: {number}", entity.name, attribute.name);
        }
    }
}

fn check_parents(model: &Model, items: &[SeedItem]) {
    let mut of_entity: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for seeded in items {
        of_entity.entry(&seeded.entity).or_default().push(&seeded.attributes);
    }
    for child in model.entities.iter().filter(|entity| entity.key.is_some()) {
        for parent in parents_of(model, child) {
            let Some(parents) = of_entity.get(parent.entity.name.as_str()) else { continue };
            let of_parent = |item: &&Item| {
                let values = parent.links.iter().map(|link| item.get(&link.parent));
                format!("{:?}", values.collect::<Vec<_>>())
            };
            let there: BTreeSet<String> = parents.iter().map(of_parent).collect();
            for item in of_entity.get(child.name.as_str()).into_iter().flatten() {
                let values = parent.links.iter().map(|link| item.get(&link.child));
                let wanted = format!("{:?}", values.collect::<Vec<_>>());
                assert!(
                    there.contains(&wanted),
                    "{}: {} {wanted} has no {}",
                    model.name,
                    child.name,
                    parent.entity.name
                );
            }
        }
    }
}

#[test]
fn items_are_handed_out_as_they_are_made_until_nobody_takes_them() {
    #[derive(Debug, PartialEq)]
    enum End {
        Full,
        Wrong(SeedError),
    }
    impl From<SeedError> for End {
        fn from(error: SeedError) -> End {
            End::Wrong(error)
        }
    }
    let model = models().swap_remove(0);
    let all = seeded(&model, 42);
    let settings = SeedSettings { seed: 42, counts: BTreeMap::new() };
    let (mut taken, mut made) = (Vec::new(), 0);
    let ended = generate_each(&model, &settings, &mut |done, _| made = done, &mut |item| {
        taken.push(item);
        if taken.len() == 3 { Err(End::Full) } else { Ok(()) }
    });
    assert_eq!((ended, &taken[..]), (Err(End::Full), &all[..3]));
    assert!(made < 3, "{made} were made before the third was refused");
}

#[test]
fn items_of_all_models_build_parse_back_have_parents_and_leave_no_entity_out() {
    let models = models();
    assert_eq!(models.len(), 39);
    for model in &models {
        let items = seeded(model, 42);
        assert!(!items.is_empty() && items.len() < 3000, "{}: {}", model.name, items.len());
        check(model, &items);
        for entity in model.entities.iter().filter(|entity| entity.key.is_some()) {
            let count = items.iter().filter(|item| item.entity == entity.name).count();
            assert!(count > 0, "{} has no {}", model.name, entity.name);
        }
    }
}

#[test]
fn some_items_are_in_a_sparse_index_and_some_are_not() {
    let mut sparse = 0;
    for model in models() {
        let items = seeded(&model, 42);
        for entity in &model.entities {
            for keys in entity.indexes.iter().filter(|keys| keys.when.is_some()) {
                let mine = items.iter().filter(|item| item.entity == entity.name);
                let is_in = |item: &&SeedItem| {
                    let index = table(&model, item).index(&keys.index).unwrap();
                    index.key_attributes().all(|key| item.item.contains_key(&key.name))
                };
                let (inside, outside): (Vec<_>, Vec<_>) = mine.partition(is_in);
                assert!(!inside.is_empty() && !outside.is_empty(), "{} {}", model.name, keys.index);
                sparse += 1;
            }
        }
    }
    assert!(sparse >= 2, "only {sparse} indexes have a condition");
}

#[test]
fn as_many_items_as_were_asked_for_and_children_in_proportion() {
    let model = models().into_iter().find(|model| model.name == "e-commerce").unwrap();
    let counts = BTreeMap::from([("Customer".to_owned(), 100)]);
    let items = generate(&model, &SeedSettings { seed: 1, counts }).unwrap();
    let count = |entity: &str| items.iter().filter(|item| item.entity == entity).count();
    assert_eq!((count("Customer"), count("CustomerEmail")), (100, 100));
    assert!((1500..2500).contains(&count("Order")), "{}", count("Order"));
    let counts = BTreeMap::from([("Nobody".to_owned(), 1)]);
    let error = generate(&model, &SeedSettings { seed: 1, counts }).unwrap_err();
    assert!(error.to_string().starts_with("there are no items of Nobody"), "{error}");
}

#[test]
fn an_attribute_that_is_a_key_is_stored_as_its_template_writes_it() {
    let text = r#"
format = 1
name = "readings"
[tables.Readings]
partition_key = "sensor"
sort_key = "at"
[tables.Readings.global_indexes.ByDay]
partition_key = "day"
[entities.Reading]
key = { partition = "{sensor:fold}", sort = "{at:time(ms)}" }
indexes.ByDay = { partition = "{day:day}" }
attributes = { sensor = "S", at = { type = "S", format = "rfc3339" }, day = { type = "S", required = true } }
count = 20
"#;
    let model = read(text, Format::Toml).unwrap().model;
    let items = seeded(&model, 3);
    assert_eq!(items.len(), 20);
    for seeded in items {
        assert_eq!(seeded.item["at"], seeded.attributes["at"]);
        assert!(matches!(&seeded.item["at"], Value::String(text) if text.ends_with(".000Z")));
        assert!(matches!(&seeded.item["day"], Value::String(text) if text.len() == 10));
    }
}

#[test]
fn items_that_join_two_sides_are_as_many_as_the_average_says() {
    let text = r##"
format = 1
name = "club"
[tables.Club]
partition_key = "PK"
sort_key = "SK"
[entities.Group]
key = { partition = "GROUP#{group_id}", sort = "GROUP" }
attributes.group_id = "S"
count = 12
[entities.Person]
key = { partition = "PERSON#{person_id}", sort = "PERSON" }
attributes.person_id = "S"
count = 40
[entities.Card]
key = { partition = "PERSON#{person_id}", sort = "CARD" }
attributes.person_id = "S"
[entities.Member]
key = { partition = "GROUP#{group_id}", sort = "MEMBER#{person_id}" }
attributes = { group_id = "S", person_id = "S" }
[[relationships]]
from = "Group"
to = "Person"
kind = "n:m"
through = "Member"
average = 5
[[relationships]]
from = "Person"
to = "Card"
kind = "1:1"
"##;
    let model = read(text, Format::Toml).unwrap().model;
    let items = seeded(&model, 3);
    let count = |name: &str| items.iter().filter(|item| item.entity == name).count();
    assert_eq!((count("Group"), count("Member"), count("Card")), (12, 60, 40));
}

/// Readings of devices: `distinct` says how many of a part of the key there are.
fn readings(device: &str, sort: &str) -> Vec<SeedItem> {
    let text = format!(
        r##"
format = 1
name = "readings"
[tables.App]
partition_key = "PK"
sort_key = "SK"
[entities.Reading]
key = {{ partition = "DEVICE#{{device}}", sort = "{sort}" }}
count = 200
[entities.Reading.attributes]
device = {device}
sensor = {{ type = "N", distinct = 4, required = true }}
at = {{ type = "S", format = "rfc3339", required = true }}
"##
    );
    seeded(&read(&text, Format::Toml).unwrap().model, 7)
}

fn different(items: &[SeedItem], attribute: &str) -> usize {
    let values = items.iter().map(|item| format!("{:?}", item.attributes[attribute]));
    values.collect::<BTreeSet<String>>().len()
}

#[test]
fn a_part_of_a_key_has_as_many_values_as_the_model_says() {
    for device in [
        r#"{ type = "S", distinct = 10, required = true }"#,
        r#"{ type = "S", distinct = 10, format = "ulid", required = true }"#,
        r#"{ type = "S", distinct = 10, charset = "a-z", required = true }"#,
    ] {
        let items = readings(device, "{at:time(s)}");
        assert_eq!((items.len(), different(&items, "device")), (200, 10), "{device}");
    }
}

#[test]
fn each_combination_of_the_parts_of_a_key_occurs() {
    let device = r#"{ type = "S", distinct = 10, required = true }"#;
    let items = readings(device, "{sensor:02}");
    assert_eq!(
        (items.len(), different(&items, "device"), different(&items, "sensor")),
        (40, 10, 4)
    );
}

#[test]
fn samples_become_the_items_of_the_model() {
    for model in models() {
        assert_eq!(sample_items(&model).unwrap().len(), model.samples.len(), "{}", model.name);
    }
}

proptest! {
    // One run makes the items of all models, which takes seconds; a smaller seed is no simpler.
    #![proptest_config(ProptestConfig { cases: 1, max_shrink_iters: 0,
        ..ProptestConfig::default() })]

    #[test]
    fn the_same_seed_gives_the_same_items_and_another_others(seed: u64) {
        for model in models() {
            let items = seeded(&model, seed);
            check(&model, &items);
            prop_assert_eq!(&items, &seeded(&model, seed));
        }
    }
}
