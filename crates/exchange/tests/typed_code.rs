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
