//! Entities of ElectroDB become models whose templates build the same keys, and come back whole.

mod exchange_models;

use std::path::Path;

use exchange_models::examples;
use monotable_exchange::{Import, SourceFormat, TargetFormat, export, import};
use monotable_item::{Item, Type, Value};
use monotable_model::document::{Format, IndexKind, IndexProjection, Model, read, write};

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[track_caller]
fn imported(name: &str, text: &str) -> Import {
    import(name, text, None).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

/// The keys of an item in its table and indexes, by their attributes.
fn keys(model: &Model, entity: &str, item: &Item) -> Vec<(String, Value)> {
    let entity = model.entity(entity).unwrap();
    let table = model.table(&entity.tables[0]).unwrap();
    let own = entity.key.as_ref().unwrap();
    let own = table.key_attributes().zip(own.partition.iter().chain(&own.sort));
    let of_indexes = entity.indexes.iter().flat_map(|keys| {
        let index = table.index(&keys.index).unwrap();
        index.key_attributes().zip(keys.keys.partition.iter().chain(&keys.keys.sort))
    });
    let built = own.chain(of_indexes);
    built.map(|(key, template)| (key.name.clone(), template.build(item).unwrap())).collect()
}

#[track_caller]
fn builds(model: &Model, entity: &str, item: &[(&str, Value)], expected: &[(&str, Value)]) {
    let item: Item = item.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let keys = keys(model, entity, &item);
    for (field, value) in expected {
        let built: Vec<&Value> =
            keys.iter().filter(|(name, _)| name == field).map(|(_, built)| built).collect();
        assert!(
            !built.is_empty() && built.iter().all(|built| *built == value),
            "{field}: {keys:?}"
        );
    }
    for (field, _) in &keys {
        assert!(expected.iter().any(|(name, _)| name == field), "{field}");
    }
}

/// The keys are those that electrodb 3.9.3 puts into the items of `electrodb.ts`.
#[test]
fn templates_build_the_keys_that_electrodb_builds() {
    let model = imported("electrodb.ts", &text("electrodb.ts")).model;
    builds(
        &model,
        "Employee",
        &[
            ("employeeId", "E-7".into()),
            ("firstName", "Ana María".into()),
            ("lastName", "O'Neil".into()),
            ("office", "Lisbon #2".into()),
            ("team", "Development".into()),
            ("salary", 51000.into()),
            ("badge", 17.into()),
        ],
        &[
            ("pk", "$workapp#employeeid_e-7".into()),
            ("sk", "$employee_1".into()),
            ("gsi1pk", "$workapp#office_lisbon #2".into()),
            (
                "gsi1sk",
                "$workplaces#employee_1#team_development#fn_ana maría#employeeid_e-7".into(),
            ),
            ("gsi2pk", "$WORKAPP_STAFF#TEAM_DEVELOPMENT".into()),
            ("gsi2sk", "$Employee_1#salary_0051000#lastName_O'Neil".into()),
            ("badge", 17.into()),
            ("lsi1sk", 51000.into()),
        ],
    );
    builds(
        &model,
        "task",
        &[
            ("taskId", "T-9".into()),
            ("project", "Apollo".into()),
            ("employeeId", "E-7".into()),
            ("points", 3.into()),
            ("status", "open".into()),
        ],
        &[
            ("pk", "TASK#T-9".into()),
            ("sk", "PROJECT#APOLLO#END".into()),
            ("gsi1pk", "$workapp#employeeid_e-7".into()),
            ("gsi1sk", "$assignments#active#task_2#points_3".into()),
            ("gsi2pk", "$workapp#project_apollo".into()),
            ("gsi2sk", "$backlog#status_open#taskid_t-9#task_2".into()),
        ],
    );
    builds(
        &model,
        "counter",
        &[("name", "Views".into()), ("shelf", 4.into()), ("count", 12.into())],
        &[
            ("name", "views".into()),
            ("shelf", 4.into()),
            ("szpk", "$workapp$counter_1_z#count_12".into()),
            ("count", 12.into()),
        ],
    );
}

/// An entity as JSON, with these indexes besides its own.
fn odd(indexes: &str) -> String {
    format!(
        r#"{{ "model": {{ "entity": "Odd", "version": "1", "service": "S" }}, "table": "tab",
            "attributes": {{ "id": {{ "type": "string" }}, "n": {{ "type": "number" }},
                "flag": "boolean",
                "code": {{ "type": "string", "padding": {{ "length": 4, "char": "0" }} }},
                "x": {{ "type": "string", "padding": {{ "length": 4, "char": "x" }} }} }},
            "indexes": {{
                "own": {{ "pk": {{ "field": "pk", "composite": ["id"] }},
                    "sk": {{ "field": "sk", "composite": ["code"] }} }}{indexes} }} }}"#
    )
}

