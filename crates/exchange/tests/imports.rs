//! Files of other tools become models, and come back as they were.

mod exchange_models;
mod workbench_shapes;

use std::path::Path;

use exchange_models::examples;
use monotable_exchange::{Import, SourceFormat, TargetFormat, export, import, read_description};
use monotable_item::{Item, Type};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{
    Backup, Billing, Format, IndexKind, IndexProjection, Model, Operation, StreamView, TableClass,
    read, write,
};
use serde_json::Value as Json;

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn imported(name: &str) -> Import {
    import(name, &text(name), None).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// The same JSON with the elements of all lists in one order.
fn sorted(json: &Json) -> Json {
    match json {
        Json::Array(elements) => {
            let mut elements: Vec<Json> = elements.iter().map(sorted).collect();
            elements.sort_by_key(Json::to_string);
            Json::Array(elements)
        }
        Json::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect()
        }
        other => other.clone(),
    }
}

/// Imports a file, writes the model as TOML, reads it again, and exports it: the file as it was, up
/// to order.
#[track_caller]
fn comes_back(name: &str, target: TargetFormat) {
    let model = imported(name).model;
    let written = write(&model, Format::Toml);
    let again =
        read(&written, Format::Toml).unwrap_or_else(|problems| panic!("{problems:#?}")).model;
    assert_eq!(again, model, "{written}");
    let exported: Json = serde_json::from_str(&export(&again, target).text).unwrap();
    let original: Json = serde_json::from_str(&text(name)).unwrap();
    let (exported, original) = (sorted(&exported), sorted(&original));
    assert!(exported == original, "{}", difference(&original, &exported, name).unwrap_or_default());
}

/// NoSQL Workbench lets a name stand twice in its lists.
#[test]
fn a_name_that_stands_twice_is_read_once_and_the_model_can_be_read_again() {
    let twice = text("workbench-facets.json")
        .replace(r#"["MemberId", "FullName"]"#, r#"["MemberId", "FullName", "MemberId"]"#)
        .replace(
            r#"{ "AttributeName": "NeverUsed", "AttributeType": "BOOL" }"#,
            r#"{ "AttributeName": "NeverUsed", "AttributeType": "BOOL" },
               { "AttributeName": "NeverUsed", "AttributeType": "S" }"#,
        );
    let model = import("twice.json", &twice, None).unwrap().model;
    let written = write(&model, Format::Toml);
    let again = read(&written, Format::Toml);
    assert_eq!(again.map(|document| document.model), Ok(model), "{written}");
}

/// A table with one item, as NoSQL Workbench writes it.
fn workbench_of(key: &str, more: &str) -> String {
    format!(
        r#"{{"ModelName": "long", "DataModel": [{{"TableName": "Tab",
        "KeyAttributes": {{"PartitionKey": {{"AttributeName": "PK", "AttributeType": "S"}}}},
        "TableData": [{{"PK": {{"S": "{key}"}}{more}}}]}}]}}"#
    )
}

#[test]
fn a_key_of_any_length_is_read_and_one_that_no_table_takes_has_no_template() {
    let longest = "A#".repeat(1024);
    for key in [longest.clone(), longest + "B", "k".repeat(20_000)] {
        let import = import("long.json", &workbench_of(&key, ""), None);
        let model = import.unwrap_or_else(|problems| panic!("{problems:#?}")).model;
        assert_eq!(model.entities.len(), 1, "{} bytes", key.len());
    }
}

#[test]
fn an_empty_value_builds_no_part_of_a_key() {
    let more = r#", "none": {"S": ""}, "dots": {"S": "!!!"}"#;
    let model = import("empty.json", &workbench_of("A#b", more), None).unwrap().model;
    assert_eq!(model.entities.len(), 1);
}

#[test]
fn attributes_whose_names_come_to_the_same_have_different_ones() {
    let more = r#", "my.attr": {"S": "x"}, "my_attr": {"S": "y"}, "a:b": {"N": "1"},
        "a_b": {"N": "2"}, "a.b": {"N": "3"}"#;
    let model = import("names.json", &workbench_of("A#b", more), None);
    let model = model.unwrap_or_else(|problems| panic!("{problems:#?}")).model;
    let attributes = &model.entities[0].attributes;
    let stored: Vec<(&str, &str)> =
        attributes.iter().map(|one| (one.name.as_str(), one.item_name())).collect();
    for pair in [("my_attr", "my_attr"), ("my_attr_2", "my.attr"), ("a_b", "a_b"), ("a_b_3", "a:b")]
    {
        assert!(stored.contains(&pair), "{pair:?} is not in {stored:?}");
    }
    assert_eq!(model.samples.len(), 1);
}

