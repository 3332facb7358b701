//! An entity in the terms of the model document, and its items.

use std::time::SystemTime;

use monotable_item::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};
use monotable_item::{Item, Value, value_size_bytes};
use monotable_model::document::{
    self, Entity as EntityDocument, Expression, ExpressionKind, IndexKeys, ItemError, ItemSource,
    Keys, Scope, build_item,
};
use monotable_model::template::{Meaning, Template};

use super::{
    AttributeDefinition, EntityDefinition, IndexKeysDefinition, TableSchema, UniqueDefinition,
};
use crate::error::{DecodeError, DecodeFault, Error};

/// An entity as the client uses it.
#[derive(Debug)]
pub struct EntitySchema {
    /// What the derive wrote.
    pub definition: &'static EntityDefinition,
    /// The table whose items it is.
    pub table: &'static TableSchema,
    pub(crate) document: EntityDocument,
    /// The parts of the table's key, which never change.
    pub(super) key_roots: Vec<String>,
    /// The templates of the items that hold unique values, beside their texts.
    unique: Vec<(&'static str, Template)>,
}

impl EntitySchema {
    /// Makes the schema of a definition. The derive has checked the templates.
    pub fn new(definition: &'static EntityDefinition, table: &'static TableSchema) -> EntitySchema {
        let mut document = EntityDocument::named(definition.name);
        document.tables = vec![table.document.name.clone()];
        document.attributes = definition.attributes.iter().map(attribute).collect();
        document.key = Some(Keys {
            partition: vec![template(definition.partition)],
            sort: definition.sort.iter().map(|text| template(text)).collect(),
        });
        document.indexes = definition.indexes.iter().map(|it| index_keys(it, &document)).collect();
        document.stored_type =
            (definition.tag != definition.name).then(|| definition.tag.to_owned());
        document.version = definition.version;
        document.lock = definition.lock.map(str::to_owned);
        document.ttl = named(definition, |it| it.ttl);
        document.created = named(definition, |it| it.created.is_some());
        document.touched = named(definition, |it| it.touched.is_some());
        document.singleton = is_singleton(&document);
        let key_roots = roots(document.key.iter());
        let unique = definition.unique.iter().map(|it| (it.template, template(it.template)));
        let unique = unique.collect();
        let mut schema = EntitySchema { definition, table, document, key_roots, unique };
        let version = schema.version_document();
        schema.document.attributes.extend(version);
        schema
    }

    /// Returns whether the attribute is a part of the table's key.
    pub(crate) fn is_in_key(&self, attribute: &str) -> bool {
        self.key_roots.iter().any(|root| root == attribute)
    }

    /// Builds the partition key of the item that holds a unique value.
    pub(crate) fn claim(
        &self,
        constraint: &UniqueDefinition,
        value: &Value,
    ) -> Result<Value, Error> {
        let mut templates = self.unique.iter();
        let (_, template) = templates
            .find(|(text, _)| *text == constraint.template)
            .expect("the constraint is one of the definition");
        let parts = Item::from([(constraint.attribute.to_owned(), value.clone())]);
        template.build(&parts).map_err(|reason| Error::Key {
            entity: self.definition.name,
            attribute: self.table.definition.partition_key.name.to_owned(),
            reason,
        })
    }

    /// Builds the item with all its keys.
    pub(crate) fn item(&self, attributes: &Item) -> Result<Item, Error> {
        for field in self.definition.attributes.iter().filter(|field| field.max_bytes.is_some()) {
            attributes.get(field.name).map_or(Ok(()), |value| self.check_length(field, value))?;
        }
        let mut item =
            build_item(&self.source(attributes, &[])).map_err(|it| self.item_error(it))?;
        self.check_key_lengths(&item)?;
        self.stamp_version(&mut item);
        Ok(item)
    }

    /// Builds the key in the table from the attributes that are its parts.
    pub(crate) fn key(&self, parts: &Item) -> Result<Item, Error> {
        let key = document::key_of(&self.source(parts, &[])).map_err(|it| self.item_error(it))?;
        self.check_key_lengths(&key)?;
        Ok(key)
    }

    /// Writes the times of creation and change into the attributes of a new item.
    pub(crate) fn stamp_new(&self, attributes: &mut Item, now: SystemTime) {
        for field in self.definition.attributes {
            let stamp = field.created.or(field.touched).and_then(|stamp| stamp(now));
            if let Some(value) = stamp {
                attributes.insert(field.name.to_owned(), value);
            }
        }
    }

    /// Writes the time of a change into the attributes of an item.
    pub(crate) fn stamp_change(&self, attributes: &mut Item, now: SystemTime) {
        for field in self.definition.attributes {
            if let Some(value) = field.touched.and_then(|stamp| stamp(now)) {
                attributes.insert(field.name.to_owned(), value);
            }
        }
    }

