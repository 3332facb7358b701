//! From items to entities: the templates that are found are those that built the keys.

use std::path::Path;

use monotable_item::Item;
use monotable_model::document::{Entity, Format, Model, Sample, Table, read};
use monotable_model::exchange::{Inference, infer};
use monotable_model::template::Template;

fn examples() -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let model = |file: &std::path::PathBuf| {
        read(&std::fs::read_to_string(file).unwrap(), Format::Toml).unwrap().model
    };
    files.iter().map(model).collect()
}

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

/// The templates of an entity by the attributes of the keys that some of its items have, over the names in items.
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

/// For each entity with samples, what was declared and what was found.
fn compared(
    model: &Model,
    table: &Table,
    inferred: &Inference,
    samples: &[&Sample],
    items: &[Item],
) -> Vec<(String, bool, String)> {
    let mut rows = Vec::new();
    for entity in model.entities_in(table) {
        let of_entity: Vec<usize> =
            (0..samples.len()).filter(|n| samples[*n].entity == entity.name).collect();
        let Some(first) = of_entity.first() else { continue };
        let own: Vec<&Item> = of_entity.iter().map(|n| &items[*n]).collect();
        let declared = templates(table, entity, &own);
        let names: std::collections::BTreeSet<&String> =
            of_entity.iter().map(|n| &inferred.assignment[*n]).collect();
        let found =
            inferred.entities.iter().find(|one| one.name == inferred.assignment[*first]).unwrap();
        let found = templates(table, found, &own);
        let differences: Vec<String> = declared
            .iter()
            .filter(|one| !found.contains(one))
            .map(|(key, template)| {
                let other = found.iter().find(|(other, _)| other == key).map(|(_, t)| t.as_str());
                format!("{key}: {template} found {}", other.unwrap_or("nothing"))
            })
            .collect();
        let equal = differences.is_empty() && names.len() == 1;
        rows.push((
            format!("{}.{}", model.name, entity.name),
            equal,
            format!("{names:?} {}", differences.join("; ")),
        ));
    }
    rows
}

#[test]
fn most_templates_of_the_examples_are_found_exactly() {
    let mut rows = Vec::new();
    for model in examples() {
        for table in &model.tables {
            let (samples, items) = data(&model, table);
            let mut bare = table.clone();
            bare.type_attribute = None;
            let inferred = infer(&bare, &items);
            rows.extend(compared(&model, table, &inferred, &samples, &items));
        }
    }
    let found = rows.iter().filter(|(_, equal, _)| *equal).count();
    let missed: Vec<String> = rows
        .iter()
        .filter(|(_, equal, _)| !equal)
        .map(|(name, _, why)| format!("{name}: {why}"))
        .collect();
    println!("{found} of {} entities\n{}", rows.len(), missed.join("\n"));
    assert!(found * 10 >= rows.len() * 9, "{found} of {}\n{}", rows.len(), missed.join("\n"));
}
