//! The keys are those of the model file.

use example_e_commerce::schema::{Customer, Order, OrderItem};
use monotable::Entity;
use monotable::schema::EntityDefinition;

const MODEL: &str = include_str!("../../../models/e-commerce.toml");

#[test]
fn every_key_is_one_of_the_model() {
    for definition in [Customer::DEFINITION, Order::DEFINITION, OrderItem::DEFINITION] {
        for (partition, sort) in keys(definition) {
            let line = format!("partition = \"{partition}\", sort = \"{sort}\"");
            assert!(MODEL.contains(&line), "{}: {line}", definition.name);
        }
    }
}

/// The templates of the table's key and of indexes, with the names that attributes have in items.
fn keys(definition: &EntityDefinition) -> Vec<(String, String)> {
    let stored = |template: &str| {
        definition.attributes.iter().fold(template.to_owned(), |text, attribute| {
            let stored_name = attribute.stored_name;
            text.replace(&format!("{{{}}}", attribute.name), &format!("{{{stored_name}}}"))
                .replace(&format!("{{{}:", attribute.name), &format!("{{{stored_name}:"))
        })
    };
    let of_table = (stored(definition.partition), stored(definition.sort.unwrap()));
    let of_indexes =
        definition.indexes.iter().map(|index| (stored(index.partition[0]), stored(index.sort[0])));
    std::iter::once(of_table).chain(of_indexes).collect()
}
