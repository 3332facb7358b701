//! What is wrong with an item that fits no entity, found by building the keys that it should have.

use monotable_item::{Item, Path, Value, stored};
use monotable_model::document::{Entity, KeyAttribute, Model, Table};
use monotable_model::recognition::{Form, Recognizer, model_attributes};
use monotable_model::template::{Attributes, Form as PartForm, Segment, Template};

use crate::entity_forms::{Candidates, entities_in};
use crate::item_check::{is_attribute, is_known, is_table_key, says_nothing, seconds_meant};
use crate::misfit::{Fault, Misfit};

/// How much of a value a misfit shows.
const SHOWN_CHARS_MAX: usize = 120;

/// Says what is wrong with an item that fits none of the entities whose keys have the form of its
/// own, and no other. Nothing if the item cannot be read.
///
/// The service calls the table so. A model says only how it calls those for periods.
pub(crate) fn diagnose(
    model: &Model,
    (table, called): (&Table, &str),
    candidates: &Candidates,
    stored: &[u8],
) -> Option<Misfit> {
    let item = stored::decode(stored).ok()?;
    Diagnosis { model, table, called, candidates, item: &item }.misfit()
}

struct Diagnosis<'a> {
    model: &'a Model,
    table: &'a Table,
    /// What the service calls the table.
    called: &'a str,
    /// The entities whose keys have the form of the item's key.
    candidates: &'a Candidates,
    item: &'a Item,
}

impl<'a> Diagnosis<'a> {
    fn misfit(&self) -> Option<Misfit> {
        let kind =
            self.table.type_attribute.as_ref().and_then(|name| Some((name, self.item.get(name)?)));
        let of_type = |entity: &&Entity| kind.is_none_or(|(_, value)| is_type(value, entity));
        let all = || entities_in(self.model, self.table).map(|(_, entity)| entity);
        let entities: Vec<&'a Entity> = all().filter(of_type).collect();
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
        let found = self.key_fault(likeliest, otherwise).or_else(|| self.index_fault(likeliest));
        found.or_else(|| self.unexplained(likeliest))
    }

    /// An item that fits nothing, with no fault that has a name.
    fn unexplained(&self, likeliest: &'a Entity) -> Option<Misfit> {
        let template = likeliest.key.as_ref()?.partition.first()?;
        let key = &self.table.partition_key.name;
        let (found, expected) = (self.item.get(key)?, Some(template.to_string()));
        Some(self.misfit_of(Some(likeliest), key, Fault::StaleKey, found, expected))
    }

