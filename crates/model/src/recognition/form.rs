//! The form of an entity's items in a table, and an item seen through it.

use std::collections::BTreeMap;

use monotable_item::{Item, Path, Value};

use crate::document::{Attribute, Entity, ItemError, ItemSource, Keys, Table, build_item};
use crate::template::{Attributes, BuildError, InShard, Meaning, ReadError, Template, descend};

/// The items of an entity in a table.
#[derive(Debug, Clone, Copy)]
pub struct Form<'m> {
    /// The table.
    pub table: &'m Table,
    /// The entity.
    pub entity: &'m Entity,
    /// What the items were, whose names of attributes are understood as well.
    pub source: Option<&'m Entity>,
}

/// An item seen as one of an entity: attributes by their names in the model.
#[derive(Debug, Clone)]
pub struct View<'a> {
    form: Form<'a>,
    item: &'a Item,
    key: KeyAgreement,
    /// Attributes that the item lacks: what its key says, and defaults that keys are built from.
    added: BTreeMap<String, Value>,
}

/// Whether the key of an item is the one that its attributes build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyAgreement {
    /// It is, or what the attributes leave open stands in the key.
    Agrees,
    /// Attributes are missing, and the key can be read in several ways.
    Unclear,
    /// The attributes build another key, or none.
    Contradicts,
}

impl<'m> Form<'m> {
    /// The item as one of the entity, whose type and form of key it has.
    pub(super) fn view<'a>(self, item: &'a Item) -> View<'a>
    where
        'm: 'a,
    {
        let key = KeyAgreement::Contradicts;
        let mut view = View { form: self, item, key, added: self.defaults(item) };
        let Some(keys) = &self.entity.key else { return view };
        view.key = match view.has_key(keys) {
            Ok(true) => KeyAgreement::Agrees,
            Err(BuildError::Missing { .. }) => view.read_key(keys),
            Ok(false) | Err(_) => KeyAgreement::Contradicts,
        };
        view
    }

    /// Returns whether the templates of the entity can have built the key of an item.
    pub(super) fn has_key_form(self, item: &Item) -> bool {
        let Some(keys) = &self.entity.key else { return false };
        let mut templates = self.key_templates(keys);
        templates.all(|(name, template)| item.get(name).is_some_and(|key| template.matches(key)))
    }

    /// Returns whether an attribute of an item is one of the entity, or belongs to keys or to the
    /// type.
    pub(super) fn knows(self, stored: &str) -> bool {
        let of_indexes = self.table.indexes.iter().flat_map(|index| index.key_attributes());
        let mut keys = self.table.key_attributes().chain(of_indexes);
        let entities = std::iter::once(self.entity).chain(self.source);
        let mut attributes = entities.flat_map(|entity| entity.attributes.iter());
        self.table.type_attribute.as_deref() == Some(stored)
            || keys.any(|key| key.name == stored)
            || attributes.any(|attribute| attribute.item_name() == stored)
    }

    /// What the entity and its variants have in common: the name of what they are variants of.
    pub fn family(self) -> &'m str {
        self.entity.variant_of.as_deref().unwrap_or(&self.entity.name)
    }

    /// The item as one of the entity, whatever its type and its key.
    pub fn view_attributes<'a>(self, item: &'a Item, from: &View<'a>) -> View<'a>
    where
        'm: 'a,
    {
        let mut added = self.defaults(item);
        added.extend(from.added.clone());
        View { form: self, item, key: KeyAgreement::Agrees, added }
    }

    /// The attributes of the table's key with their templates.
    fn key_templates(self, keys: &Keys) -> impl Iterator<Item = (&'m str, &Template)> {
        let names = self.table.key_attributes().map(|key| key.name.as_str());
        names.zip(keys.partition.iter().chain(&keys.sort))
    }

    /// Returns whether the type of an item, if it has one, is that of the entity.
    pub fn has_type(self, item: &Item) -> bool {
        let stored = self.table.type_attribute.as_ref().and_then(|name| item.get(name));
        stored.is_none_or(|value| *value == Value::from(self.entity.type_value()))
    }

    /// The defaults that keys are built from, of attributes that the item lacks.
    fn defaults(self, item: &Item) -> BTreeMap<String, Value> {
        let with_default =
            self.entity.attributes.iter().filter(|attribute| attribute.default.is_some());
        let mut missing = with_default.filter(|own| self.stored(item, own).is_none()).peekable();
        if missing.peek().is_none() {
            return BTreeMap::new();
        }
        let roots = self.entity.key_roots();
        let needed = missing.filter(|attribute| roots.contains(attribute.name.as_str()));
        needed
            .filter_map(|attribute| Some((attribute.name.clone(), attribute.default.clone()?)))
            .collect()
    }

    /// The value of an attribute in an item, under its name or the one that it had.
    fn stored<'a>(self, item: &'a Item, attribute: &Attribute) -> Option<&'a Value> {
        let former = || {
            let before = self.source?.attribute(&attribute.name)?;
            item.get(before.item_name())
        };
        item.get(attribute.item_name()).or_else(former)
    }
}

