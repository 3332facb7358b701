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

#[test]
fn a_step_of_a_test_has_a_header_and_values_of_items_are_written_as_they_are() {
    let text = r#"format = 1
name = "a"

[tables.Main]
partition_key = "PK"

[entities.Order]
key = { partition = "ORDER#{id:08}" }
attributes = { id = "N", status = "S" }

[patterns.get]
operation = "get"
entity = "Order"
by = ["id"]

[patterns.all]
operation = "scan"
returns = ["Order"]

# Nothing is there.
[tests.empty.samples]

[[tests.empty.steps]]
pattern = "all"
expect = []

[tests.found]
description = "One of two"

[tests.found.samples]
Order = [
    { id = 12345, status = "PLACED" },
    { id = 2, status = "PLACED" },
]

# Reads the first.
[[tests.found.steps]]
pattern = "get"
with = { id = 12345 }
expect = [{ Order = { id = 12345, status = "PLACED" } }]
units = { read = 0.5 }

[[tests.found.steps]]
pattern = "all"
expect = ["Order", "Order"] # both
"#;
    let document = read_well(text, Format::Toml);
    let comments = Comments::of(text, &document.places);
    let written = write_with_comments(&document.model, Format::Toml, &comments);
    let (_, tests) = written.split_once("# Nothing is there.").unwrap();
    assert_eq!(tests, text.split_once("# Nothing is there.").unwrap().1);
}