#[test]
fn a_constant_stays_one_on_its_way_through_workbench() {
    let text = r#"
format = 1
name = "accounts"
[tables.App]
partition_key = "PK"
sort_key = "SK"
[entities.Account]
key = { partition = "u#{id}", sort = "info" }
attributes = { id = "S", name = "S" }
[samples]
Account = [{ id = "17", name = "Ann" }]
"#;
    let model = read(text, Format::Toml).unwrap().model;
    let file = export(&model, TargetFormat::Workbench).text;
    let again = import("accounts.json", &file, Some(SourceFormat::Workbench)).unwrap().model;
    let sort = &again.entities[0].key.as_ref().unwrap().sort[0];
    assert_eq!(sort.to_string(), "info", "{file}");
}

/// The first place at which two documents differ.
fn difference(a: &Json, b: &Json, at: &str) -> Option<String> {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => {
            let missing = a.keys().find(|name| !b.contains_key(*name));
            let extra = b.keys().find(|name| !a.contains_key(*name));
            if let Some(name) = missing.or(extra) {
                return Some(format!("{at}.{name} is in one alone\n{a:?}\n{b:?}"));
            }
            a.iter().find_map(|(name, value)| difference(value, &b[name], &format!("{at}.{name}")))
        }
        (Json::Array(x), Json::Array(y)) if x.len() == y.len() => x
            .iter()
            .zip(y)
            .enumerate()
            .find_map(|(index, (a, b))| difference(a, b, &format!("{at}[{index}]"))),
        _ if a == b => None,
        _ => Some(format!("{at}: {a} became {b}")),
    }
}

#[test]
fn files_come_back_as_they_were_unknown_members_included() {
    comes_back("workbench-facets.json", TargetFormat::Workbench);
    comes_back("workbench-data.json", TargetFormat::Workbench);
    comes_back("onetable.json", TargetFormat::OneTable);
    comes_back("schema.json", TargetFormat::SchemaJson);
}

fn template(model: &Model, entity: &str) -> (String, Option<String>) {
    let key = model.entity(entity).unwrap().key.as_ref().unwrap();
    (key.partition[0].to_string(), key.sort.first().map(ToString::to_string))
}

#[test]
fn members_of_a_form_that_is_not_known_are_named_and_kept() {
    let Import { model, notes, .. } = imported("workbench-data.json");
    let unknown = notes.iter().filter(|note| note.message.starts_with("its form is not known"));
    let places: Vec<&str> = unknown.map(|note| note.place.as_str()).collect();
    assert_eq!(places, ["AccessPatterns"]);
    assert!(export(&model, TargetFormat::Workbench).text.contains("AccessPatterns"));
}

#[test]
fn mistakes_in_what_was_read_underline_nothing_of_the_file() {
    let index = r#"{"IndexName": "G", "KeyAttributes": {"PartitionKey":
        {"AttributeName": "GK", "AttributeType": "S"}}}"#;
    let indexes = format!(r#"}}], "GlobalSecondaryIndexes": [{index}, {index}"#);
    let text = workbench_of("A#b", "").replace("}]}]}", &format!("{indexes}]}}]}}"));
    let problems = import("twice.json", &text, None).unwrap_err();
    let notes = problems.iter().flat_map(|problem| &problem.notes);
    let spans = notes.map(|note| note.span).chain(problems.iter().map(|one| one.span));
    let spans: Vec<_> = spans.collect();
    assert!(spans.len() > problems.len() && spans.iter().all(Option::is_none), "{problems:#?}");
}

#[test]
fn facets_are_entities_whose_templates_the_data_shows() {
    let Import { format, model, .. } = imported("workbench-facets.json");
    assert_eq!(format, SourceFormat::Workbench);
    assert_eq!(
        (model.name.as_str(), model.title.as_deref()),
        ("library-loans", Some("Library Loans"))
    );
    assert_eq!(
        template(&model, "member"),
        ("MEMBER#{MemberId}".into(), Some("MEMBER#{MemberId}".into()))
    );
    assert_eq!(template(&model, "loan").1.as_deref(), Some("LOAN#{Due}#{Isbn}"));
    assert_eq!(template(&model, "book"), ("BOOK#{Isbn}".into(), Some("BOOK".into())));
    let loan = model.entity("loan").unwrap().index_key("GSI1").unwrap();
    assert_eq!(loan.keys.partition[0].to_string(), "BOOK#{Isbn}");
    assert_eq!(model.entity("book").unwrap().attribute("Tags").unwrap().kind, Type::StringSet);
    assert_eq!(model.samples.len(), 6);
    assert_eq!(
        model.tables[0].indexes[0].projection,
        IndexProjection::Include(vec!["MemberId".into()])
    );
}

