//! Makes the items, parents before their children.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::{Item, Number, Value};
use monotable_model::document::{
    Attribute, Entity, ItemError, ItemSource, KeyAttribute, Keys, Model, Sample, Table, build_item,
    key_of,
};
use monotable_model::template::Template;
use thiserror::Error;

use super::attribute_value::{Drawing, Role};
use super::calendar;
use super::family::{Link, Parent, is_in_key, parents_of};
use super::population::population;
use super::random::Random;

/// How often an item whose key is taken is drawn again.
const ATTEMPTS_MAX: u64 = 20;
/// What numbers of items that are drawn again are below.
const NUMBER_END: u64 = 1_000_000;
/// How many parents are tried before all are looked at.
const PROBES: usize = 8;
/// How many of the items have an attribute that they need not have, in percent.
const OPTIONAL_PERCENT: u64 = 70;

/// What is to be generated.
#[derive(Debug, Clone, Default)]
pub struct SeedSettings {
    /// Where randomness begins.
    pub seed: u64,
    /// How many items of an entity, where the model is not to decide.
    pub counts: BTreeMap<String, u64>,
}

/// An item that was generated.
#[derive(Debug, Clone, PartialEq)]
pub struct SeedItem {
    /// Its entity.
    pub entity: String,
    /// Its table, as the service calls it.
    pub table: String,
    /// Its attributes, by their names in the model.
    pub attributes: Item,
    /// The shard that was chosen for it, where its keys leave that to the writer.
    pub shard: Option<u32>,
    /// The item, with all its keys.
    pub item: Item,
}

/// Why nothing can be generated.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SeedError {
    /// An entity of which a number was asked for is not an item.
    #[error("there are no items of {entity}; there are {}", known.join(", "))]
    NoItems {
        /// What was asked for.
        entity: String,
        /// The entities that are items.
        known: Vec<String>,
    },
    /// The item that was made of an entity's attributes cannot be built.
    #[error("{entity}: {reason}")]
    Item {
        /// The entity.
        entity: String,
        /// What is wrong.
        reason: Box<ItemError>,
    },
}

/// The items of the model's own samples.
pub fn sample_items(model: &Model) -> Result<Vec<SeedItem>, SeedError> {
    items_of_samples(model, &model.samples)
}

/// The items of samples that belong to a model.
pub fn items_of_samples(model: &Model, samples: &[Sample]) -> Result<Vec<SeedItem>, SeedError> {
    let of_sample = |sample: &Sample| {
        let wrong =
            |reason| SeedError::Item { entity: sample.entity.clone(), reason: Box::new(reason) };
        let item = model.item_of_sample(sample).map_err(wrong)?;
        let entity = model.entity(&sample.entity);
        let name =
            sample.table.as_ref().or_else(|| entity.and_then(|entity| entity.tables.first()));
        let table = name.and_then(|name| model.table(name));
        let table = table.map(|table| table_name(table, &sample.attributes)).transpose();
        Ok(SeedItem {
            entity: sample.entity.clone(),
            table: table.map_err(wrong)?.unwrap_or_default(),
            attributes: sample.attributes.clone(),
            shard: sample.shard,
            item,
        })
    };
    samples.iter().map(of_sample).collect()
}

/// Makes items of all entities. An entity gets fewer than it should have if there are not enough
/// different keys.
pub fn generate(model: &Model, settings: &SeedSettings) -> Result<Vec<SeedItem>, SeedError> {
    generate_with(model, settings, &mut |_, _| {})
}

