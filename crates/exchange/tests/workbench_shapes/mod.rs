//! Files of the shapes that people draw with NoSQL Workbench: each imports, is consistent, can be
//! seeded, and comes back with the same keys. What was found is written down in `found.txt`, to be
//! read by people; `UPDATE_EXPECT=1` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use monotable_exchange::{Import, SourceFormat, TargetFormat, export, import};
use monotable_model::diagnostic::Severity;
use monotable_model::document::{Entity, Format, Keys, Model, read, write};
use monotable_plan::diagnose;
use monotable_seed::{SeedSettings, generate};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/workbench");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn imported(name: &str, text: &str) -> Import {
    let imported = import(name, text, Some(SourceFormat::Workbench));
    imported.unwrap_or_else(|problems| panic!("{name}: {problems:#?}"))
}

/// The model as whoever keeps the file reads it.
fn read_back(name: &str, model: &Model) -> Model {
    let written = write(model, Format::Toml);
    let document = read(&written, Format::Toml);
    document.unwrap_or_else(|problems| panic!("{name}: {problems:#?}\n{written}")).model
}

fn keys_of(keys: &Keys) -> String {
    let templates = keys.partition.iter().chain(&keys.sort);
    templates.map(|template| template.to_string()).collect::<Vec<_>>().join(" / ")
}

fn entity_lines(entity: &Entity) -> String {
    let mut lines = String::new();
    let own = entity.key.as_ref().map(keys_of).unwrap_or_default();
    writeln!(lines, "  {}: {own}", entity.name).unwrap();
    for index in &entity.indexes {
        let when = index.when.as_ref().map_or(String::new(), |when| format!(" when {}", when.text));
        writeln!(lines, "    {}: {}{when}", index.index, keys_of(&index.keys)).unwrap();
    }
    lines
}

#[test]
fn shapes_of_workbench_files_are_understood() {
    let mut shown = String::new();
    for path in files() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let import = imported(&name, &std::fs::read_to_string(&path).unwrap());
        writeln!(shown, "{name}").unwrap();
        for entity in &import.model.entities {
            shown += &entity_lines(entity);
        }
        for note in &import.notes {
            writeln!(shown, "  note at {}: {}", note.place, note.message).unwrap();
        }
    }
    expect_file!["found.txt"].assert_eq(&shown);
}

#[test]
fn whatever_is_imported_can_be_checked_seeded_and_exported_again() {
    for path in files() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let model = imported(&name, &std::fs::read_to_string(&path).unwrap()).model;
        let model = read_back(&name, &model);
        let errors: Vec<_> =
            diagnose(&model).into_iter().filter(|one| one.severity == Severity::Error).collect();
        assert_eq!(errors, [], "{name}");
        let settings = SeedSettings { seed: 7, counts: BTreeMap::new() };
        let seeded = generate(&model, &settings).unwrap_or_else(|error| panic!("{name}: {error}"));
        for entity in &model.entities {
            assert!(seeded.iter().any(|item| item.entity == entity.name), "{name} {}", entity.name);
        }
        let file = export(&model, TargetFormat::Workbench).text;
        let again = read_back(&name, &imported(&name, &file).model);
        let keys =
            |model: &Model| -> Vec<String> { model.entities.iter().map(entity_lines).collect() };
        assert_eq!(keys(&again), keys(&model), "{name}\n{file}");
        assert_eq!(again.samples.len(), model.samples.len(), "{name}");
    }
}
