//! Estimates of whole models: sizes, rates, calls, indexes, bills and reports.

use monotable_model::document::{Format, Model, TableClass, read, write_tree};
use monotable_plan::cost::{
    Estimate, EstimateComparison, Payment, Settings, SizeSource, prices_of, render_comparison,
    render_html, render_json, render_text,
};
use monotable_plan::plan_all;

/// A month in millions of seconds, so that prices for a million units can be multiplied by it.
const MONTH: f64 = 2.628;

const SHOP: &str = r##"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Customer]
key = { partition = "CUSTOMER#{username}", sort = "CUSTOMER#{username}" }
count = 1000
average_bytes = 1500
attributes.username = { type = "S", average_bytes = 10 }

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{order_id}" }
indexes.GSI1 = { partition = "STATUS#{status}", sort = "{order_id}" }
average_bytes = 500
attributes.username = { type = "S", average_bytes = 10 }
attributes.order_id = { type = "S", average_bytes = 10 }
attributes.status = { type = "S", enum = ["PAID", "SENT"] }
attributes.note = "S"

[[relationships]]
from = "Customer"
to = "Order"
kind = "1:n"
average = 20

[patterns."customer"]
operation = "get"
entity = "Customer"
by = ["username"]
consistent = true
rate = 10

[patterns."orders of a customer"]
operation = "query"
returns = ["Order"]
by = ["username"]
rate = 100

[patterns."orders by status"]
operation = "query"
returns = ["Order"]
by = ["status"]
rows = 100
rate = 1

[patterns."place an order"]
operation = "transact-write"
actions = [
  { put = "Order", condition = "attribute_not_exists(PK)" },
  { check = "Customer", by = ["username"], condition = "attribute_exists(PK)" },
]
rate = 2

[patterns."send an order"]
operation = "update"
entity = "Order"
by = ["username", "order_id"]
change = "SET status = 'SENT'"
rate = 2

[patterns."note on an order"]
operation = "update"
entity = "Order"
by = ["username", "order_id"]
change = "SET note = :note"
rate = 4
"##;

fn model(text: &str) -> Model {
    match read(text, Format::Toml) {
        Ok(document) => document.model,
        Err(diagnostics) => panic!("{diagnostics:#?}"),
    }
}

fn estimate(text: &str) -> Estimate {
    Estimate::of(&model(text), &Settings::new(prices_of("us-east-1").unwrap()))
}

#[test]
fn an_estimate_is_the_same_with_plans_that_are_made_already() {
    let (model, settings) = (model(SHOP), Settings::new(prices_of("us-east-1").unwrap()));
    let planned = Estimate::of_plans(&model, &plan_all(&model), &settings);
    assert_eq!(planned, Estimate::of(&model, &settings));
}

fn units(estimate: &Estimate, pattern: &str) -> (f64, f64) {
    let found = estimate.patterns.iter().find(|found| found.name == pattern).unwrap();
    let total = found.usage.values().next().unwrap().total();
    (total.read, total.write)
}

fn month(estimate: &Estimate, pattern: &str) -> f64 {
    let found = estimate.patterns.iter().find(|found| found.name == pattern).unwrap();
    found.month.unwrap()
}

#[track_caller]
fn check_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{found}, not {expected}");
}

#[test]
fn each_pattern_consumes_what_its_requests_do() {
    let estimate = estimate(SHOP);
    assert_eq!(units(&estimate, "customer"), (1.0, 0.0));
    // 20 orders of 500 bytes, by the relationship: three times 4 KB, at half.
    assert_eq!(units(&estimate, "orders of a customer"), (1.5, 0.0));
    // 100 entries of 500 bytes are 13 times 4 KB.
    assert_eq!(units(&estimate, "orders by status"), (6.5, 0.0));
    // The order doubled, its entry once, the check of a customer of 1500 bytes doubled.
    assert_eq!(units(&estimate, "place an order"), (0.0, 2.0 + 1.0 + 4.0));
    // The entry moves.
    assert_eq!(units(&estimate, "send an order"), (0.0, 1.0 + 2.0));
    // The entry changes.
    assert_eq!(units(&estimate, "note on an order"), (0.0, 1.0 + 1.0));
}

#[test]
fn a_month_is_rate_times_units_times_price() {
    let estimate = estimate(SHOP);
    check_near(month(&estimate, "customer"), 10.0 * MONTH * 0.125);
    check_near(month(&estimate, "place an order"), 2.0 * 7.0 * MONTH * 0.625);
}

#[test]
fn an_index_with_few_attributes_is_not_written_when_others_change() {
    let text =
        SHOP.replace("sort_key = \"GSI1SK\"", "sort_key = \"GSI1SK\"\nprojection = \"keys-only\"");
    let estimate = estimate(&text);
    assert_eq!(units(&estimate, "note on an order"), (0.0, 1.0));
    assert_eq!(units(&estimate, "send an order"), (0.0, 3.0));
}