/// The same, and says after each item how many there are and how many there will be about.
pub fn generate_with(
    model: &Model,
    settings: &SeedSettings,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<SeedItem>, SeedError> {
    let mut items = Vec::new();
    generate_each(model, settings, progress, &mut |item| {
        items.push(item);
        Ok::<(), SeedError>(())
    })?;
    Ok(items)
}

/// The same, one item after the other: of those that were taken, the keys are kept, and the
/// attributes that later ones may refer to. An error of whoever takes them ends it.
pub fn generate_each<E: From<SeedError>>(
    model: &Model,
    settings: &SeedSettings,
    progress: &mut dyn FnMut(u64, u64),
    each: &mut dyn FnMut(SeedItem) -> Result<(), E>,
) -> Result<(), E> {
    check_counts(model, settings)?;
    let population = population(model, &settings.counts);
    let mut generator = Generator {
        model,
        seed: settings.seed,
        demanded: demanded(model),
        born: BTreeMap::new(),
        taken: BTreeSet::new(),
        each,
    };
    let total: u64 = population.values().sum();
    let mut done = 0;
    for entity in parents_first(model) {
        let count = population.get(&entity.name).copied().unwrap_or(0);
        generator.entity(entity, count, &mut |number| progress(done + number, total))?;
        done += count;
    }
    Ok(())
}

fn check_counts(model: &Model, settings: &SeedSettings) -> Result<(), SeedError> {
    let known = || model.entities.iter().filter(|entity| entity.key.is_some());
    for entity in settings.counts.keys() {
        if !known().any(|other| other.name == *entity) {
            let known = known().map(|entity| entity.name.clone()).collect();
            return Err(SeedError::NoItems { entity: entity.clone(), known });
        }
    }
    Ok(())
}

fn demanded(model: &Model) -> BTreeSet<(String, String)> {
    let mut demanded = BTreeSet::new();
    for child in &model.entities {
        for Parent { entity, links, .. } in parents_of(model, child) {
            let is_needed = |link: &&Link| child.attribute(&link.child).is_some_and(|a| a.required);
            let needed = links.iter().filter(is_needed).map(|link| link.parent.clone());
            demanded.extend(needed.map(|attribute| (entity.name.clone(), attribute)));
        }
    }
    demanded
}

/// The entities that are items, each after those that it belongs to. Where they belong to each
/// other, the order of the file decides.
pub(super) fn parents_first(model: &Model) -> Vec<&Entity> {
    fn visit<'m>(
        model: &'m Model,
        entity: &'m Entity,
        path: &mut Vec<&'m str>,
        done: &mut Vec<&'m Entity>,
    ) {
        let is_done = done.iter().any(|other| other.name == entity.name);
        if is_done || path.contains(&entity.name.as_str()) {
            return;
        }
        path.push(&entity.name);
        for parent in parents_of(model, entity) {
            visit(model, parent.entity, path, done);
        }
        path.pop();
        done.push(entity);
    }
    let mut done = Vec::new();
    for entity in model.entities.iter().filter(|entity| entity.key.is_some()) {
        visit(model, entity, &mut Vec::new(), &mut done);
    }
    done
}

struct Generator<'m, 'e, E> {
    model: &'m Model,
    seed: u64,
    /// The attributes, by entity, that children need to have of their parents.
    demanded: BTreeSet<(String, String)>,
    /// The attributes of all items of an entity.
    born: BTreeMap<&'m str, Vec<Item>>,
    /// The keys that are in use, by table.
    taken: BTreeSet<String>,
    /// Takes the items.
    each: &'e mut dyn FnMut(SeedItem) -> Result<(), E>,
}

/// How many children each item of a parent has, by the parent's name.
type Children<'m> = BTreeMap<&'m str, BTreeMap<usize, u64>>;

/// What an item is made of.
struct Draft<'m> {
    attributes: Item,
    /// The shard that the writer chooses, where a key has one.
    shard: Option<u32>,
    /// The parents, by name and position.
    parents: Vec<(&'m str, usize)>,
}

