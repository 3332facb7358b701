//! The model document of the code.

use std::panic::catch_unwind;
use std::path::PathBuf;

use monotable::prelude::*;
use monotable::{differences, model_of};
use monotable_model::document::{Format, read, write};

use super::shop::Shop;

fn text_of_code() -> String {
    write(&model_of::<Shop>(), Format::Toml)
}

/// A file with this text, in the directory that Cargo gives to tests.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_model_of_the_code_is_a_document_that_reads_back() {
    let model = Shop::model();
    let text = text_of_code();
    let document = read(&text, Format::Toml).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    assert_eq!(document.model.tables, model.tables);
    assert_eq!(document.model.entities, model.entities);
    assert_eq!(document.model.patterns, model.patterns);
    assert_eq!(differences::<Shop>(&text), Vec::<String>::new());
}

#[test]
fn a_file_that_says_what_the_code_says_matches_it() {
    let toml = file("same.toml", &format!("# Ours.\n{}", text_of_code()));
    Shop::assert_model_matches(toml);
    let yaml = file("same.yaml", &write(&model_of::<Shop>(), Format::Yaml));
    Shop::assert_model_matches(yaml);
}

#[test]
fn a_file_that_differs_from_the_code_is_told_where_and_how() {
    let other = text_of_code()
        .replace("PARCEL#{id}", "PACKAGE#{id}")
        .replace("status = 'open'", "status = 'paid'")
        .replace("DAY#{placed_at:day}", "DAY#{placed_at:month}");
    let path = file("other.toml", &other);
    let shown = path.display().to_string();
    let panic = catch_unwind(|| Shop::assert_model_matches(path)).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert_eq!(
        *message,
        format!(
            "Shop and {shown} are not the same model:\n  \
             entities.Order.indexes.Gsi1.when: the code says status = 'open', the file says \
             status = 'paid'\n  \
             entities.Order.indexes.Gsi2.partition: the code says \
             \"DAY#{{placed_at:day}}#{{shard(id, 4)}}\", the file says \
             \"DAY#{{placed_at:month}}#{{shard(id, 4)}}\"\n  \
             entities.Parcel.key.partition: the code says \"PARCEL#{{id}}\", the file says \
             \"PACKAGE#{{id}}\""
        )
    );
}

#[test]
fn what_one_side_lacks_is_one_difference() {
    let mut model = model_of::<Shop>();
    // A file may ask for other things.
    model.patterns.clear();
    model.entities.retain(|entity| entity.name != "Parcel");
    let customer = &mut model.entities[0];
    customer.attributes.retain(|attribute| attribute.name != "visits");
    let mut coupon = customer.clone();
    coupon.name = "Coupon".to_owned();
    model.entities.push(coupon);
    assert_eq!(
        differences::<Shop>(&write(&model, Format::Toml)),
        [
            "entities.Coupon: the code has nothing, the file says an entity",
            "entities.Customer.attributes.visits: the code says N, the file has nothing",
            "entities.Parcel: the code says an entity, the file has nothing",
        ]
    );
}

#[test]
fn unique_values_are_entities_and_keys_are_patterns() {
    let model = Shop::model();
    let order = model.entity("Order").unwrap();
    let claim = model.entity(&order.unique[0].by).unwrap();
    let key = claim.key.as_ref().unwrap();
    assert_eq!((claim.name.as_str(), claim.type_value()), ("OrderNumber", "UNIQUE"));
    assert_eq!(key.partition[0].to_string(), "UNIQUE#Order#number#{number}");
    let names: Vec<&str> = model.patterns.iter().map(|pattern| pattern.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Customer by_id",
            "Order by_customer",
            "Order by_status",
            "Order by_day",
            "Order create",
            "Parcel by_id",
            "Parcel by_carrier",
            "Parcel by_place",
        ]
    );
}

#[test]
fn what_is_said_of_an_attribute_is_compared() {
    let mut model = model_of::<Shop>();
    // A file may ask for other things.
    model.patterns.clear();
    let order = model.entities.iter_mut().find(|entity| entity.name == "Order").unwrap();
    for attribute in &mut order.attributes {
        attribute.mutable = None;
        attribute.values.clear();
        attribute.required |= attribute.name == "tags";
        attribute.max_bytes = attribute.max_bytes.map(|bytes| bytes + 1);
    }
    let claim = model.entities.iter_mut().find(|entity| entity.name == "OrderNumber").unwrap();
    claim.name = "Claim".to_owned();
    let key = claim.key.as_mut().unwrap();
    key.partition = vec!["NUMBER#{number}".parse().unwrap()];
    let order = model.entities.iter_mut().find(|entity| entity.name == "Order").unwrap();
    order.unique[0].by = "Claim".to_owned();
    assert_eq!(
        differences::<Shop>(&write(&model, Format::Toml)),
        [
            "entities.Order.attributes.note.max_bytes: the code says 200, the file says 201",
            "entities.Order.attributes.placed_at.mutable: the code says false, the file has \
             nothing",
            "entities.Order.attributes.status.enum: the code says open, paid, the file has nothing",
            "entities.Order.attributes.tags.required: the code has nothing, the file says true",
            "entities.Order.unique.number.partition: the code says \
             \"UNIQUE#Order#number#{number}\", the file says \"NUMBER#{number}\"",
        ]
    );
}

#[test]
fn a_file_that_is_no_model_is_told_what_is_wrong() {
    let broken = text_of_code().replace("{placed_at}", "{placed}");
    let found = differences::<Shop>(&broken);
    assert!(found[0].contains("Order has no attribute placed"), "{found:?}");
    let missing = catch_unwind(|| Shop::assert_model_matches("nowhere.toml")).unwrap_err();
    let message = missing.downcast_ref::<String>().unwrap();
    assert!(message.starts_with("the model file nowhere.toml cannot be read"), "{message}");
}
