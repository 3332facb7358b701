//! Mistakes that were planted into a sound model, one at a time: each is found by its rule, at its
//! place. And changes that are no mistakes, about which nothing is said.

use monotable_lint::{Evidence, Judgement, lint, read};
use monotable_model::document::Format;
use monotable_model_fixture::root;
use monotable_plan::diagnose;

/// A change of the starter of `model init`.
struct Planted {
    /// What the change is.
    fact: &'static str,
    /// Texts of the model, and what stands there instead; what replaces nothing is added.
    edits: &'static [(&'static str, &'static str)],
    /// The rule, or the code of the planner or of the reader.
    code: &'static str,
    /// The place that it points at.
    place: &'static str,
}

fn edited(edits: &[(&str, &str)]) -> String {
    let starter = root().join("crates/cli/src/commands/model/starter.toml");
    let mut text = std::fs::read_to_string(starter).unwrap();
    for (from, to) in edits {
        if from.is_empty() {
            text.push_str(to);
        } else {
            assert!(text.contains(from), "the starter has no {from}");
            text = text.replace(from, to);
        }
    }
    text
}

/// What is found in a model, by code and place.
fn found(edits: &[(&str, &str)]) -> Vec<(String, String)> {
    let text = edited(edits);
    let diagnostics = match read(&text, Format::Toml) {
        Err(diagnostics) => diagnostics,
        Ok(document) => {
            let judgement = Judgement::of(&document.model);
            let mut all = lint(&document.model, Evidence::default(), &judgement).findings;
            all.extend(diagnose(&document.model));
            all
        }
    };
    diagnostics.iter().map(|one| (one.code.to_owned(), one.place.as_str().to_owned())).collect()
}

