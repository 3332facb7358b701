//! Which entity an item is: by its type, by its key, by what fits best, and when nobody can tell.

use monotable_item::{Item, Value};
use monotable_model::document::{Entity, Format, Model, Table, read};
use monotable_model::recognition::{Recognition, Recognizer};

fn model(text: &str) -> Model {
    let whole = format!("format = 1\nname = \"example\"\n{text}");
    read(&whole, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model
}

fn item(attributes: &[(&str, &str)]) -> Item {
    attributes.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect()
}

/// What an item of the first table is, in words.
fn recognised(model: &Model, attributes: &[(&str, &str)]) -> String {
    let recognizer = Recognizer::new(model, &model.tables[0]);
    match recognizer.recognise(&item(attributes)) {
        Recognition::Known(entity) => entity.name.clone(),
        Recognition::Undecided(entities) => {
            entities.iter().map(|entity| entity.name.as_str()).collect::<Vec<_>>().join(" or ")
        }
        Recognition::Unknown => "nothing".to_owned(),
    }
}

const SHOP: &str = r##"
[tables.Shop]
partition_key = "PK"
sort_key = "SK"
type_attribute = "Type"

[entities.Customer]
key = { partition = "CUSTOMER#{username}", sort = "CUSTOMER#{username}" }
attributes = { username = "S", email = "S" }

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{number:06}" }
attributes = { username = "S", number = "N" }

[entities.Setting]
key = { partition = "{scope}", sort = "SETTING" }
attributes = { scope = "S" }
"##;

#[test]
fn the_key_decides_where_there_is_no_type() {
    let shop = model(SHOP);
    let is = |key: &[(&str, &str)]| recognised(&shop, key);
    assert_eq!(is(&[("PK", "CUSTOMER#alex"), ("SK", "ORDER#000017")]), "Order");
    assert_eq!(is(&[("PK", "CUSTOMER#alex"), ("SK", "CUSTOMER#alex")]), "Customer");
    assert_eq!(is(&[("PK", "anything"), ("SK", "SETTING")]), "Setting");
    assert_eq!(is(&[("PK", "CUSTOMER#alex"), ("SK", "ORDER#17")]), "nothing");
    assert_eq!(is(&[("PK", "CUSTOMER#alex")]), "nothing");
}

#[test]
fn a_type_must_agree_with_the_key() {
    let shop = model(SHOP);
    let order = [("PK", "CUSTOMER#alex"), ("SK", "ORDER#000017")];
    let of_type = |kind| recognised(&shop, &[order[0], order[1], ("Type", kind)]);
    assert_eq!(of_type("Order"), "Order");
    assert_eq!(of_type("Customer"), "nothing");
    assert_eq!(of_type("Invoice"), "nothing");
}

const ACCOUNTS: &str = r##"
[tables.Accounts]
partition_key = "PK"

[entities.User]
key = { partition = "ACCOUNT#{name}" }
attributes.name = "S"
attributes.plan = { type = "S", enum = ["free", "pro"] }
attributes.password = "S"

[entities.Organization]
key = { partition = "ACCOUNT#{name}" }
attributes.name = "S"
attributes.plan = { type = "S", enum = ["team", "pro"] }
attributes.members = "N"
"##;

#[test]
fn of_several_the_one_that_fits_best_is_it() {
    let accounts = model(ACCOUNTS);
    let is = |more: (&str, &str)| recognised(&accounts, &[("PK", "ACCOUNT#a"), more]);
    assert_eq!(is(("plan", "free")), "User", "a value that only one may have");
    assert_eq!(is(("password", "x")), "User", "an attribute that only one has");
    assert_eq!(is(("members", "3")), "Organization");
}

#[test]
fn what_fits_equally_well_is_undecided() {
    let accounts = model(ACCOUNTS);
    let is = |more: (&str, &str)| recognised(&accounts, &[("PK", "ACCOUNT#a"), more]);
    assert_eq!(is(("plan", "pro")), "User or Organization");
    assert_eq!(is(("name", "a")), "User or Organization");
}

#[test]
fn a_key_that_the_attributes_build_beats_one_that_they_contradict() {
    let model = model(
        r##"
        [tables.Things]
        partition_key = "PK"

        [entities.ByName]
        key = { partition = "A#{name}" }
        attributes = { name = "S", code = "S" }

        [entities.ByCode]
        key = { partition = "A#{code}" }
        attributes = { name = "S", code = "S" }
        "##,
    );
    let named = [("PK", "A#x"), ("name", "x"), ("code", "y")];
    assert_eq!(recognised(&model, &named), "ByName");
    let drifted = [("PK", "A#z"), ("name", "x"), ("code", "y")];
    assert_eq!(recognised(&model, &drifted), "ByName or ByCode");
}

#[test]
fn a_variant_is_told_apart_by_what_it_asks_for() {
    let model = model(
        r##"
        [tables.Things]
        partition_key = "PK"

        [entities.Issue]
        key = { partition = "ISSUE#{id}" }
        attributes = { id = "S", status = "S" }

        [entities.ClosedIssue]
        variant_of = "Issue"
        key = { partition = "ISSUE#{id}" }
        attributes.status = { type = "S", enum = ["closed"] }
        "##,
    );
    let is = |status| recognised(&model, &[("PK", "ISSUE#1"), ("id", "1"), ("status", status)]);
    assert_eq!(is("open"), "Issue");
    assert_eq!(is("closed"), "ClosedIssue");
}

/// The entities that an item can be of, found by trying each of them.
fn tried<'m>(model: &'m Model, table: &Table, item: &Item) -> Vec<&'m Entity> {
    let has_form = |entity: &&Entity| {
        let kind = table.type_attribute.as_ref().and_then(|name| item.get(name));
        let Some(keys) = &entity.key else { return false };
        let mut templates = keys.partition.iter().chain(&keys.sort).zip(table.key_attributes());
        kind.is_none_or(|kind| *kind == Value::from(entity.type_value()))
            && templates.all(|(one, key)| item.get(&key.name).is_some_and(|key| one.matches(key)))
    };
    model.entities.iter().filter(|one| one.tables.contains(&table.name)).filter(has_form).collect()
}

