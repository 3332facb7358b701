//! From items to entities: the templates that are found are those that built the keys.

mod exchange_models;

use std::collections::BTreeSet;

use exchange_models::examples;
use monotable_exchange::{Inference, LiveTable, infer, infer_model};
use monotable_item::{Item, Value};
use monotable_model::document::{
    AttributeFormat, Entity, Format, Model, Sample, Table, read, write,
};
use monotable_model::template::Template;

/// The samples of a table and the items that they build.
fn data<'m>(model: &'m Model, table: &Table) -> (Vec<&'m Sample>, Vec<Item>) {
    let is_here = |sample: &&Sample| {
        let first = model.entity(&sample.entity).unwrap().tables.first();
        sample.table.as_ref().or(first) == Some(&table.name)
    };
    let samples: Vec<&Sample> = model.samples.iter().filter(is_here).collect();
    let items = samples.iter().map(|sample| model.item_of_sample(sample).unwrap()).collect();
    (samples, items)
}

/// The templates of an entity by the attributes of the keys that some of its items have, over the
/// names in items.
fn templates(table: &Table, entity: &Entity, items: &[&Item]) -> Vec<(String, String)> {
    let key = entity.key.as_ref().unwrap();
    let own = table.key_attributes().zip(key.partition.iter().chain(&key.sort));
    let mut found: Vec<(String, String)> =
        own.map(|(key, template)| (key.name.clone(), stored(entity, template))).collect();
    for index in &table.indexes {
        let is_used =
            items.iter().any(|item| index.key_attributes().all(|key| item.contains_key(&key.name)));
        let Some(keys) = entity.index_key(&index.name).filter(|_| is_used) else { continue };
        let all = index.key_attributes().zip(keys.keys.partition.iter().chain(&keys.keys.sort));
        found.extend(all.map(|(key, template)| {
            (format!("{}.{}", index.name, key.name), stored(entity, template))
        }));
    }
    found
}

/// A template over the names that attributes have in items.
fn stored(entity: &Entity, template: &Template) -> String {
    let mut text = template.to_string();
    for attribute in &entity.attributes {
        let from = format!("{{{}", attribute.name);
        text = text.replace(&from, &format!("{{{}", attribute.item_name()));
    }
    text
}

/// What became of an entity that has samples.
struct Row {
    name: String,
    is_found: bool,
    difference: String,
}

fn compared(model: &Model, table: &Table, inferred: &Inference) -> Vec<Row> {
    let (samples, items) = data(model, table);
    let mut rows = Vec::new();
    for entity in model.entities_in(table) {
        let members: Vec<usize> =
            (0..samples.len()).filter(|member| samples[*member].entity == entity.name).collect();
        let Some(first) = members.first() else { continue };
        let own: Vec<&Item> = members.iter().map(|member| &items[*member]).collect();
        let names: BTreeSet<&String> =
            members.iter().map(|member| &inferred.assignment[*member]).collect();
        let name = &inferred.assignment[*first];
        let found = inferred.entities.iter().find(|found| found.name == *name).unwrap();
        let found = templates(table, found, &own);
        let declared = templates(table, entity, &own);
        let differing = declared.iter().filter(|one| !found.contains(one));
        let differences: Vec<String> = differing
            .map(|(key, template)| {
                let other = found.iter().find(|(other, _)| other == key).map(|(_, other)| other);
                format!("{key}: {template} is found as {other:?}")
            })
            .collect();
        rows.push(Row {
            name: format!("{}.{}", model.name, entity.name),
            is_found: differences.is_empty() && names.len() == 1,
            difference: format!("{names:?} {}", differences.join("; ")),
        });
    }
    rows
}

#[test]
fn most_templates_of_the_examples_are_found_exactly() {
    let mut rows = Vec::new();
    for model in examples() {
        for table in &model.tables {
            let mut bare = table.clone();
            bare.type_attribute = None;
            let inferred = infer(&bare, &data(&model, table).1);
            rows.extend(compared(&model, table, &inferred));
        }
    }
    let found = rows.iter().filter(|row| row.is_found).count();
    let missed = rows.iter().filter(|row| !row.is_found);
    let missed: Vec<String> =
        missed.map(|row| format!("{}: {}", row.name, row.difference)).collect();
    // What is missed cannot be told from the samples: `upper` and `snake` of a name without spaces
    // are the same.
    assert!(found * 10 > rows.len() * 9, "{found} of {}\n{}", rows.len(), missed.join("\n"));
}

#[test]
fn inferred_models_are_consistent_and_hold_the_items() {
    for model in examples() {
        for table in &model.tables {
            let items = data(&model, table).1;
            let live = LiveTable {
                table: table.clone(),
                item_count: Some(1000),
                size_bytes: None,
                notes: Vec::new(),
            };
            let (inferred, _) = infer_model(&live, &items).unwrap();
            let written = write(&inferred, Format::Toml);
            let again = read(&written, Format::Toml).unwrap_or_else(|problems| {
                panic!("{}: {problems:#?}\n{written}", model.name);
            });
            assert_eq!(again.model, inferred, "{}", model.name);
            for sample in &inferred.samples {
                let item = inferred.item_of_sample(sample).unwrap();
                assert!(items.contains(&item), "{}: {item:#?}", model.name);
            }
        }
    }
}