    /// The name of a field in items.
    pub(crate) fn stored_name<'a>(&self, field: &'a str) -> &'a str {
        let of_field = self.definition.attributes.iter().find(|it| it.name == field);
        of_field.map_or(field, |it| it.stored_name)
    }

    /// Refuses an item of another entity, and puts back what only its keys hold.
    pub fn receive(&self, item: &mut Item) -> Result<(), DecodeError> {
        self.check_type(item)?;
        if self.definition.attributes.iter().any(|it| !it.stored) {
            self.restore(item);
        }
        Ok(())
    }

    /// Refuses an item of another entity.
    pub fn check_type(&self, item: &Item) -> Result<(), DecodeError> {
        let Some(name) = self.table.definition.type_attribute else { return Ok(()) };
        match item.get(name) {
            Some(Value::String(found)) if found == self.definition.tag => Ok(()),
            Some(Value::String(found)) => {
                Err(self.decode_error(item, DecodeFault::Foreign { found: Some(found.clone()) }))
            }
            // An index need not hold the type.
            _ => Ok(()),
        }
    }

    /// Returns whether an item is of this entity: by its type attribute, or by its key and what it
    /// must hold where the table has none. Of an item that is nothing but a key, the key decides.
    pub fn recognizes(&self, item: &Item) -> bool {
        let is_key = item.keys().all(|name| self.table.key_names().any(|key| key == name));
        match self.table.definition.type_attribute {
            Some(name) if !is_key => {
                matches!(item.get(name), Some(Value::String(found)) if found == self.definition.tag)
            }
            Some(_) | None => {
                let mut fields = self.definition.attributes.iter();
                self.has_key(item) && (is_key || fields.all(|field| has_attribute(item, field)))
            }
        }
    }

    /// Refuses an item that is not of this entity.
    pub fn recognize(&self, item: &Item) -> Result<(), DecodeError> {
        if self.recognizes(item) {
            return Ok(());
        }
        let fault = DecodeFault::Foreign { found: self.table.type_of(item) };
        Err(self.decode_error(item, fault))
    }

    /// Returns whether the key of an item is one that the entity's templates build.
    pub(super) fn has_key(&self, item: &Item) -> bool {
        let key = self.document.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
        let mut parts = self.table.document.key_attributes().zip(key);
        parts.all(|(attribute, template)| {
            item.get(&attribute.name).is_some_and(|value| template.matches(value))
        })
    }

    /// Reads the parts of the table's key, by their names in the model.
    pub(crate) fn key_parts(&self, item: &Item) -> Result<Item, DecodeError> {
        let mut parts = Item::new();
        let templates =
            self.document.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
        for (attribute, template) in self.table.document.key_attributes().zip(templates) {
            let Some(key) = item.get(&attribute.name) else { continue };
            parts.extend(whole_parts(template, key));
        }
        let is_whole = self.key_roots.iter().all(|root| parts.contains_key(root));
        if is_whole && self.has_key(item) {
            return Ok(parts);
        }
        let fault = DecodeFault::Foreign { found: self.table.type_of(item) };
        Err(self.decode_error(item, fault))
    }

    /// Puts back the attributes that the item lacks and its keys hold whole.
    pub fn restore(&self, item: &mut Item) {
        let key = self.document.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
        let mut found: Vec<(Value, &Template)> = Vec::new();
        for (attribute, template) in self.table.document.key_attributes().zip(key) {
            found.extend(item.get(&attribute.name).cloned().map(|value| (value, template)));
        }
        for keys in &self.document.indexes {
            let Some(index) = self.table.document.index(&keys.index) else { continue };
            let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
            for (attribute, template) in index.key_attributes().zip(templates) {
                found.extend(item.get(&attribute.name).cloned().map(|value| (value, template)));
            }
        }
        for (value, template) in found {
            self.restore_from(item, &value, template);
        }
    }

    fn restore_from(&self, item: &mut Item, key: &Value, template: &Template) {
        for (name, value) in whole_parts(template, key) {
            let name = self.stored_name(&name);
            item.entry(name.to_owned()).or_insert(value);
        }
    }

    /// The table's key of an item.
    pub(crate) fn key_part_of(&self, item: &Item) -> Item {
        let names = self.table.key_names();
        names.filter_map(|name| Some((name.to_owned(), item.get(name)?.clone()))).collect()
    }

    /// Creates the error for an item that is not what the entity says.
    pub fn decode_error(&self, item: &Item, fault: DecodeFault) -> DecodeError {
        let key = Box::new(self.key_part_of(item));
        DecodeError { entity: self.definition.name, key, fault }
    }

    pub(super) fn source<'a>(
        &'a self,
        attributes: &'a Item,
        without: &'a [String],
    ) -> ItemSource<'a> {
        ItemSource {
            table: &self.table.document,
            entity: &self.document,
            attributes,
            without,
            shard: None,
        }
    }

    pub(super) fn item_error(&self, error: ItemError) -> Error {
        let entity = self.definition.name;
        match error {
            ItemError::Key { attribute, reason } => Error::Key { entity, attribute, reason },
            ItemError::Conflict { attribute, .. } => Error::Conflict { entity, attribute },
            other => Error::Model { entity, reason: other.to_string() },
        }
    }

    /// Refuses a value that is longer than its field may be.
    pub(crate) fn check_length(
        &self,
        field: &AttributeDefinition,
        value: &Value,
    ) -> Result<(), Error> {
        let (bytes, bytes_max) = (value_size_bytes(value) as u64, field.max_bytes);
        match bytes_max.filter(|bytes_max| bytes > *bytes_max) {
            Some(bytes_max) => {
                let (entity, attribute) = (self.definition.name, field.name);
                Err(Error::TooLong { entity, attribute, bytes, bytes_max })
            }
            None => Ok(()),
        }
    }

    pub(super) fn check_key_lengths(&self, item: &Item) -> Result<(), Error> {
        let table = &self.table.document;
        let partition = std::iter::once(&table.partition_key);
        let partition = partition.chain(table.indexes.iter().flat_map(|it| &it.partition_key));
        let sort = table.sort_key.iter().chain(table.indexes.iter().flat_map(|it| &it.sort_key));
        let limits = partition.map(|key| (key, PARTITION_KEY_BYTES_MAX));
        let limits = limits.chain(sort.map(|key| (key, SORT_KEY_BYTES_MAX)));
        for (key, bytes_max) in limits {
            let bytes = item.get(&key.name).map_or(0, value_size_bytes);
            if bytes > bytes_max {
                let (entity, attribute) = (self.definition.name, key.name.clone());
                return Err(Error::KeyTooLong { entity, attribute, bytes, bytes_max });
            }
        }
        Ok(())
    }
}

