//! Every reason for which a table or index does not serve a pattern, and every kind of range.

use expect_test::{Expect, expect};
use monotable_model::document::{Format, read};
use monotable_plan::plan_all;

/// Plans patterns of orders in a table with an index.
#[track_caller]
fn check(keys: &str, patterns: &[&str], expect: &Expect) {
    let mut text = format!(
        r##"
format = 1
name = "orders"

[tables.Main]
partition_key = "PK"
sort_key = "SK"
[tables.Main.local_indexes.LSI]
sort_key = "LSISK"
[tables.Main.global_indexes.GSI]
partition_key = "GSIPK"
sort_key = "GSISK"
projection = ["status"]

[entities.Order]
{keys}
[entities.Order.attributes]
customer = {{ type = "S", required = true }}
id = {{ type = "S", required = true }}
number = {{ type = "N", required = true }}
at = {{ type = "S", required = true, format = "rfc3339" }}
day = {{ type = "S", required = true, format = "date" }}
status = {{ type = "S", required = true }}
note = "S"
"##
    );
    for (position, pattern) in patterns.iter().enumerate() {
        text += &format!("[patterns.p{position}]\n{pattern}\n");
    }
    let document = read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}"));
    let mut shown = String::new();
    for plan in plan_all(&document.model) {
        for line in plan.lines() {
            shown += &format!("{line}\n");
        }
        for shortfall in &plan.shortfalls {
            shown += &format!("  since {}\n", shortfall.reason);
        }
    }
    expect.assert_eq(&shown);
}

fn query(members: &str) -> String {
    format!("operation = \"query\"\nreturns = [\"Order\"]\n{members}")
}

#[track_caller]
fn check_queries(keys: &str, queries: &[&str], expect: &Expect) {
    let patterns: Vec<String> = queries.iter().map(|members| query(members)).collect();
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    check(keys, &patterns, expect);
}

