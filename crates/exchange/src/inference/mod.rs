//! Inference: from the items of a table to the entities that they are, and the templates that built
//! their keys.
//!
//! A key such as `CUSTOMER#alex` is text that is always the same and the values of attributes.
//! Which is which shows when several items of one kind are laid beside each other: [`synthesis`]
//! looks for the sequence of literals and attributes that builds the keys of all of them, and of
//! all such sequences takes the most plausible.
//!
//! 1. `type_attribute`: an attribute that every item has and that names its kind.
//! 2. `candidate`: every attribute in every encoding, as the text that it would be in a key.
//! 3. `synthesis`: the cheapest template for the keys of some items.
//! 4. `grouping`: items whose keys have the same shape are one entity. Where no attribute explains
//!    a part of a key, an attribute is made up that stands in keys alone.
//! 5. `entity`: names, attributes, conditions of sparse indexes. `relationship`: what shares
//!    partitions. `sample`: the items, as samples of the entities.
//!
//! Everything is a guess that the items agree with; notes say which ones are weak.

mod assembly;
mod attribute;
mod candidate;
mod entity;
mod grouping;
mod invention;
mod key_text;
mod naming;
mod relationship;
mod sample;
mod sparseness;
mod synthesis;
mod type_attribute;

use monotable_item::Item;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Entity, Model, Relationship, Sample, Table, plain_text};

use super::case::kebab;
use super::outcome::settled;
use super::table_shape::LiveTable;
use grouping::Group;

pub(super) use attribute::free_name;
pub(super) use key_text::is_constant_word;

/// What the items of a table show.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inference {
    /// The attribute that names the entity of an item.
    pub type_attribute: Option<String>,
    /// The entities.
    pub entities: Vec<Entity>,
    /// For each item, the name of its entity.
    pub assignment: Vec<String>,
    /// Which entities lie in partitions of others.
    pub relationships: Vec<Relationship>,
    /// The items, as samples. One that its entity does not build is left out, with a note.
    pub samples: Vec<Sample>,
    /// What is uncertain.
    pub notes: Vec<Diagnostic>,
}

/// Items that are known to belong together, and what they are called.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    pub(super) name: Option<String>,
    pub(super) items: Vec<Item>,
}

/// Finds the entities of a table from some of its items.
///
/// ```
/// use monotable_item::{Item, Value};
/// use monotable_model::document::{Format, read};
/// use monotable_exchange::infer;
///
/// let text = "format = 1\nname = \"a\"\n[tables.Shop]\npartition_key = \"PK\"\n";
/// let table = read(text, Format::Toml).unwrap().model.tables.remove(0);
/// let order = |id: i64| {
///     let key = format!("ORDER#{id:05}");
///     Item::from([("PK".into(), Value::from(key.as_str())), ("OrderId".into(), Value::from(id))])
/// };
/// let inferred = infer(&table, &[order(17), order(18)]);
/// let key = inferred.entities[0].key.as_ref().unwrap();
/// assert_eq!(key.partition[0].to_string(), "ORDER#{OrderId:05}");
/// ```
pub fn infer(table: &Table, items: &[Item]) -> Inference {
    infer_facets(table, &[Facet { name: None, items: items.to_vec() }])
}

/// Finds the entities of items that are already in groups.
pub(super) fn infer_facets(table: &Table, facets: &[Facet]) -> Inference {
    let items: Vec<Item> = facets.iter().flat_map(|facet| facet.items.iter().cloned()).collect();
    let mut inference = Inference {
        type_attribute: type_attribute::find(table, &items),
        assignment: vec![String::new(); items.len()],
        ..Inference::default()
    };
    let initial = initial_groups(facets, &items, inference.type_attribute.as_deref());
    let groups = grouping::groups(table, &items, initial, inference.type_attribute.as_deref());
    let names = naming::names(table, &groups);
    for (group, name) in groups.iter().zip(&names) {
        for member in &group.members {
            if let Some(place) = inference.assignment.get_mut(*member) {
                place.clone_from(name);
            }
        }
        entity::add(&mut inference, table, &items, group, name);
    }
    inference.relationships = relationship::find(table, &inference.entities, &items, &groups);
    sample::add(&mut inference, table, &items, &groups);
    inference
}

/// Facets, parted by the value of the type attribute.
fn initial_groups(facets: &[Facet], items: &[Item], type_attribute: Option<&str>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut member = 0;
    for facet in facets {
        let first = groups.len();
        for _ in &facet.items {
            let kind = type_attribute.and_then(|name| items.get(member)?.get(name));
            let kind = kind.and_then(plain_text);
            let same = groups.iter_mut().skip(first).find(|group| group.type_value == kind);
            match same {
                Some(group) => group.members.push(member),
                None => groups.push(Group::new(facet.name.clone(), kind, member)),
            }
            member += 1;
        }
    }
    groups
}

/// The model of a live table, from some of its items, and what is uncertain about it.
pub fn infer_model(
    live: &LiveTable,
    items: &[Item],
) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut inference = infer(&live.table, items);
    let mut table = live.table.clone();
    table.type_attribute.clone_from(&inference.type_attribute);
    entity::estimate_counts(&mut inference, live.item_count);
    let name = Some(kebab(table.physical_name())).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "table".to_owned());
    let mut model = Model { name, tables: vec![table], ..Model::default() };
    let mut notes = live.notes.clone();
    inference.put_into(&mut model);
    notes.append(&mut inference.notes);
    settled(&model).map(|model| (model, notes))
}

impl Inference {
    /// Moves what was found into a model. Samples are a few of each entity.
    pub(super) fn put_into(&mut self, model: &mut Model) {
        model.entities.append(&mut self.entities);
        model.relationships.append(&mut self.relationships);
        model.samples.append(&mut sample::few(&mut self.samples));
    }
}
