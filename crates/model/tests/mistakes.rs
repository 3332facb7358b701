//! Every mistake in a document is reported at its place, with what was meant.

use expect_test::{Expect, expect};
use monotable_model::diagnostic::SourceFile;
use monotable_model::document::{Format, read};

const HEAD: &str = "format = 1\nname = \"shop\"\n";

const BASE: &str = r##"format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
global_indexes.GSI1 = { partition_key = "GSI1PK", sort_key = "GSI1SK" }

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{number:08}" }
attributes = { username = "S", number = "N", status = "S" }
"##;

/// Each diagnostic on a line: where, what, and what was meant.
#[track_caller]
fn check_in(format: Format, text: &str, expect: &Expect) {
    let file = SourceFile::new("m", text);
    let lines = match read(text, format) {
        Ok(_) => vec!["consistent".to_owned()],
        Err(diagnostics) => diagnostics
            .iter()
            .map(|one| {
                let at = one.span.map_or("-".to_owned(), |span| {
                    let start = file.position(span.start);
                    let shown = text.get(span.start..span.end).unwrap();
                    format!("{}:{} `{shown}`", start.line, start.column)
                });
                let help = one.suggestion.as_ref().map(|help| format!("; {help}"));
                format!("{at} {}: {}{}", one.code, one.message, help.unwrap_or_default())
            })
            .collect(),
    };
    expect.assert_eq(&lines.join("\n"));
}

#[track_caller]
fn check(text: &str, expect: &Expect) {
    check_in(Format::Toml, text, expect);
}

/// Adds lines to a consistent model.
#[track_caller]
fn check_with(lines: &str, expect: &Expect) {
    check(&format!("{BASE}{lines}"), expect);
}

#[test]
fn a_consistent_model_has_no_mistakes() {
    check(BASE, &expect!["consistent"]);
}

