//! A model that is written and read again is the same model, in every format.

use std::path::Path;

use monotable_model::document::{Comments, Document, Format, read, write, write_with_comments};

const FORMATS: [Format; 3] = [Format::Toml, Format::Yaml, Format::Json];

fn read_well(text: &str, format: Format) -> Document {
    read(text, format).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let named = |file: std::path::PathBuf| {
        (file.display().to_string(), std::fs::read_to_string(&file).unwrap())
    };
    files.into_iter().map(named).collect()
}

#[test]
fn every_example_survives_every_format() {
    for (name, text) in examples() {
        let model = read_well(&text, Format::Toml).model;
        for format in FORMATS {
            let written = write(&model, format);
            let again = read_well(&written, format).model;
            assert_eq!(again, model, "{name} as {format:?}");
            assert_eq!(write(&again, format), written, "{name} as {format:?}");
        }
    }
}

#[test]
fn examples_are_written_as_the_writer_writes_them() {
    for (name, text) in examples() {
        let document = read_well(&text, Format::Toml);
        let comments = Comments::of(&text, &document.places);
        let written = write_with_comments(&document.model, Format::Toml, &comments);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&name, &written).unwrap();
        }
        assert!(written == text, "run `monotable model fmt {name}`");
    }
}
