//! A model that is written and read again is the same model, in every format.

use monotable_model::document::{Comments, Document, Format, read, write, write_with_comments};
use monotable_model_fixture::{Example, examples, folder};

const FORMATS: [Format; 3] = [Format::Toml, Format::Yaml, Format::Json];

fn read_well(text: &str, format: Format) -> Document {
    read(text, format).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

#[test]
fn every_example_survives_every_format() {
    for Example { name, text } in examples() {
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
    for Example { name, text } in examples() {
        let document = read_well(&text, Format::Toml);
        let comments = Comments::of(&text, &document.places);
        let written = write_with_comments(&document.model, Format::Toml, &comments);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(folder().join(format!("{name}.toml")), &written).unwrap();
        }
        assert!(written == text, "run `monotable model fmt examples/models/{name}.toml`");
    }
}

#[test]
fn a_comment_on_a_list_of_tables_stands_before_the_first_of_them() {
    let text = "format = 1\nname = \"a\"\n\n[tables.Main]\npartition_key = \"PK\"\n\n# Findings \
                that are accepted.\n[[allow]]\nrule = \"item-size\"\nreason = \"small enough\"\n";
    let document = read_well(text, Format::Toml);
    let comments = Comments::of(text, &document.places);
    let toml = write_with_comments(&document.model, Format::Toml, &comments);
    assert!(toml.contains("\n\n# Findings that are accepted.\n[[allow]]\n"), "{toml}");
    let yaml = write_with_comments(&document.model, Format::Yaml, &comments);
    let comment = yaml.find("# Findings").unwrap();
    assert!(comment > yaml.find("partition_key").unwrap(), "{yaml}");
}
