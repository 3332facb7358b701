//! Index keys that are suggested for patterns that nothing serves.

use expect_test::{Expect, expect};
use monotable_model::document::{Format, read};
use monotable_plan::{plan, suggest};

#[track_caller]
fn check(patterns: &[&str], expect: &Expect) {
    let mut text = String::from(
        r##"
format = 1
name = "shop"

[tables.Main]
partition_key = "PK"
sort_key = "SK"
[tables.Main.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Customer]
key = { partition = "CUSTOMER#{username}", sort = "CUSTOMER#{username}" }
indexes.GSI1 = { partition = "EMAIL#{email}", sort = "EMAIL#{email}" }
attributes = { username = "S", email = "S", city = "S" }

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{id:ksuid}" }
[entities.Order.attributes]
username = "S"
id = "S"
status = "S"
city = "S"
total = { type = "N", digits = 8, required = true }
placed_at = { type = "S", format = "rfc3339" }
"##,
    );
    text += r##"
[entities.Ticket]
key = { partition = "TICKET#{id}", sort = "TICKET#{id}" }
indexes.GSI1 = { partition = "TEAM#{team}", sort = "OPEN#{id}", when = "status = 'open'" }
[entities.Ticket.attributes]
id = { type = "S", required = true }
team = { type = "S", required = true }
status = { type = "S", required = true }
"##;
    for (position, pattern) in patterns.iter().enumerate() {
        text += &format!("[patterns.p{position}]\noperation = \"query\"\n{pattern}\n");
    }
    let model = read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model;
    let suggestion = suggest(&model);
    let mut shown = String::new();
    for index in &suggestion.indexes {
        let kind = if index.is_new { "new" } else { "existing" };
        shown +=
            &format!("{kind} {} of {} and {}\n", index.name, index.partition_key, index.sort_key);
        for keys in &index.keys {
            shown += &format!("    {}: {} / {}\n", keys.entity, keys.partition, keys.sort);
        }
    }
    for to_name in &suggestion.to_name {
        shown += &format!("{} names {} of {}\n", to_name.pattern, to_name.index, to_name.when);
    }
    shown += &format!("unsolved {:?}, minimal {}\n", suggestion.unsolved, suggestion.is_minimal);
    let applied = suggestion.apply(&model);
    for name in &suggestion.serves {
        let plan = plan(&applied, applied.pattern(name).unwrap());
        assert!(plan.is_served() && plan.shortfalls.is_empty(), "{:?}", plan.lines());
        shown += &format!("{name}: {}\n", plan.lines().join("; "));
    }
    expect.assert_eq(&shown);
}

#[test]
fn an_index_that_the_entity_is_not_in_is_overloaded() {
    check(
        &["returns = [\"Order\"]\nby = [\"status\"]\nrange = \"placed_at >= :since\""],
        &expect![[r#"
            existing GSI1 of GSI1PK and GSI1SK
                Order: STATUS#{status} / ORDER#{placed_at:time(ms)}#{username}#{id:ksuid}
            unsolved [], minimal true
            p0: Query GSI1 where GSI1PK = STATUS#{status} AND GSI1SK >= ORDER#{since:time(ms)}, ascending
        "#]],
    );
}

#[test]
fn entities_that_are_in_all_indexes_get_a_new_one() {
    check(
        &["returns = [\"Customer\", \"Order\"]\nby = [\"city\"]"],
        &expect![[r#"
        new GSI2 of GSI2PK and GSI2SK
            Customer: CITY#{city} / CUSTOMER#{username}
            Order: CITY#{city} / ORDER#{username}#{id:ksuid}
        unsolved [], minimal true
        p0: Query GSI2 where GSI2PK = CITY#{city}, ascending
    "#]],
    );
}

#[test]
fn a_query_without_a_range_shares_the_key_of_one_with_it() {
    check(
        &[
            "returns = [\"Order\"]\nby = [\"status\"]",
            "returns = [\"Order\"]\nby = [\"status\"]\nrange = \"total > :total\"",
            "returns = [\"Customer\"]\nby = [\"city\"]",
            "returns = [\"Order\"]\nby = [\"city\"]",
        ],
        &expect![[r#"
            existing GSI1 of GSI1PK and GSI1SK
                Order: STATUS#{status} / ORDER#{total:08}#{username}#{id:ksuid}
            new GSI2 of GSI2PK and GSI2SK
                Customer: CITY#{city} / CUSTOMER#{username}
                Order: CITY#{city} / ORDER#{username}#{id:ksuid}
            unsolved [], minimal true
            p0: Query GSI1 where GSI1PK = STATUS#{status}, ascending
            p1: Query GSI1 where GSI1PK = STATUS#{status} AND GSI1SK >= ORDER#{total:08}$, ascending
            p2: Query GSI2 where GSI2PK = CITY#{city} AND begins_with(GSI2SK, CUSTOMER#), ascending
            p3: Query GSI2 where GSI2PK = CITY#{city} AND begins_with(GSI2SK, ORDER#), ascending
        "#]],
    );
}

#[test]
fn consistent_reads_and_unknown_attributes_have_no_index() {
    check(
        &[
            "returns = [\"Order\"]\nby = [\"status\"]\nconsistent = true",
            "returns = [\"Customer\", \"Order\"]\nby = [\"status\"]",
        ],
        &expect![[r#"
            unsolved ["p0", "p1"], minimal true
        "#]],
    );
}

#[test]
fn an_index_that_only_has_to_be_named_is_not_made_twice() {
    check(
        &["returns = [\"Ticket\"]\nby = [\"team\"]"],
        &expect![[r#"
            p0 names GSI1 of status = 'open'
            unsolved [], minimal true
        "#]],
    );
}