/// These keys are of electrodb 3.9.3 as well.
#[test]
fn rare_forms_of_keys_build_the_same() {
    let indexes = r#",
        "a": { "index": "gi1", "type": "clustered", "pk": { "field": "g1pk", "composite": [] },
            "sk": { "field": "g1sk", "composite": ["n"] } },
        "b": { "index": "gi2", "type": "clustered", "pk": { "field": "g2pk", "composite": ["n"] } },
        "c": { "index": "gi3", "pk": { "field": "g3pk", "template": "N#${n}" },
            "sk": { "field": "g3sk", "template": "${n}", "cast": "string" } },
        "d": { "index": "gi4", "pk": { "field": "g4pk", "template": "FIXED" } }"#;
    for text in [odd(indexes), format!("[{}]", odd(indexes)), format!("{{\"o\":{}}}", odd(indexes))]
    {
        let read = imported("odd.json", &text);
        assert_eq!(read.format, SourceFormat::ElectroDb);
        builds(
            &read.model,
            "Odd",
            &[("id", "A".into()), ("n", 7.into()), ("code", "12".into())],
            &[
                ("pk", "$s#id_a".into()),
                ("sk", "$odd_1#code_0012".into()),
                ("g1pk", "$s".into()),
                ("g1sk", "#n_7$odd_1".into()),
                ("g2pk", "$s$odd_1#n_7".into()),
                ("g3pk", "n#7".into()),
                ("g3sk", "7".into()),
                ("g4pk", "fixed".into()),
            ],
        );
    }
}

#[test]
fn tables_attributes_and_conditions_are_read() {
    let read = imported("electrodb.ts", &text("electrodb.ts"));
    let model = &read.model;
    assert_eq!(model.name, "WorkApp");
    let names: Vec<&str> = model.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["work-table", "counters"]);
    let table = model.table("work-table").unwrap();
    assert_eq!(table.type_attribute.as_deref(), Some("__edb_e__"));
    assert_eq!(table.index("lsi1").unwrap().kind, IndexKind::Local);
    let included = IndexProjection::Include(vec!["firstName".to_owned(), "ln".to_owned()]);
    assert_eq!(table.index("badge-index").unwrap().projection, included);
    let employee = model.entity("Employee").unwrap();
    let attribute = |name: &str| employee.attribute(name).unwrap();
    assert_eq!(attribute("lastName").item_name(), "ln");
    assert_eq!(attribute("team").values, [Value::from("Development"), Value::from("Marketing")]);
    assert_eq!((attribute("tags").kind, attribute("rank").kind), (Type::StringSet, Type::Number));
    assert_eq!(attribute("address").members.len(), 2);
    assert_eq!(attribute("createdAt").mutable, Some(false));
    assert!(employee.attribute("extra").is_none());
    let task = model.entity("task").unwrap();
    let when = task.index_key("gsi1pk-gsi1sk-index").unwrap().when.as_ref();
    assert_eq!(when.map(|when| when.text.as_str()), Some("status = 'open'"));
    assert_eq!(task.version, Some(2));
}

#[test]
fn what_is_code_or_has_no_type_is_said() {
    let read = imported("electrodb.ts", &text("electrodb.ts"));
    for (place, message) in [
        ("Employee.attributes.employeeId.default", "code stays in the source"),
        ("Employee.attributes.createdAt.set", "code stays in the source"),
        ("Employee.attributes.extra.type", "any type; the attribute is not in the model"),
        ("Employee.attributes.rank.type", "a type of its own; number is taken"),
        ("Task.attributes.note.validate", "code stays in the source"),
    ] {
        let is_said = |note: &monotable_model::diagnostic::Diagnostic| {
            note.place.as_str() == place && note.message == message
        };
        assert!(read.notes.iter().any(is_said), "{place}: {message}\n{:#?}", read.notes);
    }
    let indexes = r#", "e": { "index": "g5", "pk": { "field": "g5pk", "composite": ["flag"] } },
        "f": { "index": "g6", "pk": { "field": "g6pk", "composite": ["x"] } }"#;
    let notes: Vec<String> =
        imported("odd.json", &odd(indexes)).notes.into_iter().map(|note| note.message).collect();
    let expected = [
        "there a text is padded as a whole, here each run of digits: equal for digits alone",
        "the index is left out: flag is true or false, for which keys have 0 and 1 here",
        "the index is left out: x is padded with \"x\", for which there is no encoding",
    ];
    assert_eq!(notes, expected);
}

/// Imports what was exported, and gives the model and the text.
fn through_electrodb(model: &Model) -> (Model, String) {
    let exported = export(model, TargetFormat::ElectroDb).text;
    (imported("again.ts", &exported).model, exported)
}