#[test]
fn storage_has_the_overhead_of_items_and_of_index_entries() {
    let estimate = estimate(SHOP);
    let order = estimate.entities.iter().find(|entity| entity.name == "Order").unwrap();
    assert_eq!(order.size.count, Some(20_000.0));
    assert_eq!(order.size.source, SizeSource::Declared);
    check_near(order.storage.unwrap(), 2.0 * 20_000.0 * 600.0 / 1_073_741_824.0 * 0.25);
}

#[test]
fn counts_follow_from_relationships_over_any_number_of_steps_and_never_in_circles() {
    let lines = r##"
[entities.Line]
key = { partition = "ORDER#{order_id}", sort = "LINE#{line}" }
attributes = { order_id = "S", line = "S" }

[entities.Egg]
key = { partition = "EGG#{egg}", sort = "EGG" }
attributes.egg = "S"

[[relationships]]
from = "Order"
to = "Line"
kind = "1:n"
average = 3

[[relationships]]
from = "Egg"
to = "Egg"
kind = "1:n"
average = 2
"##;
    let estimate = estimate(&format!("{SHOP}{lines}"));
    let count = |name: &str| {
        let found = estimate.entities.iter().find(|entity| entity.name == name).unwrap();
        found.size.count
    };
    assert_eq!(count("Line"), Some(60_000.0));
    assert_eq!(count("Egg"), None);
    assert_eq!(estimate.notes.last().unwrap(), "storage without Egg, which has no count");
}