#[test]
fn data_without_facets_is_inferred() {
    let model = imported("workbench-data.json").model;
    let [entity] = model.entities.as_slice() else { panic!("{:#?}", model.entities) };
    assert_eq!(
        template(&model, &entity.name),
        ("{SensorId:number}".into(), Some("{At:time(s)}".into()))
    );
    assert_eq!(model.tables[0].billing, Billing::Provisioned { read_units: 5, write_units: 10 });
}

#[test]
fn our_models_keep_tables_keys_attributes_and_samples_through_workbench() {
    for model in examples() {
        let exported = export(&model, TargetFormat::Workbench);
        let again = import("a.json", &exported.text, None)
            .unwrap_or_else(|problems| panic!("{}: {problems:#?}", model.name))
            .model;
        for table in &model.tables {
            let other = again.table(table.physical_name()).unwrap();
            assert_eq!(other.partition_key, table.partition_key);
            assert_eq!(other.sort_key, table.sort_key);
            let global = table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
            let keys = |index: &monotable_model::document::Index| {
                (
                    index.name.clone(),
                    index.partition_key.clone(),
                    index.sort_key.clone(),
                    index.projection.clone(),
                )
            };
            let expected: Vec<_> = global.map(keys).collect();
            assert_eq!(
                other.indexes.iter().map(keys).collect::<Vec<_>>(),
                expected,
                "{}",
                model.name
            );
        }
        assert_eq!(items(&again), items(&model), "{}", model.name);
        attributes_are_kept(&model, &again);
    }
}

/// The items of all samples, in one order.
fn items(model: &Model) -> Vec<String> {
    let item = |sample| -> Item { model.item_of_sample(sample).unwrap() };
    let mut items: Vec<String> =
        model.samples.iter().map(|sample| format!("{:?}", item(sample))).collect();
    items.sort();
    items
}

/// Every attribute of an entity that has one table is there again, under the name that items have,
/// with its type.
fn attributes_are_kept(model: &Model, again: &Model) {
    for entity in model.entities.iter().filter(|entity| entity.tables.len() == 1) {
        let Some(other) = again.entity(&entity.name) else {
            panic!("{} {}", model.name, entity.name)
        };
        let table = model.table(&entity.tables[0]).unwrap();
        for attribute in &entity.attributes {
            let name = attribute.item_name();
            if table.type_attribute.as_deref() == Some(name) {
                continue;
            }
            let kept = other.attributes.iter().find(|one| one.item_name() == name);
            let is_type =
                again.tables.iter().any(|table| table.type_attribute.as_deref() == Some(name));
            assert!(kept.is_some() || is_type, "{} {} {name}", model.name, entity.name);
            if let Some(kept) = kept {
                assert_eq!(kept.kind, attribute.kind, "{} {} {name}", model.name, entity.name);
            }
        }
    }
}

#[test]
fn onetable_templates_and_settings_are_read() {
    let Import { model, notes, .. } = imported("onetable.json");
    assert_eq!(
        template(&model, "Player"),
        ("team#{teamId}".into(), Some("player#{number:03}".into()))
    );
    assert_eq!(template(&model, "Team").1.as_deref(), Some("team#"));
    let table = &model.tables[0];
    assert_eq!(table.type_attribute.as_deref(), Some("_kind"));
    assert_eq!(table.index("ls1").unwrap().kind, IndexKind::Local);
    let team = model.entity("Team").unwrap();
    assert_eq!(team.created.as_deref(), Some("created"));
    assert_eq!(team.attribute("address").unwrap().members.len(), 2);
    assert_eq!(model.entity("Player").unwrap().attribute("mail").unwrap().item_name(), "em");
    let said = |place: &str| notes.iter().any(|note| note.place.as_str() == place);
    assert!(said("models.Team.name.unique") && said("models.Player.role.default"), "{notes:#?}");
}