impl<'a> View<'a> {
    /// The form that it is seen in.
    pub fn form(&self) -> Form<'a> {
        self.form
    }

    /// The item as it is stored.
    pub fn item(&self) -> &'a Item {
        self.item
    }

    /// Returns whether its key is the one that its attributes build, as far as they are known.
    pub fn has_own_key(&self) -> bool {
        self.key == KeyAgreement::Agrees
    }

    /// Returns whether its attributes build another key than the one that it has.
    pub(super) fn is_contradicted(&self) -> bool {
        self.key == KeyAgreement::Contradicts
    }

    /// How many attributes of its keys in indexes are what its attributes build.
    pub(super) fn index_keys_built(&self) -> usize {
        let Form { table, entity, .. } = self.form;
        let indexes = entity.indexes.iter();
        let keys = indexes.filter_map(|keys| Some((table.index(&keys.index)?, &keys.keys)));
        let keys = keys.flat_map(|(index, keys)| {
            index.key_attributes().zip(keys.partition.iter().chain(&keys.sort))
        });
        let is_built = |key: &str, template: &Template| {
            let stored = self.item.get(key);
            stored.is_some() && template.build(self).ok().as_ref() == stored
        };
        keys.filter(|(key, template)| is_built(&key.name, template)).count()
    }

    /// The value of an attribute by its name in the model.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let attribute = self.form.entity.attribute(name);
        let stored = attribute.and_then(|attribute| self.form.stored(self.item, attribute));
        stored.or_else(|| self.added.get(name))
    }

    /// The item with all its keys, as its model builds it.
    pub fn build(&self) -> Result<Item, ItemError> {
        let names = self.form.entity.attributes.iter().map(|attribute| &attribute.name);
        let given = names.filter_map(|name| Some((name.clone(), self.get(name)?.clone())));
        build_item(&ItemSource {
            table: self.form.table,
            entity: self.form.entity,
            attributes: &given.collect(),
            without: &[],
            shard: self.shard(),
        })
    }

    /// Whether the key that the attributes build is the one that the item has.
    fn has_key(&self, keys: &Keys) -> Result<bool, BuildError> {
        for (name, template) in self.form.key_templates(keys) {
            let built = match self.stored_shard(name, template) {
                Some(shard) => template.build(&InShard { attributes: self, shard })?,
                None => template.build(self)?,
            };
            if self.item.get(name) != Some(&built) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes attributes that the item lacks from its key.
    fn read_key(&mut self, keys: &Keys) -> KeyAgreement {
        let mut read = Vec::new();
        for (name, template) in self.form.key_templates(keys) {
            let reading = self.item.get(name).map(|key| template.read(key));
            let reading = match reading {
                Some(Ok(reading)) => reading,
                Some(Err(ReadError::Ambiguous)) => return KeyAgreement::Unclear,
                Some(Err(_)) | None => return KeyAgreement::Contradicts,
            };
            read.extend(reading.parts().iter().filter_map(|part| match &part.meaning {
                Meaning::Attribute { path, value, lossless: true } if path.steps.is_empty() => {
                    Some((path.root.clone(), value.clone()))
                }
                Meaning::Attribute { .. } | Meaning::Hash { .. } | Meaning::Shard(_) => None,
            }));
        }
        for (name, value) in read {
            if self.get(&name).is_none() {
                self.added.insert(name, value);
            }
        }
        match self.has_key(keys) {
            // What is lost on the way into a key cannot be compared, and its form is all there is.
            Ok(true) | Err(BuildError::Missing { .. }) => KeyAgreement::Agrees,
            Ok(false) | Err(_) => KeyAgreement::Contradicts,
        }
    }

    /// The shard that was chosen for the item: read from a key that it has, or by its primary key;
    /// none if no key leaves it to the writer.
    pub fn shard(&self) -> Option<u32> {
        let Form { table, entity, .. } = self.form;
        let chosen = entity.chosen_shard()?;
        let own = entity.key.iter().flat_map(|keys| self.form.key_templates(keys));
        let of_indexes = entity.indexes.iter().flat_map(|keys| {
            let index = table.index(&keys.index);
            let names = index.into_iter().flat_map(|index| index.key_attributes());
            names
                .map(|key| key.name.as_str())
                .zip(keys.keys.partition.iter().chain(&keys.keys.sort))
        });
        let stored =
            own.chain(of_indexes).find_map(|(name, template)| self.stored_shard(name, template));
        stored.or_else(|| Some(chosen.first() + spread(table, self.item) % chosen.count()))
    }

    /// The shard in a key that the item has, if the template leaves it to the writer.
    fn stored_shard(&self, name: &str, template: &Template) -> Option<u32> {
        template.chosen_shard()?;
        template.read(self.item.get(name)?).ok()?.shard()
    }
}

impl Attributes for View<'_> {
    fn value(&self, path: &Path) -> Option<&Value> {
        descend(self.get(&path.root)?, path)
    }
}

/// A number that is always the same for a primary key, and spreads well over all of them.
fn spread(table: &Table, item: &Item) -> u32 {
    let mut text = String::new();
    for value in table.key_attributes().filter_map(|key| item.get(&key.name)) {
        text += &format!("{value:?}");
    }
    text.bytes()
        .fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The attributes of an item by their names in the model, and all others as they are.
pub fn model_attributes(entity: Option<&Entity>, item: &Item) -> Item {
    let name_of = |stored: &str| {
        let attributes = entity.map_or(&[] as &[_], |entity| &entity.attributes);
        let attribute = attributes.iter().find(|attribute| attribute.item_name() == stored);
        attribute.map_or(stored, |attribute| &attribute.name).to_owned()
    };
    item.iter().map(|(name, value)| (name_of(name), value.clone())).collect()
}
