//! Tables of Terraform and of the CDK become models.

mod exchange_models;

use std::path::Path;

use exchange_models::examples;
use monotable_exchange::{Import, SourceFormat, TargetFormat, export, import};
use monotable_item::key_encoding::KeyType;
use monotable_model::document::{
    Backup, Billing, IndexKind, IndexProjection, Model, StreamView, TableClass,
};

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn imported(name: &str, text: &str) -> Import {
    import(name, text, None).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

#[track_caller]
fn says(imported: &Import, place: &str, message: &str) {
    let is_said = |note: &monotable_model::diagnostic::Diagnostic| {
        note.place.as_str() == place && note.message == message
    };
    assert!(imported.notes.iter().any(is_said), "{place}: {message}\n{:#?}", imported.notes);
}

#[test]
fn a_configuration_in_hcl_is_read_with_its_locals_and_defaults() {
    let read = imported("tables.tf", &text("tables.tf"));
    assert_eq!(read.format, SourceFormat::Terraform);
    let orders = read.model.table("orders").unwrap();
    assert_eq!(orders.physical_name(), "dev-orders");
    assert_eq!(orders.partition_key.name, "PK");
    assert_eq!(orders.billing, Billing::Provisioned { read_units: 5, write_units: 5 });
    assert_eq!(orders.stream, Some(StreamView::NewAndOldImages));
    assert_eq!(orders.ttl.as_deref(), Some("ExpiresAt"));
    assert_eq!(orders.backup, Some(Backup::PointInTime));
    let local = orders.index("ByTime").unwrap();
    assert_eq!((local.kind, local.sort_key[0].kind), (IndexKind::Local, KeyType::Number));
    let global = orders.index("ByCountry").unwrap();
    let included = ["Status".to_owned(), "Amount".to_owned()];
    assert_eq!(global.projection, IndexProjection::Include(included.to_vec()));
    assert_eq!(global.billing, Some(Billing::Provisioned { read_units: 2, write_units: 3 }));
    let sessions = read.model.table("sessions").unwrap();
    assert_eq!(
        (sessions.class, sessions.deletion_protection),
        (TableClass::InfrequentAccess, true)
    );
    assert_eq!((sessions.partition_key.kind, sessions.replicas.len()), (KeyType::Binary, 1));
}

#[test]
fn what_cannot_be_evaluated_is_said_by_name() {
    let read = imported("tables.tf", &text("tables.tf"));
    let orders = "resource.aws_dynamodb_table.orders";
    for (place, message) in [
        ("variable.stage", "the default \"dev\" is taken for var.stage"),
        (
            &format!("{orders}.write_capacity"),
            "var.write_units cannot be evaluated here; 5 is assumed",
        ),
        (
            "resource.aws_dynamodb_table.sessions.name",
            "var.region cannot be evaluated here; the table is called sessions",
        ),
        ("resource", "resources that are no aws_dynamodb_table stay in the configuration: 1"),
        ("module.audit", "a module is not read; terraform show -json has its tables"),
    ] {
        says(&read, place, message);
    }
}

#[test]
fn blocks_that_code_makes_are_noted_by_their_names() {
    let blocks =
        ["attribute", "global_secondary_index", "replica", "server_side_encryption", "ttl"];
    let dynamic: String = (blocks.iter())
        .map(|name| format!("  dynamic \"{name}\" {{\n    for_each = var.all\n  }}\n"))
        .collect();
    let text = format!(
        "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = \
         \"PK\"\n{dynamic}}}\n"
    );
    let read = imported("main.tf", &text);
    for name in blocks {
        let place = format!("resource.aws_dynamodb_table.orders.dynamic.{name}");
        says(&read, &place, &format!("blocks {name} are not read where code makes them"));
    }
}

/// A configuration with a table of this repetition and name.
fn repeated(repetition: &str, name: &str) -> String {
    format!(
        r#"locals {{
  copies = 2
}}
resource "aws_dynamodb_table" "jobs" {{
  {repetition}
  name = "jobs-${{{name}}}"
  billing_mode = "PAY_PER_REQUEST"
  hash_key = "id"
  attribute {{
    name = "id"
    type = "S"
  }}
}}
resource "aws_dynamodb_table" "other" {{
  hash_key = "id"
  attribute {{
    name = "id"
    type = "S"
  }}
}}
"#
    )
}

