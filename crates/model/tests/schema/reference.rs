//! The language reference of the guide, written from the schema and the tables of words.
//!
//! `UPDATE_EXPECT=1 cargo test -p monotable-model --test schema` writes the page again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::expect_file;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{EXPRESSIONS, ExpressionKind, SCHEMA};
use monotable_model::template::{ENCODINGS, ExampleValue, SHARD_FUNCTIONS};
use serde_json::Value;

const PAGE: &str = "../../../../docs/guide/model-language.md";
const HEAD: &str = include_str!("reference-head.txt");

/// The parts of the document in the order of the page: heading, definition, and where it stands.
const SECTIONS: &[(&str, &str, &str)] = &[
    ("The document", "", "All of it."),
    ("Tables", "table", "`tables.<name>`"),
    ("Local indexes", "localIndex", "`tables.<name>.local_indexes.<name>`"),
    ("Global indexes", "globalIndex", "`tables.<name>.global_indexes.<name>`"),
    ("Attributes of keys", "keyAttribute", "`partition_key` and `sort_key` of tables and indexes"),
    ("Billing", "billing", "`billing` of tables and indexes"),
    ("Entities", "entity", "`entities.<name>`"),
    ("Keys of entities", "key", "`entities.<name>.key`"),
    ("Keys in indexes", "indexKey", "`entities.<name>.indexes.<index>`"),
    ("Attributes", "attribute", "`entities.<name>.attributes.<name>`"),
    ("Relationships", "relationship", "each of `relationships`"),
    ("Access patterns", "pattern", "`patterns.<name>`"),
    ("Parameters", "parameter", "`patterns.<name>.parameters.<name>`"),
    ("Actions", "action", "each of `patterns.<name>.actions`"),
    ("Steps", "step", "each of `patterns.<name>.steps`"),
    ("Samples", "sample", "each of `samples.<entity>`"),
    ("Tests", "test", "`tests.<name>`"),
    ("Steps of tests", "testStep", "each of `tests.<name>.steps`"),
    ("Workload", "workload", "`workload`"),
    ("Lint settings", "lint", "`lint`"),
    ("Accepted findings", "allowance", "each of `allow`"),
];

fn page() -> String {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut page = HEAD.to_owned();
    for (heading, definition, place) in SECTIONS {
        let part = match *definition {
            "" => &schema,
            name => &schema["$defs"][name],
        };
        writeln!(page, "\n## {heading}\n{place}").unwrap();
        members(&mut page, &schema, part);
    }
    encodings(&mut page);
    expressions(&mut page);
    page
}

/// The members of a part, as a table. A part that can be written short has them in an alternative.
fn members(page: &mut String, schema: &Value, part: &Value) {
    let alternatives = part["oneOf"].as_array();
    let long = alternatives.and_then(|all| all.iter().find(|one| one["properties"].is_object()));
    let shape = if part["properties"].is_object() { part } else { long.expect("it has members") };
    if let Some(text) = part["description"].as_str() {
        writeln!(page, "\n{text}").unwrap();
    }
    writeln!(page, "\n| Member | Value | Meaning |\n|---|---|---|").unwrap();
    let required = shape["required"].as_array().cloned().unwrap_or_default();
    for (name, member) in sorted(&shape["properties"]) {
        let mark = if required.contains(&Value::from(name)) { " (required)" } else { "" };
        let meaning = member["description"].as_str().expect("every member has a description");
        let value = value(schema, member);
        writeln!(page, "| `{name}`{mark} | {value} | {meaning} |").unwrap();
        if member["properties"].is_object() || member["items"]["properties"].is_object() {
            inner(page, schema, name, member);
        }
    }
}

/// Members by their names, whichever order the JSON reader keeps.
fn sorted(members: &Value) -> BTreeMap<&str, &Value> {
    let members = members.as_object().expect("it has members");
    members.iter().map(|(name, member)| (name.as_str(), member)).collect()
}

/// The members of a part that has no section of its own.
fn inner(page: &mut String, schema: &Value, outer: &str, member: &Value) {
    let object = if member["properties"].is_object() { member } else { &member["items"] };
    let required = object["required"].as_array().cloned().unwrap_or_default();
    for (name, member) in sorted(&object["properties"]) {
        let mark = if required.contains(&Value::from(name)) { " (required)" } else { "" };
        let meaning = member["description"].as_str().expect("every member has a description");
        writeln!(page, "| `{outer}.{name}`{mark} | {} | {meaning} |", value(schema, member))
            .unwrap();
    }
}

/// What can stand for a member, in words.
fn value(schema: &Value, member: &Value) -> String {
    if let Some(reference) = member["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return named(schema, name);
    }
    if let Some(words) = member["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("`{}`", plain(word))).collect();
        return words.join(", ");
    }
    if !member["const"].is_null() {
        return format!("`{}`", plain(&member["const"]));
    }
    if let Some(alternatives) = member["oneOf"].as_array() {
        let each: Vec<String> = alternatives.iter().map(|one| value(schema, one)).collect();
        return each.join(", or ");
    }
    match (member["type"].as_str(), &member["additionalProperties"]) {
        (Some("object"), inner) if inner.is_object() => {
            format!("by name: {}", value(schema, inner))
        }
        (Some("object"), _) => "members".to_owned(),
        (Some("array"), _) if member["items"].is_object() => {
            format!("list: {}", value(schema, &member["items"]))
        }
        (Some("array"), _) => "list".to_owned(),
        (Some("boolean"), _) => "`true`, `false`".to_owned(),
        (Some("string"), _) => "text".to_owned(),
        (Some(kind), _) => kind.to_owned(),
        (None, _) => "any".to_owned(),
    }
}