/// The mistakes.
const PLANTED: &[Planted] = &[
    Planted {
        fact: "a number without zeros in a sort key",
        edits: &[("{number:08}", "{number:plain}")],
        code: "unpadded-number",
        place: "entities.Order.key.sort",
    },
    Planted {
        fact: "nothing between two values of a key",
        edits: &[("#ORDER#{number:08}", "#ORDER#{username}{number:08}")],
        code: "missing-delimiter",
        place: "entities.Order.key.sort",
    },
    Planted {
        fact: "an attribute that changes in a primary key",
        edits: &[("#ORDER#{number:08}", "#ORDER#{status}#{number:08}")],
        code: "mutable-in-primary-key",
        place: "entities.Order.key.sort",
    },
    Planted {
        fact: "an address in a key as it was typed",
        edits: &[("EMAIL#{email:fold}", "EMAIL#{email}")],
        code: "mixed-case-key",
        place: "entities.CustomerEmail.key.partition",
    },
    Planted {
        fact: "a key that begins with a value",
        edits: &[("partition = \"EMAIL#{email:fold}\"", "partition = \"{email:fold}\"")],
        code: "missing-type-prefix",
        place: "entities.CustomerEmail.key.partition",
    },
    Planted {
        fact: "two entities with the same keys",
        edits: &[("\"EMAIL#{email:fold}\"", "\"CUSTOMER#{email:fold}\"")],
        code: "template-collision",
        place: "entities.CustomerEmail.key",
    },
    Planted {
        fact: "no attribute that says what an item is",
        edits: &[(
            r#"type_attribute = "Type"
"#,
            "",
        )],
        code: "missing-type-attribute",
        place: "tables.Shop",
    },
    Planted {
        fact: "a key attribute called like a reserved word",
        edits: &[("partition_key = \"PK\"", "partition_key = \"Key\""), ("(PK)", "(Key)")],
        code: "reserved-key-name",
        place: "tables.Shop.partition_key",
    },
    Planted {
        fact: "a time to live that is no number of seconds",
        edits: &[(
            "total = \"N\"",
            r#"total = "N"
expires_at = { type = "S", format = "rfc3339" }"#,
        )],
        code: "ttl-not-epoch-seconds",
        place: "entities.Order.attributes.expires_at",
    },
    Planted {
        fact: "a creation that replaces, whatever it is called",
        edits: &[
            (
                r#"entity = "Order"
condition = "attribute_not_exists(PK)"
"#,
                r#"entity = "Order"
"#,
            ),
            ("[patterns.\"place order\"]", "[patterns.save]"),
        ],
        code: "unconditional-create",
        place: "patterns.save",
    },
    Planted {
        fact: "an update that makes an item of nothing",
        edits: &[(
            r#"condition = "attribute_exists(PK) AND status = 'PLACED'"
"#,
            "",
        )],
        code: "update-creates-item",
        place: "patterns.\"ship order\"",
    },
    Planted {
        fact: "the newest orders, asked for from the oldest on",
        edits: &[("order = \"descending\"", "order = \"ascending\"")],
        code: "newest-n-ascending",
        place: "patterns.\"customer and newest orders\".order",
    },
    Planted {
        fact: "the newest orders, by a name in one word",
        edits: &[
            ("order = \"descending\"", "order = \"ascending\""),
            ("\"customer and newest orders\"", "customerAndNewestOrders"),
            ("pattern = customerAndNewestOrders", "pattern = \"customerAndNewestOrders\""),
        ],
        code: "newest-n-ascending",
        place: "patterns.customerAndNewestOrders.order",
    },
    Planted {
        fact: "a parent that comes behind its children",
        edits: &[("\"#ORDER#{number:08}\"", "\"ORDER#{number:08}\"")],
        code: "parent-at-wrong-end",
        place: "patterns.\"customer and newest orders\".order",
    },
    Planted {
        fact: "a question that nothing answers",
        edits: &[(
            r#"by = { status = "PLACED" }
range = "placed_at <= :before""#,
            "by = [\"total\"]",
        )],
        code: "unserved-pattern",
        place: "patterns.\"orders to be shipped\"",
    },
    Planted {
        fact: "a consistent read of a global index",
        edits: &[(
            r#"limit = 100
"#,
            r#"limit = 100
index = "GSI1"
consistent = true
"#,
        )],
        code: "strong-read-on-gsi",
        place: "patterns.\"orders to be shipped\".consistent",
    },
    Planted {
        fact: "a filter behind a limit",
        edits: &[(
            r#"limit = 100
"#,
            r#"limit = 100
filter = "total > :least"
parameters = { least = "N" }
"#,
        )],
        code: "filter-with-limit",
        place: "patterns.\"orders to be shipped\".limit",
    },
    Planted {
        fact: "a scan that looks for one value",
        edits: &[(
            "",
            r#"
[patterns."customers of a name"]
operation = "scan"
returns = ["Customer"]
filter = "name = :name"
rate = 1
"#,
        )],
        code: "scan-with-equality-filter",
        place: "patterns.\"customers of a name\".filter",
    },
    Planted {
        fact: "a filter for one of five values over two thousand items",
        edits: &[
            (
                r#"average = 20
"#,
                r#"average = 2000
"#,
            ),
            (
                "enum = [\"PLACED\", \"SHIPPED\", \"DELIVERED\"]",
                r#"enum = ["PLACED", "PAID", "PACKED", "SHIPPED", "DELIVERED"]"#,
            ),
            (
                "",
                r#"
[patterns."paid orders of a customer"]
operation = "query"
returns = ["Order"]
by = ["username"]
filter = "status = 'PAID'"
rate = 1
"#,
            ),
        ],
        code: "filter-low-hit-rate",
        place: "patterns.\"paid orders of a customer\".filter",
    },
    Planted {
        fact: "an index of which every reader wants one state",
        edits: &[
            (", when = \"status <> 'DELIVERED'\"", ""),
            ("partition = \"STATUS#{status}\"", "partition = \"CUSTOMER#{username}\""),
            (
                "by = { status = \"PLACED\" }",
                r#"by = ["username"]
filter = "status = 'PLACED'""#,
            ),
        ],
        code: "index-filtered-by-constant",
        place: "entities.Order.indexes.GSI1",
    },
    Planted {
        fact: "a collection without an end that no relationship speaks of",
        edits: &[(
            "",
            r#"
[entities.Visit]
key = { partition = "CUSTOMER#{username}", sort = "VISIT#{id:ulid}" }
attributes = { username = "S", id = "S" }

[patterns."visits of a customer"]
operation = "query"
returns = ["Visit"]
by = ["username"]
rate = 1
"#,
        )],
        code: "unbounded-item-collection",
        place: "patterns.\"visits of a customer\"",
    },
    Planted {
        fact: "a second as all that tells items apart, at 500 puts a second",
        edits: &[(
            "",
            r#"
[entities.Click]
key = { partition = "CLICKS#{at:day}", sort = "{at:time(s)}" }
attributes.at = { type = "S", format = "rfc3339" }
attributes.page = "S"

[patterns."record click"]
operation = "put"
entity = "Click"
rate = 500
"#,
        )],
        code: "time-not-unique",
        place: "entities.Click.key",
    },
    Planted {
        fact: "a month as all that tells items apart",
        edits: &[(
            "",
            r#"
[entities.Report]
key = { partition = "REPORTS", sort = "{at:month}" }
attributes.at = { type = "S", format = "rfc3339" }

[patterns."record report"]
operation = "put"
entity = "Report"
rate = 0.0000005
"#,
        )],
        code: "time-not-unique",
        place: "entities.Report.key",
    },
    Planted {
        fact: "a member of a map that a parameter names, beside nothing but its value",
        edits: &[(
            "",
            r#"
[entities.Trip]
key = { partition = "TRIP#{id}", sort = "TRIP" }
attributes.id = "S"
attributes.places = "M"

[patterns."visit a place"]
operation = "update"
entity = "Trip"
by = ["id"]
change = "SET places.{name}=:place"
"#,
        )],
        code: "unbounded-collection-attribute",
        place: "entities.Trip.attributes.places",
    },
    Planted {
        fact: "an index that nothing reads",
        edits: &[(
            r#"sort_key = "GSI1SK"
"#,
            r#"sort_key = "GSI1SK"

[tables.Shop.global_indexes.GSI2]
partition_key = "GSI2PK"
"#,
        )],
        code: "unused-index",
        place: "tables.Shop.global_indexes.GSI2",
    },
    Planted {
        fact: "an index whose partition is one of few words",
        edits: &[(
            r#"rule = "low-cardinality-partition"
at = "entities.Order.indexes.GSI1""#,
            r#"rule = "low-cardinality-partition"
at = "entities.Customer""#,
        )],
        code: "low-cardinality-partition",
        place: "entities.Order.indexes.GSI1.partition",
    },
    Planted {
        fact: "items that cost hundreds of units",
        edits: &[(
            r#"average_bytes = 300
"#,
            r#"average_bytes = 200_000
"#,
        )],
        code: "item-size",
        place: "entities.Order",
    },
    Planted {
        fact: "a transaction of one action",
        edits: &[(
            r#"    { put = "CustomerEmail", condition = "attribute_not_exists(PK)" },
"#,
            "",
        )],
        code: "needless-transaction",
        place: "patterns.\"create customer\".actions",
    },
    Planted {
        fact: "numbers that may grow beyond their zeros",
        edits: &[
            ("{number:08}", "{number:02}"),
            ("number = { type = \"N\", min = 1 }", "number = { type = \"N\", min = 1, max = 500 }"),
        ],
        code: "pad-overflow",
        place: "entities.Order.key.sort",
    },
    Planted {
        fact: "tokens that do not sort as their values do",
        edits: &[
            (
                "sort = \"{placed_at:time(s)}\"",
                r#"sort = "{status:enum(PLACED=Z,SHIPPED=M,DELIVERED=A)}#{placed_at:time(s)}""#,
            ),
            ("partition = \"STATUS#{status}\"", "partition = \"CUSTOMER#{username}\""),
        ],
        code: "unordered-value",
        place: "entities.Order.indexes.GSI1.sort",
    },
    Planted {
        fact: "a partition that is asked more than it can bear",
        edits: &[(
            r#"limit = 100
rate = 1
"#,
            r#"limit = 100
rows = 100
rate = 5000
"#,
        )],
        code: "hot-partition",
        place: "tables.Shop.global_indexes.GSI1",
    },
    Planted {
        fact: "a number that is read, raised and written back",
        edits: &[
            (
                "total = \"N\"",
                r#"total = "N"
prints = { type = "N", required = true }"#,
            ),
            (
                "",
                r#"
[patterns."count print"]
operation = "update"
entity = "Order"
by = ["username", "number"]
condition = "attribute_exists(PK)"
change = "SET prints = :prints"

[patterns."prints of order"]
operation = "get"
entity = "Order"
by = ["username", "number"]

[patterns."print order"]
operation = "steps"
steps = [{ pattern = "prints of order" }, { pattern = "count print" }]
"#,
            ),
        ],
        code: "read-modify-write-counter",
        place: "patterns.\"print order\".steps[1]",
    },
    Planted {
        fact: "a value that is to be unique, and whose marker is written later",
        edits: &[
            (
                r#"operation = "transact-write"
actions = [
    { put = "Customer", condition = "attribute_not_exists(PK)" },
    { put = "CustomerEmail", condition = "attribute_not_exists(PK)" },
]
"#,
                r#"operation = "put"
entity = "Customer"
condition = "attribute_not_exists(PK)"
"#,
            ),
            (
                "",
                r#"
[patterns."claim email"]
operation = "put"
entity = "CustomerEmail"
condition = "attribute_not_exists(PK)"
"#,
            ),
        ],
        code: "stale-unique-marker",
        place: "patterns.\"create customer\"",
    },
    Planted {
        fact: "an allowance for nothing",
        edits: &[(
            "",
            r#"
[[allow]]
rule = "item-size"
at = "entities.Order"
reason = "was large once"
"#,
        )],
        code: "unused-allowance",
        place: "allow[2]",
    },
    Planted {
        fact: "an encoding by the name that others have for it",
        edits: &[("EMAIL#{email:fold}", "EMAIL#{email:lower}")],
        code: "bad-template",
        place: "entities.CustomerEmail.key.partition",
    },
];