fn table() -> Table {
    let text = "format = 1\nname = \"a\"\n[tables.App]\npartition_key = \"PK\"\nsort_key = \
                \"SK\"\n[tables.App.global_indexes.GSI1]\npartition_key = \"GSI1PK\"\nsort_key = \
                \"GSI1SK\"\n";
    read(text, Format::Toml).unwrap().model.tables.remove(0)
}

fn item(members: &[(&str, &str)]) -> Item {
    members.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
}

fn key(inferred: &Inference, entity: &str) -> (String, String) {
    let entity = inferred.entities.iter().find(|one| one.name == entity);
    let entity = entity.unwrap_or_else(|| panic!("{:#?}", inferred.entities));
    let key = entity.key.as_ref().unwrap();
    (key.partition[0].to_string(), key.sort[0].to_string())
}

#[test]
fn parts_that_no_attribute_holds_are_made_up_and_not_stored() {
    let items = [
        item(&[("PK", "c#12345"), ("SK", "c#12345"), ("Email", "a@example.com")]),
        item(&[("PK", "c#77"), ("SK", "c#77"), ("Email", "b@example.com")]),
        item(&[("PK", "c#77"), ("SK", "o#00017"), ("Total", "12")]),
        item(&[("PK", "c#77"), ("SK", "o#00018"), ("Total", "9")]),
    ];
    let inferred = infer(&table(), &items);
    assert_eq!(key(&inferred, "C"), ("c#{c_id}".to_owned(), "c#{c_id}".to_owned()));
    assert_eq!(key(&inferred, "O"), ("c#{c_id}".to_owned(), "o#{o_id:05}".to_owned()));
    let customer = inferred.entities.iter().find(|entity| entity.name == "C").unwrap();
    assert!(!customer.attribute("c_id").unwrap().stored);
    assert_eq!(inferred.samples.len(), 4);
    let related = &inferred.relationships[0];
    assert_eq!((related.from.as_str(), related.to.as_str()), ("C", "O"));
}

#[test]
fn keys_of_an_index_may_equal_those_of_the_table() {
    let account = |id: &str| item(&[("PK", "C1"), ("SK", id), ("GSI1PK", "C1"), ("GSI1SK", id)]);
    let live = LiveTable { table: table(), item_count: None, size_bytes: None, notes: Vec::new() };
    let (model, _) = infer_model(&live, &[account("A1"), account("A2")]).unwrap();
    let entity = &model.entities[0];
    let keys = &entity.index_key("GSI1").unwrap().keys;
    let texts = [&keys.partition[0], &keys.sort[0]].map(ToString::to_string);
    assert_eq!(texts, ["{PK}", "{SK}"], "{entity:#?}");
}

#[test]
fn constants_may_be_small() {
    let user = |id: &str, kind: &str| {
        item(&[("PK", &format!("u#{id}")), ("SK", kind), (&format!("of_{kind}"), "x")])
    };
    let lone = infer(&table(), &[user("12", "info")]);
    assert_eq!(lone.entities[0].key.as_ref().unwrap().sort[0].to_string(), "info");
    let items = ["1", "2", "3"].map(|id| [user(id, "prefs"), user(id, "wallet")]).concat();
    let inferred = infer(&table(), &items);
    let mut sorts: Vec<String> = inferred
        .entities
        .iter()
        .map(|entity| entity.key.as_ref().unwrap().sort[0].to_string())
        .collect();
    sorts.sort();
    assert_eq!(sorts, ["prefs", "wallet"], "{:#?}", inferred.entities);
}

#[test]
fn a_number_may_stand_between_words() {
    let follower = |id: &str| item(&[("PK", &format!("u#{id}#follower")), ("SK", "u#99")]);
    let inferred = infer(&table(), &[follower("12345"), follower("777")]);
    let partition = &inferred.entities[0].key.as_ref().unwrap().partition[0];
    assert_eq!(partition.to_string(), "u#{u_id}#follower");
}

#[test]
fn parts_of_times_and_beginnings_of_texts_are_recognised() {
    let reading = |id: &str, at: &str, cell: &str, keys: [&str; 4]| {
        let [quarter, window, minute, area] = keys;
        item(&[
            ("PK", &format!("CELL#{area}#{quarter}")),
            ("SK", &format!("AT#{window}#{id}")),
            ("GSI1PK", &format!("MINUTE#{minute}")),
            ("GSI1SK", &format!("READING#{id}")),
            ("id", id),
            ("at", at),
            ("cell", cell),
        ])
    };
    let items = [
        reading(
            "r17",
            "2026-01-03T10:17:59Z",
            "9q8yyk",
            ["2026-Q1", "2026-01-03T10:15", "2026-01-03T10:17", "9q8"],
        ),
        reading(
            "r18",
            "2025-11-30T23:46:01Z",
            "u33db2",
            ["2025-Q4", "2025-11-30T23:45", "2025-11-30T23:46", "u33"],
        ),
        reading(
            "r19",
            "2025-05-09T07:31:30Z",
            "9q8zn1",
            ["2025-Q2", "2025-05-09T07:30", "2025-05-09T07:31", "9q8"],
        ),
    ];
    let inferred = infer(&table(), &items);
    let entity = &inferred.entities[0];
    let (partition, sort) = key(&inferred, &entity.name);
    assert_eq!(partition, "CELL#{cell:first(3)}#{at:quarter}");
    assert_eq!(sort, "AT#{at:minutes(15)}#{id}");
    let keys = &entity.index_key("GSI1").unwrap().keys;
    assert_eq!(keys.partition[0].to_string(), "MINUTE#{at:minute}");
}