#[test]
fn a_resource_makes_as_many_tables_as_its_count_or_its_set_says() {
    let set = "for_each = toset([\"eu\", \"us\", \"eu\"])";
    let map = "for_each = { eu = { code = \"e1\" }, us = { code = \"u1\" } }";
    for (repetition, name, expected) in [
        ("count = 3", "count.index", vec!["jobs-0", "jobs-1", "jobs-2"]),
        ("count = local.copies", "count.index", vec!["jobs-0", "jobs-1"]),
        ("count = 1", "count.index", vec!["jobs-0"]),
        ("count = 0", "count.index", vec![]),
        (set, "each.key", vec!["jobs-eu", "jobs-us"]),
        (map, "each.value.code", vec!["jobs-e1", "jobs-u1"]),
    ] {
        let read = imported("jobs.tf", &repeated(repetition, name));
        let tables = read.model.tables.iter().filter(|table| table.name.starts_with("jobs"));
        let names: Vec<&str> = tables.map(|table| table.physical_name()).collect();
        assert_eq!(names, expected, "{repetition}");
        let argument = repetition.split(' ').next().unwrap();
        let place = format!("resource.aws_dynamodb_table.jobs.{argument}");
        match names.len() {
            0 => says(&read, &place, "no table is made"),
            1 => assert!(read.notes.is_empty(), "{:#?}", read.notes),
            count => {
                let said =
                    format!("{count} tables are made; each is a resource of its own from here on");
                says(&read, &place, &said);
            }
        }
        let exported = export(&read.model, TargetFormat::Terraform).text;
        assert!(!exported.contains(argument), "{exported}");
        assert_eq!(imported("jobs.tf", &exported).model.tables, read.model.tables, "{exported}");
    }
}

#[test]
fn a_resource_whose_number_of_tables_is_not_said_is_read_as_one_and_says_so() {
    for (repetition, name, argument) in [
        ("count = var.copies", "count.index", "count"),
        ("count = 5000", "count.index", "count"),
        ("for_each = toset(var.regions)", "each.key", "for_each"),
        ("for_each = toset([for r in local.r : r])", "each.key", "for_each"),
    ] {
        let read = imported("jobs.tf", &repeated(repetition, name));
        let place = "resource.aws_dynamodb_table.jobs";
        assert_eq!(read.model.tables.len(), 2);
        let several = format!("{argument} may make several tables; one is read");
        says(&read, &format!("{place}.{argument}"), &several);
        let unnamed = format!("{name} cannot be evaluated here; the table is called jobs");
        says(&read, &format!("{place}.name"), &unnamed);
    }
}

#[test]
fn arguments_that_a_model_has_no_place_for_come_back() {
    let model = imported("tables.tf", &text("tables.tf")).model;
    let exported = export(&model, TargetFormat::Terraform).text;
    for line in [
        "  name = \"sessions-${var.region}\"",
        "  tags = { team = \"orders\" }",
        "    kms_key_arn = aws_kms_key.orders.arn",
        "    prevent_destroy = true",
    ] {
        assert!(exported.lines().any(|own| own == line), "{line}\n{exported}");
    }
    let again = imported("tables.tf", &exported).model;
    assert_eq!(again, model, "{exported}");
}

#[test]
fn what_terraform_shows_of_a_state_is_read_with_its_modules() {
    let read = imported("show.json", &text("terraform-show.json"));
    assert_eq!(read.format, SourceFormat::Terraform);
    assert_eq!(read.notes, []);
    let orders = read.model.table("orders").unwrap();
    assert_eq!((orders.physical_name(), orders.billing), ("prod-orders", Billing::OnDemand));
    assert_eq!((orders.stream, orders.ttl.as_deref(), orders.backup), (None, None, None));
    assert!(orders.index("ByEmail").unwrap().sort_key.is_empty());
    let audit = read.model.table("audit").unwrap();
    assert_eq!(audit.billing, Billing::Provisioned { read_units: 1, write_units: 2 });
    assert_eq!(read.model.extensions, None);
}