/// Groups with members, each of whom has a card and likes others.
const CLUB: &str = r##"
format = 1
name = "club"
[tables.Club]
partition_key = "PK"
sort_key = "SK"
[tables.Club.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"
[entities.Group]
key = { partition = "GROUP#{group_id}", sort = "GROUP" }
attributes.group_id = "S"
count = 47
[entities.Person]
key = { partition = "PERSON#{person_id}", sort = "PERSON" }
indexes.GSI1 = { partition = "CITY#{city}", sort = "PERSON#{person_id}" }
attributes.person_id = { type = "S", required = true }
attributes.city = { type = "S", required = true }
average_bytes = 3000
count = 141
[entities.Member]
key = { partition = "GROUP#{group_id}", sort = "MEMBER#{person_id}" }
indexes.GSI1 = { partition = "PERSON#{person_id}", sort = "GROUP#{group_id}" }
attributes.group_id = { type = "S", required = true }
attributes.person_id = { type = "S", required = true }
average_bytes = 4000
[entities.Card]
key = { partition = "PERSON#{person_id}", sort = "CARD" }
attributes.person_id = "S"
[[relationships]]
from = "Group"
to = "Person"
kind = "n:m"
through = "Member"
average = 30
[[relationships]]
from = "Person"
to = "Card"
kind = "1:1"
[[relationships]]
from = "Person"
to = "Person"
kind = "n:m"
average = 3
[patterns."members of a group"]
operation = "query"
returns = ["Member"]
by = ["group_id"]
[patterns."groups of a person"]
operation = "query"
returns = ["Member"]
by = ["person_id"]
[patterns."people of a city"]
operation = "query"
returns = ["Person"]
by = ["city"]
"##;

#[test]
fn the_average_of_two_sides_counts_what_joins_them_and_of_one_to_one_there_is_one_each() {
    let estimate = estimate(CLUB);
    let count = |name: &str| {
        estimate.entities.iter().find(|entity| entity.name == name).unwrap().size.count
    };
    assert_eq!(count("Member"), Some(47.0 * 30.0));
    assert_eq!(count("Card"), Some(141.0));
}

#[test]
fn a_query_reads_as_many_as_belong_to_the_side_that_it_knows() {
    let estimate = estimate(CLUB);
    // 30 members of 4,000 bytes in a group, and 1,410 of them among 141 people.
    assert_eq!(units(&estimate, "members of a group").0, (30.0_f64 * 4000.0 / 4096.0).ceil() / 2.0);
    assert_eq!(units(&estimate, "groups of a person").0, (10.0_f64 * 4000.0 / 4096.0).ceil() / 2.0);
    // That people like people says nothing about how many live in a city.
    assert_eq!(units(&estimate, "people of a city").0, 0.5);
}

#[test]
fn a_parent_is_one_row_beside_its_children_and_so_is_what_nothing_counts() {
    let patterns = r#"
[patterns."group and its members"]
operation = "query"
returns = ["Group", "Member"]
by = ["group_id"]
[patterns."one member"]
operation = "query"
returns = ["Member"]
by = ["group_id", "person_id"]
[patterns."members and all notices"]
operation = "query"
returns = ["Member", "Notice"]
by = ["group_id"]
[entities.Notice]
key = { partition = "GROUP#{group_id}", sort = "NOTICE#{at}" }
attributes = { group_id = "S", at = "S" }
average_bytes = 8000
"#;
    let club = CLUB.replace("count = 47", "count = 47\naverage_bytes = 8000");
    let estimate = estimate(&format!("{club}{patterns}"));
    // A group of 8,000 bytes and 30 members of 4,000: 128,000 bytes.
    assert_eq!(units(&estimate, "group and its members").0, 16.0);
    assert_eq!(units(&estimate, "one member").0, 0.5);
    let assumed = |name: &str| {
        let found = estimate.patterns.iter().find(|pattern| pattern.name == name).unwrap();
        found.assumptions.clone()
    };
    assert_eq!(
        assumed("group and its members"),
        ["as many rows come back as the relationship says"]
    );
    assert_eq!(
        assumed("members and all notices"),
        [
            "as many rows come back as the relationship says",
            "one Notice comes back: neither rows nor a relationship says how many",
        ]
    );
}

#[test]
fn samples_are_measured_before_anything_declared_counts() {
    let sample = r#"
[[samples.Customer]]
username = "alex"
"#;
    let estimate = estimate(&format!("{SHOP}{sample}"));
    let customer = estimate.entities.iter().find(|entity| entity.name == "Customer").unwrap();
    assert_eq!(customer.size.source, SizeSource::Samples(1));
    // PK and SK with CUSTOMER#alex, and username with alex.
    assert_eq!(customer.size.item_bytes, 2 * (2 + 13) + 8 + 4);
}

#[test]
fn a_table_costs_the_same_by_pattern_and_by_bill() {
    let estimate = estimate(SHOP);
    let table = estimate.tables.first().unwrap();
    let bill = table.bill(Payment::OnDemand, TableClass::Standard).unwrap();
    let of_patterns: f64 = estimate.patterns.iter().filter_map(|pattern| pattern.month).sum();
    let storage: f64 = table.arms.iter().map(|arm| arm.storage).sum();
    check_near(bill.total().unwrap(), of_patterns + storage);
    let of_entities: f64 = estimate
        .entities
        .iter()
        .map(|entity| entity.storage.unwrap_or(0.0) + entity.reads + entity.writes)
        .sum();
    check_near(of_entities, of_patterns + storage);
    check_near(estimate.total(), bill.total().unwrap());
}

#[test]
fn a_narrow_projection_saves_and_says_how_many_fetches_that_bears() {
    let estimate = estimate(SHOP);
    let saving = estimate.tables.first().unwrap().projections.first().unwrap();
    assert_eq!((saving.index.as_str(), saving.include.len()), ("GSI1", 0));
    // A note no longer writes to the index: four writes a second are saved, and reads and storage
    // too.
    assert!(saving.month > 4.0 * MONTH * 0.625, "{saving:?}");
    check_near(saving.break_even_fetches, saving.month / (0.5 * MONTH * 0.125));
    assert_eq!(saving.whole_rows, 100.0);
}

#[test]
fn a_comparison_names_what_differs() {
    let before = estimate(SHOP);
    let after = estimate(&SHOP.replace("rate = 100", "rate = 50").replace("\"shop\"", "\"half\""));
    let comparison = EstimateComparison::of(&before, &after);
    let changed: Vec<&str> = comparison
        .patterns
        .iter()
        .filter(|difference| difference.change() != 0.0)
        .map(|difference| difference.name.as_str())
        .collect();
    assert_eq!(changed, ["orders of a customer"]);
    check_near(comparison.total.change(), -50.0 * 1.5 * MONTH * 0.125);
    let text = render_comparison(&comparison, None);
    assert!(text.starts_with("half against shop, a month\n"), "{text}");
}

#[test]
fn reports_say_what_they_are_made_of() {
    let estimate = estimate(SHOP);
    let text = render_text(&estimate, None);
    for part in [
        "Prices of us-east-1 of 2026-08-15",
        "A month has 730 hours",
        "orders of a customer",
        "GSI1",
        "on demand",
        "reserved for 3 years",
        "Break-even points of Shop",
        "28.9 %",
        "█",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let page = render_html(&estimate, None);
    assert!(page.contains("<svg") && page.contains("prefers-color-scheme: dark"));
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs nothing else");
    let json: serde_json::Value =
        serde_json::from_str(&write_tree(&render_json(&estimate))).unwrap();
    assert_eq!(json["patterns"][0]["usage"]["Shop"]["table"]["read"], 1.0);
    assert_eq!(json["month_hours"], 730);
}

#[test]
fn every_worked_model_can_be_priced() {
    for example in monotable_model_fixture::examples() {
        let (estimate, name) = (estimate(&example.text), &example.name);
        assert!(estimate.total() >= 0.0 && estimate.total().is_finite(), "{name}");
        for pattern in &estimate.patterns {
            let is_sound = pattern.month.is_none_or(|month| month >= 0.0 && month.is_finite());
            assert!(is_sound, "{} in {name}", pattern.name);
        }
        assert!(!render_text(&estimate, None).contains("NaN"), "{name}");
    }
}

#[test]
fn a_report_fits_the_terminal() {
    let (estimate, comparison) = {
        let before = estimate(SHOP);
        let after = estimate(&SHOP.replace("rate = ", "rate = 1"));
        let comparison = EstimateComparison::of(&before, &after);
        (after, comparison)
    };
    for cells in [40, 60, 80, 100, 140] {
        let text =
            render_text(&estimate, Some(cells)) + &render_comparison(&comparison, Some(cells));
        // The line with the source of the prices is one word.
        let tables = text.lines().filter(|line| line.starts_with(' '));
        for line in tables {
            assert!(line.chars().count() <= cells, "{cells}: {line}");
        }
    }
}
