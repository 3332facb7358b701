//! Entities: the kinds of items, their attributes and their keys.

use std::collections::BTreeSet;

use super::{Attribute, Expression};
use crate::template::{Shard, Template};

/// A kind of item, or of document embedded in one.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// The name.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// The tables whose items it is, by their names in the model: one as a rule, none for an
    /// embedded entity, several where tables of the same form share it.
    pub tables: Vec<String>,
    /// The key in the table; nothing for an embedded entity.
    pub key: Option<Keys>,
    /// The keys in indexes. An index that is not here holds none of these items.
    pub indexes: Vec<IndexKeys>,
    /// The attributes, those of the entity it is a variant of included.
    pub attributes: Vec<Attribute>,
    /// The value of the table's type attribute, where it is not the name: see
    /// [`Entity::type_value`].
    pub stored_type: Option<String>,
    /// The version of its form. Items of older versions may still be there to be read.
    pub version: Option<u64>,
    /// The entity that this is another key layout of: the same items in another state.
    pub variant_of: Option<String>,
    /// Where it is embedded; nothing for an item.
    pub embedded_in: Vec<EmbeddedIn>,
    /// Attributes of which no two items have the same value.
    pub unique: Vec<Unique>,
    /// The number that optimistic locking compares and raises.
    pub lock: Option<String>,
    /// The attribute with the second in which the item expires.
    pub ttl: Option<String>,
    /// The attribute with the time of creation.
    pub created: Option<String>,
    /// The attribute with the time of the last change.
    pub touched: Option<String>,
    /// How many there are.
    pub count: Option<u64>,
    /// How large one is, where sample data does not tell.
    pub average_bytes: Option<u64>,
    /// Whether there is exactly one.
    pub singleton: bool,
    /// Identical items under numbered keys, which spread the reads of one.
    pub copies: Option<Copies>,
    /// The entity whose data this one repeats.
    pub copy_of: Option<String>,
}

/// The templates of a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// One template for each attribute of the partition key.
    pub partition: Vec<Template>,
    /// One template for each attribute of the sort key.
    pub sort: Vec<Template>,
}

/// The templates of an entity's key in one index.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexKeys {
    /// The index.
    pub index: String,
    /// The templates. In a local index the partition's are those of the table.
    pub keys: Keys,
    /// Which items are in the index; all, if there is no condition. An item that lacks an
    /// attribute of the key is not in the index either.
    pub when: Option<Expression>,
}

/// A place in another entity's items: `Customer.addresses`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedIn {
    /// The entity.
    pub entity: String,
    /// Its attribute.
    pub attribute: String,
}

/// An attribute of which no two items have the same value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unique {
    /// The attribute.
    pub attribute: String,
    /// The entity whose key holds the value, so that two writers collide on it.
    pub by: String,
}

/// Identical items under numbered keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    /// The attribute with the number.
    pub attribute: String,
    /// The first number.
    pub first: u64,
    /// How many there are.
    pub count: u64,
}

impl Entity {
    /// An item kind of this name with nothing in it.
    pub fn named(name: impl Into<String>) -> Entity {
        Entity {
            name: name.into(),
            description: None,
            tables: Vec::new(),
            key: None,
            indexes: Vec::new(),
            attributes: Vec::new(),
            stored_type: None,
            version: None,
            variant_of: None,
            embedded_in: Vec::new(),
            unique: Vec::new(),
            lock: None,
            ttl: None,
            created: None,
            touched: None,
            count: None,
            average_bytes: None,
            singleton: false,
            copies: None,
            copy_of: None,
        }
    }

    /// The attribute of this name in the model.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The entity's key in an index, if its items can be there.
    pub fn index_key(&self, index: &str) -> Option<&IndexKeys> {
        self.indexes.iter().find(|keys| keys.index == index)
    }

    /// The attributes that keys and conditions of indexes are made from, by their names in the
    /// model.
    pub fn key_roots(&self) -> BTreeSet<&str> {
        let of_indexes = self.indexes.iter().map(|keys| &keys.keys);
        let keys = self.key.iter().chain(of_indexes);
        let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
        let roots = templates.flat_map(|one| one.paths().map(|path| path.root.as_str()));
        let conditions = self.indexes.iter().filter_map(|keys| keys.when.as_ref());
        let conditions = conditions.flat_map(|when| when.attributes.iter().map(String::as_str));
        roots.chain(conditions).collect()
    }

    /// The shard that its keys leave to the writer, if one of them does.
    pub fn chosen_shard(&self) -> Option<&Shard> {
        let of_indexes = self.indexes.iter().map(|keys| &keys.keys);
        let keys = self.key.iter().chain(of_indexes);
        let mut templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
        templates.find_map(Template::chosen_shard)
    }

    /// The value of the table's type attribute in the entity's items.
    pub fn type_value(&self) -> &str {
        self.stored_type.as_deref().unwrap_or(&self.name)
    }

    /// Whether it lies inside other items and is none itself.
    pub fn is_embedded(&self) -> bool {
        !self.embedded_in.is_empty()
    }
}
