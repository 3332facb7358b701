//! The figures in findings: loads, sizes, savings and where warnings become errors.

use expect_test::{Expect, expect};
use monotable_lint::{Evidence, Judgement, lint, read_export};
use monotable_model::document::{Format, read};

const TABLE: &str = r#"
format = 1
name = "figures"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
"#;

#[track_caller]
fn check(code: &str, model: &str, expect: &Expect) {
    check_with(code, model, None, expect);
}

#[track_caller]
fn check_with(code: &str, model: &str, data: Option<&str>, expect: &Expect) {
    let document = read(&format!("{TABLE}{model}"), Format::Toml).expect("the model is right");
    let items = data.map(|text| read_export(text, "Shop").expect("the items are right"));
    let evidence = Evidence { items, ..Evidence::default() };
    let report = lint(&document.model, evidence, &Judgement::default());
    let own = report.findings.iter().filter(|finding| finding.code == code);
    let lines = own.map(|finding| {
        let suggestion = finding.suggestion.as_deref().unwrap_or_default();
        format!("{}: {}\n  {suggestion}\n", finding.severity.name(), finding.message)
    });
    expect.assert_eq(&lines.collect::<String>());
}

fn counters(rate: u32, values: u32) -> String {
    format!(
        r#"
[entities.Counter]
key = {{ partition = "COUNTER#{{Region}}", sort = "COUNTER" }}
attributes.Region = {{ type = "S", distinct = {values} }}
attributes.Hits = "N"
average_bytes = 100

[patterns.hit]
operation = "update"
entity = "Counter"
by = ["Region"]
change = "ADD Hits :one"
parameters.one = "N"
rate = {rate}
"#
    )
}