#[test]
fn a_key_with_a_name_of_its_own_is_a_property() {
    let text = "format = 1\nname = \"a\"\n[tables.App]\npartition_key = \"PK\"\n\
                [tables.App.global_indexes.ByEmail]\npartition_key = \"email\"\n";
    let table = read(text, Format::Toml).unwrap().model.tables.remove(0);
    let user = |id: &str| {
        let email = format!("e{id}@example.org");
        item(&[("PK", &format!("USER#{id}")), ("id", id), ("email", &email)])
    };
    let inferred = infer(&table, &[user("1"), user("2"), user("3")]);
    let keys = &inferred.entities[0].index_key("ByEmail").unwrap().keys;
    assert_eq!(keys.partition[0].to_string(), "{email}");
}

#[test]
fn the_type_attribute_names_entities_and_is_no_part_of_keys() {
    let items = [
        item(&[("PK", "USER#ann"), ("SK", "USER#ann"), ("Type", "USER"), ("name", "ann")]),
        item(&[("PK", "USER#bob"), ("SK", "USER#bob"), ("Type", "USER"), ("name", "bob")]),
        item(&[
            ("PK", "USER#bob"),
            ("SK", "NOTE#1"),
            ("Type", "NOTE"),
            ("name", "bob"),
            ("id", "1"),
        ]),
        item(&[
            ("PK", "USER#bob"),
            ("SK", "NOTE#2"),
            ("Type", "NOTE"),
            ("name", "bob"),
            ("id", "2"),
        ]),
    ];
    let inferred = infer(&table(), &items);
    assert_eq!(inferred.type_attribute.as_deref(), Some("Type"));
    assert_eq!(key(&inferred, "Note"), ("USER#{name}".to_owned(), "NOTE#{id}".to_owned()));
    let note = inferred.entities.iter().find(|entity| entity.name == "Note").unwrap();
    assert_eq!(note.type_value(), "NOTE");
    assert!(note.attribute("Type").is_none());
}

#[test]
fn a_sparse_index_has_its_condition() {
    let order = |id: &str, status: &str| {
        let (key, sort) = (format!("ORDER#{id}"), format!("OPEN#{id}"));
        let mut members =
            vec![("PK", key.as_str()), ("SK", key.as_str()), ("id", id), ("status", status)];
        if status == "open" {
            members.extend([("GSI1PK", "OPEN"), ("GSI1SK", sort.as_str())]);
        }
        item(&members)
    };
    let items =
        [order("17", "open"), order("18", "done"), order("19", "open"), order("20", "done")];
    let inferred = infer(&table(), &items);
    let [entity] = inferred.entities.as_slice() else { panic!("{:#?}", inferred.entities) };
    let index = entity.index_key("GSI1").unwrap();
    assert_eq!(index.keys.sort[0].to_string(), "OPEN#{id}");
    assert_eq!(index.when.as_ref().unwrap().text, "status = 'open'");
    assert_eq!(inferred.samples.len(), 4);
}

#[test]
fn formats_and_enumerations_are_recognised() {
    let row = |number: i64| {
        let id = format!("0ujtsYcgvSTl8PAuAdqWYSMnLO{number}");
        let state = if number % 2 == 0 { "new" } else { "paid" };
        item(&[
            ("PK", &format!("ORDER#{id}")),
            ("SK", "ORDER"),
            ("id", &id),
            ("placed", &format!("2026-01-0{}T10:00:00Z", number + 1)),
            ("mail", "a@example.com"),
            ("state", state),
        ])
    };
    let items: Vec<Item> = (0..8).map(row).collect();
    let inferred = infer(&table(), &items);
    assert_eq!(key(&inferred, "Order"), ("ORDER#{id:ksuid}".to_owned(), "ORDER".to_owned()));
    let entity = &inferred.entities[0];
    let format = |name: &str| entity.attribute(name).unwrap().format;
    assert_eq!(format("placed"), Some(AttributeFormat::Rfc3339));
    assert_eq!(format("mail"), Some(AttributeFormat::Email));
    assert_eq!(entity.attribute("state").unwrap().values.len(), 2);
    assert!(entity.attribute("placed").unwrap().required);
    assert!(entity.average_bytes.unwrap() > 100);
}

#[test]
fn nothing_is_inferred_from_nothing() {
    assert_eq!(infer(&table(), &[]).entities, []);
}