/// The samples of all models in all tables, with and without their types.
fn check_samples(check: impl Fn(&Model, &Table, &Entity, &Item)) {
    for example in monotable_model_fixture::examples() {
        let model = read(&example.text, Format::Toml).unwrap().model;
        for sample in &model.samples {
            let entity = model.entity(&sample.entity).unwrap();
            let item = model.item_of_sample(sample).unwrap();
            let name = sample.table.as_ref().or(entity.tables.first()).unwrap();
            let table = model.table(name).unwrap();
            check(&model, table, entity, &item);
            let mut untyped = item;
            if let Some(name) = &table.type_attribute {
                untyped.remove(name);
                check(&model, table, entity, &untyped);
            }
        }
    }
}

#[test]
fn looking_entities_up_finds_those_that_trying_each_finds() {
    check_samples(|model, table, _, item| {
        let candidates = Recognizer::new(model, table).candidates(item);
        let found: Vec<&str> =
            candidates.iter().map(|one| one.form().entity.name.as_str()).collect();
        let tried: Vec<&str> =
            tried(model, table, item).iter().map(|one| one.name.as_str()).collect();
        assert_eq!(found, tried, "{item:?}");
    });
}

#[test]
fn every_sample_is_recognised_or_its_entity_is_among_the_undecided() {
    check_samples(|model, table, entity, item| {
        match Recognizer::new(model, table).recognise(item) {
            Recognition::Known(found) => assert_eq!(found.name, entity.name, "{item:?}"),
            Recognition::Undecided(found) => assert!(found.contains(&entity), "{item:?}"),
            Recognition::Unknown => panic!("{item:?} is not recognised"),
        }
    });
}
