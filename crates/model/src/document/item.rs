//! Items of a model: from an entity's attributes to the item with all its keys.

use monotable_item::{Item, Value};
use thiserror::Error;

use super::{Entity, Expression, KeyAttribute, Model, Sample, Table, plain_text};
use crate::diagnostic::Place;
use crate::template::{BuildError, InShard, Template};

/// What an item is built from.
#[derive(Debug, Clone, Copy)]
pub struct ItemSource<'a> {
    /// The table that it is for.
    pub table: &'a Table,
    /// Its entity.
    pub entity: &'a Entity,
    /// Its attributes, by their names in the model.
    pub attributes: &'a Item,
    /// Indexes whose keys it is to lack.
    pub without: &'a [String],
    /// The shard to write into, for templates that leave it to the writer.
    pub shard: Option<u32>,
}

/// Why an item cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ItemError {
    /// The entity is embedded in others, or its table does not exist.
    #[error("{entity} is in no table")]
    NoTable {
        /// The entity.
        entity: String,
    },
    /// A key cannot be built.
    #[error("{attribute}: {reason}")]
    Key {
        /// The attribute of the key.
        attribute: String,
        /// What is wrong.
        reason: BuildError,
    },
    /// A key attribute was given, and is not what its template builds.
    #[error("{attribute} is given as {}, and its template builds {}", shown(given), shown(built))]
    Conflict {
        /// The attribute of the key.
        attribute: String,
        /// What was given.
        given: Box<Value>,
        /// What the template builds.
        built: Box<Value>,
    },
    /// The sample is of an entity that does not exist.
    #[error("there is no entity {entity}")]
    UnknownEntity {
        /// The entity.
        entity: String,
    },
}

/// A value as people write it.
fn shown(value: &Value) -> String {
    plain_text(value).map_or_else(
        || format!("a value of type {}", value.kind().code()),
        |text| format!("{text:?}"),
    )
}

impl Model {
    /// The item of an entity in its (first) table: the attributes under their stored names, the
    /// type attribute, and the keys of the table and of every index that holds the item.
    pub fn item_of(&self, entity: &Entity, attributes: &Item) -> Result<Item, ItemError> {
        let table = self.first_table(entity)?;
        build_item(&ItemSource { table, entity, attributes, without: &[], shard: None })
    }

    /// The item of a sample.
    pub fn item_of_sample(&self, sample: &Sample) -> Result<Item, ItemError> {
        let unknown = || ItemError::UnknownEntity { entity: sample.entity.clone() };
        let entity = self.entity(&sample.entity).ok_or_else(unknown)?;
        let named = sample.table.as_deref().and_then(|name| self.table(name));
        let table = named.map_or_else(|| self.first_table(entity), Ok)?;
        build_item(&ItemSource {
            table,
            entity,
            attributes: &sample.attributes,
            without: &sample.without,
            shard: sample.shard.or_else(|| Some(entity.chosen_shard()?.first())),
        })
    }

    /// The places of the samples, in their order: `samples.Order[0]`.
    pub fn sample_places(&self) -> Vec<Place> {
        sample_places(&self.samples, &Place::root().member("samples"))
    }

    fn first_table(&self, entity: &Entity) -> Result<&Table, ItemError> {
        let name = entity.tables.first();
        let table = name.and_then(|name| self.table(name));
        table.ok_or_else(|| ItemError::NoTable { entity: entity.name.clone() })
    }
}

/// The places of samples that stand below a place, in their order.
pub(super) fn sample_places(samples: &[Sample], place: &Place) -> Vec<Place> {
    let place_of = |(position, sample): (usize, &Sample)| {
        let earlier = samples.iter().take(position);
        let index = earlier.filter(|other| other.entity == sample.entity).count();
        place.member(&sample.entity).index(index)
    };
    samples.iter().enumerate().map(place_of).collect()
}

/// Builds an item with all its keys.
pub fn build_item(source: &ItemSource<'_>) -> Result<Item, ItemError> {
    let ItemSource { table, entity, attributes, without, .. } = *source;
    let mut item = stored(entity, attributes);
    if let Some(name) = &table.type_attribute {
        put(&mut item, name, Value::from(entity.type_value()))?;
    }
    for (name, key) in key_of(source)? {
        put(&mut item, &name, key)?;
    }
    for keys in &entity.indexes {
        let Some(index) = table.index(&keys.index) else { continue };
        let is_in = keys.when.as_ref().is_none_or(|when| holds(when, &item));
        if without.contains(&keys.index) || !is_in {
            continue;
        }
        let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
        let built = source.build(index.key_attributes().zip(templates));
        match built {
            Ok(built) => {
                for (name, key) in built {
                    put(&mut item, &name, key)?;
                }
            }
            // What lacks an attribute of an index's key is not in the index.
            Err(ItemError::Key { reason: BuildError::Missing { .. }, .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(item)
}

/// Builds the key of an item in its table.
pub fn key_of(source: &ItemSource<'_>) -> Result<Item, ItemError> {
    let no_table = || ItemError::NoTable { entity: source.entity.name.clone() };
    let key = source.entity.key.as_ref().ok_or_else(no_table)?;
    let templates = key.partition.iter().chain(&key.sort);
    let built = source.build(source.table.key_attributes().zip(templates))?;
    Ok(built.into_iter().collect())
}

impl ItemSource<'_> {
    fn build<'k>(
        &self,
        keys: impl Iterator<Item = (&'k KeyAttribute, &'k Template)>,
    ) -> Result<Vec<(String, Value)>, ItemError> {
        let build = |(key, template): (&KeyAttribute, &Template)| {
            let built = match self.shard {
                Some(shard) => template.build(&InShard { attributes: self.attributes, shard }),
                None => template.build(self.attributes),
            };
            let attribute = key.name.clone();
            match built {
                Ok(value) => Ok((attribute, value)),
                Err(reason) => Err(ItemError::Key { attribute, reason }),
            }
        };
        keys.map(build).collect()
    }
}

/// The attributes that items hold, under the names that they have there.
fn stored(entity: &Entity, attributes: &Item) -> Item {
    let mut item = Item::new();
    for (name, value) in attributes {
        match entity.attribute(name) {
            Some(attribute) if !attribute.stored => {}
            Some(attribute) => drop(item.insert(attribute.item_name().to_owned(), value.clone())),
            None => drop(item.insert(name.clone(), value.clone())),
        }
    }
    item
}

fn put(item: &mut Item, name: &str, built: Value) -> Result<(), ItemError> {
    match item.get(name) {
        Some(given) if *given != built => Err(ItemError::Conflict {
            attribute: name.to_owned(),
            given: Box::new(given.clone()),
            built: Box::new(built),
        }),
        Some(_) => Ok(()),
        None => {
            item.insert(name.to_owned(), built);
            Ok(())
        }
    }
}

/// Whether an item meets the condition of an index. What was read has conditions that can be asked.
fn holds(when: &Expression, item: &Item) -> bool {
    when.condition(|_| None).is_ok_and(|condition| condition.matches(item))
}
