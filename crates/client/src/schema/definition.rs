//! Constant descriptions of tables and entities, as the derives write them.

use std::time::SystemTime;

use monotable_item::key_encoding::KeyType;
use monotable_item::{Type, Value};

use crate::attribute::NumberBounds;
use crate::backend::IndexKind;

/// A table.
#[derive(Debug, Clone, Copy)]
pub struct TableDefinition {
    /// The name in the model.
    pub name: &'static str,
    /// The attribute of the partition key.
    pub partition_key: KeyColumn,
    /// The attribute of the sort key, if there is one.
    pub sort_key: Option<KeyColumn>,
    /// The attribute that names the entity of an item.
    pub type_attribute: Option<&'static str>,
    /// The attribute with the version of an item, for entities that have one.
    pub version_attribute: Option<&'static str>,
    /// The attribute with the second in which an item expires.
    pub ttl: Option<&'static str>,
    /// The secondary indexes.
    pub indexes: &'static [IndexDefinition],
}

/// An attribute of a key, as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct KeyColumn {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: KeyType,
}

/// A secondary index.
#[derive(Debug, Clone, Copy)]
pub struct IndexDefinition {
    /// The name.
    pub name: &'static str,
    /// Local or global.
    pub kind: IndexKind,
    /// The attributes of the partition key.
    pub partition: &'static [KeyColumn],
    /// The attributes of the sort key.
    pub sort: &'static [KeyColumn],
    /// What it holds of the items.
    pub projection: ProjectionDefinition,
}

/// What an index holds of the items besides their keys.
#[derive(Debug, Clone, Copy)]
pub enum ProjectionDefinition {
    /// Everything.
    All,
    /// Nothing.
    KeysOnly,
    /// These attributes, as they are stored.
    Include(&'static [&'static str]),
}

/// An entity.
#[derive(Debug, Clone, Copy)]
pub struct EntityDefinition {
    /// The name: that of the struct.
    pub name: &'static str,
    /// The value of the table's type attribute.
    pub tag: &'static str,
    /// The version of its form.
    pub version: Option<u64>,
    /// The versions that items may still have.
    pub older: &'static [OlderDefinition],
    /// The fields.
    pub attributes: &'static [AttributeDefinition],
    /// The name of the access pattern that the table's own key serves.
    pub key_name: &'static str,
    /// The template of the partition key.
    pub partition: &'static str,
    /// The same with numbers for the names of fields.
    pub partition_shape: &'static str,
    /// The template of the sort key, if the table has one.
    pub sort: Option<&'static str>,
    /// What every sort key begins with.
    pub sort_prefix: &'static str,
    /// The keys in indexes.
    pub indexes: &'static [IndexKeysDefinition],
    /// Attributes of which no two items have the same value.
    pub unique: &'static [UniqueDefinition],
    /// The number that optimistic locking compares and raises.
    pub lock: Option<&'static str>,
}

/// A version of an entity before the current one.
#[derive(Debug, Clone, Copy)]
pub struct OlderDefinition {
    /// The version.
    pub version: u64,
    /// The names of the attributes that its struct reads.
    pub members: &'static [&'static str],
}

/// A field.
#[derive(Debug, Clone, Copy)]
pub struct AttributeDefinition {
    /// The name: that of the field.
    pub name: &'static str,
    /// The name in items.
    pub stored_name: &'static str,
    /// Whether items hold it. One that they do not is read from their keys.
    pub stored: bool,
    /// The type of the value.
    pub kind: Type,
    /// Whether every item has it.
    pub required: bool,
    /// Whether it never changes after the item was created.
    pub create_only: bool,
    /// Whether the second in which the item expires is in it.
    pub ttl: bool,
    /// How many bytes a text has at most.
    pub max_bytes: Option<u64>,
    /// The only texts that there are, if there are only some.
    pub values: &'static [&'static str],
    /// The limits of a number.
    pub bounds: NumberBounds,
    /// The value for the time of creation, if the field holds it.
    pub created: Option<fn(SystemTime) -> Option<Value>>,
    /// The value for the time of the last change, if the field holds it.
    pub touched: Option<fn(SystemTime) -> Option<Value>>,
}

/// The key of an entity in one index.
#[derive(Debug, Clone, Copy)]
pub struct IndexKeysDefinition {
    /// The name of the access pattern.
    pub name: &'static str,
    /// The index.
    pub index: IndexDefinition,
    /// One template for each attribute of the partition key.
    pub partition: &'static [&'static str],
    /// One template for each attribute of the sort key.
    pub sort: &'static [&'static str],
    /// The templates of the partition key with numbers for the names of fields.
    pub partition_shape: &'static str,
    /// What every sort key begins with.
    pub sort_prefix: &'static str,
    /// Which items are in the index, in the expressions of the model document.
    pub when: Option<&'static str>,
}

/// An attribute of which no two items have the same value.
#[derive(Debug, Clone, Copy)]
pub struct UniqueDefinition {
    /// The attribute.
    pub attribute: &'static str,
    /// The template of the partition key of the item that holds the value.
    pub template: &'static str,
}