#[test]
fn schema_json_becomes_entities_and_patterns() {
    let Import { model, notes, .. } = imported("schema.json");
    assert_eq!(
        template(&model, "Parcel"),
        ("PARCEL#{parcel_id}".into(), Some("STOP#{stop:04}".into()))
    );
    assert_eq!(model.tables[0].indexes[0].sort_key.len(), 2);
    let names: Vec<(&str, Operation)> =
        model.patterns.iter().map(|pattern| (pattern.name.as_str(), pattern.operation)).collect();
    let expected = [
        ("stops_of_parcel", Operation::Query),
        ("record_stop", Operation::Put),
        ("arrivals_since", Operation::Query),
    ];
    assert_eq!(names, expected);
    let range = model.pattern("arrivals_since").unwrap().range.as_ref().unwrap();
    assert_eq!(range.text, "arrived_at >= :since");
    assert!(
        notes.iter().any(|note| note.place.as_str() == "cross_table_access_patterns"),
        "{notes:#?}"
    );
}

#[test]
fn cloudformation_is_read_with_its_functions() {
    let Import { model, notes, .. } = imported("template.yaml");
    let table = model.table("TicketTable").unwrap();
    assert_eq!(table.stored_name, None);
    assert_eq!(table.stream, Some(StreamView::NewAndOldImages));
    assert_eq!(
        (table.ttl.as_deref(), table.backup),
        (Some("expiresAt"), Some(Backup::PointInTime))
    );
    assert_eq!(table.index("ByPlace").unwrap().partition_key.len(), 2);
    assert_eq!(table.index("ByPriority").unwrap().kind, IndexKind::Local);
    let sessions = model.table("Sessions").unwrap();
    assert_eq!(sessions.physical_name(), "sessions");
    assert_eq!(sessions.replicas, ["eu-west-1", "eu-central-1"]);
    assert!(
        notes.iter().any(|note| note.message.ends_with("stay in the template: 1")),
        "{notes:#?}"
    );
    let exported = export(&model, TargetFormat::CloudFormationJson).text;
    let exported: Json = serde_json::from_str(&exported).unwrap();
    let properties = &exported["Resources"]["TicketTable"]["Properties"];
    assert_eq!(properties["TableName"]["Fn::Sub"], "${Stage}-tickets");
    assert_eq!(properties["SSESpecification"]["KMSMasterKeyId"]["Fn::GetAtt"], "Key.Arn");
    assert_eq!(properties["Tags"][0]["Value"]["Ref"], "Stage");
    assert_eq!(exported["Resources"]["TicketTable"]["DeletionPolicy"], "Retain");
}

#[test]
fn a_description_of_a_table_is_read() {
    let model = imported("describe-table.json").model;
    let table = &model.tables[0];
    assert_eq!(table.billing, Billing::Provisioned { read_units: 3, write_units: 4 });
    let index = table.index("ByOwner").unwrap();
    assert_eq!(index.billing, Some(Billing::Provisioned { read_units: 1, write_units: 4 }));
    assert_eq!((table.class, table.deletion_protection), (TableClass::InfrequentAccess, true));
    assert_eq!(table.stream, Some(StreamView::KeysOnly));
}

#[test]
fn a_live_table_has_its_count() {
    let text = r#"{"Table": {"TableName": "Abc", "ItemCount": 7, "TableSizeBytes": 700,
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}}"#;
    let tree = tree(&serde_json::from_str(text).unwrap());
    let live = read_description(&tree).unwrap();
    assert_eq!((live.item_count, live.size_bytes), (Some(7), Some(700)));
}

fn tree(json: &Json) -> monotable_model::document::Tree {
    use monotable_model::document::Tree;
    match json {
        Json::Null => Tree::Null,
        Json::Bool(flag) => Tree::Bool(*flag),
        Json::Number(number) => Tree::Number(number.to_string()),
        Json::String(text) => Tree::String(text.clone()),
        Json::Array(values) => Tree::List(values.iter().map(tree).collect()),
        Json::Object(members) => {
            Tree::Map(members.iter().map(|(name, value)| (name.clone(), tree(value))).collect())
        }
    }
}

/// What is wrong with a text, by path and message.
fn refusal(name: &str, text: &str, format: Option<SourceFormat>) -> (String, String) {
    let problems: Vec<Diagnostic> = import(name, text, format).unwrap_err();
    (problems[0].place.as_str().to_owned(), problems[0].message.clone())
}

