//! What the console asks about models, and what it is told.

use std::collections::BTreeMap;

use monotable_console::{Complaint, Console, Permission};
use monotable_exchange::TargetFormat;
use monotable_model::document::{Tree, inline_tree, read_json};
use monotable_model_fixture::{example, examples};

const SHOP: &str = r#"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{order}" }
average_bytes = 1000
count = 1000

[entities.Order.indexes]
GSI1 = { partition = "STATUS#{status}", sort = "{order}" }

[entities.Order.attributes]
customer = "S"
order = "S"
status = { type = "S", enum = ["PLACED", "SHIPPED"], mutable = true }
note = "S"

[patterns."orders of a customer"]
operation = "query"
entity = "Order"
by = ["customer"]
rate = 10
"#;

fn object(members: &[(&str, Tree)]) -> Tree {
    Tree::Map(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn text(text: &str) -> Tree {
    Tree::String(text.to_owned())
}

fn json(text: &str) -> Tree {
    read_json(text).unwrap()
}

/// Asks about a model.
fn ask(question: &str, model: &str, members: &[(&str, Tree)]) -> Result<Tree, Complaint> {
    let body = object(&[&[("model", text(model))], members].concat());
    let answer = Console::new(Permission::ReadOnly).ask(question, &inline_tree(&body)).unwrap();
    answer.map(|answer| json(&answer))
}

/// A member at the end of a path, whose numbers are places in lists.
fn at<'t>(tree: &'t Tree, path: &str) -> &'t Tree {
    path.split('/').fold(tree, |tree, step| {
        let found = match step.parse::<usize>() {
            Ok(place) => tree.elements().get(place),
            Err(_) => tree.member(step),
        };
        found.unwrap_or_else(|| panic!("no {step} in {tree:?}"))
    })
}

#[test]
fn every_example_has_a_design_with_charts_and_a_cost() {
    for example in examples() {
        let design = ask("design", &example.text, &[]).unwrap();
        assert!(at(&design, "consistent").is_true(), "{}", example.name);
        for picture in ["diagram", "collections"] {
            assert!(at(&design, picture).text().unwrap().starts_with("<svg"), "{}", example.name);
        }
        assert!(!at(&design, "patterns").elements().is_empty(), "{}", example.name);
        assert!(at(&design, "cost/total").number().is_some(), "{}", example.name);
        assert!(!at(&design, "legend").elements().is_empty(), "{}", example.name);
    }
}

#[test]
fn a_mistake_is_reported_with_its_line_and_nothing_else_is_said() {
    let design = ask("design", &SHOP.replace("{customer}", "{client}"), &[]).unwrap();
    assert!(!at(&design, "consistent").is_true());
    assert_eq!(at(&design, "diagnostics/0/message").text(), Some("Order has no attribute client"));
    assert_eq!(at(&design, "diagnostics/0/start/line").number(), Some(14.0));
    assert!(design.member("chart").is_none());
}

#[test]
fn every_generated_item_is_recognised_and_its_keys_are_the_parts_together() {
    for name in ["e-commerce", "github-backend"] {
        let model = example(name).text;
        let seeded = ask("seed", &model, &[("seed", Tree::Number("7".to_owned()))]).unwrap();
        let mut by_table: BTreeMap<&str, Vec<&Tree>> = BTreeMap::new();
        for item in at(&seeded, "items").elements() {
            by_table.entry(at(item, "table").text().unwrap()).or_default().push(item);
        }
        for (table, seeded) in by_table {
            let items = seeded.iter().map(|one| at(one, "item").clone()).collect();
            let members = [("table", text(table)), ("items", Tree::List(items))];
            let answer = ask("recognise", &model, &members).unwrap();
            assert_eq!(at(&answer, "items").elements().len(), seeded.len());
            for (recognised, one) in at(&answer, "items").elements().iter().zip(seeded) {
                assert_eq!(at(recognised, "entity"), at(one, "entity"));
                for (key, parts) in at(recognised, "keys").members() {
                    let parts = parts.elements().iter().filter_map(|part| at(part, "text").text());
                    let stored = at(at(one, "item"), &format!("{key}/S")).text();
                    assert_eq!(Some(parts.collect::<String>().as_str()), stored, "{key}");
                }
            }
        }
    }
}