#[test]
fn a_model_of_electrodb_comes_back_whole() {
    let model = imported("electrodb.ts", &text("electrodb.ts")).model;
    let written = write(&model, Format::Toml);
    assert_eq!(read(&written, Format::Toml).map(|document| document.model), Ok(model.clone()));
    let (again, exported) = through_electrodb(&model);
    assert_eq!(again, model, "{exported}");
    for line in [
        "    model: { entity: \"Employee\", version: \"1\", service: \"WorkApp\" },",
        "      coworkers: {",
        "        collection: [\"assignments\", \"Active\"],",
        "        pk: { field: \"gsi2pk\", composite: [\"team\"], casing: \"upper\" },",
        "      badge: { type: \"number\", required: true, hidden: true },",
        "      extra: { hidden: true, type: \"any\" },",
        "        condition: (item) => item.status === \"open\",",
    ] {
        assert!(exported.lines().any(|own| own == line), "{line}\n{exported}");
    }
}

#[test]
fn an_index_that_was_edited_is_written_with_its_template() {
    let mut model = imported("electrodb.ts", &text("electrodb.ts")).model;
    let template = "Badge#{badge:raw}";
    let counter = model.entities.iter_mut().find(|entity| entity.name == "counter").unwrap();
    let sizes = counter.indexes.iter_mut().find(|keys| keys.index == "sizes").unwrap();
    sizes.keys.partition = vec![template.replace("badge", "count").parse().unwrap()];
    let (again, exported) = through_electrodb(&model);
    let key = "pk: { field: \"szpk\", composite: [\"count\"], template: \"Badge#${count}\", \
               casing: \"none\" },";
    assert!(exported.contains(key), "{exported}");
    let sizes = again.entity("counter").unwrap().index_key("sizes").unwrap();
    assert_eq!(sizes.keys.partition[0].to_string(), "Badge#{count:raw}");
}

#[test]
fn hidden_attributes_stand_for_what_electrodb_cannot_compose() {
    let text = r#"
format = 1
name = "accounts"
[tables.App]
partition_key = "PK"
sort_key = "SK"
[entities.Account.key]
partition = "MAIL#{email:fold:raw}"
sort = "AT#{email:fold:raw}#Of#{org:upper:raw}#{id:raw}"
[entities.Account.attributes]
email = "S"
org = "S"
id = "S"
[entities.Login]
key = { partition = "U#{id:raw}", sort = "L#{id:raw}#{at:raw}" }
attributes = { id = "S", at = "S" }
"#;
    let model = read(text, Format::Toml).unwrap().model;
    let (again, exported) = through_electrodb(&model);
    let declared = "emailFold: { type: \"string\", hidden: true, watch: [\"email\"], \
                    set: (_, item) => item.email?.toLowerCase() },";
    assert!(exported.contains(declared), "{exported}");
    assert!(exported.contains("set: (_, item) => item.id },"), "{exported}");
    for entity in &model.entities {
        let own = again.entity(&entity.name).unwrap();
        assert_eq!(own.key, entity.key, "{exported}");
        assert_eq!(own.attributes.len(), entity.attributes.len());
    }
    assert_eq!(through_electrodb(&again).0, again);
}

#[test]
fn every_example_that_is_exported_is_read_again() {
    let mut entities = 0;
    for model in examples() {
        let exported = export(&model, TargetFormat::ElectroDb).text;
        if !exported.contains("new Entity(") {
            continue;
        }
        let again = imported("again.ts", &exported).model;
        let written = again.entities.iter().filter(|entity| !entity.is_embedded());
        entities += written.count();
        assert_eq!(through_electrodb(&again).0, again, "{exported}");
    }
    assert!(entities > 50, "{entities}");
}

#[test]
fn mistakes_say_what_is_expected_and_where() {
    let refusal = |from: &str, to: &str| {
        let text = text("electrodb.ts");
        assert!(text.contains(from), "{from}");
        let text = text.replacen(from, to, 1);
        let problem = import("electrodb.ts", &text, None).unwrap_err().remove(0);
        let span = problem.span.unwrap();
        (problem.message, text[span.start..span.end].to_owned())
    };
    for (from, to, message, underlined) in [
        ("entity: \"task\"", "entity: name()", "expected text, found code", "name()"),
        (
            "type: \"clustered\"",
            "type: \"close\"",
            "close is not one of isolated, clustered, composite",
            "\"close\"",
        ),
        (
            "{ type: \"any\", hidden: true }",
            "{ type: \"text\" }",
            "text is not one of string, number, boolean, list, map, set, any, or a list of values",
            "\"text\"",
        ),
        (
            "new Entity(taskSchema",
            "new Entity(otherSchema",
            "the schema otherSchema is not declared in this file",
            "otherSchema",
        ),
        (
            "new Entity(taskSchema, { client }",
            "new Entity(taskSchema, { client ; }",
            "expected the value of a member, found ';'",
            ";",
        ),
    ] {
        assert_eq!(refusal(from, to), (message.to_owned(), underlined.to_owned()));
    }
    let empty = import("a.ts", "export const a = 1;", None).unwrap_err().remove(0);
    assert_eq!(empty.message, "the file has no new Entity({ model, attributes, indexes })");
}
