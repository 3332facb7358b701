//! Modules in TypeScript and Python: every access pattern is a function, or a note says why not.
//! That they compile and run is checked by `cargo xtask test typed-code`.

mod exchange_models;

use exchange_models::examples;
use monotable_exchange::{Export, TargetFormat, export};
use monotable_model::document::{Format, Model, Operation, read};

/// A place with a group of attributes that change together, and a condition.
const PARCELS: &str = r#"
format = 1
name = "parcels"

[tables.Parcels]
partition_key = "PK"

[tables.Parcels.global_indexes.ByCarrier]
partition_key = "CarrierKey"
sort_key = "EtaKey"

[entities.Parcel]
key = { partition = "PARCEL#{id}" }

[entities.Parcel.indexes.ByCarrier]
partition = "CARRIER#{carrier:fold}"
sort = "{eta:day}#{id}"
when = "state = 'open'"

[entities.Parcel.attributes]
id = { type = "S" }
carrier = { type = "S" }
eta = { type = "S" }
state = { type = "S", enum = ["open", "done"], required = true }
note = { type = "S" }
"#;

fn parcels() -> Model {
    read(PARCELS, Format::Toml).unwrap().model
}

#[track_caller]
fn check(exported: &Export, expected: &[&str]) {
    for text in expected {
        assert!(exported.text.contains(text), "{text} is not in\n{}", exported.text);
    }
}

#[test]
fn every_pattern_is_a_function_or_a_note() {
    for model in examples() {
        for (target, word) in
            [(TargetFormat::TypeScript, "export async function "), (TargetFormat::Python, "\ndef ")]
        {
            let exported = export(&model, target);
            let says_why = |note: &&monotable_model::diagnostic::Diagnostic| {
                note.message.starts_with("no function: ")
            };
            let notes = exported.notes.iter().filter(says_why).count();
            let is_public = |name: &&str| !name.starts_with("_") && !name.starts_with("transact(");
            let after = exported.text.split(word).skip(1);
            let functions = after.filter(is_public).filter(|name| !name.starts_with("every("));
            assert_eq!(functions.count() + notes, model.patterns.len(), "{}", model.name);
            let without =
                |operation| model.patterns.iter().filter(move |one| one.operation == operation);
            let told =
                [Operation::Steps, Operation::Expire, Operation::Consume, Operation::Administer];
            let expected: usize = told.into_iter().map(|one| without(one).count()).sum();
            assert_eq!(notes, expected, "{}: {:?}", model.name, exported.notes);
        }
    }
}

#[test]
fn what_an_index_is_made_of_changes_together() {
    let typescript = export(&parcels(), TargetFormat::TypeScript);
    check(
        &typescript,
        &[
            "export interface ParcelByCarrier {\n  carrier: string | null;\n  eta: string | \
             null;\n  state: \"open\" | \"done\";\n}",
            "export interface ParcelPatch {\n  note?: string | null;\n  byCarrier?: \
             ParcelByCarrier;\n}",
            "change.byCarrier.carrier !== null",
            "isEqual(change.byCarrier.state, \"open\")",
        ],
    );
    let python = export(&parcels(), TargetFormat::Python);
    check(
        &python,
        &[
            "class ParcelByCarrier(TypedDict):",
            "    carrier: Optional[str]\n    eta: Optional[str]\n    state: Literal[\"open\", \
             \"done\"]\n",
            "    byCarrier: ParcelByCarrier\n",
            "\"byCarrier\" in change",
        ],
    );
}

/// An entity whose other types are called like two entities, and an index like one of those types.
const LIKE_OTHERS: &str = r#"
format = 1
name = "orders"

[tables.Orders]
partition_key = "PK"
sort_key = "SK"
global_indexes.Item = { partition_key = "IP", sort_key = "IS" }
global_indexes.Key = { partition_key = "KP", sort_key = "KS" }

[entities.OrderKey]
key = { partition = "KEY#{id}", sort = "KEY" }
attributes = { id = "S" }

[entities.OrderItem]
key = { partition = "ITEM#{id}", sort = "ITEM" }
attributes = { id = "S" }

[entities.Order]
key = { partition = "ORDER#{id}", sort = "ORDER" }
indexes.Item = { partition = "STATE#{state}", sort = "{item}" }
indexes.Key = { partition = "USER#{user}", sort = "{at}" }
attributes = { id = "S", state = "S", item = "S", user = "S", at = "S", key = "S" }

[patterns."an order with its item"]
operation = "query"
returns = ["Order", "OrderItem"]
by = ["id"]
"#;