#[test]
fn a_table_for_each_period_says_what_its_names_look_like() {
    let audit = r#"
format = 1
name = "audit"

[tables.Events]
name = "audit_{at:month}_eu"
partition_key = "PK"

[entities.Event]
key = { partition = "EVENT#{id}" }
attributes = { at = "S", id = "S" }
"#;
    let answer = ask("design", audit, &[]).unwrap();
    for (member, expected) in [("before", "audit_"), ("like", "2026-11"), ("after", "_eu")] {
        assert_eq!(at(&answer, "tables/0/period").member(member), Some(&text(expected)));
    }
    let plain = ask("design", SHOP, &[]).unwrap();
    assert_eq!(at(&plain, "tables/0/period"), &Tree::Null);
}

#[test]
fn an_item_of_no_entity_has_none() {
    let items = json(r#"[{"PK": {"S": "other"}, "SK": {"S": "thing"}}]"#);
    let answer = ask("recognise", SHOP, &[("table", text("Shop")), ("items", items)]).unwrap();
    assert_eq!(at(&answer, "items/0/entity"), &Tree::Null);
}

#[test]
fn too_many_items_are_refused() {
    let items = Tree::List(vec![object(&[]); 2_001]);
    let refused = ask("recognise", SHOP, &[("table", text("Shop")), ("items", items)]);
    assert_eq!(refused, Err(Complaint::TooMany { what: "items", count: 2_001, count_max: 2_000 }));
}

#[test]
fn a_changed_attribute_changes_the_keys_that_it_is_part_of_and_no_others() {
    let stored = json(
        r#"{"PK": {"S": "CUSTOMER#ann"}, "SK": {"S": "ORDER#7"}, "GSI1PK": {"S": "STATUS#PLACED"},
            "GSI1SK": {"S": "7"}, "customer": {"S": "ann"}, "order": {"S": "7"},
            "status": {"S": "PLACED"}, "ours": {"N": "1"}}"#,
    );
    let edited = json(&inline_tree(&stored).replace("\"PLACED\"", "\"SHIPPED\""));
    let members =
        [("table", text("Shop")), ("entity", text("Order")), ("item", edited), ("stored", stored)];
    let built = ask("build", SHOP, &members).unwrap();
    for (name, expected) in [
        ("PK/S", "CUSTOMER#ann"),
        ("SK/S", "ORDER#7"),
        ("GSI1PK/S", "STATUS#SHIPPED"),
        ("status/S", "SHIPPED"),
        ("ours/N", "1"),
    ] {
        assert_eq!(at(at(&built, "item"), name).text(), Some(expected), "{name}");
    }
}

#[test]
fn an_item_whose_key_cannot_be_built_says_why() {
    let members = [
        ("table", text("Shop")),
        ("entity", text("Order")),
        ("item", json(r#"{"customer": {"S": "ann"}}"#)),
    ];
    let Err(Complaint::Unfit { reasons }) = ask("build", SHOP, &members) else { panic!("built") };
    assert!(reasons.contains("order"), "{reasons}");
}

#[test]
fn a_pattern_asks_step_by_step_and_then_no_more() {
    let ask = |arguments: &str, steps: &str| {
        let members = [
            ("pattern", text("orders of a customer")),
            ("arguments", json(arguments)),
            ("steps", json(steps)),
        ];
        ask("requests", SHOP, &members)
    };
    let first = ask(r#"{"customer": "ann"}"#, "[]").unwrap();
    assert_eq!(at(&first, "requests/0/operation").text(), Some("Query"));
    assert_eq!(at(&first, "requests/0/body/TableName").text(), Some("Shop"));
    assert!(inline_tree(&first).contains("CUSTOMER#ann"));
    let last = ask(r#"{"customer": "ann"}"#, "[[]]").unwrap();
    assert_eq!(at(&last, "requests"), &Tree::Null);
    let Err(Complaint::Unfit { reasons }) = ask("{}", "[]") else { panic!("asked for nobody") };
    assert_eq!(reasons, "parameter customer is missing: customer=TEXT");
}

#[test]
fn a_table_that_is_not_there_is_created_and_one_that_is_as_it_should_be_stays() {
    let created = ask("changes", SHOP, &[("tables", object(&[]))]).unwrap();
    assert_eq!(at(&created, "changes/0/operation").text(), Some("CreateTable"));
    let described = json(
        r#"{"Shop": {"Table": {"TableName": "Shop", "TableStatus": "ACTIVE",
            "AttributeDefinitions": [
                {"AttributeName": "PK", "AttributeType": "S"},
                {"AttributeName": "SK", "AttributeType": "S"},
                {"AttributeName": "GSI1PK", "AttributeType": "S"},
                {"AttributeName": "GSI1SK", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "SK", "KeyType": "RANGE"}],
            "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
            "GlobalSecondaryIndexes": [{"IndexName": "GSI1", "IndexStatus": "ACTIVE",
                "Projection": {"ProjectionType": "ALL"},
                "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"},
                    {"AttributeName": "GSI1SK", "KeyType": "RANGE"}]}]}}}"#,
    );
    let none = ask("changes", SHOP, &[("tables", described)]).unwrap();
    assert_eq!(at(&none, "changes").elements(), []);
    assert_eq!(at(&none, "obstacles").elements(), []);
}

