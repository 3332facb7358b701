//! What is wrong with an item that fits no entity, found by building the keys that it should have.

use monotable_item::{Item, Path, Value, stored};
use monotable_model::document::{Entity, KeyAttribute, Model, Table};
use monotable_model::recognition::model_attributes;
use monotable_model::template::{Attributes, Template};

use crate::entity_forms::entities_in;
use crate::item_check::{MILLISECOND_DIGITS, is_attribute, is_table_key};
use crate::misfit::{Fault, Misfit};

/// How much of a value a misfit shows.
const SHOWN_CHARS_MAX: usize = 120;

/// Says what is wrong with an item that fits no entity.
pub(crate) fn diagnose(model: &Model, table: &Table, stored: &[u8]) -> Option<Misfit> {
    let item = stored::decode(stored).ok()?;
    Diagnosis { model, table, item: &item }.misfit()
}

struct Diagnosis<'a> {
    model: &'a Model,
    table: &'a Table,
    item: &'a Item,
}

impl<'a> Diagnosis<'a> {
    fn misfit(&self) -> Option<Misfit> {
        let kind =
            self.table.type_attribute.as_ref().and_then(|name| Some((name, self.item.get(name)?)));
        let of_type = |entity: &&Entity| {
            kind.is_none_or(|(_, value)| *value == Value::from(entity.type_value()))
        };
        let all = || entities_in(self.model, self.table).map(|(_, entity)| entity);
        let entities: Vec<&Entity> = all().filter(of_type).collect();
        if let (true, Some((name, value))) = (entities.is_empty(), kind) {
            return Some(self.misfit_of(None, name, Fault::UnknownType, value, None));
        }
        if let Some(expiry) = self.expiry(&entities) {
            return Some(expiry);
        }
        let likeliest = self.likeliest(&entities)?;
        let has_type = kind.is_some();
        if self.likeness(likeliest) == 0 && !has_type {
            let key = &self.table.partition_key.name;
            return Some(self.misfit_of(None, key, Fault::UnknownKey, self.item.get(key)?, None));
        }
        let otherwise = if has_type { Fault::ForeignKey } else { Fault::UnknownKey };
        self.key_fault(likeliest, otherwise).or_else(|| self.index_fault(likeliest))
    }

