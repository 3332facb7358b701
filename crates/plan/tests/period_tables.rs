//! Patterns on tables of which there is one for each period.

use expect_test::{Expect, expect};
use monotable_item::{Item, Value};
use monotable_model::document::{Format, Model, inline_tree, read};
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Settings, prices_of};
use monotable_plan::run::{Row, Run};
use monotable_plan::{plan, requests};

const EVENTS: &str = r##"
format = 1
name = "events"

[tables.Events]
name = "events_{at:month}"
partition_key = "PK"
sort_key = "SK"
[tables.Events.global_indexes.by_kind]
partition_key = "kind"
sort_key = "id"
projection = "keys-only"

[tables.Logs]
name = "logs_{at:month}"
partition_key = "PK"
sort_key = "SK"

[entities.Event]
table = "Events"
key = { partition = "USER#{user}", sort = "{at:time(s)}#{id}" }
indexes.by_kind = {}
attributes = { user = "S", at = "S", id = "S", kind = "S", note = "S" }

[entities.Log]
table = "Logs"
key = { partition = "{at:week}", sort = "{at:time(s)}" }
attributes = { at = "S", text = "S" }

[patterns.add]
operation = "put"
entity = "Event"

[patterns.one]
operation = "get"
entity = "Event"
by = ["user", "at", "id"]

[patterns.by_id_alone]
operation = "query"
returns = ["Event"]
by = ["user"]

[patterns.since]
operation = "query"
returns = ["Event"]
by = ["user"]
range = "at >= :from"

[patterns.between]
operation = "query"
returns = ["Event"]
by = ["user"]
range = "at between :from and :to"

[patterns.latest]
operation = "query"
returns = ["Event"]
by = ["user"]
range = "at between :from and :to"
order = "descending"

[patterns.month]
operation = "query"
returns = ["Event"]
by = ["kind", "at"]
index = "by_kind"

[patterns.note]
operation = "update"
entity = "Event"
by = ["user", "at", "id"]
change = "SET note = :note"

[patterns.move]
operation = "update"
entity = "Event"
by = ["user", "at", "id"]
change = "SET at = :later"

[patterns.swap]
operation = "transact-write"
actions = [
  { delete = "Event", by = { user = ":user", at = ":old", id = ":id" } },
  { put = "Event", values = { at = ":new" } },
]

[patterns.everything]
operation = "scan"
returns = ["Event"]

[patterns.export]
operation = "scan"
returns = ["Event"]
range = "at between :from and :to"

[patterns.logs]
operation = "query"
returns = ["Log"]
range = "at between :from and :to"
"##;

fn model() -> Model {
    match read(EVENTS, Format::Toml) {
        Ok(document) => document.model,
        Err(diagnostics) => panic!("{diagnostics:#?}"),
    }
}

#[track_caller]
fn check_plan(pattern: &str, expected: &Expect) {
    let model = model();
    let planned = plan(&model, model.pattern(pattern).unwrap());
    let mut lines = planned.lines();
    lines.extend(planned.shortfalls.iter().map(|one| format!("shortfall: {}", one.reason)));
    expected.assert_eq(&lines.join("\n"));
}

fn item(values: &[(&str, &str)]) -> Item {
    values.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
}