fn named(schema: &Value, name: &str) -> String {
    match name {
        "text" => "text".to_owned(),
        "texts" => "list of texts".to_owned(),
        "count" => "whole number from 0".to_owned(),
        "positive" => "whole number from 1".to_owned(),
        "quantity" => "number from 0".to_owned(),
        "attributeOf" => "`Entity.attribute`".to_owned(),
        "expectedRow" => "an entity, or an entity with attributes".to_owned(),
        "templates" => "[key template](#key-templates), or a list of them".to_owned(),
        "known" => {
            "list of attributes, or attributes with a `:parameter` or a value each".to_owned()
        }
        "type" | "projection" | "keyAttributes" => value(schema, &schema["$defs"][name]),
        other => match SECTIONS.iter().find(|(_, definition, _)| *definition == other) {
            Some((heading, _, _)) => {
                format!("[{}](#{})", other_words(other), heading.to_lowercase().replace(' ', "-"))
            }
            None => value(schema, &schema["$defs"][other]),
        },
    }
}

/// `globalIndex` as `global index`.
fn other_words(name: &str) -> String {
    let mut words = String::new();
    for character in name.chars() {
        if character.is_uppercase() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    words
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn encodings(page: &mut String) {
    page.push_str(
        r"
## Key templates
Text outside of braces is always the same; `{{` and `}}` stand for a brace. `{attribute}` is a text with the delimiter `#` escaped;
encodings follow it after colons, from left to right. `{!_}` at the beginning makes `_` the delimiter.

| Encoding | For | Writes | Template | Value | Key |
|---|---|---|---|---|---|
",
    );
    for word in ENCODINGS {
        let value = match word.value {
            ExampleValue::Text(text) => format!("`\"{text}\"`"),
            ExampleValue::Number(number) => format!("`{number}`"),
            ExampleValue::Bool(flag) => format!("`{flag}`"),
            ExampleValue::Bytes(digits) => format!("the bytes `{digits}`"),
            ExampleValue::Absent => "none".to_owned(),
        };
        let (usage, types, meaning) = (word.usage, word.types, word.meaning);
        let (example, key) = (word.example, word.key);
        writeln!(page, "| `{usage}` | {types} | {meaning} | `{example}` | {value} | `{key}` |")
            .unwrap();
    }
    page.push_str(
        r"
A shard stands in place of an attribute and spreads one key over n: a number from 0 on, zero-padded; `:plain` leaves the zeros out, and a third
argument is the first number. x is an attribute or a template in quotes.

| Shard | Number |
|---|---|
",
    );
    for function in SHARD_FUNCTIONS {
        writeln!(page, "| `{{{}}}` | {} |", function.usage, function.meaning).unwrap();
    }
}

fn expressions(page: &mut String) {
    page.push_str(
        r"
## Expressions
`when`, `filter`, `condition`, `change`, `project` and `range` are DynamoDB's expressions, with names and values written plainly. `range` is one
comparison of one attribute: `<`, `<=`, `>`, `>=`, `BETWEEN` or `begins_with`.

| Expression | Meaning | Example | In |
|---|---|---|---|
",
    );
    for word in EXPRESSIONS {
        let members = match word.kind {
            ExpressionKind::Condition | ExpressionKind::Filter | ExpressionKind::When => {
                "`condition`, `filter`, `when`"
            }
            ExpressionKind::Update => "`change`",
            ExpressionKind::Projection => "`project`",
        };
        let (usage, example) = (code(word.usage), code(word.example));
        writeln!(page, "| {usage} | {} | {example} | {members} |", word.meaning).unwrap();
    }
}

/// A text as code, between more backticks than it has.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[test]
fn a_mistake_links_to_the_section_about_its_place() {
    let no_place = ["Attributes of keys", "Billing"];
    for (heading, _, place) in SECTIONS.iter().filter(|(name, ..)| !no_place.contains(name)) {
        let path = place.split('`').nth(1).unwrap_or_default();
        let path = path.replace("<name>", "x").replace("<index>", "x").replace("<entity>", "x");
        let mistake = Diagnostic::error("unknown-member", Place::from_text(path), "");
        let anchor = heading.to_lowercase().replace(' ', "-");
        assert_eq!(mistake.reference(), Some(format!("docs/guide/model-language.md#{anchor}")));
    }
    for (code, heading) in [("bad-template", "Key templates"), ("bad-expression", "Expressions")] {
        assert!(page().contains(&format!("\n## {heading}\n")));
        let anchor = heading.to_lowercase().replace(' ', "-");
        let reference = Diagnostic::error(code, Place::root(), "").reference().unwrap();
        assert!(reference.ends_with(&format!("#{anchor}")), "{reference}");
    }
    let request = Place::root().member("requests").index(1).member("UpdateExpression");
    assert_eq!(Diagnostic::error("bad-expression", request, "").reference(), None);
}

#[test]
fn the_language_reference_says_what_the_schema_says() {
    expect_file![PAGE].assert_eq(&page());
}

#[test]
fn every_definition_with_members_has_a_section() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        let alternatives = definition["oneOf"].as_array().cloned().unwrap_or_default();
        let has_members = definition["properties"].is_object()
            || alternatives.iter().any(|one| one["properties"].is_object());
        let has_section = SECTIONS.iter().any(|(_, section, _)| section == name);
        assert!(!has_members || has_section, "{name} has no section");
    }
}