#[test]
fn cost_follows_rates_and_sizes() {
    let total = |rate: &str, size: &str| {
        let number = |digits: &str| Tree::Number(digits.to_owned());
        let answer = ask("cost", SHOP, &[("rate", number(rate)), ("size", number(size))]).unwrap();
        at(&answer, "estimate/total").number().unwrap()
    };
    assert!(total("10", "1") > total("1", "1"));
    assert!(total("1", "100") > total("1", "1"));
    assert!(total("0", "1") < total("1", "1"));
}

#[test]
fn a_file_of_another_tool_becomes_a_model_and_a_model_stays_as_it_is() {
    let import = |name: &str, content: &str| {
        let body = object(&[("name", text(name)), ("text", text(content))]);
        Console::new(Permission::ReadOnly).ask("import", &inline_tree(&body)).unwrap()
    };
    let created = r#"{"TableName": "Shop",
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}"#;
    let imported = json(&import("shop.json", created).unwrap());
    assert_eq!(at(&imported, "format").text(), Some("create-table"));
    let design = ask("design", at(&imported, "model").text().unwrap(), &[]).unwrap();
    assert_eq!(at(&design, "tables/0/physical_name").text(), Some("Shop"));
    // OneTable's files have a member `format` too.
    let exported = ask("export", SHOP, &[("format", text("onetable"))]).unwrap();
    let imported = json(&import("shop.json", at(&exported, "text").text().unwrap()).unwrap());
    assert_eq!(at(&imported, "format").text(), Some("onetable"));
    let mistaken = SHOP.replace("{customer}", "{client}");
    for (name, own) in [("shop.toml", SHOP), ("shop.toml", &mistaken), ("shop", &mistaken)] {
        let opened = json(&import(name, own).unwrap());
        assert_eq!(at(&opened, "model").text(), Some(own));
        assert_eq!(at(&opened, "format"), &Tree::Null);
    }
    assert!(matches!(import("shop.json", "[]"), Err(Complaint::Unfit { .. })));
}

#[test]
fn a_file_with_a_key_of_any_length_is_answered() {
    let key = "k".repeat(20_000);
    let file = format!(
        r#"{{"ModelName": "long", "DataModel": [{{"TableName": "Tab", "KeyAttributes":
        {{"PartitionKey": {{"AttributeName": "PK", "AttributeType": "S"}}}},
        "TableData": [{{"PK": {{"S": "{key}"}}}}]}}]}}"#
    );
    let body = object(&[("name", text("long.json")), ("text", text(&file))]);
    let console = Console::new(Permission::ReadOnly);
    let imported = json(&console.ask("import", &inline_tree(&body)).unwrap().unwrap());
    assert_eq!(at(&imported, "format").text(), Some("workbench"));
}

