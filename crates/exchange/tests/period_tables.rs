//! Tables of which there is one for each period are left out of every export, and that is said.

use monotable_exchange::{TargetFormat, export};
use monotable_model::document::{Format, Model, read};

const MIXED: &str = r##"
format = 1
name = "mixed"

[tables.Events]
name = "audit_{at:month}"
partition_key = "PK"

[tables.Users]
partition_key = "PK"

[entities.Event]
table = "Events"
key.partition = "EVENT#{id}"
attributes = { id = "S", at = "S" }

[entities.User]
table = "Users"
key.partition = "USER#{name}"
attributes = { name = "S" }

[patterns."one event"]
operation = "get"
entity = "Event"
by = ["id", "at"]

[patterns."one user"]
operation = "get"
entity = "User"
by = ["name"]

[patterns.both]
operation = "steps"
steps = ["one event", "one user"]
"##;

fn model() -> Model {
    read(MIXED, Format::Toml).unwrap().model
}

#[test]
fn every_format_says_that_they_are_left_out() {
    for (name, format) in TargetFormat::ALL {
        let exported = export(&model(), format);
        let notes: Vec<&str> = exported.notes.iter().map(|note| note.message.as_str()).collect();
        if format == TargetFormat::JsonSchema {
            assert!(exported.text.contains("Event"), "{name}");
            continue;
        }
        let said = format!(
            "left out with its entities and patterns: Events is a table for each month, and {name} \
             has only tables of one name"
        );
        assert_eq!(notes.first(), Some(&said.as_str()), "{name}");
        assert!(exported.text.contains("User"), "{name}");
        assert!(
            !exported.text.contains("audit_") && !exported.text.contains("one event"),
            "{name}"
        );
    }
}

#[test]
fn a_model_of_nothing_else_exports_nothing_else() {
    let mut only = model();
    only.tables.retain(|table| table.period_name.is_some());
    only.entities.retain(|entity| entity.name == "Event");
    only.patterns.retain(|pattern| pattern.name == "one event");
    for (name, format) in TargetFormat::ALL {
        assert!(!export(&only, format).text.contains("audit_"), "{name}");
    }
}