#[test]
fn a_key_over_the_limit_is_an_error() {
    check(
        "hot-partition",
        &counters(6000, 4),
        &expect![[r#"
            error: 1500 write units a second go to each COUNTER#{Region} of Counter, of the 1000 that a partition bears
              spread it: "COUNTER#{Region}#{shard(Region, 12)}"
        "#]],
    );
}

#[test]
fn a_key_over_half_of_the_limit_is_a_warning() {
    check(
        "hot-partition",
        &counters(3000, 5),
        &expect![[r#"
            warning: 600 write units a second go to each COUNTER#{Region} of Counter, of the 1000 that a partition bears
              spread it: "COUNTER#{Region}#{shard(Region, 6)}"
        "#]],
    );
}

#[test]
fn a_busy_key_among_many_is_a_warning() {
    check(
        "hot-partition",
        &counters(9000, 40),
        &expect![[r#"
            warning: 225 write units a second go to each COUNTER#{Region} of Counter, of the 1000 that a partition bears
              spread it: "COUNTER#{Region}#{shard(Region, 3)}"
        "#]],
    );
    check("hot-partition", &counters(9000, 400), &expect![""]);
}

#[test]
fn children_share_the_load_of_their_parents_partition() {
    let model = r#"
[entities.Post]
key = { partition = "POST#{Post}", sort = "POST" }
attributes.Post = "S"
count = 2

[entities.Comment]
key = { partition = "POST#{Post}", sort = "COMMENT#{Id}" }
attributes = { Post = "S", Id = "S" }
average_bytes = 100

[patterns."write post"]
operation = "put"
entity = "Post"
rate = 800

[patterns."write comment"]
operation = "put"
entity = "Comment"
rate = 800
"#;
    check(
        "hot-partition",
        model,
        &expect![[r#"
            warning: 800 write units a second go to each POST#{Post} of Post and Comment, of the 1000 that a partition bears
              spread it: "POST#{Post}#{shard(Post, 4)}"
        "#]],
    );
}

#[test]
fn nothing_is_said_of_keys_that_nobody_counted() {
    let uncounted = counters(9000, 1).replace(", distinct = 1", "");
    check("hot-partition", &uncounted, &expect![""]);
}

#[test]
fn stored_items_are_measured() {
    let model = r#"
[entities.Note]
key = { partition = "NOTE#{Id}", sort = "NOTE" }
attributes = { Id = "S", Text = "S" }
"#;
    let note = |length: usize| {
        let text = "x".repeat(length);
        format!(r#"{{"PK": {{"S": "NOTE#1"}}, "SK": {{"S": "NOTE"}}, "Text": {{"S": "{text}"}}}}"#)
    };
    check_with("item-size", model, Some(&note(1000)), &expect![""]);
    check_with(
        "item-size",
        model,
        Some(&note(200 * 1024)),
        &expect![[r#"
            warning: an item of Note has 200 KB: each read costs 26 units and each write 201
              put the largest attribute into items of its own beside this one, or into an object store with its address here
        "#]],
    );
}

#[test]
fn an_item_of_a_variant_is_judged_by_its_own_keys() {
    let model = r#"
[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"

[entities.Open]
key = { partition = "ISSUE#{Id}", sort = "ISSUE" }
indexes.GSI1 = { partition = "OPEN#{Repo}" }
attributes.Id = "S"
attributes.Repo = { type = "S", required = true }
attributes.Status = { type = "S", enum = ["OPEN"] }

[entities.Closed]
variant_of = "Open"
indexes.GSI1 = { partition = "CLOSED#{Repo}" }
attributes.Status = { type = "S", enum = ["CLOSED"] }
"#;
    let issue = |status: &str, key: &str| {
        format!(
            r#"{{"PK": {{"S": "ISSUE#1"}}, "SK": {{"S": "ISSUE"}}, "Id": {{"S": "1"}}, "Repo": {{"S": "r"}}, "Status": {{"S": "{status}"}}, "GSI1PK": {{"S": "{key}"}}}}"#
        )
    };
    check_with("drifted-index-key", model, Some(&issue("CLOSED", "CLOSED#r")), &expect![""]);
    check_with(
        "drifted-index-key",
        model,
        Some(&issue("CLOSED", "OPEN#r")),
        &expect![[r#"
            error: 1 stored item of Closed with a GSI1PK that its attributes do not make: ISSUE#1 / ISSUE has OPEN#r, and they make CLOSED#r
              write the keys with every change of the attributes that they are made of, and write these items again
        "#]],
    );
}

fn shared_partitions(more: &str) -> String {
    format!(
        r#"
[entities.Customer]
key = {{ partition = "{{username}}", sort = "CUSTOMER" }}
attributes.username = "S"
[entities.Order]
key = {{ partition = "{{customer}}", sort = "ORDER#{{id}}" }}
attributes = {{ customer = "S", id = "S" }}
{more}"#
    )
}

#[test]
fn entities_that_all_share_a_partition_need_no_prefix() {
    check("missing-type-prefix", &shared_partitions(""), &expect![""]);
}

/// A prefix of its own for each would tear the partition apart.
#[test]
fn entities_that_share_a_partition_take_one_prefix() {
    let more = "[entities.Product]\nkey = { partition = \"PRODUCT#{sku}\", sort = \"A\" }\n\
                attributes.sku = \"S\"\n";
    check(
        "missing-type-prefix",
        &shared_partitions(more),
        &expect![[r#"
        warning: the partition key of Customer, {username}, begins with a value
          begin it with one word for all that share it (Customer, Order): "CUSTOMER#{username}"
        warning: the partition key of Order, {customer}, begins with a value
          begin it with one word for all that share it (Customer, Order): "CUSTOMER#{customer}"
    "#]],
    );
}

const TICKETS: &str = r#"
[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Ticket]
key = { partition = "TICKET#{id}", sort = "TICKET" }
indexes.GSI1 = { partition = "REGION#{region}", sort = "TICKET#{id}" }
count = 10000
average_bytes = 400
[entities.Ticket.attributes]
id = { type = "S", required = true }
region = { type = "S", required = true, distinct = 5 }
state = { type = "S", required = true, name = "st", enum = ["it's \"A\"", "B", "C", "D"] }

[patterns."tickets of a region"]
operation = "query"
returns = ["Ticket"]
"#;

/// What a pattern knows and the key does not say is a filter as well, however it is written.
#[test]
fn an_index_is_filtered_by_what_is_known_as_by_what_is_filtered() {
    let found = expect![[r#"
        warning: the only read of GSI1 filters by state = 'it''s "A"', and all other items of Ticket are written, stored and read there for nothing
          make it sparse: when = "state = 'it''s \"A\"'"
    "#]];
    let known = r#"by = { region = ":region", state = "it's \"A\"" }"#;
    check("index-filtered-by-constant", &format!("{TICKETS}{known}"), &found);
    let filtered = r#"by = ["region"]
filter = "state = 'it''s \"A\"'""#;
    check("index-filtered-by-constant", &format!("{TICKETS}{filtered}"), &found);
    let parameter = r#"by = ["region", "state"]"#;
    check("index-filtered-by-constant", &format!("{TICKETS}{parameter}"), &expect![""]);
}

#[test]
fn what_is_known_and_not_in_the_key_lets_as_much_through_as_a_filter() {
    let found = expect![[r#"
        warning: the filter lets 500 of 2000 items through (25 %), and 781 KB are read and paid for
          put what the filter says into the sort key before what varies, or make a sparse index of the items that pass
    "#]];
    let known = r#"by = { region = ":region", state = "B" }"#;
    check("filter-low-hit-rate", &format!("{TICKETS}{known}"), &found);
    let filtered = "by = [\"region\"]\nfilter = \"state = 'B'\"";
    check("filter-low-hit-rate", &format!("{TICKETS}{filtered}"), &found);
}

fn events(key: &str) -> String {
    format!(
        r#"
[tables.Events]
partition_key = "PK"

[entities.Event]
table = "Events"
key.partition = "{key}"
[entities.Event.attributes]
at = {{ type = "S", format = "rfc3339", required = true }}
source = {{ type = "S", distinct = 2, required = true }}
id = {{ type = "S", required = true }}
text = "S"

[patterns."record an event"]
operation = "put"
entity = "Event"
rate = 500
"#
    )
}

#[test]
fn a_time_that_is_the_whole_key_tells_no_events_apart() {
    check(
        "time-not-unique",
        &events("E#{at:time(s)}"),
        &expect![[r#"
            error: {at:time(s)} tells items of Event apart and nothing else does, and at 500 puts a second 500 have the same key
              let an identifier follow the time, such as a ULID or a KSUID, which also sorts by time
        "#]],
    );
    check(
        "time-not-unique",
        &events("E#{source}#{at:time(s)}"),
        &expect![[r#"
            error: {at:time(s)} tells items of Event apart and nothing else does, and at 500 puts a second 250 have the same key
              let an identifier follow the time, such as a ULID or a KSUID, which also sorts by time
        "#]],
    );
    check("time-not-unique", &events("E#{at:time(s)}#{id:ulid}"), &expect![""]);
}

#[test]
fn an_identifier_is_told_by_its_encoding_as_by_its_format() {
    check("unconditional-create", &events("E#{id:ulid}"), &expect![""]);
    check(
        "unconditional-create",
        &events("E#{id}"),
        &expect![[r#"
            warning: Event is put without a condition, and replaces whatever has the same key
              condition = "attribute_not_exists(PK)"
        "#]],
    );
}

#[test]
fn a_suggestion_names_attributes_as_the_model_does() {
    let model = r#"
[entities.Album]
key = { partition = "ALBUM#{album}", sort = "ALBUM" }
attributes = { album = "S", photos = { type = "N", name = "n" } }

[entities.Photo]
key = { partition = "ALBUM#{album}", sort = "PHOTO#{id}" }
attributes = { album = "S", id = "S" }

[patterns."add a photo"]
operation = "transact-write"
actions = [{ put = "Photo" }, { update = "Album", change = "SET photos = photos + 1" }]

[patterns."delete a photo"]
operation = "delete"
entity = "Photo"
by = ["album", "id"]
"#;
    check(
        "count-not-decremented",
        model,
        &expect![[r#"
            error: "delete a photo" deletes Photo and leaves photos of Album as it was, which "add a photo" raises
              delete in a transaction with { update = "Album", change = "SET photos = photos - 1" }
        "#]],
    );
}
