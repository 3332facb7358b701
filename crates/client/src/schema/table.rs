//! A table in the terms of the model document.

use monotable_item::{Item, Value};
use monotable_model::document::{Index, IndexProjection, KeyAttribute, Table as TableDocument};

use super::{IndexDefinition, KeyColumn, ProjectionDefinition, TableDefinition};
use crate::error::{DecodeError, DecodeFault};

/// A table as the client uses it.
#[derive(Debug)]
pub struct TableSchema {
    /// What the derive wrote.
    pub definition: &'static TableDefinition,
    pub(crate) document: TableDocument,
}

impl TableSchema {
    /// Makes the schema of a definition.
    pub fn new(definition: &'static TableDefinition) -> TableSchema {
        let mut document =
            TableDocument::new(definition.name, key_attribute(&definition.partition_key));
        document.sort_key = definition.sort_key.as_ref().map(key_attribute);
        document.type_attribute = definition.type_attribute.map(str::to_owned);
        document.ttl = definition.ttl.map(str::to_owned);
        document.indexes = definition.indexes.iter().map(index).collect();
        TableSchema { definition, document }
    }

    /// Creates the error for an item that none of a collection's members is.
    pub fn foreign(&self, collection: &'static str, item: &Item) -> DecodeError {
        let key =
            self.key_names().filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())));
        let key = Box::new(key.collect());
        let fault = DecodeFault::Foreign { found: self.type_of(item) };
        DecodeError { entity: collection, key, fault }
    }

    /// What the type attribute of an item says.
    pub(crate) fn type_of(&self, item: &Item) -> Option<String> {
        match self.definition.type_attribute.and_then(|name| item.get(name)) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// The names of the attributes of the table's own key.
    pub fn key_names(&self) -> impl Iterator<Item = &str> {
        self.document.key_attributes().map(|key| key.name.as_str())
    }
}

fn key_attribute(column: &KeyColumn) -> KeyAttribute {
    KeyAttribute { name: column.name.to_owned(), kind: column.kind }
}

fn index(definition: &IndexDefinition) -> Index {
    Index {
        name: definition.name.to_owned(),
        description: None,
        kind: definition.kind,
        partition_key: definition.partition.iter().map(key_attribute).collect(),
        sort_key: definition.sort.iter().map(key_attribute).collect(),
        projection: match definition.projection {
            ProjectionDefinition::All => IndexProjection::All,
            ProjectionDefinition::KeysOnly => IndexProjection::KeysOnly,
            ProjectionDefinition::Include(names) => {
                IndexProjection::Include(names.iter().map(|name| (*name).to_owned()).collect())
            }
        },
        billing: None,
    }
}