/// The attributes that a key holds whole.
fn whole_parts(template: &Template, key: &Value) -> Item {
    let Ok(reading) = template.read(key) else { return Item::new() };
    let mut parts = Item::new();
    for part in reading.parts() {
        let Meaning::Attribute { path, value, lossless: true } = &part.meaning else { continue };
        if path.is_attribute() {
            parts.insert(path.root.clone(), value.clone());
        }
    }
    parts
}

/// Whether an item without a type could be of an entity with this field: it has what is required,
/// and one of the values where there are only some.
pub(super) fn has_attribute(item: &Item, field: &AttributeDefinition) -> bool {
    match item.get(field.stored_name) {
        Some(Value::String(text)) => {
            field.values.is_empty() || field.values.contains(&text.as_str())
        }
        Some(_) => true,
        None => !field.required || !field.stored,
    }
}

fn template(text: &str) -> Template {
    Template::parse(text).expect("the derive has parsed the template")
}

pub(super) fn roots<'a>(keys: impl Iterator<Item = &'a Keys>) -> Vec<String> {
    let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates.flat_map(Template::paths).map(|path| path.root.clone()).collect()
}

fn is_singleton(entity: &EntityDocument) -> bool {
    let mut templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    templates.all(Template::is_singleton)
}

fn named(
    definition: &EntityDefinition,
    is_it: impl Fn(&AttributeDefinition) -> bool,
) -> Option<String> {
    definition.attributes.iter().find(|it| is_it(it)).map(|it| it.name.to_owned())
}

fn attribute(definition: &AttributeDefinition) -> document::Attribute {
    let mut attribute = document::Attribute::new(definition.name, definition.kind);
    attribute.stored_name =
        (definition.stored_name != definition.name).then(|| definition.stored_name.to_owned());
    attribute.stored = definition.stored;
    attribute.required = definition.required;
    attribute.mutable = definition.create_only.then_some(false);
    attribute.max_bytes = definition.max_bytes;
    attribute.values = definition.values.iter().map(|value| Value::from(*value)).collect();
    attribute
}

fn index_keys(definition: &IndexKeysDefinition, entity: &EntityDocument) -> IndexKeys {
    let mut scope = Scope::new();
    for attribute in &entity.attributes {
        scope.add(&attribute.name, attribute.item_name());
    }
    let when = definition.when.map(|text| {
        Expression::parse(ExpressionKind::When, text, &scope)
            .expect("the derive has parsed the condition")
    });
    IndexKeys {
        index: definition.index.name.to_owned(),
        keys: Keys {
            partition: definition.partition.iter().map(|text| template(text)).collect(),
            sort: definition.sort.iter().map(|text| template(text)).collect(),
        },
        when,
    }
}
