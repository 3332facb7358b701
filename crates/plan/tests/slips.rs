//! Mistakes that books and talks on single tables make, and that reading a model or planning it
//! does not let pass.
//!
//! Each test has a model with the slip. Either the document is refused, or no table or index serves
//! the pattern, or a warning says what is read in vain; or the slip cannot be written down at all,
//! because the planner derives what was wrong, and the test shows what it derives. Slips that are
//! only unwise are found by lint rules.

use expect_test::{Expect, expect};
use monotable_item::{Item, Value};
use monotable_model::document::{Document, Format, read};
use monotable_plan::{FillError, Request, diagnose, plan, plan_all, requests};

/// Customers, their profiles and orders, with an index of orders by status.
const SHOP: &str = r##"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Profile]
key = { partition = "USER#{user}", sort = "PROFILE" }
attributes = { user = "S", name = "S", visits = "N", tags = "SS" }

[entities.Order]
key = { partition = "USER#{user}", sort = "ORDER#{at:time(s)}" }
indexes.GSI1 = { partition = "STATUS#{status}", sort = "{at:time(s)}" }
[entities.Order.attributes]
user = "S"
at = { type = "S", format = "rfc3339" }
status = { type = "S", required = true }
total = "N"

[entities.Ticket]
key = { partition = "TICKETS#{user}", sort = "TICKET#{number:plain}" }
attributes = { user = "S", number = "N", subject = "S" }

[entities.Visit]
key = { partition = "VISITS#{user}", sort = "{on:day}#{page}" }
attributes = { user = "S", on = { type = "S", format = "rfc3339" }, page = "S" }
"##;

fn with(pattern: &str) -> Result<Document, String> {
    let text = format!("{SHOP}\n[patterns.slip]\n{pattern}\n");
    read(&text, Format::Toml).map_err(|found| {
        let lines = found.iter().map(|one| format!("{}: {}\n", one.code, one.message));
        lines.collect()
    })
}

/// What is wrong with the document.
#[track_caller]
fn refused(pattern: &str, expect: &Expect) {
    expect.assert_eq(&with(pattern).expect_err("the document is read"));
}

/// The plan, and what is said about it.
#[track_caller]
fn planned(pattern: &str, expect: &Expect) {
    planned_beside("", pattern, expect);
}

/// The plan of a pattern in a model with more entities.
#[track_caller]
fn planned_beside(more: &str, pattern: &str, expect: &Expect) {
    let text = format!("{SHOP}\n{more}\n[patterns.slip]\n{pattern}\n");
    let document = read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}"));
    let lines = plan_all(&document.model).into_iter().flat_map(|plan| plan.lines());
    let found = diagnose(&document.model);
    let said = found.into_iter().map(|one| format!("{}: {}", one.code, one.message));
    expect.assert_eq(&lines.chain(said).map(|line| line + "\n").collect::<String>());
}

/// What goes to the server.
fn sent(pattern: &str, values: &[(&str, Value)]) -> Result<Vec<Request>, FillError> {
    let document = with(pattern).unwrap();
    let values: Item =
        values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    requests(&document.model, &plan(&document.model, &document.model.patterns[0]), &values)
}

