//! The recognizer of a table: its entities, found by the type and by the key of an item.

use std::collections::HashMap;

use monotable_item::{Item, Value};

use super::fit::best;
use super::form::{Form, View};
use super::prefix_tree::PrefixTree;
use crate::document::{Entity, Model, Table};
use crate::template::{Segment, Template};

/// What an item is.
#[derive(Debug, Clone, PartialEq)]
pub enum Recognition<'m> {
    /// An item of this entity.
    Known(&'m Entity),
    /// An item of one of these entities, which fit it equally well; in the order of the model.
    Undecided(Vec<&'m Entity>),
    /// An item of no entity.
    Unknown,
}

/// What is needed to recognise the items of a table. It is made once for many items.
#[derive(Debug, Clone)]
pub struct Recognizer<'m> {
    table: &'m Table,
    forms: Vec<Form<'m>>,
    /// The forms of each type, by their positions.
    by_type: HashMap<&'m str, Vec<usize>>,
    /// The forms by the texts that their partition keys and sort keys begin with.
    by_key: PrefixTree<PrefixTree<Vec<usize>>>,
}

impl<'m> Recognition<'m> {
    /// The entity, if it is decided.
    pub fn decided(&self) -> Option<&'m Entity> {
        match self {
            Recognition::Known(entity) => Some(entity),
            Recognition::Undecided(_) | Recognition::Unknown => None,
        }
    }

    /// The entity, or the first of those that fit equally well: for people, who can see the item.
    pub fn likeliest(&self) -> Option<&'m Entity> {
        match self {
            Recognition::Known(entity) => Some(entity),
            Recognition::Undecided(entities) => entities.first().copied(),
            Recognition::Unknown => None,
        }
    }

    fn of(mut entities: Vec<&'m Entity>) -> Recognition<'m> {
        match entities.len() {
            0 => Recognition::Unknown,
            1 => entities.pop().map_or(Recognition::Unknown, Recognition::Known),
            _ => Recognition::Undecided(entities),
        }
    }
}

impl<'m> Recognizer<'m> {
    /// The recognizer of a table of a model.
    pub fn new(model: &'m Model, table: &'m Table) -> Recognizer<'m> {
        let entities = model.entities_in(table);
        let forms = entities.map(|entity| Form { table, entity, source: None });
        Recognizer::of_forms(table, forms.collect())
    }

    /// The recognizer of these forms of items of one table.
    pub fn of_forms(table: &'m Table, forms: Vec<Form<'m>>) -> Recognizer<'m> {
        let mut by_type: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut by_key: PrefixTree<PrefixTree<Vec<usize>>> = PrefixTree::default();
        for (position, form) in forms.iter().enumerate() {
            let Some(keys) = &form.entity.key else { continue };
            let (partition, sort) = (beginning(&keys.partition), beginning(&keys.sort));
            by_key.entry(partition).entry(sort).push(position);
            by_type.entry(form.entity.type_value()).or_default().push(position);
        }
        Recognizer { table, forms, by_type, by_key }
    }

    /// The forms, in the order of the model.
    pub fn forms(&self) -> &[Form<'m>] {
        &self.forms
    }

    /// Says what an item is.
    pub fn recognise(&self, item: &Item) -> Recognition<'m> {
        let mut possible = self.possible(item);
        if possible.len() > 1 {
            let best = best(possible.iter().map(|form| form.view(item)).collect());
            let is_best = |form: &Form<'_>| {
                best.iter().any(|view| std::ptr::eq(view.form().entity, form.entity))
            };
            possible.retain(is_best);
        }
        Recognition::of(possible.iter().map(|form| form.entity).collect())
    }

    /// The item as one of each form that its type and its key allow.
    pub fn candidates<'a>(&self, item: &'a Item) -> Vec<View<'a>>
    where
        'm: 'a,
    {
        self.possible(item).into_iter().map(|form| form.view(item)).collect()
    }

    /// The forms that the type and the key of an item allow, in the order of the model.
    fn possible(&self, item: &Item) -> Vec<Form<'m>> {
        let mut positions = self.looked_up(item);
        positions.sort_unstable();
        let forms = positions.into_iter().filter_map(|position| self.forms.get(position));
        forms.filter(|form| form.has_key_form(item)).copied().collect()
    }

    /// The positions of the forms that are worth matching.
    fn looked_up(&self, item: &Item) -> Vec<usize> {
        let stored = self.table.type_attribute.as_ref().and_then(|name| item.get(name));
        if let Some(stored) = stored {
            let of_type = text(Some(stored)).and_then(|text| self.by_type.get(text));
            return of_type.cloned().unwrap_or_default();
        }
        let partition = text(item.get(&self.table.partition_key.name)).unwrap_or_default();
        let sort = self.table.sort_key.as_ref().and_then(|key| text(item.get(&key.name)));
        let by_sort = self.by_key.along(partition);
        by_sort.flat_map(|tree| tree.along(sort.unwrap_or_default())).flatten().copied().collect()
    }
}

/// The text that every key of the first of these templates begins with.
fn beginning(templates: &[Template]) -> &str {
    match templates.first().and_then(|template| template.segments().first()) {
        Some(Segment::Literal(text)) => text,
        Some(Segment::Attribute(_) | Segment::Shard(_)) | None => "",
    }
}

fn text(value: Option<&Value>) -> Option<&str> {
    match value? {
        Value::String(text) => Some(text),
        Value::Number(_)
        | Value::Binary(_)
        | Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => None,
    }
}