    fn expiry(&self, entities: &[&'a Entity]) -> Option<Misfit> {
        let name = self.table.ttl.as_ref()?;
        let value = self.item.get(name)?;
        let (fault, seconds) = match value {
            Value::Number(number) => {
                let number = number.to_string();
                let seconds = String::from_utf8_lossy(seconds_meant(number.as_bytes())?);
                (Fault::ExpiryInMilliseconds, Some(seconds.into_owned()))
            }
            _ => (Fault::ExpiryNotNumber, None),
        };
        let likeliest = self.likeliest(entities);
        Some(self.misfit_of(likeliest, name, fault, value, seconds))
    }

    /// What the item is to people: the entity that the model decides, or the one whose keys are
    /// most like those of the item.
    fn likeliest(&self, entities: &[&'a Entity]) -> Option<&'a Entity> {
        self.decided().or_else(|| {
            let by_likeness = |entity: &&&Entity| std::cmp::Reverse(self.likeness(entity));
            entities.iter().min_by_key(by_likeness).copied()
        })
    }

    /// The entity that the model decides. Only those whose keys have the form of the item's can be
    /// it, so the others are not made ready to be recognised.
    fn decided(&self) -> Option<&'a Entity> {
        let entities = self.candidates.all().iter();
        let entities = entities.filter_map(|number| self.model.entities.get(usize::from(*number)));
        let forms = entities.map(|entity| Form { table: self.table, entity, source: None });
        Recognizer::of_forms(self.table, forms.collect()).recognise(self.item).decided()
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
                    fault_of(found, built, if has_form { Fault::StaleKey } else { otherwise })
                }
                Err(error) if has_form && says_nothing(error) => return None,
                Err(_) if has_form => Fault::StaleKey,
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
                    Some(_) if is_attribute(entity, &key.name) => None,
                    None if is_known(self.table, entity, &key.name) => None,
                    Some(_) | None => Some(self.misfit_of(
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
            Ok(built) => (fault_of(found, &built, Fault::StaleKey), shown(&built)),
            Err(error) if template.matches(found) => {
                if says_nothing(&error) {
                    return None;
                }
                (Fault::StaleKey, template.to_string())
            }
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
            table: self.called.to_owned(),
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
            let beginning = beginning(template);
            let shared = shared_count(&found, beginning);
            // What differs already in its first text is not built, which is most entities.
            if shared < beginning.chars().count() {
                return shared;
            }
            if self.item.get(&key.name).is_some_and(|found| template.matches(found)) {
                return 100 + found.len();
            }
            let built = template.build(&self.attributes(entity)).map(|built| shown(&built));
            let expected = built.unwrap_or_else(|_| template.to_string());
            shared_count(&found, &expected)
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
            let Some(key) = self.item.get(&key.name) else { continue };
            let Ok(reading) = template.read(key) else {
                for (name, value) in likely_values(template, key).unwrap_or_default() {
                    attributes.entry(name).or_insert(value);
                }
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

/// The values that a key seems to be made of, though it has not the form of its template: it has
/// the literals in whatever case, and numbers without leading zeros. An update can bring an item
/// into being that has nothing but its key to say what that should be.
fn likely_values(template: &Template, key: &Value) -> Option<Vec<(String, Value)>> {
    let Value::String(text) = key else { return None };
    let mut rest = text.as_str();
    let mut values = Vec::new();
    let mut segments = template.segments().iter().peekable();
    while let Some(segment) = segments.next() {
        let part = match segment {
            Segment::Literal(literal) => {
                let (start, after) = rest.split_at_checked(literal.len())?;
                rest = start.eq_ignore_ascii_case(literal).then_some(after)?;
                continue;
            }
            Segment::Attribute(part) if part.path.is_attribute() => part,
            Segment::Attribute(_) | Segment::Shard(_) => return None,
        };
        let end = match segments.peek() {
            None => rest.len(),
            Some(Segment::Literal(next)) => rest.find(next.chars().next()?)?,
            Some(Segment::Attribute(_) | Segment::Shard(_)) => return None,
        };
        let (found, after) = rest.split_at_checked(end)?;
        rest = after;
        let value = match part.encoding.form() {
            PartForm::Number(_) => Value::Number(found.parse().ok()?),
            PartForm::Text(_) => Value::String(found.to_owned()),
            _ => return None,
        };
        values.push((part.path.root.clone(), value));
    }
    rest.is_empty().then_some(values)
}

/// Returns whether the value of the type attribute is that of an entity.
fn is_type(value: &Value, entity: &Entity) -> bool {
    matches!(value, Value::String(text) if text == entity.type_value())
}

/// The text that every key of a template begins with.
fn beginning(template: &Template) -> &str {
    match template.segments().first() {
        Some(Segment::Literal(text)) => text,
        Some(Segment::Attribute(_) | Segment::Shard(_)) | None => "",
    }
}

/// How many characters two texts share from their beginning on, in whatever case.
fn shared_count(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
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

/// What is wrong with a key that should be another. Only texts are compared letter by letter.
fn fault_of(found: &Value, built: &Value, otherwise: Fault) -> Fault {
    match (found, built) {
        (Value::String(found), Value::String(built)) => Fault::of_keys(found, built, otherwise),
        (_, _) => otherwise,
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