#[test]
fn a_key_condition_cannot_ask_what_a_sort_key_contains() {
    refused(
        r#"
operation = "query"
returns = ["Order"]
by = ["user"]
range = "contains(at, :text)"
"#,
        &expect![[r#"
            bad-expression: this is not a range of one attribute
        "#]],
    );
}

#[test]
fn a_key_condition_cannot_ask_for_one_of_several_values() {
    refused(
        r#"
operation = "query"
returns = ["Order"]
by = ["user"]
range = "at IN (:a, :b)"
"#,
        &expect![[r#"
            bad-expression: this is not a range of one attribute
        "#]],
    );
}

#[test]
fn parts_of_a_key_condition_are_not_separated_by_commas() {
    refused(
        r#"
operation = "query"
returns = ["Order"]
by = ["user"]
range = "at > :a, at < :b"
"#,
        &expect![[r#"
            bad-expression: this is not a range of one attribute
        "#]],
    );
}

#[test]
fn a_filter_on_a_key_of_the_query_is_reported() {
    planned(
        r#"
operation = "query"
returns = ["Order"]
by = ["user"]
index = "table"
filter = "SK > :text"
"#,
        &expect![[r#"
            not Shop: a filter cannot name SK, which is part of the key
            Shop would serve it if the filter did not name SK
            unserved-pattern: no table or index serves this pattern
        "#]],
    );
}

#[test]
fn an_item_is_not_read_with_half_of_its_key() {
    planned(
        r#"
operation = "get"
entity = "Order"
by = ["user"]
"#,
        &expect![[r#"
            not Shop: the sort key of Order needs at
            Shop would serve it if at were known
            unserved-pattern: no table or index serves this pattern
        "#]],
    );
}

#[test]
fn a_comma_between_the_sections_of_an_update_is_refused() {
    refused(
        r#"
operation = "update"
entity = "Profile"
by = ["user"]
change = "SET name = :name, REMOVE tags"
"#,
        &expect![[r#"
            bad-expression: unexpected REMOVE near ", REMOVE tags"
        "#]],
    );
}

#[test]
fn an_assignment_without_its_sign_is_refused() {
    refused(
        r#"
operation = "update"
entity = "Profile"
by = ["user"]
change = "SET name :name"
"#,
        &expect![[r##"
            bad-expression: unexpected :name near "#name :name"
        "##]],
    );
}

#[test]
fn remove_takes_no_value() {
    refused(
        r#"
operation = "update"
entity = "Profile"
by = ["user"]
change = "REMOVE tags :tags"
"#,
        &expect![[r#"
            bad-expression: unexpected :tags near "tags :tags"
        "#]],
    );
}

#[test]
fn a_batch_takes_no_condition() {
    planned(
        r#"
operation = "batch-write"
actions = [{ put = "Order", condition = "attribute_not_exists(PK)", each = "orders" }]
"#,
        &expect![[r#"
            not Shop: a batch takes no condition, and Order has one
            Shop would serve it if it were a transaction, or one request for each item
            unserved-pattern: no table or index serves this pattern
        "#]],
    );
}

#[test]
fn a_batch_takes_no_update() {
    planned(
        r#"
operation = "batch-write"
actions = [{ update = "Profile", by = ["user"], change = "SET name = :name", each = "users" }]
"#,
        &expect![[r#"
            not Shop: a batch puts and deletes whole items, and Profile is changed
            Shop would serve it if it were a transaction, or one request for each item
            unserved-pattern: no table or index serves this pattern
        "#]],
    );
}

#[test]
fn a_put_returns_no_new_values() {
    refused(
        r#"
operation = "put"
entity = "Profile"
returns_values = "updated-new"
"#,
        &expect![[r#"
            bad-value: a put or a delete returns the item as it was, or nothing
        "#]],
    );
}

#[test]
fn reserved_words_and_literals_become_placeholders() {
    let update = r#"
operation = "update"
entity = "Profile"
by = ["user"]
condition = "size(tags) < 10"
change = "SET name = 'Ada'"
"#;
    let sent = sent(update, &[("user", Value::from("u1"))]).unwrap();
    let [Request::Write(monotable_plan::WriteRequest::Update(update))] = sent.as_slice() else {
        panic!("{sent:#?}")
    };
    assert!(update.update.contains('#') && update.update.contains(':'), "{update:#?}");
    assert!(!update.condition.as_ref().unwrap().contains("10"), "{update:#?}");
    let used = format!("{} {}", update.update, update.condition.as_ref().unwrap());
    let placeholders = &update.placeholders;
    assert!(placeholders.names.keys().all(|name| used.contains(name.as_str())), "{update:#?}");
    assert!(placeholders.values.keys().all(|name| used.contains(name.as_str())), "{update:#?}");
}

#[test]
fn a_bound_in_another_form_than_the_keys_is_refused_or_brought_into_it() {
    let range = r#"
operation = "query"
returns = ["Order"]
by = ["user"]
range = "at > :since"
"#;
    let since = |text: &str| {
        let sent = sent(range, &[("user", Value::from("u1")), ("since", Value::from(text))])?;
        let [Request::Query(query)] = sent.as_slice() else { panic!("{sent:#?}") };
        Ok::<_, FillError>(format!("{:?}", query.placeholders.values))
    };
    // A space sorts before `T`, so that a bound with a space would find the whole day.
    let error = since("2020-01-11 04:00:00").unwrap_err();
    expect![[r#"attribute at: "2020-01-11 04:00:00" is not an RFC 3339 time with an offset"#]]
        .assert_eq(&error.to_string());
    let bound = since("2020-01-11T04:00:00.000+01:00").unwrap();
    assert!(bound.contains("2020-01-11T03:00:00Z"), "{bound}");
}

#[test]
fn a_time_against_keys_that_hold_days_keeps_the_first_day_and_filters() {
    planned(
        r#"
operation = "query"
returns = ["Visit"]
by = ["user"]
range = "on BETWEEN :from AND :to"
"#,
        &expect![[r#"
            Query Shop where PK = VISITS#{user} AND SK BETWEEN {from:day} AND {to:day}$, ascending, filter on BETWEEN :from AND :to
            filter-for-key: the sort key of Visit holds only the period of on, so a filter has to say it
        "#]],
    );
}

#[test]
fn a_range_of_numbers_that_are_not_padded_is_no_range_of_keys() {
    planned(
        r#"
operation = "query"
returns = ["Ticket"]
by = ["user"]
range = "number > :last"
"#,
        &expect![[r#"
            Query Shop where PK = TICKETS#{user}, ascending, filter number > :last
            filter-for-key: number does not sort by value in the sort key of Ticket, so a filter has to say it
        "#]],
    );
}

#[test]
fn an_index_is_asked_by_its_own_key_attributes() {
    planned(
        r#"
operation = "query"
returns = ["Order"]
by = ["status"]
order = "descending"
"#,
        &expect![[r#"
            Query GSI1 where GSI1PK = STATUS#{status}, descending
        "#]],
    );
}

#[test]
fn the_range_of_a_collection_ends_with_its_last_entity() {
    let more = r##"
[entities.Address]
key = { partition = "USER#{user}", sort = "ADDRESS#{label}" }
attributes = { user = "S", label = "S" }
[entities.Review]
key = { partition = "USER#{user}", sort = "REVIEW#{product}" }
attributes = { user = "S", product = "S" }
"##;
    planned_beside(
        more,
        r#"
operation = "query"
returns = ["Profile", "Order"]
by = ["user"]
order = "descending"
limit = 21
"#,
        &expect![[r#"
            Query Shop where PK = USER#{user} AND SK BETWEEN ORDER# AND PROFILE, descending, limit 21
        "#]],
    );
}

#[test]
fn the_beginning_of_a_key_ends_with_its_delimiter() {
    planned(
        r#"
operation = "query"
returns = ["Visit"]
by = ["user", "on"]
"#,
        &expect![[r#"
            Query Shop where PK = VISITS#{user} AND begins_with(SK, {on:day}#), ascending
        "#]],
    );
}

#[test]
fn the_first_page_has_no_bound_at_all() {
    let page = r#"
operation = "query"
returns = ["Order"]
by = ["user"]
range = "at < :last"
order = "descending"
limit = 25
parameters = { last = { type = "S", optional = true } }
"#;
    let conditions = |values: &[(&str, Value)]| {
        let sent = sent(page, values).unwrap();
        let [Request::Query(query)] = sent.as_slice() else { panic!("{sent:#?}") };
        query.key_condition.clone()
    };
    let user = ("user", Value::from("u1"));
    assert_eq!(conditions(std::slice::from_ref(&user)), "PK = :k1 AND begins_with(SK, :k2)");
    let last = ("last", Value::from("2020-01-11T04:00:00Z"));
    assert_eq!(conditions(&[user, last]), "PK = :k1 AND SK < :k2");
}

#[test]
fn a_global_index_is_not_read_consistently() {
    planned(
        r#"
operation = "query"
returns = ["Order"]
by = ["status"]
consistent = true
"#,
        &expect![[r#"
            not Shop: the partition key of Order needs user
            not GSI1: a global index cannot be read consistently
            GSI1 would serve it if the read need not be consistent
            unserved-pattern: no table or index serves this pattern
        "#]],
    );
}

#[test]
fn the_key_of_an_item_does_not_change() {
    planned(
        r#"
operation = "update"
entity = "Order"
by = ["user", "at"]
change = "SET at = :later"
"#,
        &expect![[r#"
            not Shop: at is part of the item's key, which cannot change
            Shop would serve it if the item were deleted and put again, in one transaction
            unserved-pattern: no table or index serves this pattern
        "#]],
    );
}

#[test]
fn a_date_that_is_none_makes_no_key() {
    let text = format!(
        "{SHOP}\n[samples]\nOrder = [{{ user = 'u1', at = '2020-15-01T00:00:00Z', status = 'NEW' \
         }}]\n"
    );
    let found = read(&text, Format::Toml).unwrap_err();
    let found: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    expect![[r#"the item cannot be built: SK: attribute at: "2020-15-01T00:00:00Z" is not an RFC 3339 time with an offset"#]].assert_eq(&found.join("\n"));
}

#[test]
fn only_what_has_a_fixed_width_is_turned_round() {
    let text = SHOP.replace("TICKET#{number:plain}", "TICKET#{number:plain:desc}");
    let found = read(&text, Format::Toml).unwrap_err();
    let found: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    expect!["not a key template: desc cannot follow plain"].assert_eq(&found.join("\n"));
}