#[test]
fn a_part_of_the_partition_key_is_missing() {
    check_queries(
        r##"key = { partition = "C#{customer}#{day}", sort = "O#{id}" }"##,
        &[r#"by = ["customer"]"#, r#"by = ["id"]"#],
        &expect![[r#"
            not Main: the partition key of Order needs day
            not LSI: Order is not in this index
            not GSI: Order is not in this index
            Main would serve it if day were known
            not Main: the partition key of Order needs customer
            not LSI: Order is not in this index
            not GSI: Order is not in this index
            Main would serve it if customer were known
        "#]],
    );
}

#[test]
fn a_part_of_the_sort_key_is_known_behind_one_that_is_not() {
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{day:day}#{id}" }"##,
        &[r#"by = ["customer", "id"]"#, "by = [\"customer\"]\nrange = \"id > :id\""],
        &expect![[r#"
            Query Main where PK = C#{customer}, ascending, filter id = :id
              since in the sort key of Order, day comes before id and is not known
            Query Main where PK = C#{customer}, ascending, filter id > :id
              since in the sort key of Order, day comes next and not id
        "#]],
    );
}

#[test]
fn every_kind_of_range_has_its_condition() {
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{id}" }
indexes.GSI = { partition = "S#{status}", sort = "{at:time(ms)}" }"##,
        &[
            r#"by = ["customer"]"#,
            r#"by = ["customer", "id"]"#,
            "by = [\"customer\"]\nrange = \"id > :id\"",
            "by = [\"customer\"]\nrange = \"id >= :id\"",
            "by = [\"customer\"]\nrange = \"id < :id\"",
            "by = [\"customer\"]\nrange = \"id <= :id\"",
            "by = [\"customer\"]\nrange = \"id BETWEEN :a AND :b\"",
            "by = [\"customer\"]\nrange = \"begins_with(id, :start)\"",
            "by = [\"status\"]\nproject = \"status\"\nrange = \"at > :since\"",
            "by = [\"status\"]\nproject = \"status\"\nrange = \"begins_with(at, '2026-01')\"",
            "by = [\"status\"]\nrange = \"at > :since\"",
        ],
        &expect![[r#"
            Query Main where PK = C#{customer}, ascending
            Query Main where PK = C#{customer} AND SK = O#{id}, ascending
            Query Main where PK = C#{customer} AND SK > O#{id}, ascending
            Query Main where PK = C#{customer} AND SK >= O#{id}, ascending
            Query Main where PK = C#{customer} AND SK < O#{id}, ascending
            Query Main where PK = C#{customer} AND SK <= O#{id}, ascending
            Query Main where PK = C#{customer} AND SK BETWEEN O#{a} AND O#{b}, ascending
            Query Main where PK = C#{customer} AND begins_with(SK, O#{start…}), ascending
            Query GSI where GSIPK = S#{status} AND GSISK > {since:time(ms)}, ascending
            Query GSI where GSIPK = S#{status} AND begins_with(GSISK, 2026-01), ascending
            Query GSI where GSIPK = S#{status} AND GSISK > {since:time(ms)}, ascending
            BatchGetItem Main for customer, id, number, at, day, note, for each row
        "#]],
    );
}

#[test]
fn ranges_that_the_key_cannot_say_become_filters() {
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{number:plain}" }"##,
        &["by = [\"customer\"]\nrange = \"number > :number\""],
        &expect![[r#"
            Query Main where PK = C#{customer}, ascending, filter number > :number
              since number does not sort by value in the sort key of Order
        "#]],
    );
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{at:day}" }"##,
        &["by = [\"customer\"]\nrange = \"at > :at\""],
        &expect![[r#"
            Query Main where PK = C#{customer} AND SK >= O#{at:day}, ascending, filter at > :at
              since the sort key of Order holds only the period of at
        "#]],
    );
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{number:06}" }"##,
        &["by = [\"customer\"]\nrange = \"begins_with(number, '1')\""],
        &expect![[r#"
            Query Main where PK = C#{customer}, ascending, filter begins_with(number, '1')
              since the beginning of number is not the beginning of its part of the sort key of Order
        "#]],
    );
}

#[test]
fn a_global_index_is_not_read_consistently_nor_filtered_by_what_it_lacks() {
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{id}" }
indexes.GSI = { partition = "S#{status}", sort = "{at:time(ms)}" }"##,
        &[
            "by = [\"status\"]\nconsistent = true",
            "by = [\"status\"]\nfilter = \"note = :note\"",
            "by = [\"status\"]\nindex = \"table\"",
            "by = [\"customer\"]\nindex = \"LSI\"",
        ],
        &expect![[r#"
            not Main: the partition key of Order needs customer
            not LSI: Order is not in this index
            not GSI: a global index cannot be read consistently
            GSI would serve it if the read need not be consistent
            not Main: the partition key of Order needs customer
            not LSI: Order is not in this index
            not GSI: the index does not hold note, which the filter names
            GSI would serve it if it held note
            not Main: the partition key of Order needs customer
            Main would serve it if customer were known
            not LSI: Order is not in this index
            LSI would serve it if Order had a key in it
        "#]],
    );
}

#[test]
fn a_sparse_index_serves_who_names_it_or_implies_its_condition() {
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{id}" }
indexes.GSI = { partition = "D#{day}", sort = "{id}", when = "status = 'OPEN'" }"##,
        &[
            "by = [\"day\"]\nproject = \"id\"",
            "by = [\"day\"]\nproject = \"id\"\nindex = \"GSI\"",
            "by = [\"day\"]\nproject = \"id\"\nfilter = \"status = 'OPEN'\"",
            "by = { day = \":day\", status = \"OPEN\" }\nproject = \"id\"",
        ],
        &expect![[r#"
            not Main: the partition key of Order needs customer
            not LSI: Order is not in this index
            not GSI: the index holds only items of Order with status = 'OPEN'
            GSI would serve it if the pattern named the index, or implied its condition
            Query GSI where GSIPK = D#{day}, ascending
            BatchGetItem Main for id, for each row
            Query GSI where GSIPK = D#{day}, ascending, filter status = 'OPEN'
            BatchGetItem Main for id, for each row
            Query GSI where GSIPK = D#{day}, ascending, filter status = 'OPEN'
            BatchGetItem Main for id, for each row
              since status is not in the key of Order
        "#]],
    );
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{id}" }
indexes.GSI = { partition = "D#{day}", sort = "{note}" }"##,
        &["by = [\"day\"]\nproject = \"note\"", "by = [\"note\", \"day\"]\nproject = \"note\""],
        &expect![[r#"
            Query GSI where GSIPK = D#{day}, ascending
            BatchGetItem Main for note, for each row
              since the index is sorted by note and holds only Order with it
            Query GSI where GSIPK = D#{day} AND GSISK = {note}, ascending
            BatchGetItem Main for note, for each row
        "#]],
    );
}

#[test]
fn a_filter_implies_the_condition_of_a_sparse_index_only_if_it_holds_in_any_case() {
    let by = "by = [\"day\"]\nproject = \"id\"\nfilter = ";
    let filters = [
        "status <> :status AND status = 'OPEN'",
        "status = :status OR status <> :status AND status = 'OPEN'",
        "NOT (status <> :status AND status = 'OPEN' AND status <> :status)",
        "status = :status",
    ];
    let patterns = filters.map(|filter| format!("{by}\"{filter}\""));
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{id}" }
indexes.GSI = { partition = "D#{day}", sort = "{id}", when = "status = 'OPEN'" }"##,
        &patterns.each_ref().map(String::as_str),
        &expect![[r#"
            Query GSI where GSIPK = D#{day}, ascending, filter status <> :status AND status = 'OPEN'
            BatchGetItem Main for id, for each row
            not Main: the partition key of Order needs customer
            not LSI: Order is not in this index
            not GSI: the index holds only items of Order with status = 'OPEN'
            GSI would serve it if the pattern named the index, or implied its condition
            not Main: the partition key of Order needs customer
            not LSI: Order is not in this index
            not GSI: the index holds only items of Order with status = 'OPEN'
            GSI would serve it if the pattern named the index, or implied its condition
            not Main: the partition key of Order needs customer
            not LSI: Order is not in this index
            not GSI: the index holds only items of Order with status = 'OPEN'
            GSI would serve it if the pattern named the index, or implied its condition
        "#]],
    );
}

#[test]
fn shards_periods_and_local_indexes() {
    check_queries(
        r##"key = { partition = "C#{customer}#{shard(id, 4, 1)}", sort = "O#{id}" }
indexes.GSI = { partition = "D#{at:day}", sort = "{at:time(ms)}" }
indexes.LSI = { sort = "N#{number:06:desc}" }"##,
        &[
            r#"by = ["customer"]"#,
            r#"by = ["customer", "id"]"#,
            "by = [\"customer\"]\nrange = \"number >= :number\"",
            "range = \"at BETWEEN :from AND :to\"\nproject = \"status\"",
            "range = \"at >= :from\"\nproject = \"status\"",
        ],
        &expect![[r#"
            Query Main where PK = C#{customer}#{shard 1–4}, ascending, for each of 4 shards
            Query Main where PK = C#{customer}#{shard(id, 4, 1)} AND SK = O#{id}, ascending
            Query LSI where PK = C#{customer}#{shard 1–4} AND LSISK <= N#{number:06:desc}, ascending, for each of 4 shards
            Query GSI where GSIPK = D#{at:day} AND GSISK BETWEEN {from:time(ms)} AND {to:time(ms)}, ascending, for each {at:day}
            not Main: the partition key of Order needs customer
            not LSI: the partition key of Order needs customer
            not GSI: the partition key of Order holds a period of at, and the range is open
            GSI would serve it if both ends of the range of at were known
        "#]],
    );
}

#[test]
fn an_item_needs_its_whole_key_and_keeps_it() {
    let get = "operation = \"get\"\nentity = \"Order\"\n";
    let update = "operation = \"update\"\nentity = \"Order\"\nby = [\"customer\", \"id\"]\n";
    let put = "operation = \"put\"\nentity = \"Order\"";
    check(
        r##"key = { partition = "C#{customer}", sort = "O#{id}" }
indexes.GSI = { partition = "S#{status}", sort = "{at:time(ms)}", when = "status <> 'DONE'" }"##,
        &[
            &format!("{get}by = [\"customer\"]"),
            &format!("{get}by = [\"customer\", \"id\"]"),
            put,
            &format!("{update}change = \"SET id = :new\""),
            &format!("{update}change = \"SET note = :note\""),
            &format!("{update}change = \"SET status = :status\""),
            &format!("{update}change = \"SET status = 'OPEN', at = :at\""),
            &format!("{update}change = \"SET status = 'DONE'\""),
            &format!("{update}change = \"SET status = :s, GSIPK = :p REMOVE GSISK\""),
            &format!("{update}change = \"REMOVE status\""),
        ],
        &expect![[r#"
            not Main: the sort key of Order needs id
            Main would serve it if id were known
            GetItem Main where PK = C#{customer} AND SK = O#{id}
            PutItem Main with PK = C#{customer} AND SK = O#{id}
            not Main: id is part of the item's key, which cannot change
            Main would serve it if the item were deleted and put again, in one transaction
            UpdateItem Main where PK = C#{customer} AND SK = O#{id}: SET note = :note
            UpdateItem Main where PK = C#{customer} AND SK = O#{id}: SET status = :status, SET GSIPK = S#{status}, GSISK = {at:time(ms)} if status <> 'DONE', else REMOVE GSIPK, GSISK
            UpdateItem Main where PK = C#{customer} AND SK = O#{id}: SET status = 'OPEN', at = :at, SET GSIPK = S#OPEN, GSISK = {at:time(ms)}
            UpdateItem Main where PK = C#{customer} AND SK = O#{id}: SET status = 'DONE', REMOVE GSIPK, GSISK
            UpdateItem Main where PK = C#{customer} AND SK = O#{id}: SET status = :s, GSIPK = :p REMOVE GSISK
            UpdateItem Main where PK = C#{customer} AND SK = O#{id}: REMOVE status, REMOVE GSIPK, GSISK
        "#]],
    );
}

#[test]
fn an_index_sorted_by_an_optional_attribute_is_read_if_nothing_else_serves() {
    check_queries(
        r##"key = { partition = "C#{customer}", sort = "O#{id}" }
indexes.GSI = { partition = "S#{status}", sort = "{note}" }
indexes.LSI = { sort = "{note}" }"##,
        &[
            "by = [\"status\"]\nproject = \"status\"",
            "by = [\"status\"]\nproject = \"status\"\nindex = \"GSI\"",
            "by = [\"status\"]\nproject = \"status\"\nrange = \"note > :note\"",
            "by = [\"customer\"]",
        ],
        &expect![[r#"
            Query GSI where GSIPK = S#{status}, ascending
              since the index is sorted by note and holds only Order with it
            Query GSI where GSIPK = S#{status}, ascending
            Query GSI where GSIPK = S#{status} AND GSISK > {note}, ascending
            Query Main where PK = C#{customer}, ascending
        "#]],
    );
}

#[test]
fn keys_show_how_their_attributes_are_written() {
    check_queries(
        r##"key = { partition = "C#{customer:fold}", sort = "O#{number:06:desc}" }
indexes.LSI = { sort = "D#{at:day}#{id:upper}" }
indexes.GSI = { partition = "S#{status:fold}#{at:month}", sort = "{id:raw}" }"##,
        &[
            "by = [\"customer\", \"number\"]",
            "by = [\"customer\"]\nrange = \"number > :least\"",
            "by = [\"customer\"]\nrange = \"at >= :since\"",
            "by = [\"status\"]\nproject = \"status\"\nrange = \"at BETWEEN :from AND :to\"",
        ],
        &expect![[r#"
            Query Main where PK = C#{customer:fold} AND SK = O#{number:06:desc}, ascending
            Query Main where PK = C#{customer:fold} AND SK < O#{least:06:desc}, ascending
            Query Main where PK = C#{customer:fold}, ascending, filter at >= :since
              since in the sort key of Order, number comes next and not at
            not Main: the partition key of Order needs customer
            not LSI: the partition key of Order needs customer
            not GSI: the sort key of Order holds only the period of at; the index does not hold at, which the filter names
            Main would serve it if customer were known
        "#]],
    );
}