    fn expiry(&self, entities: &[&'a Entity]) -> Option<Misfit> {
        let name = self.table.ttl.as_ref()?;
        let value = self.item.get(name)?;
        let fault = match value {
            Value::Number(number) => {
                let text = number.to_string();
                let is_millis = text.bytes().all(|byte| byte.is_ascii_digit())
                    && text.len() >= MILLISECOND_DIGITS;
                is_millis.then_some(Fault::ExpiryInMilliseconds)?
            }
            _ => Fault::ExpiryNotNumber,
        };
        let seconds = match value {
            Value::Number(number) => number.to_i64().map(|millis| (millis / 1000).to_string()),
            _ => None,
        };
        Some(self.misfit_of(self.likeliest(entities), name, fault, value, seconds))
    }

    /// The entity that the item is most like: the first of several that are as likely.
    fn likeliest(&self, entities: &[&'a Entity]) -> Option<&'a Entity> {
        entities.iter().rev().max_by_key(|entity| self.likeness(entity)).copied()
    }

    /// What is wrong with the item's own key as one of an entity.
    fn key_fault(&self, entity: &'a Entity, otherwise: Fault) -> Option<Misfit> {
        let keys = entity.key.as_ref()?;
        let templates = keys.partition.iter().chain(&keys.sort);
        self.table.key_attributes().zip(templates).find_map(|(key, template)| {
            let found = self.item.get(&key.name)?;
            let has_form = template.matches(found);
            let built = template.build(&self.attributes(entity));
            let fault = match &built {
                Ok(built) if built == found => return None,
                Ok(built) => {
                    let otherwise = if has_form { Fault::StaleKey } else { otherwise };
                    Fault::of_keys(&shown(found), &shown(built), otherwise)
                }
                Err(_) if has_form => return None,
                Err(_) => otherwise,
            };
            let expected = built.map_or_else(|_| template.to_string(), |built| shown(&built));
            Some(self.misfit_of(Some(entity), &key.name, fault, found, Some(expected)))
        })
    }

    /// What is wrong with the item's keys in indexes.
    fn index_fault(&self, entity: &'a Entity) -> Option<Misfit> {
        for index in &self.table.indexes {
            let held = entity.index_key(&index.name);
            let of_index = index.key_attributes().filter(|key| !is_table_key(self.table, key));
            let when = held.and_then(|held| held.when.as_ref());
            let is_in = match (held, when.and_then(|when| when.condition(|_| None).ok())) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(_), Some(condition)) => condition.matches(self.item),
            };
            let templates: Vec<Option<&Template>> = match held {
                Some(held) => held.keys.partition.iter().chain(&held.keys.sort).map(Some).collect(),
                None => Vec::new(),
            };
            let templates = templates.into_iter().chain(std::iter::repeat(None));
            for (key, template) in of_index.zip(templates) {
                let Some(found) = self.item.get(&key.name) else { continue };
                let misfit = match template {
                    Some(template) if is_in => self.index_key_fault(entity, key, template, found),
                    _ if is_attribute(entity, &key.name) => None,
                    _ => Some(self.misfit_of(
                        Some(entity),
                        &key.name,
                        Fault::UnexpectedKey,
                        found,
                        None,
                    )),
                };
                if let Some(misfit) = misfit {
                    return Some(Misfit { index: Some(index.name.clone()), ..misfit });
                }
            }
        }
        None
    }

    fn index_key_fault(
        &self,
        entity: &'a Entity,
        key: &KeyAttribute,
        template: &Template,
        found: &Value,
    ) -> Option<Misfit> {
        let built = template.build(&self.attributes(entity));
        let (fault, expected) = match built {
            Ok(built) if built == *found => return None,
            Ok(built) => {
                let built = shown(&built);
                (Fault::of_keys(&shown(found), &built, Fault::StaleKey), built)
            }
            Err(_) if template.matches(found) => return None,
            Err(_) => (Fault::UnknownKey, template.to_string()),
        };
        Some(self.misfit_of(Some(entity), &key.name, fault, found, Some(expected)))
    }

    fn misfit_of(
        &self,
        entity: Option<&Entity>,
        attribute: &str,
        fault: Fault,
        found: &Value,
        expected: Option<String>,
    ) -> Misfit {
        Misfit {
            table: self.table.physical_name().to_owned(),
            entity: entity.map(|entity| entity.name.clone()),
            attribute: attribute.to_owned(),
            index: None,
            fault,
            found: shown(found),
            expected,
        }
    }

    /// How much of the keys that an entity would have is in those of the item.
    fn likeness(&self, entity: &Entity) -> usize {
        let Some(keys) = &entity.key else { return 0 };
        let templates = keys.partition.iter().chain(&keys.sort);
        let like = |(key, template): (&KeyAttribute, &Template)| {
            let found = self.item.get(&key.name).map(shown).unwrap_or_default();
            if self.item.get(&key.name).is_some_and(|found| template.matches(found)) {
                return 100 + found.len();
            }
            let built = template.build(&self.attributes(entity)).map(|built| shown(&built));
            let expected = built.unwrap_or_else(|_| template.to_string());
            let pairs = found.chars().zip(expected.chars());
            pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
        };
        self.table.key_attributes().zip(templates).map(like).sum()
    }

    /// The item's attributes by their names in the model, with what else its keys say.
    fn attributes(&self, entity: &'a Entity) -> KnownAttributes {
        let mut attributes = model_attributes(Some(entity), self.item);
        let keys = entity.key.iter().flat_map(|keys| {
            self.table.key_attributes().zip(keys.partition.iter().chain(&keys.sort))
        });
        let mut shard = None;
        for (key, template) in keys {
            let Some(Ok(reading)) = self.item.get(&key.name).map(|key| template.read(key)) else {
                continue;
            };
            shard = shard.or(reading.shard());
            for (path, value) in reading.values().iter().filter(|(path, _)| path.is_attribute()) {
                attributes.entry(path.root.clone()).or_insert_with(|| value.clone());
            }
        }
        for attribute in &entity.attributes {
            if let Some(default) = &attribute.default {
                attributes.entry(attribute.name.clone()).or_insert_with(|| default.clone());
            }
        }
        KnownAttributes { attributes, shard }
    }
}

/// What is known of an item that seems to be one of an entity.
struct KnownAttributes {
    attributes: Item,
    shard: Option<u32>,
}

impl Attributes for KnownAttributes {
    fn value(&self, path: &Path) -> Option<&Value> {
        self.attributes.value(path)
    }

    fn chosen_shard(&self) -> Option<u32> {
        self.shard
    }
}

/// A value as a misfit shows it.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Binary(_)
        | Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => format!("a value of type {}", value.kind().code()),
    };
    text.chars().take(SHOWN_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use monotable_model::document::{Format, read};

    use super::*;

    const MODEL: &str = r##"format = 1
name = "a"
[tables.App]
partition_key = "PK"
ttl = "expires"
[entities.First]
key.partition = "A#{id}"
attributes.id = "S"
[entities.Second]
key.partition = "A#{id}"
attributes.id = "S"
"##;

    #[test]
    fn of_several_entities_that_are_as_likely_the_first_is_named() {
        let model = read(MODEL, Format::Toml).unwrap().model;
        let item: Item = [("PK", "A#1"), ("id", "1"), ("expires", "soon")]
            .map(|(name, value)| (name.to_owned(), Value::from(value)))
            .into_iter()
            .collect();
        let misfit = diagnose(&model, &model.tables[0], &stored::encode(&item)).unwrap();
        assert_eq!(misfit.fault, Fault::ExpiryNotNumber);
        assert_eq!(misfit.entity.as_deref(), Some("First"));
    }
}