#[test]
fn all_mistakes_of_shape_are_reported_at_once_in_the_order_of_the_file() {
    check(
        r#"format = 2
titel = "Shop"

[tables.Shop]
partition_kye = "PK"
stream = "new-images"
deletion_protection = "yes"

[entities.Order]
count = -1
average_bytes = 1.5
attributes.number = "X"
"#,
        &expect![[r#"
            - missing-member: a model needs the member name
            1:10 `2` unknown-format: this program reads format 1, and the document has 2
            2:1 `titel` unknown-member: a model has no member titel; did you mean title?
            4:9 `Shop` missing-member: a table needs the member partition_key
            5:1 `partition_kye` unknown-member: a table has no member partition_kye; did you mean partition_key?
            6:10 `"new-images"` bad-value: new-images is not one of keys-only, new-image, old-image, new-and-old-images; did you mean new-image?
            7:23 `"yes"` wrong-type: expected true or false, found text
            10:9 `-1` bad-value: expected a whole number that is not negative
            11:17 `1.5` bad-value: expected a whole number that is not negative
            12:21 `"X"` bad-value: X is not one of S, N, B, BOOL, NULL, L, M, SS, NS, BS; did you mean S?"#]],
    );
}

#[test]
fn an_unknown_member_without_a_neighbour_lists_what_may_be_there() {
    check_with(
        "\n[workload]\ncolour = 1\n",
        &expect![
            "14:1 `colour` unknown-member: a workload has no member colour; it may have \
             reads_per_second, writes_per_second, peak_factor, region, growth_per_month"
        ],
    );
}

#[test]
fn the_syntax_of_each_format_is_reported_where_it_breaks() {
    check(
        "name = \"shop\nformat = 1\n",
        &expect![[r#"1:13 `` syntax: invalid basic string, expected `"`"#]],
    );
    check_in(
        Format::Json,
        "{\n  \"format\": 1,\n  \"name\" \"shop\"\n}",
        &expect![[r#"3:10 `"` syntax: expected :, found ""#]],
    );
    check_in(Format::Json, "{\"a\": 01}", &expect!["1:7 `01` syntax: 01 is not a number"]);
    check_in(Format::Json, "{\"a\": \"\\x\"}", &expect![[r#"1:8 `\x` syntax: no such escape"#]]);
    check_in(
        Format::Yaml,
        "format: 1\nname: [shop\n",
        &expect!["3:1 `` syntax: while parsing a flow sequence, expected ',' or ']'"],
    );
    check_in(
        Format::Yaml,
        "a: &x 1\nb: *x\n",
        &expect!["2:4 `*x` syntax: aliases are not supported; write the value out"],
    );
    check_in(
        Format::Yaml,
        "a: 1\n---\nb: 2\n",
        &expect!["2:1 `---` syntax: a model is one document, and here begins another"],
    );
}

#[test]
fn a_member_that_is_given_twice_is_refused() {
    let json =
        r#"{"format": 1, "name": "a", "name": "b", "tables": {"Shop": {"partition_key": "PK"}}}"#;
    check_in(
        Format::Json,
        json,
        &expect![[r#"1:28 `"name"` duplicate-member: name is given twice"#]],
    );
    let yaml = "format: 1\nname: a\nname: b\ntables: {Shop: {partition_key: PK}}\n";
    check_in(Format::Yaml, yaml, &expect!["3:1 `name` duplicate-member: name is given twice"]);
}

#[test]
fn depth_and_size_are_limited() {
    check_in(
        Format::Json,
        &"[".repeat(100),
        &expect!["1:65 `[` too-deep: more than 64 levels inside each other"],
    );
    check_in(
        Format::Yaml,
        &"[".repeat(100),
        &expect!["1:65 `[` too-deep: more than 64 levels inside each other"],
    );
    let long = format!("{HEAD}description = \"{}\"\n", "x".repeat(5 * 1024 * 1024));
    check(&long, &expect!["- too-large: the document has 5242922 bytes, over 4194304"]);
}

#[test]
fn names_that_refer_to_nothing_are_reported_with_what_was_meant() {
    check_with(
        r#"
indexes.GS1 = { partition = "STATUS#{state}" }
lock = "revision"
unique = [{ attribute = "status", by = "Oder" }]

[[relationships]]
from = "Custmer"
to = "Ordr"
kind = "1:n"

[patterns.ship]
operation = "update"
entity = "Order"
by = ["username", "numbr"]
change = "SET status = 'SHIPPED'"

[patterns.all]
operation = "steps"
steps = ["shp"]
"#,
        &expect![[r#"
            13:9 `GS1` unknown-index: table Shop has no index GS1; did you mean GSI1?
            14:8 `"revision"` unknown-attribute: Order has no attribute revision
            15:40 `"Oder"` unknown-entity: there is no entity Oder; did you mean Order?
            18:8 `"Custmer"` unknown-entity: there is no entity Custmer
            19:6 `"Ordr"` unknown-entity: there is no entity Ordr; did you mean Order?
            25:19 `"numbr"` unknown-attribute: none of the pattern's entities has an attribute numbr; did you mean number?
            30:10 `"shp"` unknown-pattern: there is no pattern shp; did you mean ship?"#]],
    );
}

#[test]
fn a_template_is_pointed_into() {
    let text = BASE.replace("{username}", "{user:uper}").replace("{number:08}", "{number}");
    check(
        &text,
        &expect![[
            r#"10:37 `uper` bad-template: not a key template: unknown encoding "uper", did you mean upper?"#
        ]],
    );
    check(
        &BASE.replace("{username}", "{usrname}"),
        &expect![
            "10:32 `usrname` unknown-attribute: Order has no attribute usrname; did you mean \
             username?"
        ],
    );
    check(
        &BASE.replace("{number:08}", "{number:number}"),
        &expect![
            "10:52 `ORDER#{number:number}` bad-template: not a key template: a key of type N is \
             one attribute and nothing else"
        ],
    );
}

#[test]
fn an_expression_is_pointed_into() {
    check_with(
        r#"
indexes.GSI1 = { partition = "STATUS#{status}", sort = "ORDER#{number:08}", when = "stats = 'OPEN'" }

[patterns.ship]
operation = "update"
entity = "Order"
by = ["username", "number"]
condition = "attribute_exists(PK) AND sttus = :old"
change = "SET status = :new, REMOVE number"

[patterns.open]
operation = "query"
returns = ["Order"]
range = "number = 5"
filter = "status = 'OPEN"
"#,
        &expect![[r#"
            13:85 `stats` bad-expression: there is no attribute stats; did you mean status?
            19:39 `sttus` bad-expression: there is no attribute sttus; did you mean status?
            20:10 `"SET status = :new, REMOVE number"` bad-expression: unexpected REMOVE near ", REMOVE #number"
            25:9 `"number = 5"` bad-expression: this is not a range of one attribute; write a <, <=, >, >=, BETWEEN or begins_with comparison, such as placed_at >= :since
            26:20 `'OPEN` bad-expression: a quote, backtick or brace is not closed"#]],
    );
}

#[test]
fn a_condition_of_an_index_has_no_parameters() {
    check_with(
        "indexes.GSI1 = { partition = \"A\", sort = \"B\", when = \"status = :x\" }\n",
        &expect![[
            r#"12:54 `"status = :x"` bad-expression: a condition of an index has no parameters, and :x is one"#
        ]],
    );
}

#[test]
fn values_have_the_declared_type() {
    check_with(
        r#"
[samples]
Order = [
    { username = 5, number = "7", status = ["a"], colour = "red" },
    { username = "alex", number = { S = "7" } },
    { username = "alex" },
    { username = "alex", number = 123456789 },
]
"#,
        &expect![[r#"
            15:18 `5` wrong-type: expected text, found a number
            15:30 `"7"` wrong-type: expected a number, found text
            15:44 `["a"]` wrong-type: expected text, found a list
            15:60 `"red"` unknown-attribute: Order has no attribute colour
            16:35 `{ S = "7" }` wrong-type: the value is S, and number is N"#]],
    );
    check_with(
        "\n[samples]\nOrder = [{ username = \"alex\" }, { username = \"a\", number = 123456789 \
         }]\n",
        &expect![[r#"
            14:10 `{ username = "alex" }` bad-sample: the item cannot be built: SK: attribute number is missing
            14:33 `{ username = "a", number = 123456789 }` bad-sample: the item cannot be built: SK: attribute number: 123456789 does not fit unsigned 8 digits"#]],
    );
}

#[test]
fn operations_have_what_they_need() {
    check_with(
        r#"
[patterns.a]
operation = "update"
entity = "Order"

[patterns.b]
operation = "transact-write"
actions = [{ put = "Order", delete = "Order" }]

[patterns.c]
operation = "qery"
"#,
        &expect![[r#"
            19:12 `{ put = "Order", delete = "Order" }` bad-value: an action has exactly one of get, put, update, delete and check
            22:13 `"qery"` bad-value: qery is not one of get, query, scan, put, update, delete, batch-get, batch-write, transact-get, transact-write, steps, expire, consume, administer; did you mean query?"#]],
    );
    check_with(
        r#"
[patterns.a]
operation = "update"
entity = "Order"

[patterns.b]
operation = "transact-write"

[patterns.c]
operation = "transact-write"
actions = [{ update = "Order" }, { check = "Order" }]
"#,
        &expect![[r#"
            13:11 `a` missing-member: an update needs its change
            17:11 `b` missing-member: the operation needs its actions
            22:12 `{ update = "Order" }` bad-value: an update needs its change
            22:34 `{ check = "Order" }` bad-value: a check needs its condition"#]],
    );
}

#[test]
fn limits_of_the_service_hold() {
    let text = format!(
        r#"{HEAD}
[tables.A]
partition_key = "PK"
sort_key = "PK"

[tables.A.global_indexes.Wide]
partition_key = ["a", "b", "c", "d", "e"]
sort_key = "a"
"#
    );
    check(
        &text,
        &expect![[r#"
        4:9 `A` bad-name: A cannot be the name of a table or index: those have 3 to 255 letters, digits, _, - and .
        6:12 `"PK"` bad-value: partition key and sort key are the same attribute
        8:26 `Wide` bad-value: attribute a stands twice in the key
        9:17 `["a", "b", "c", "d", "e"]` bad-value: a key has at most 4 attributes, and this has 5"#]],
    );
}

#[test]
fn an_entity_says_its_table_where_there_are_several() {
    check_with(
        "[tables.Other]\npartition_key = \"PK\"\n",
        &expect![
            "9:11 `Order` missing-member: Order does not say which table it is in; add table, one \
             of Shop, Other"
        ],
    );
}

#[test]
fn a_default_is_a_value_of_the_attribute() {
    let with = |state: &str, rank: &str| {
        format!(
            "[entities.Note]\nkey = {{ partition = \"NOTE\", sort = \"{{id}}\" \
             }}\n[entities.Note.attributes]\nid = \"S\"\nstate = {{ type = \"S\", default = \
             {state}, enum = [\"NEW\", \"OLD\"] }}\nrank = {{ type = \"N\", default = {rank} }}\n"
        )
    };
    check_with(&with("\"NEW\"", "0"), &expect!["consistent"]);
    check_with(
        &with("\"NONE\"", "\"zero\""),
        &expect![[r#"
        16:9 `{ type = "S", default = "NONE", enum = ["NEW", "OLD"] }` bad-value: the default is none of the values of the enumeration
        17:32 `"zero"` wrong-type: expected a number, found text"#]],
    );
}

#[test]
fn samples_of_an_entity_that_does_not_exist_are_reported_once() {
    check_with(
        r#"
[samples]
Oder = [{ username = "a", number = 1 }, { username = "b", number = 2 }]
"#,
        &expect![[
            r#"14:8 `[{ username = "a", number = 1 }, { username = "b", number = 2 }]` unknown-entity: there is no entity Oder; did you mean Order?"#
        ]],
    );
}

#[test]
fn tests_name_patterns_entities_and_attributes_that_exist() {
    check_with(
        r#"
[patterns."get order"]
operation = "get"
entity = "Order"
by = ["username", "number"]

[tests."an order is there"]
samples = { Oder = [{ username = "a" }] }

[[tests."an order is there".steps]]
pattern = "get ordr"
expect = ["Oder", { Ordr = { number = 1 } }]
"#,
        &expect![[r#"
            19:20 `[{ username = "a" }]` unknown-entity: there is no entity Oder; did you mean Order?
            22:11 `"get ordr"` unknown-pattern: there is no pattern get ordr; did you mean get order?
            23:11 `"Oder"` unknown-entity: there is no entity Oder; did you mean Order?
            23:21 `Ordr` unknown-entity: there is no entity Ordr; did you mean Order?"#]],
    );
    check_with(
        r#"
[patterns."get order"]
operation = "get"
entity = "Order"
by = ["username", "number"]

[[tests."an order is there".steps]]
pattern = "get order"
with = { username = "a", number = 1 }
expect = [{ Order = { stats = "x", number = "1" } }]
unit = { read = 1 }
"#,
        &expect![[r#"
            21:31 `"x"` unknown-attribute: Order has no attribute stats; did you mean status?
            21:45 `"1"` wrong-type: expected a number, found text
            22:1 `unit` unknown-member: a step of a test has no member unit; did you mean units?"#]],
    );
}

/// A model with a table for each period, with this name.
fn with_table_name(name: &str) -> String {
    format!(
        r##"{HEAD}
[tables.Events]
name = "{name}"
partition_key = "PK"

[entities.Event]
key.partition = "EVENT#{{id}}"
attributes = {{ id = "S", at = "S", done = "BOOL" }}
"##
    )
}

#[test]
fn a_table_for_each_period_is_named_by_one_period_that_its_items_have() {
    check(&with_table_name("events_{at:month}"), &expect!["consistent"]);
    check(&with_table_name("{at:year}"), &expect!["consistent"]);
    check(
        &with_table_name("events_{at"),
        &expect![[r#"
            5:16 `{at` bad-template: not the name of a table for each period: a brace or parenthesis is not closed"#]],
    );
    check(
        &with_table_name("events_{at}"),
        &expect![[r#"
            5:8 `"events_{at}"` bad-template: the attribute in the name of a table is a period: write {at:month}, or year, quarter, week, day or hour"#]],
    );
    check(
        &with_table_name("events_{at:minute}"),
        &expect![[r#"
            5:8 `"events_{at:minute}"` bad-template: a minute has a colon, which the name of a table cannot hold: use hour or longer"#]],
    );
    check(
        &with_table_name("events {at:month}"),
        &expect![[r#"
            5:8 `"events {at:month}"` bad-name: events 2000-01 cannot be the name of a table or index: those have 3 to 255 letters, digits, _, - and ."#]],
    );
    check(
        &with_table_name("events_{att:month}"),
        &expect![[r#"
            5:17 `att` unknown-attribute: Event has no attribute att; did you mean at?"#]],
    );
    check(
        &with_table_name("events_{done:month}"),
        &expect![[r#"
            5:8 `"events_{done:month}"` wrong-type: this form of done is for S or N, and done is BOOL"#]],
    );
    let second = "\n[tables.Old]\npartition_key = \"PK\"\n";
    let several = with_table_name("events_{at:month}") + second;
    let several = several.replace("key.partition", "tables = [\"Events\", \"Old\"]\nkey.partition");
    check(
        &several,
        &expect![[r#"
            9:10 `["Events", "Old"]` bad-value: Event is in several tables, and Events is one for each month: an entity has one such table alone"#]],
    );
}

#[test]
fn a_parameter_that_may_be_left_out_stands_in_a_test_of_its_own() {
    let filtered = |filter: &str| {
        format!(
            "\n[patterns.orders]\noperation = \"query\"\nreturns = [\"Order\"]\n\
             by = [\"username\"]\nfilter = \"{filter}\"\n\
             parameters.least = {{ type = \"N\", optional = true }}\n"
        )
    };
    for filter in [
        "status = :status AND number > :least",
        "NOT (number > :least) AND status = 'A'",
        "status = 'A' AND (attribute_not_exists(number) OR number > :least)",
    ] {
        check_with(&filtered(filter), &expect!["consistent"]);
    }
    check_with(
        &filtered("number = 1 OR status = :status AND number > :least"),
        &expect![[r#"
            17:10 `"number = 1 OR status = :status AND number > :least"` optional-in-combination: least may be left out, and other tests that must hold would be left out with it: number = 1 OR status = :status AND number > :least; join the test to the rest of the filter with AND, or make two patterns"#]],
    );
}

#[test]
fn an_entity_expires_by_the_attribute_of_its_table() {
    let with = |table: &str| {
        BASE.replace("sort_key = \"SK\"", &format!("sort_key = \"SK\"\n{table}")).replace(
            "attributes = {",
            "ttl = \"until\"\nattributes = { until = { type = \"N\", name = \"TTL\" },",
        )
    };
    check(&with("ttl = \"TTL\""), &expect!["consistent"]);
    check(
        &with(""),
        &expect![[
            r#"12:7 `"until"` bad-value: items expire by TTL here, and table Shop expires no items; write ttl = "TTL" at the table, or leave it out here"#
        ]],
    );
    check(
        &with("ttl = \"until\""),
        &expect![[
            r#"12:7 `"until"` bad-value: items expire by TTL here, and table Shop expires items by until; write ttl = "TTL" at the table, or leave it out here"#
        ]],
    );
}