/// Each request: what, and the table and conditions that it has.
#[track_caller]
fn check_requests(pattern: &str, values: &[(&str, &str)], expected: &Expect) {
    let model = model();
    let planned = plan(&model, model.pattern(pattern).unwrap());
    let lines = match requests(&model, &planned, &item(values)) {
        Ok(requests) => {
            let line = |request: &monotable_plan::Request| {
                format!("{} {}", request.operation(), inline_tree(&request.body()))
            };
            requests.iter().map(line).collect()
        }
        Err(error) => vec![error.to_string()],
    };
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn whoever_knows_the_time_knows_the_table() {
    check_plan(
        "add",
        &expect!["PutItem events_{at:month} with PK = USER#{user} AND SK = {at:time(s)}#{id}"],
    );
    check_plan(
        "one",
        &expect!["GetItem events_{at:month} where PK = USER#{user} AND SK = {at:time(s)}#{id}"],
    );
    check_plan(
        "month",
        &expect![[r#"
            Query by_kind of events_{at:month} where kind = {kind:raw}, ascending
            BatchGetItem Events for user, at, note, for each row"#]],
    );
    check_plan(
        "note",
        &expect![[r#"
            UpdateItem events_{at:month} where PK = USER#{user} AND SK = {at:time(s)}#{id}: SET note = :note"#]],
    );
    check_plan(
        "swap",
        &expect![[r#"
            TransactWriteItems
              DeleteItem events_{old:month} where PK = USER#{user} AND SK = {old:time(s)}#{id}
              PutItem events_{new:month} with PK = USER#{user} AND SK = {new:time(s)}#{id}"#]],
    );
}

#[test]
fn a_range_of_time_is_a_range_of_tables() {
    check_plan(
        "between",
        &expect![[r#"
            Query events_{at:month} where PK = USER#{user} AND SK BETWEEN {from:time(s)} AND {to:time(s)}$, ascending, in the table of each {at:month}"#]],
    );
    check_plan(
        "export",
        &expect![[r#"
            Scan events_{at:month}, filter at BETWEEN :from AND :to, in the table of each {at:month}"#]],
    );
    check_plan(
        "logs",
        &expect![[r#"
            Query logs_{at:month} where PK = {at:week} AND SK BETWEEN {from:time(s)} AND {to:time(s)}, ascending, for each {at:week}, in the table of each {at:month}"#]],
    );
}

#[test]
fn a_table_that_nothing_tells_is_said() {
    check_plan(
        "by_id_alone",
        &expect![[r#"
            not Events: the table of Event is named by at, which is not known
            not by_kind: the partition key of Event needs kind
            Events would serve it if at were known, or both ends of a range of it"#]],
    );
    check_plan(
        "since",
        &expect![[r#"
            not Events: the tables of Event are named by at, and an open range of it has no last table
            not by_kind: the partition key of Event needs kind
            Events would serve it if the range of at had both ends"#]],
    );
    check_plan(
        "everything",
        &expect![[r#"
            not Events: the table of Event is named by at, which is not known
            not by_kind: the index holds only items of Event with the attribute kind; the table of Event is named by at, which is not known
            Events would serve it if at were known, or both ends of a range of it"#]],
    );
    check_plan(
        "move",
        &expect![[r#"
            not Events: at is part of the item's key, which cannot change
            Events would serve it if the item were deleted and put again, in one transaction"#]],
    );
}

#[test]
fn requests_name_the_table_of_their_period() {
    let event = [("user", "u1"), ("at", "2024-04-03T08:00:00Z"), ("id", "e1"), ("kind", "login")];
    check_requests(
        "add",
        &event,
        &expect![[
            r#"PutItem { "TableName": "events_2024-04", "Item": { "PK": { "S": "USER#u1" }, "SK": { "S": "2024-04-03T08:00:00Z#e1" }, "at": { "S": "2024-04-03T08:00:00Z" }, "id": { "S": "e1" }, "kind": { "S": "login" }, "user": { "S": "u1" } } }"#
        ]],
    );
    check_requests(
        "one",
        &event,
        &expect![[
            r#"GetItem { "TableName": "events_2024-04", "Key": { "PK": { "S": "USER#u1" }, "SK": { "S": "2024-04-03T08:00:00Z#e1" } } }"#
        ]],
    );
    let swap = [
        ("user", "u1"),
        ("id", "e1"),
        ("kind", "login"),
        ("old", "2024-03-31T23:00:00Z"),
        ("new", "2024-04-01T01:00:00Z"),
    ];
    check_requests(
        "swap",
        &swap,
        &expect![[
            r#"TransactWriteItems { "TransactItems": [{ "Delete": { "TableName": "events_2024-03", "Key": { "PK": { "S": "USER#u1" }, "SK": { "S": "2024-03-31T23:00:00Z#e1" } } } }, { "Put": { "TableName": "events_2024-04", "Item": { "PK": { "S": "USER#u1" }, "SK": { "S": "2024-04-01T01:00:00Z#e1" }, "at": { "S": "2024-04-01T01:00:00Z" }, "id": { "S": "e1" }, "kind": { "S": "login" }, "user": { "S": "u1" } } } }] }"#
        ]],
    );
}

#[test]
fn every_table_of_a_range_is_asked_in_the_order_of_the_rows() {
    let range = [("user", "u1"), ("from", "2023-12-31T00:00:00Z"), ("to", "2024-02-01T00:00:00Z")];
    check_requests(
        "between",
        &range,
        &expect![[r#"
            Query { "TableName": "events_2023-12", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "USER#u1" }, ":k2": { "S": "2023-12-31T00:00:00Z" }, ":k3": { "S": "2024-02-01T00:00:00Z$" } } }
            Query { "TableName": "events_2024-01", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "USER#u1" }, ":k2": { "S": "2023-12-31T00:00:00Z" }, ":k3": { "S": "2024-02-01T00:00:00Z$" } } }
            Query { "TableName": "events_2024-02", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "USER#u1" }, ":k2": { "S": "2023-12-31T00:00:00Z" }, ":k3": { "S": "2024-02-01T00:00:00Z$" } } }"#]],
    );
    check_requests(
        "latest",
        &range,
        &expect![[r#"
            Query { "TableName": "events_2024-02", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "USER#u1" }, ":k2": { "S": "2023-12-31T00:00:00Z" }, ":k3": { "S": "2024-02-01T00:00:00Z$" } }, "ScanIndexForward": false }
            Query { "TableName": "events_2024-01", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "USER#u1" }, ":k2": { "S": "2023-12-31T00:00:00Z" }, ":k3": { "S": "2024-02-01T00:00:00Z$" } }, "ScanIndexForward": false }
            Query { "TableName": "events_2023-12", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "USER#u1" }, ":k2": { "S": "2023-12-31T00:00:00Z" }, ":k3": { "S": "2024-02-01T00:00:00Z$" } }, "ScanIndexForward": false }"#]],
    );
}

#[test]
fn a_table_is_asked_only_for_the_periods_of_the_key_that_it_holds() {
    let range = [("from", "2024-02-20T00:00:00Z"), ("to", "2024-03-05T00:00:00Z")];
    check_requests(
        "logs",
        &range,
        &expect![[r#"
            Query { "TableName": "logs_2024-02", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "2024-W08" }, ":k2": { "S": "2024-02-20T00:00:00Z" }, ":k3": { "S": "2024-03-05T00:00:00Z" } } }
            Query { "TableName": "logs_2024-02", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "2024-W09" }, ":k2": { "S": "2024-02-20T00:00:00Z" }, ":k3": { "S": "2024-03-05T00:00:00Z" } } }
            Query { "TableName": "logs_2024-03", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "2024-W09" }, ":k2": { "S": "2024-02-20T00:00:00Z" }, ":k3": { "S": "2024-03-05T00:00:00Z" } } }
            Query { "TableName": "logs_2024-03", "KeyConditionExpression": "PK = :k1 AND SK BETWEEN :k2 AND :k3", "ExpressionAttributeValues": { ":k1": { "S": "2024-W10" }, ":k2": { "S": "2024-02-20T00:00:00Z" }, ":k3": { "S": "2024-03-05T00:00:00Z" } } }"#]],
    );
}

#[test]
fn what_an_index_lacks_is_fetched_from_the_table_of_the_row() {
    let model = model();
    let planned = plan(&model, model.pattern("month").unwrap());
    let parameters = item(&[("kind", "login"), ("at", "2024-04-03")]);
    let mut run = Run::new(&model, &planned, parameters);
    run.next(&[]).unwrap().unwrap();
    let key = item(&[
        ("PK", "USER#u1"),
        ("SK", "2024-04-03T08:00:00Z#e1"),
        ("kind", "login"),
        ("id", "e1"),
    ]);
    let rows = [Row { table: "events_2024-04".to_owned(), item: key }];
    let fetched = run.next(&rows).unwrap().unwrap();
    let bodies: Vec<String> =
        fetched.requests.iter().map(|request| inline_tree(&request.body())).collect();
    expect![[r##"{ "RequestItems": { "events_2024-04": { "Keys": [{ "PK": { "S": "USER#u1" }, "SK": { "S": "2024-04-03T08:00:00Z#e1" } }], "ProjectionExpression": "PK, SK, #k1, #k2, note", "ExpressionAttributeNames": { "#k1": "user", "#k2": "at" } } } }"##]]
    .assert_eq(&bodies.join("\n"));
}

#[test]
fn what_a_table_for_each_period_costs_says_what_it_leaves_out() {
    let billing = "partition_key = \"PK\"\nbilling = { read_units = 10, write_units = 5 }";
    let text = EVENTS.replacen("partition_key = \"PK\"", billing, 1);
    let model = read(&text, Format::Toml).unwrap().model;
    let settings = Settings::new(prices_of(DEFAULT_REGION).unwrap());
    let estimate = Estimate::of(&model, &settings);
    let between = estimate.patterns.iter().find(|cost| cost.name == "between").unwrap();
    let said = [between.assumptions.clone(), estimate.notes.clone()].concat();
    expect![[r#"
        one row comes back: neither rows nor a relationship says how many
        a range of time lies in one period, and so in one table
        13 patterns have no rate and cost nothing here
        storage without Event, Log, which have no count
        the capacity of Events is that of one table: every other month that is kept at it costs as much again"#]]
    .assert_eq(&said.join("\n"));
}