#[test]
fn a_state_and_a_configuration_in_json_are_read() {
    let table = r#"{ "name": "jobs", "hash_key": "id", "billing_mode": "PAY_PER_REQUEST",
        "attribute": [{ "name": "id", "type": "S" }] }"#;
    let state = format!(
        r#"{{ "version": 4, "terraform_version": "1.9.5", "resources": [{{ "mode": "managed",
            "type": "aws_dynamodb_table", "name": "jobs",
            "instances": [{{ "attributes": {table} }}] }}] }}"#
    );
    let configuration =
        format!(r#"{{ "resource": {{ "aws_dynamodb_table": {{ "jobs": {table} }} }} }}"#);
    for (name, text) in [("terraform.tfstate", state), ("jobs.tf.json", configuration)] {
        let model = imported(name, &text).model;
        assert_eq!(model.tables[0].physical_name(), "jobs");
    }
}

#[test]
fn tables_survive_terraform() {
    for model in examples() {
        let exported = export(&model, TargetFormat::Terraform).text;
        let again = imported("tables.tf", &exported).model;
        for table in &model.tables {
            let mut expected = table.clone();
            let own = |model: &Model| {
                let same = |one: &&monotable_model::document::Table| {
                    one.physical_name() == table.physical_name()
                };
                model.tables.iter().find(same).cloned().unwrap()
            };
            let again = own(&again);
            expected.name.clone_from(&again.name);
            expected.stored_name.clone_from(&again.stored_name);
            expected.description = None;
            expected.type_attribute = None;
            expected.indexes.iter_mut().for_each(|index| index.description = None);
            assert_eq!(again, expected, "{exported}");
        }
    }
}

#[test]
fn mistakes_say_what_is_expected_and_where() {
    let refusal = |from: &str, to: &str| {
        let text = text("tables.tf");
        assert!(text.contains(from), "{from}");
        let text = text.replacen(from, to, 1);
        let problem = import("tables.tf", &text, None).unwrap_err().remove(0);
        let span = problem.span.unwrap();
        (problem.message, text[span.start..span.end].to_owned())
    };
    for (from, to, message, place) in [
        (
            "\"SK\"\n",
            "var.sort\n",
            "var.sort cannot be evaluated here, and a key needs its name",
            "var.sort",
        ),
        ("\"SK\"\n", "\"Sk\"\n", "no attribute block defines it", "\"Sk\""),
        (
            "\"PROVISIONED\"",
            "\"FREE\"",
            "FREE is not one of PAY_PER_REQUEST, PROVISIONED",
            "\"FREE\"",
        ),
        ("type = \"N\"", "type = \"D\"", "D is not one of S, N, B", "\"D\""),
        (
            "  hash_key     = local",
            "  hush_key = local",
            "the argument hash_key is missing",
            "orders",
        ),
        ("ttl {", "ttl ! {", "expected =, { or a label, found '!'", "!"),
    ] {
        let (said, underlined) = refusal(from, to);
        assert_eq!(
            (said.as_str(), underlined.trim_matches('"')),
            (message, place.trim_matches('"'))
        );
    }
    let empty = import("main.tf", "locals { a = 1 }", None).unwrap_err().remove(0);
    assert_eq!(empty.message, "the file has no resource aws_dynamodb_table");
    let told = import("tables.tf", &text("tables.tf"), Some(SourceFormat::OneTable)).unwrap_err();
    assert_eq!(told[0].message, "the file is terraform, not onetable");
}

#[test]
fn a_template_of_the_cdk_is_read() {
    let read = imported("Shop.template.json", &text("cdk.template.json"));
    assert_eq!(read.format, SourceFormat::CloudFormation);
    let orders = read.model.table("OrdersTable315BB997").unwrap();
    assert_eq!(orders.replicas, ["eu-west-2"]);
    assert_eq!((orders.backup, orders.deletion_protection), (Some(Backup::PointInTime), true));
    let sessions = read.model.table("Sessions09AE6D60").unwrap();
    assert_eq!(sessions.billing, Billing::Provisioned { read_units: 5, write_units: 5 });
    says(
        &read,
        "Resources.Sessions09AE6D60.Properties.TableName",
        "a function makes the name; the table is called Sessions09AE6D60",
    );
}