/// A change that is right: what it is, the edits that make it, and the rules that once said
/// something about it.
type SoundChange = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const SOUND: &[SoundChange] = &[
    (
        "a key called PK that an entity lists as an attribute",
        &[(
            "total = \"N\"",
            r#"total = "N"
PK = "S""#,
        )],
        &["descriptive-key-name"],
    ),
    (
        "identifiers of different lengths that nobody ranges over",
        &[
            (
                "",
                r#"
[entities.Card]
key = { partition = "CUSTOMER#{username}", sort = "CARD#{id}" }
attributes = { username = "S", id = "S" }

[[relationships]]
from = "Customer"
to = "Card"
kind = "1:n"
average = 2
max = 9

[patterns."cards of a customer"]
operation = "query"
returns = ["Card"]
by = ["username"]

[patterns."add card"]
operation = "put"
entity = "Card"
"#,
            ),
            (
                r#"[samples]
"#,
                r#"[samples]
Card = [{ username = "alex", id = "9" }, { username = "alex", id = "10" }]
"#,
            ),
        ],
        &["unordered-value", "unconditional-create"],
    ),
    (
        "a put that replaces on purpose, beside one that creates",
        &[(
            "",
            r#"
[patterns."create again"]
operation = "put"
entity = "Order"
"#,
        )],
        &["unconditional-create"],
    ),
    (
        "an identifier behind the second",
        &[(
            "",
            r#"
[entities.Click]
key = { partition = "CLICKS#{at:day}", sort = "{at:time(s)}#{id:ulid}" }
attributes.at = { type = "S", format = "rfc3339" }
attributes.id = "S"

[patterns."record click"]
operation = "put"
entity = "Click"
rate = 500
"#,
        )],
        &["time-not-unique"],
    ),
    (
        "a minute and a quarter of an hour in which hardly anything is put",
        &[(
            "",
            r#"
[entities.Reading]
key = { partition = "READINGS#{sensor}", sort = "{at:minute}" }
attributes.at = { type = "S", format = "rfc3339" }
attributes.sensor = { type = "S", distinct = 10 }

[entities.Report]
key = { partition = "REPORTS#{city}", sort = "{at:minutes(15)}" }
attributes.at = { type = "S", format = "rfc3339" }
attributes.city = { type = "S", distinct = 10 }

[patterns."record reading"]
operation = "put"
entity = "Reading"
rate = 0.01

[patterns."record report"]
operation = "put"
entity = "Report"
rate = 0.0005
"#,
        )],
        &["time-not-unique"],
    ),
    (
        "a list that is replaced beside one that grows to a maximum",
        &[(
            "",
            r#"
[entities.Trip]
key = { partition = "TRIP#{id}", sort = "TRIP" }
attributes.id = "S"
attributes.tags = "L"
attributes.log = "L"

[patterns."log a place"]
operation = "update"
entity = "Trip"
by = ["id"]
condition = "size(log) < 10"
change = "SET tags = :tags, log = list_append(log, :place)"
"#,
        )],
        &["unbounded-collection-attribute"],
    ),
    (
        "a partition that begins with a value, in which all entities of the table lie",
        &[
            ("partition = \"CUSTOMER#{username}\"", "partition = \"{username}\""),
            ("partition = \"EMAIL#{email:fold}\"", "partition = \"{username}\""),
        ],
        &["missing-type-prefix"],
    ),
    (
        "the last part of a key, which some items lack",
        &[
            ("#ORDER#{number:08}", "#ORDER#{number:08}#{note:optional}"),
            ("total = \"N\"", "total = \"N\"\nnote = \"S\""),
            ("total = 24.5", "total = 24.5, note = \"a gift\""),
        ],
        &["attribute-only-in-key"],
    ),
    (
        "an index that one reader filters, and another does not",
        &[(
            "",
            r#"
[patterns."all orders of a status"]
operation = "query"
returns = ["Order"]
by = { status = "SHIPPED" }
filter = "total > 5"
limit = 10
"#,
        )],
        &["index-filtered-by-constant"],
    ),
];

#[test]
fn every_planted_mistake_is_found_at_its_place() {
    let mut faults = Vec::new();
    for Planted { fact, edits, code, place } in PLANTED {
        let found = found(edits);
        let is_it = |(other, at): &(String, String)| other == code && at == place;
        if !found.iter().any(is_it) {
            faults.push(format!("{fact}: no {code} at {place} among {found:#?}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn nothing_is_said_of_what_is_sound() {
    for (fact, edits, codes) in SOUND {
        let found = found(edits);
        let is_said = |(code, _): &&(String, String)| codes.contains(&code.as_str());
        let said: Vec<&(String, String)> = found.iter().filter(is_said).collect();
        assert!(said.is_empty(), "{fact}: {said:?}");
    }
    assert_eq!(found(&[]), [], "the starter itself is sound");
}
