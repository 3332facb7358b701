//! Keys as descriptions show them.

use monotable_database::schema::{KeyAttribute, KeySchema};
use monotable_protocol::shapes::KeySchemaElement;

/// The elements of a key: partition first, as they were given.
pub(crate) fn key_schema(key: &KeySchema) -> Vec<KeySchemaElement> {
    let element = |attribute: &KeyAttribute, key_type: &str| KeySchemaElement {
        attribute_name: Some(attribute.name.clone()),
        key_type: Some(key_type.to_owned()),
    };
    let partition = key.partition.iter().map(|attribute| element(attribute, "HASH"));
    let sort = key.sort.iter().map(|attribute| element(attribute, "RANGE"));
    partition.chain(sort).collect()
}