impl<'m, E: From<SeedError>> Generator<'m, '_, E> {
    fn entity(
        &mut self,
        entity: &'m Entity,
        count: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), E> {
        let mut random = Random::of(self.seed, &entity.name);
        let parents = self.nearest_first(entity);
        let mut children = Children::new();
        for number in 0..count {
            let draft = self.distinct(entity, (&parents, &children), number, &mut random);
            let Some(draft) = draft else { continue };
            for (parent, position) in &draft.parents {
                *children.entry(parent).or_default().entry(*position).or_default() += 1;
            }
            self.add_copies(entity, &draft, number)?;
            progress(number + 1);
        }
        Ok(())
    }

    /// Parents that are children of other parents come first, and decide for those.
    fn nearest_first(&self, entity: &'m Entity) -> Vec<Parent<'m>> {
        let mut parents = parents_of(self.model, entity);
        let generation = |parent: &Parent<'m>| {
            let has_parents = !parents_of(self.model, parent.entity).is_empty();
            (has_parents, parent.links.len())
        };
        parents.sort_by_key(|parent| std::cmp::Reverse(generation(parent)));
        parents
    }

    /// A draft whose key no other item has, if there can be one.
    fn distinct(
        &self,
        entity: &'m Entity,
        family: (&[Parent<'m>], &Children<'m>),
        number: u64,
        random: &mut Random,
    ) -> Option<Draft<'m>> {
        for attempt in 0..ATTEMPTS_MAX {
            let (inherited, parents) = self.inherit(family, random)?;
            // A number that is taken may be free further on.
            let number = if attempt == 0 { number } else { random.below(NUMBER_END) };
            let attributes = self.draw(entity, family.0, inherited, number, random);
            let draft = Draft { attributes, shard: chosen_shard(entity, random), parents };
            if !self.is_taken(entity, &draft) {
                return Some(draft);
            }
        }
        None
    }

    /// What the parents of an item give it, and which they are; nothing if no parent has room for
    /// another child.
    fn inherit(
        &self,
        (parents, children): (&[Parent<'m>], &Children<'m>),
        random: &mut Random,
    ) -> Option<(Item, Vec<(&'m str, usize)>)> {
        let (mut inherited, mut chosen) = (Item::new(), Vec::new());
        for parent in parents {
            let name = parent.entity.name.as_str();
            let Some(born) = self.born.get(name) else { continue };
            let counts = children.get(name);
            let fits = |position: usize, item: &Item| {
                let count = counts.and_then(|counts| counts.get(&position)).copied().unwrap_or(0);
                parent.children_max.is_none_or(|max| count < max)
                    && agrees(parent, item, &inherited)
            };
            let (position, item) = pick(born, fits, random)?;
            for link in &parent.links {
                let value = item.get(&link.parent).cloned();
                inherited.extend(value.map(|value| (link.child.clone(), value)));
            }
            chosen.push((name, position));
        }
        Some((inherited, chosen))
    }

    /// All attributes of an item: what it inherited, and the rest by chance.
    fn draw(
        &self,
        entity: &'m Entity,
        parents: &[Parent<'m>],
        inherited: Item,
        number: u64,
        random: &mut Random,
    ) -> Item {
        let second = calendar::any_second(random);
        let embedded = |attribute: &str| self.embedded(entity, attribute);
        let mut tables = self.model.tables_of(entity);
        let period = tables.find_map(|table| table.period_name.as_ref()).map(|name| name.part());
        let drawing = Drawing { entity, period, embedded: &embedded, number, second };
        let mut attributes = inherited;
        for attribute in &entity.attributes {
            if attributes.contains_key(&attribute.name) {
                continue;
            }
            let key = (entity.name.clone(), attribute.name.clone());
            let is_needed = attribute.required || self.demanded.contains(&key);
            // What the parent could have said and did not, the child does not say either.
            let mut links = parents.iter().flat_map(|parent| &parent.links);
            let is_linked = links.any(|link| link.child == attribute.name);
            let is_wanted = is_needed || (!is_linked && random.happens(OPTIONAL_PERCENT));
            let value = match self.special(entity, attribute, second, random) {
                Some(value) => value,
                None if is_wanted => drawing.value(attribute, role(entity, attribute), random),
                None => continue,
            };
            attributes.insert(attribute.name.clone(), value);
        }
        self.settle_keys(entity, &mut attributes);
        attributes
    }

    /// An attribute that is a key itself is stored as its template writes it.
    fn settle_keys(&self, entity: &Entity, attributes: &mut Item) {
        for table in self.model.tables_of(entity) {
            let own = entity.key.iter().map(|keys| (table.key_attributes().collect(), keys));
            let of_indexes = entity.indexes.iter().filter_map(|index| {
                let found = table.index(&index.index)?;
                Some((found.key_attributes().collect(), &index.keys))
            });
            let all: Vec<(Vec<&KeyAttribute>, &Keys)> = own.chain(of_indexes).collect();
            for (names, keys) in all {
                let templates = keys.partition.iter().chain(&keys.sort);
                for (key, template) in names.into_iter().zip(templates) {
                    settle_key(entity, &key.name, template, attributes);
                }
            }
        }
    }

    /// Attributes with a meaning of their own: the number of the lock, and when the item expires.
    fn special(
        &self,
        entity: &Entity,
        attribute: &Attribute,
        second: u64,
        random: &mut Random,
    ) -> Option<Value> {
        let is = |name: &Option<String>| name.as_deref() == Some(&attribute.name);
        let tables = || self.model.tables_of(entity);
        let is_ttl = is(&entity.ttl)
            || tables().any(|table| table.ttl.as_deref() == Some(attribute.item_name()));
        if is(&entity.lock) {
            return Some(Value::Number(Number::from(1)));
        }
        if is_ttl && attribute.kind == monotable_item::Type::Number {
            let expiry = calendar::any_expiry(random).max(second);
            return Some(Value::Number(Number::from(i64::try_from(expiry).unwrap_or(i64::MAX))));
        }
        None
    }

    fn embedded(&self, entity: &Entity, attribute: &str) -> Option<&'m Entity> {
        let is_there = |document: &&Entity| {
            let mut places = document.embedded_in.iter();
            places.any(|place| place.entity == entity.name && place.attribute == attribute)
        };
        self.model.entities.iter().find(is_there)
    }

    fn is_taken(&self, entity: &'m Entity, draft: &Draft<'m>) -> bool {
        let attributes = with_copy(entity, draft.attributes.clone(), 0);
        let keys = self.model.tables_of(entity).map(|table| {
            let attributes = &attributes;
            let shard = draft.shard;
            key_text(&ItemSource { table, entity, attributes, without: &[], shard })
        });
        keys.flatten().any(|key| self.taken.contains(&key))
    }

    /// An item, or all identical ones where the entity has copies.
    fn add_copies(&mut self, entity: &'m Entity, draft: &Draft<'m>, number: u64) -> Result<(), E> {
        let tables: Vec<&Table> = self.model.tables_of(entity).collect();
        let count = u64::try_from(tables.len()).unwrap_or(1).max(1);
        let position = usize::try_from(number % count).unwrap_or(0);
        let Some(table) = tables.get(position) else { return Ok(()) };
        let copies = entity.copies.as_ref().map_or(1, |copies| copies.count.max(1));
        for copy in 0..copies {
            let attributes = with_copy(entity, draft.attributes.clone(), copy);
            self.add(table, entity, attributes, draft.shard)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        table: &Table,
        entity: &'m Entity,
        attributes: Item,
        shard: Option<u32>,
    ) -> Result<(), E> {
        let wrong =
            |reason| SeedError::Item { entity: entity.name.clone(), reason: Box::new(reason) };
        let source = ItemSource { table, entity, attributes: &attributes, without: &[], shard };
        let item = build_item(&source).map_err(wrong)?;
        self.taken.extend(key_text(&source));
        self.born.entry(&entity.name).or_default().push(attributes.clone());
        let table = table_name(table, &attributes).map_err(wrong)?;
        let entity = entity.name.clone();
        (self.each)(SeedItem { entity, table, attributes, shard, item })
    }
}

/// What the service calls the table of an item.
fn table_name(table: &Table, attributes: &Item) -> Result<String, ItemError> {
    let unnamed = |reason| ItemError::Key { attribute: table.physical_name().to_owned(), reason };
    table.name_of(attributes).map_err(unnamed)
}

fn settle_key(entity: &Entity, key: &str, template: &Template, attributes: &mut Item) {
    let attribute = entity.attributes.iter().find(|one| one.stored && one.item_name() == key);
    let Some(attribute) = attribute else { return };
    let is_itself = template.paths().all(|path| path.is_attribute() && path.root == attribute.name);
    if let Ok(built) = template.build(attributes)
        && is_itself
        && built.kind() == attribute.kind
    {
        attributes.insert(attribute.name.clone(), built);
    }
}

/// Whether a parent says nothing else than what was inherited already.
fn agrees(parent: &Parent<'_>, item: &Item, inherited: &Item) -> bool {
    parent.links.iter().all(|link| match (inherited.get(&link.child), item.get(&link.parent)) {
        (Some(given), Some(value)) => given == value,
        (None | Some(_), None | Some(_)) => true,
    })
}

/// One of the items that fit. As a rule most do, so some are tried before all are looked at.
fn pick<'i>(
    items: &'i [Item],
    fits: impl Fn(usize, &Item) -> bool,
    random: &mut Random,
) -> Option<(usize, &'i Item)> {
    let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
    for _ in 0..PROBES {
        let position = usize::try_from(random.below(count)).unwrap_or(0);
        let item = items.get(position)?;
        if fits(position, item) {
            return Some((position, item));
        }
    }
    let fitting = items.iter().enumerate().filter(|(position, item)| fits(*position, item));
    random.pick(&fitting.collect::<Vec<_>>()).copied()
}

/// The attributes of one of several identical items.
fn with_copy(entity: &Entity, mut attributes: Item, copy: u64) -> Item {
    if let Some(copies) = &entity.copies {
        let number = i64::try_from(copies.first.saturating_add(copy)).unwrap_or(i64::MAX);
        attributes.insert(copies.attribute.clone(), Value::Number(Number::from(number)));
    }
    attributes
}

/// What is part of the key, or held to be unique, tells items apart.
fn role(entity: &Entity, attribute: &Attribute) -> Role {
    let is_unique = entity.unique.iter().any(|unique| unique.attribute == attribute.name);
    match (is_unique, is_in_key(entity, &attribute.name)) {
        (true, _) => Role::Identity,
        (false, true) => Role::Key { stride: stride(entity, attribute) },
        (false, false) => Role::Content,
    }
}

/// How many items in a row have the same value of an attribute of the key, so that each combination
/// of the distinct values of several occurs.
fn stride(entity: &Entity, attribute: &Attribute) -> u64 {
    let before = entity.attributes.iter().take_while(|other| other.name != attribute.name);
    let in_key = before.filter(|other| is_in_key(entity, &other.name));
    in_key
        .filter_map(|other| other.distinct)
        .fold(1, |stride, distinct| stride.saturating_mul(distinct.max(1)))
}

/// A key as text, with its table; none if it cannot be built, which is reported when the item is.
fn key_text(source: &ItemSource<'_>) -> Option<String> {
    key_of(source).ok().map(|key| format!("{} {key:?}", source.table.name))
}

/// A shard for templates that leave it to the writer.
fn chosen_shard(entity: &Entity, random: &mut Random) -> Option<u32> {
    let shard = entity.chosen_shard()?;
    let offset = u32::try_from(random.below(u64::from(shard.count()))).unwrap_or(0);
    Some(shard.first() + offset)
}