#[test]
fn a_model_is_found_from_a_running_table_and_its_items() {
    let table = json(
        r#"{"Table": {"TableName": "Shop", "ItemCount": 2, "TableSizeBytes": 100,
            "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}, "ttl": "expires"}"#,
    );
    let items = json(
        r#"[{"PK": {"S": "ORDER#ab1"}, "OrderId": {"S": "ab1"}},
            {"PK": {"S": "ORDER#cd2"}, "OrderId": {"S": "cd2"}}]"#,
    );
    let found = ask("infer", "", &[("table", table), ("items", items)]).unwrap();
    let model = at(&found, "model").text().unwrap();
    assert!(model.contains("ORDER#{OrderId}"), "{model}");
    assert!(model.contains("ttl = \"expires\""), "{model}");
}

#[test]
fn a_model_is_written_in_every_format_of_other_tools() {
    for (name, _) in TargetFormat::ALL {
        let exported = ask("export", SHOP, &[("format", text(name))]).unwrap();
        assert!(!at(&exported, "text").text().unwrap().is_empty(), "{name}");
    }
    let unknown = ask("export", SHOP, &[("format", text("paper"))]).unwrap_err();
    assert_eq!(unknown, Complaint::Unknown { what: "format", name: "paper".to_owned() });
}

#[test]
fn two_models_are_compared_by_what_changes_and_what_both_cost() {
    let changed =
        SHOP.replace("STATUS#{status}", "STATE#{status}").replace("rate = 10", "rate = 90");
    let compared = ask("compare", &changed, &[("other", text(SHOP))]).unwrap();
    assert_eq!(at(&compared, "difference/class").text(), Some("decorate"));
    assert!(!at(&compared, "difference/steps").elements().is_empty());
    let total = |side: &str| at(&compared, &format!("{side}/cost/total")).number().unwrap();
    assert!(total("after") > total("before"));
    let same = ask("compare", SHOP, &[("other", text(SHOP))]).unwrap();
    assert!(at(&same, "difference/equal").is_true());
}

#[test]
fn partition_keys_are_those_of_the_entities_whose_templates_read_them() {
    let keys = || json(r#"["CUSTOMER#ann", "STATUS#PLACED", "other"]"#);
    let entities = |index: &[(&str, Tree)]| {
        let members = [&[("table", text("Shop")), ("keys", keys())], index].concat();
        inline_tree(at(&ask("collections", SHOP, &members).unwrap(), "entities"))
    };
    assert_eq!(json(&entities(&[])), json(r#"[["Order"], [], []]"#));
    assert_eq!(json(&entities(&[("index", text("GSI1"))])), json(r#"[[], ["Order"], []]"#));
}

#[test]
fn a_query_is_kept_in_the_model_under_its_name() {
    let commented = format!("# What we sell.\n{}", SHOP.trim_start());
    let address = "#/items/Shop?p=%5B%22a%22%5D";
    let members = [("name", text("a \"first\" one")), ("address", text(address))];
    let saved = ask("save-query", &commented, &members).unwrap();
    let model = at(&saved, "model").text().unwrap();
    assert!(model.contains("# What we sell."), "{model}");
    let design = ask("design", model, &[]).unwrap();
    assert_eq!(at(&design, "queries/0/name").text(), Some("a \"first\" one"));
    assert_eq!(at(&design, "queries/0/address").text(), Some(address));
    let removed = ask("save-query", model, &members[..1]).unwrap();
    let design = ask("design", at(&removed, "model").text().unwrap(), &[]).unwrap();
    assert_eq!(at(&design, "queries").elements(), []);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let console = Console::new(Permission::Everything);
    assert!(console.ask("nothing", "{}").is_none());
    let refused = |question: &str, body: &str| console.ask(question, body).unwrap().unwrap_err();
    assert!(matches!(refused("design", "{"), Complaint::NotJson { .. }));
    assert_eq!(refused("design", "{}"), Complaint::Missing { member: "model" });
    assert!(matches!(refused("seed", r#"{"model": "format ="}"#), Complaint::Inconsistent { .. }));
    let unknown = ask("recognise", SHOP, &[("table", text("Other"))]).unwrap_err();
    assert_eq!(unknown, Complaint::Unknown { what: "table", name: "Other".to_owned() });
}