#[test]
fn no_name_is_declared_twice() {
    let model = read(LIKE_OTHERS, Format::Toml).unwrap().model;
    for (target, words, member) in [
        (
            TargetFormat::TypeScript,
            &["interface ", "type ", "const ", "function "][..],
            "\n  key_?: Order_Key_;\n",
        ),
        (TargetFormat::Python, &["class ", "def "], "\n    key_: Order_Key_\n"),
    ] {
        let exported = export(&model, target);
        let declared = |line: &str| {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            Some(name.to_owned())
        };
        let mut names: Vec<String> = exported.text.lines().filter_map(declared).collect();
        names.sort_unstable();
        let twice: Vec<&[String]> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?} in\n{}", exported.text);
        for name in ["OrderKey", "OrderItem", "Order_", "Order_Key", "Order_Item", "Order_Key_"] {
            assert!(names.iter().any(|declared| declared == name), "{name} is not in {names:?}");
        }
        assert!(exported.text.contains(member), "{member} is not in\n{}", exported.text);
    }
}

#[test]
fn what_every_object_has_is_not_taken_for_an_attribute() {
    let text = PARCELS.replace("note = ", "constructor = \"S\"\n__proto__ = \"S\"\nnote = ");
    let exported = export(&read(&text, Format::Toml).unwrap().model, TargetFormat::TypeScript);
    check(
        &exported,
        &[
            r#"  constructor?: string;"#,
            r#"constructor: own(item, "constructor"),"#,
            r#"["__proto__"]: own(item, "__proto__"),"#,
            r#"["__proto__"]: own(stored, "__proto__"),"#,
            "function own<",
        ],
    );
}

/// Parts of a filter that are left out with parameters of their own, and a part that stays.
const SEARCH: &str = r#"
format = 1
name = "search"

[tables.Orders]
partition_key = "PK"
sort_key = "SK"

[entities.Order]
key = { partition = "USER#{user}", sort = "{at:time(s)}" }
[entities.Order.attributes]
user = { type = "S", required = true }
at = { type = "S", required = true, format = "rfc3339" }
tenant = "S"
status = "S"
total = "N"

[patterns."large orders"]
operation = "query"
returns = ["Order"]
by = ["user"]
filter = "tenant = :tenant AND total > :least"
parameters = { least = { type = "N", optional = true } }

[patterns."find orders"]
operation = "query"
returns = ["Order"]
by = ["user"]
filter = "tenant = :tenant AND total > :least AND #status = :status"
parameters = { least = { type = "N", optional = true }, status = { type = "S", optional = true } }
"#;

#[test]
fn of_a_filter_only_the_tests_are_left_out_that_need_a_parameter() {
    let model = read(SEARCH, Format::Toml).unwrap().model;
    check(
        &export(&model, TargetFormat::TypeScript),
        &[
            r#"FilterExpression: "tenant = :tenant AND #total > :least","#,
            r#"FilterExpression: "tenant = :tenant","#,
            "FilterExpression: allOf([",
            r##"p.least !== undefined ? "#total > :least" : undefined,"##,
            r##""#status": p.status !== undefined ? "status" : undefined,"##,
            r#"":tenant": p.tenant,"#,
            r#"":least": p.least !== undefined ? p.least : undefined,"#,
        ],
    );
    check(
        &export(&model, TargetFormat::Python),
        &[
            r#""FilterExpression": "tenant = :tenant","#,
            r#""FilterExpression": _all_of("#,
            r##""#total > :least" if least is not None else None"##,
            r##""#status": ("status" if status is not None else None),"##,
            r#"":tenant": tenant,"#,
        ],
    );
    check(
        &export(&model, TargetFormat::Rust),
        &["let query = match least {", "match least {", "match status {", "None => query,"],
    );
}

/// An index whose key is an attribute, and rows of several days.
const ACCOUNTS: &str = r#"
format = 1
name = "accounts"

[tables.Accounts]
partition_key = "PK"
sort_key = "SK"

[tables.Accounts.global_indexes.ByEmail]
partition_key = "email"

[entities.Account]
key = { partition = "ACCOUNT#{id}", sort = "ACCOUNT" }
indexes.ByEmail.partition = "{email:fold}"
attributes = { id = "S", email = { type = "S", required = true } }

[entities.Visit]
key = { partition = "VISITS#{at:day}", sort = "{at:time(s)}#{id}" }
attributes = { id = "S", at = { type = "S", format = "rfc3339" } }

[patterns."change email"]
operation = "update"
entity = "Account"
by = ["id"]
change = "SET email = :email"

[patterns."newest visits"]
operation = "query"
returns = ["Visit"]
range = "at BETWEEN :from AND :to"
order = "descending"
"#;

