//! Changes of updates in Rust: which function of the client each is, or why there is none.

use monotable_exchange::{TargetFormat, export};
use monotable_model::document::{Format, read};

fn exported(change: &str) -> (String, Vec<String>) {
    let text = format!(
        r##"
format = 1
name = "counters"
[tables.Counters]
partition_key = "PK"
[entities.Counter]
key = {{ partition = "COUNTER#{{id}}" }}
attributes = {{ id = "S", n = "N", m = "N" }}
[patterns.count]
operation = "update"
entity = "Counter"
by = ["id"]
change = "{change}"
parameters = {{ by = "N", first = "N" }}
"##
    );
    let model = read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model;
    let exported = export(&model, TargetFormat::Rust);
    let of_pattern = exported.notes.iter().filter(|note| note.place.as_str() == "patterns.count");
    (exported.text, of_pattern.map(|note| note.message.clone()).collect())
}

#[test]
fn a_sum_is_the_function_that_does_the_same() {
    for (change, code) in [
        ("SET n = if_not_exists(n, 0) + :by", ".n(add(by"),
        ("SET n = :by + if_not_exists(n, 0)", ".n(add(by"),
        ("SET n = (if_not_exists(n, 0) - :by)", ".n(sub(by"),
        ("SET n = n + :by", ".n(increase(by"),
        ("SET n = :by + n", ".n(increase(by"),
        ("SET n = (n - :by), m = :first", ".n(decrease(by"),
        ("SET n = if_not_exists(n, :first)", ".n(if_missing(first"),
    ] {
        let (text, notes) = exported(change);
        assert!(notes.is_empty(), "{change}: {notes:?}");
        assert!(text.contains(code), "{change} is not {code} in\n{text}");
    }
}

#[test]
fn a_sum_that_the_client_has_no_function_for_is_said() {
    for (change, message) in [
        ("SET n = if_not_exists(n, 5) + :by", "n is set to a sum with if_not_exists"),
        ("SET n = :by - n", "n is set to another sum than the client has"),
        ("SET n = :by + :first", "n is set to a sum of other values"),
    ] {
        let (_, notes) = exported(change);
        assert_eq!(notes, [format!("no function: {message}")], "{change}");
    }
}