impl TableDefinition {
    /// Returns whether this attribute holds the version of an item.
    pub const fn keeps_version_in(&self, attribute: &str) -> bool {
        match self.version_attribute {
            Some(name) => same_text(name, attribute),
            None => false,
        }
    }

    /// Returns whether this attribute names the entity of an item.
    pub const fn keeps_type_in(&self, attribute: &str) -> bool {
        match self.type_attribute {
            Some(name) => same_text(name, attribute),
            None => false,
        }
    }

    /// Returns whether items expire by this attribute.
    pub const fn expires_by(&self, attribute: &str) -> bool {
        match self.ttl {
            Some(name) => same_text(name, attribute),
            None => false,
        }
    }
}

impl KeyColumn {
    /// Returns whether the column at a place, counted from 0, is of this type.
    pub const fn is_at(columns: &[KeyColumn], place: usize, kind: KeyType) -> bool {
        let mut rest = columns;
        let mut left = place;
        while let [column, others @ ..] = rest {
            if left == 0 {
                return matches!(
                    (column.kind, kind),
                    (KeyType::String, KeyType::String)
                        | (KeyType::Number, KeyType::Number)
                        | (KeyType::Binary, KeyType::Binary)
                );
            }
            left -= 1;
            rest = others;
        }
        false
    }
}

impl EntityDefinition {
    /// The name of a field in items. What is no field has its own name.
    pub const fn stored_name_of(&self, field: &'static str) -> &'static str {
        let mut rest = self.attributes;
        while let [attribute, others @ ..] = rest {
            if same_text(attribute.name, field) {
                return attribute.stored_name;
            }
            rest = others;
        }
        field
    }

    /// The shape of the partition key in an index; empty where the entity is not in it.
    pub const fn partition_shape_in(&self, index: &IndexDefinition) -> &'static str {
        match self.keys_in(index) {
            Some(keys) => keys.partition_shape,
            None => "",
        }
    }

    /// What every sort key in an index begins with.
    pub const fn sort_prefix_in(&self, index: &IndexDefinition) -> &'static str {
        match self.keys_in(index) {
            Some(keys) => keys.sort_prefix,
            None => "",
        }
    }

    const fn keys_in(&self, index: &IndexDefinition) -> Option<&'static IndexKeysDefinition> {
        let mut rest = self.indexes;
        while let [keys, others @ ..] = rest {
            if same_text(keys.index.name, index.name) {
                return Some(keys);
            }
            rest = others;
        }
        None
    }
}

impl IndexDefinition {
    /// Returns whether the index holds this attribute: as one of its keys, or besides them.
    pub const fn holds(&self, attribute: &str) -> bool {
        if names_column(self.partition, attribute) || names_column(self.sort, attribute) {
            return true;
        }
        match self.projection {
            ProjectionDefinition::All => true,
            ProjectionDefinition::KeysOnly => false,
            ProjectionDefinition::Include(names) => {
                let mut rest = names;
                while let [name, others @ ..] = rest {
                    if same_text(name, attribute) {
                        return true;
                    }
                    rest = others;
                }
                false
            }
        }
    }

    /// Returns whether the index holds whole items.
    pub const fn holds_all(&self) -> bool {
        matches!(self.projection, ProjectionDefinition::All)
    }

    /// Returns whether the index has keys of so many attributes.
    pub const fn has_key_of(&self, partition: usize, sort: usize) -> bool {
        self.partition.len() == partition && self.sort.len() == sort
    }

    /// Returns whether the index shares the partitions of its table.
    pub const fn is_local(&self) -> bool {
        matches!(self.kind, IndexKind::Local)
    }
}

const fn names_column(columns: &[KeyColumn], attribute: &str) -> bool {
    let mut rest = columns;
    while let [column, others @ ..] = rest {
        if same_text(column.name, attribute) {
            return true;
        }
        rest = others;
    }
    false
}

/// Returns whether two texts are the same, in constants.
pub const fn same_text(left: &str, right: &str) -> bool {
    left.len() == right.len() && is_prefix(left.as_bytes(), right.as_bytes())
}

/// Returns whether the keys that begin with one text can hold keys that begin with the other.
pub const fn prefixes_overlap(left: &str, right: &str) -> bool {
    is_prefix(left.as_bytes(), right.as_bytes()) || is_prefix(right.as_bytes(), left.as_bytes())
}

const fn is_prefix(mut prefix: &[u8], mut whole: &[u8]) -> bool {
    while let [first, rest @ ..] = prefix {
        match whole {
            [other, others @ ..] if *first == *other => {
                prefix = rest;
                whole = others;
            }
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_prefix_that_begins_with_another_overlaps_it() {
        assert!(prefixes_overlap("ORDER#", "ORDER#ITEM#"));
        assert!(prefixes_overlap("ORDER#ITEM#", "ORDER#"));
        assert!(prefixes_overlap("", "ORDER#"));
        assert!(!prefixes_overlap("ORDER#", "ITEM#"));
        assert!(same_text("a", "a") && !same_text("a", "ab"));
    }
}
