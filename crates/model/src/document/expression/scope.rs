//! The attributes that an expression may name.

use std::collections::BTreeMap;

use crate::diagnostic::nearest;
use crate::document::{Entity, Model};

/// Attributes by their names in the model.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Names in the model, and in items.
    names: BTreeMap<String, String>,
}

impl Scope {
    /// A scope without attributes.
    pub fn new() -> Scope {
        Scope::default()
    }

    /// The attributes of entities, with the key, type and expiry attributes of their tables.
    pub fn of_entities<'m>(
        model: &'m Model,
        entities: impl IntoIterator<Item = &'m Entity>,
    ) -> Scope {
        let mut scope = Scope::new();
        for entity in entities {
            for attribute in &entity.attributes {
                scope.add(&attribute.name, attribute.item_name());
            }
            for table in model.tables_of(entity) {
                let of_indexes = table.indexes.iter().flat_map(|index| index.key_attributes());
                for key in table.key_attributes().chain(of_indexes) {
                    scope.add(&key.name, &key.name);
                }
                for name in table.type_attribute.iter().chain(&table.ttl) {
                    scope.add(name, name);
                }
            }
        }
        scope
    }

    /// Adds an attribute, unless its name is taken.
    pub fn add(&mut self, name: &str, item_name: &str) {
        self.names.entry(name.to_owned()).or_insert_with(|| item_name.to_owned());
    }

    /// The name in items of the attribute with this name in the model.
    pub fn item_name(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// The attribute that was probably meant.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.names.keys().map(String::as_str))
    }
}
