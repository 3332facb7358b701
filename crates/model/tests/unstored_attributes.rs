//! Attributes that stand in keys alone.

use monotable_item::Value;
use monotable_model::document::{Format, Model, read, write};

const TEXT: &str = r##"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[entities.Order]
key = { partition = "CUSTOMER#{customer_id}", sort = "ORDER#{number:05}" }

[entities.Order.attributes]
customer_id = { type = "S", stored = false }
number = { type = "N", stored = false }
total = "N"

[samples]
Order = [
    { customer_id = "alex", number = 17, total = 5 },
]
"##;

fn model() -> Model {
    read(TEXT, Format::Toml).unwrap_or_else(|problems| panic!("{problems:#?}")).model
}

#[test]
fn items_hold_the_keys_and_not_the_attributes() {
    let model = model();
    let item = model.item_of_sample(&model.samples[0]).unwrap();
    let names: Vec<&str> = item.keys().map(String::as_str).collect();
    assert_eq!(names, ["PK", "SK", "total"]);
    assert_eq!(item["PK"], Value::from("CUSTOMER#alex"));
    assert_eq!(item["SK"], Value::from("ORDER#00017"));
}

#[test]
fn they_survive_every_format() {
    let model = model();
    assert!(!model.entities[0].attribute("number").unwrap().stored);
    assert!(model.entities[0].attribute("total").unwrap().stored);
    for format in [Format::Toml, Format::Yaml, Format::Json] {
        let written = write(&model, format);
        assert_eq!(read(&written, format).unwrap().model, model, "{written}");
    }
}

#[test]
fn a_word_is_refused() {
    let problems =
        read(&TEXT.replacen("stored = false", "stored = 'no'", 1), Format::Toml).unwrap_err();
    assert_eq!(problems[0].place.as_str(), "entities.Order.attributes.customer_id.stored");
}