#[test]
fn an_attribute_that_is_a_key_is_compared_with_its_template() {
    let model = read(ACCOUNTS, Format::Toml).unwrap().model;
    let typescript = export(&model, TargetFormat::TypeScript);
    check(
        &typescript,
        &[
            r##"email: ownKey("email", item.email, text(fold(item.email), "#", "$")),"##,
            r##"text(fold(change.email), "#", "$"),"##,
            r##"":email": ownKey("email", p.email, text(fold(p.email), "#", "$")),"##,
            r#"inOrder(periods(p.from, p.to, "day", "s"), page, true)"#,
        ],
    );
    let python = export(&model, TargetFormat::Python);
    check(
        &python,
        &[
            r##"_own_key("email", item["email"], _text(_fold(item["email"]), "#", "$"))"##,
            r##"_own_key("email", change["email"], _text(_fold(change["email"]), "#", "$"))"##,
            r##"_own_key("email", email, _text(_fold(email), "#", "$"))"##,
            r#"_in_order(_periods(from_, to, "day", "s"), page, True)"#,
        ],
    );
}

#[test]
fn a_key_from_inside_of_an_attribute_leaves_a_type_and_a_note() {
    let text = PARCELS
        .replace("PARCEL#{id}", "PARCEL#{place.city}")
        .replace("{eta:day}#{id}", "{eta:day}")
        .replace("note = { type = \"S\" }", "place = { type = \"M\", members = { city = \"S\" } }");
    let model = read(&text, Format::Toml).unwrap().model;
    for target in [TargetFormat::TypeScript, TargetFormat::Python] {
        let exported = export(&model, target);
        assert!(!exported.text.contains("ParcelEntity"));
        let messages: Vec<&str> = exported.notes.iter().map(|note| note.message.as_str()).collect();
        assert_eq!(
            messages,
            ["a type alone, without operations: place.city lies inside of an attribute"]
        );
    }
}

/// Patterns called like what Python has, and attributes that only a sign tells apart.
const BUILT_IN: &str = r#"
format = 1
name = "all"

[tables.Notes]
partition_key = "PK"

[entities.Note]
key = { partition = "NOTE#{id}" }
attributes = { id = "S", "a#" = "S", a_ = "S", bytes = "S", len = "S" }

[patterns.all]
operation = "get"
entity = "Note"
by = ["id"]

[patterns."value error"]
operation = "get"
entity = "Note"
by = ["id"]

[patterns.set]
operation = "put"
entity = "Note"
condition = "attribute_not_exists(PK)"
"#;

#[test]
fn a_function_of_python_hides_nothing_that_the_module_uses() {
    let model = read(BUILT_IN, Format::Toml).unwrap().model;
    let python = export(&model, TargetFormat::Python);
    check(
        &python,
        &[
            "def all_(db: Database, *, id: str) -> Optional[Note]:",
            "def value_error(",
            "def set_(\n    db: Database,\n    *,\n    id: str,\n",
            "\n    a_: Optional[str] = None,\n    a__: Optional[str] = None,\n",
            "\n    bytes_: Optional[str] = None,\n    len: Optional[str] = None,\n",
            "\"a#\": a_,",
            "\"a_\": a__,",
        ],
    );
}

#[test]
fn the_last_part_of_a_table_key_is_read_only_where_it_is_there() {
    let text = PARCELS.replace("PARCEL#{id}", "PARCEL#{id}#{note:optional}");
    let model = read(&text, Format::Toml).unwrap().model;
    check(
        &export(&model, TargetFormat::Python),
        &["_text(item[\"note\"], \"#\", \"$\") if \"note\" in item else \"\""],
    );
    check(
        &export(&model, TargetFormat::TypeScript),
        &["item.note !== undefined ? text(item.note, \"#\", \"$\") : \"\""],
    );
}

#[test]
fn what_has_no_letters_for_a_name_is_called_after_what_it_does() {
    let text = BUILT_IN
        .replace("[patterns.all]", "[patterns.\"照会\"]")
        .replace("[patterns.\"value error\"]", "[patterns.\"読む\"]");
    let model = read(&text, Format::Toml).unwrap().model;
    check(
        &export(&model, TargetFormat::Python),
        &["def get_note(db: Database", "def get_note_(db: Database"],
    );
    check(
        &export(&model, TargetFormat::TypeScript),
        &["export async function getNote(", "export async function getNote_("],
    );
    let text = text.replace("Note\"", "注\"").replace("entities.Note", "entities.\"注\"");
    let model = read(&text, Format::Toml).unwrap().model;
    check(&export(&model, TargetFormat::Python), &["\nEntity = TypedDict(\n", "def get(db"]);
}
