//! The keys of indexes as they follow from attributes: in a patch, in a new item, and in an item
//! that was written before there was the index.

use std::time::SystemTime;

use monotable_item::{Item, Value};
use monotable_model::document::{IndexKeys, build_item};

use super::entity::roots;
use super::{AttributeDefinition, EntitySchema};
use crate::change::Change;
use crate::condition::Term;
use crate::error::Error;

/// What an attribute of an index's key becomes.
#[derive(Debug, PartialEq)]
pub(crate) struct IndexKeyChange {
    /// The attribute of the key.
    pub(crate) attribute: String,
    /// Its value; nothing where the item leaves the index.
    pub(crate) value: Option<Value>,
}

impl EntitySchema {
    /// The keys of indexes that follow from changed attributes. `known` holds the parts of the
    /// table's key and every attribute that is set; `is_changed` says which attributes change.
    pub(crate) fn index_changes(
        &self,
        known: &Item,
        is_changed: impl Fn(&str) -> bool,
    ) -> Result<Vec<IndexKeyChange>, Error> {
        let mut changes = Vec::new();
        for keys in &self.document.indexes {
            if sources(keys).iter().any(|part| is_changed(part)) {
                changes.extend(self.index_keys(keys, known)?);
            }
        }
        Ok(changes)
    }

    /// What an update must change, besides what it is to change, so that an item that it creates is
    /// whole: the type, the version, the time of creation, the parts of the key that are
    /// attributes, and the keys of indexes. The key itself is written by the database. None of it
    /// changes an item that is there.
    pub(crate) fn creation(
        &self,
        known: &Item,
        is_changed: impl Fn(&str) -> bool,
        now: SystemTime,
    ) -> Result<Vec<(String, Change)>, Error> {
        let mut changes: Vec<(String, Change)> = Vec::new();
        if let Some(name) = self.table.definition.type_attribute {
            changes.push((name.to_owned(), Change::Set(Value::from(self.definition.tag))));
        }
        if let Some((name, version)) = self.version_value() {
            changes.push((name.to_owned(), Change::Set(version)));
        }
        let mut known = known.clone();
        for field in self.definition.attributes {
            if let Some(created) = field.created.and_then(|stamp| stamp(now)) {
                known.insert(field.name.to_owned(), created.clone());
                changes.push((field.stored_name.to_owned(), Change::SetIfMissing(created)));
            } else if let Some(part) = self.stored_part(field, &known) {
                changes.push((field.stored_name.to_owned(), Change::Set(part.clone())));
            }
        }
        for keys in &self.document.indexes {
            if !sources(keys).iter().any(|part| is_changed(part)) {
                changes.extend(self.index_creation(keys, &known)?);
            }
        }
        Ok(changes)
    }

    /// The value of a part of the table's key that items hold as an attribute of its own.
    fn stored_part<'a>(&self, field: &AttributeDefinition, known: &'a Item) -> Option<&'a Value> {
        let is_key = self.table.key_names().any(|key| key == field.stored_name);
        let is_part = field.stored && !is_key && self.is_in_key(field.name);
        known.get(field.name).filter(|_| is_part)
    }

    /// The keys of an index in an item that an update creates without changing a part of them.
    fn index_creation(
        &self,
        keys: &IndexKeys,
        known: &Item,
    ) -> Result<Vec<(String, Change)>, Error> {
        let change = |value: Value| {
            let is_stamp = |part: &String| {
                self.definition.attributes.iter().any(|it| it.name == *part && it.created.is_some())
            };
            let mut others = sources(keys);
            others.retain(|part| !self.is_in_key(part));
            if others.is_empty() {
                return Ok(Change::Set(value));
            }
            if others.iter().all(is_stamp) {
                return Ok(Change::SetIfMissing(value));
            }
            let reason = format!(
                "whether a new item is in {} follows from {}: change it in the same patch",
                keys.index,
                others.join(", ")
            );
            Err(Error::Model { entity: self.definition.name, reason })
        };
        let mut keys = self.index_keys(keys, known)?;
        // A key attribute that is a field is written as that.
        keys.retain(|key| {
            !self.definition.attributes.iter().any(|it| it.stored_name == key.attribute)
        });
        let values = keys.into_iter().filter_map(|key| Some((key.attribute, key.value?)));
        values.map(|(attribute, value)| Ok((attribute, change(value)?))).collect()
    }

    /// The attributes of an index's key, apart from those of the table's.
    fn index_keys(&self, keys: &IndexKeys, known: &Item) -> Result<Vec<IndexKeyChange>, Error> {
        let others = self.document.indexes.iter().filter(|other| other.index != keys.index);
        let others: Vec<String> = others.map(|other| other.index.clone()).collect();
        let item = build_item(&self.source(known, &others)).map_err(|it| self.item_error(it))?;
        self.check_key_lengths(&item)?;
        let Some(index) = self.table.document.index(&keys.index) else { return Ok(Vec::new()) };
        let is_of_table = |name: &str| self.table.key_names().any(|key| key == name);
        let attributes = index.key_attributes().filter(|attribute| !is_of_table(&attribute.name));
        let keys = attributes.map(|attribute| {
            let value = item.get(&attribute.name).cloned();
            IndexKeyChange { attribute: attribute.name.clone(), value }
        });
        Ok(keys.collect())
    }

    /// The keys of indexes that are not what the attributes of an item make them.
    pub(crate) fn stale_keys(
        &self,
        stored: &Item,
        attributes: &Item,
    ) -> Result<Vec<IndexKeyChange>, Error> {
        let mut changes = Vec::new();
        for keys in &self.document.indexes {
            changes.extend(self.index_keys(keys, attributes)?);
        }
        changes.retain(|key| stored.get(&key.attribute) != key.value.as_ref());
        Ok(changes)
    }

    /// The conditions that everything from which keys of indexes follow is as in this item.
    pub(crate) fn same_sources(&self, stored: &Item) -> Vec<Term> {
        let sources: Vec<String> = self.document.indexes.iter().flat_map(sources).collect();
        let fields = self.definition.attributes.iter().filter(|field| {
            field.stored && !self.is_in_key(field.name) && sources.iter().any(|it| it == field.name)
        });
        let terms = fields.map(|field| match stored.get(field.stored_name) {
            Some(value) => Term::Compare(field.stored_name, "=", value.clone()),
            None => Term::Missing(field.stored_name),
        });
        terms.collect()
    }
}

/// The attributes from which an item's keys in an index follow, and whether it is there.
fn sources(keys: &IndexKeys) -> Vec<String> {
    let mut sources = roots(std::iter::once(&keys.keys));
    sources.extend(keys.when.iter().flat_map(|when| when.attributes.iter().cloned()));
    sources
}