#[test]
fn mistakes_are_found_at_their_place() {
    let replaced = |name: &str, from: &str, to: &str| {
        let text = text(name);
        assert!(text.contains(from), "{from}");
        refusal(name, &text.replacen(from, to, 1), None)
    };
    for (name, from, to, place, message) in [
        (
            "workbench-facets.json",
            "\"AttributeType\": \"S\" },\n        \"SortKey\"",
            "\"AttributeType\": \"X\" },\n        \"SortKey\"",
            "DataModel[0].KeyAttributes.PartitionKey.AttributeType",
            "X is not one of S, N, B",
        ),
        (
            "workbench-facets.json",
            "\"ProjectionType\": \"INCLUDE\"",
            "\"ProjectionType\": 5",
            "DataModel[0].GlobalSecondaryIndexes[0].Projection.ProjectionType",
            "expected text, found a number",
        ),
        (
            "onetable.json",
            "team#${teamId}",
            "team#${tamId}",
            "models.Player.pk.value",
            "the model has no field tamId",
        ),
        ("onetable.json", "onetable:1.1.0", "onetable:9", "format", "only onetable:1 is known"),
        (
            "onetable.json",
            "\"hash\": \"pk\", ",
            "",
            "indexes.primary",
            "the member hash is missing",
        ),
        (
            "schema.json",
            "PARCEL#{parcel_id}",
            "PARCEL#{parcel}",
            "tables[0].entities.Parcel.pk_template",
            "the entity has no field parcel",
        ),
        (
            "schema.json",
            "\"type\": \"decimal\"",
            "\"type\": \"money\"",
            "tables[0].entities.Parcel.fields[5].type",
            "money is not one of string, integer, decimal, float, boolean, array, object, uuid, \
             binary",
        ),
        (
            "template.yaml",
            "KeyType: HASH",
            "KeyType: HUSH",
            "Resources.TicketTable.Properties.KeySchema[0].KeyType",
            "HUSH is not one of HASH, RANGE",
        ),
        (
            "describe-table.json",
            "\"AttributeName\": \"Owner\", \"KeyType\"",
            "\"AttributeName\": \"Oner\", \"KeyType\"",
            "Table.GlobalSecondaryIndexes[0].KeySchema[0].AttributeName",
            "AttributeDefinitions does not define it",
        ),
    ] {
        assert_eq!(replaced(name, from, to), (place.to_owned(), message.to_owned()));
    }
}

#[test]
fn a_mistake_has_the_bytes_of_its_place() {
    let text = text("onetable.json").replacen("team#${teamId}", "team#${tamId}", 1);
    let problems = import("onetable.json", &text, None).unwrap_err();
    let span = problems[0].span.unwrap();
    assert_eq!(&text[span.start..span.end], "\"team#${tamId}\"");
}

#[test]
fn an_unknown_format_says_which_are_known() {
    let (place, message) = refusal("a.json", "{ \"hello\": 1 }", None);
    assert_eq!(place, "");
    assert_eq!(
        message,
        "the file has no format that is known: workbench, onetable, schema-json, cloudformation, \
         create-table, terraform, electrodb"
    );
    assert_eq!(
        refusal("a.json", "{ \"hello\": 1 }", Some(SourceFormat::Workbench)).1,
        "the member DataModel is missing"
    );
    assert_eq!(refusal("a.json", "{ hello", None).0, "");
}

/// The pointers of all members and elements of a document.
fn pointers(json: &Json, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match json {
        Json::Object(members) => {
            for (name, value) in members {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                pointers(value, &format!("{at}/{escaped}"), found);
            }
        }
        Json::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                pointers(value, &format!("{at}/{index}"), found);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

#[test]
fn whatever_is_wrong_with_a_file_is_an_answer_and_no_panic() {
    let files = [
        ("workbench-data.json", SourceFormat::Workbench),
        ("onetable.json", SourceFormat::OneTable),
        ("schema.json", SourceFormat::SchemaJson),
        ("describe-table.json", SourceFormat::CreateTable),
    ];
    let mut refused = 0;
    for (name, format) in files {
        let original: Json = serde_json::from_str(&text(name)).unwrap();
        let mut places = Vec::new();
        pointers(&original, "", &mut places);
        for place in &places {
            for wrong in [Json::Null, Json::from("${x"), Json::from(5), Json::from(vec![1])] {
                let mut changed = original.clone();
                *changed.pointer_mut(place).unwrap() = wrong;
                match import(name, &changed.to_string(), Some(format)) {
                    Ok(imported) => drop(export(&imported.model, TargetFormat::Workbench)),
                    Err(problems) => refused += usize::from(!problems.is_empty()),
                }
            }
        }
    }
    assert!(refused > 200, "{refused}");
}
