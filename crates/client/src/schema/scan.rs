//! What a scan reads: the table or an index, and which of the items there it is for.

use monotable_item::{Item, Value};

use super::entity::has_attribute;
use super::{EntitySchema, PatternSchema, TableSchema};
use crate::condition::Term;
use crate::entity::{IndexPattern, Row, Scannable, Table};
use crate::expression::Placeholders;
use crate::view::projection_of;

/// What a scan reads, and what it looks for.
#[derive(Debug)]
pub struct ScanSchema {
    /// The name of the entity or collection.
    pub(crate) name: &'static str,
    table: &'static TableSchema,
    /// The access pattern whose index is read; nothing where the table is.
    pub(crate) pattern: Option<&'static PatternSchema>,
    members: Vec<&'static EntitySchema>,
    /// Whether the members are to be all that there is, so that everything else is reported.
    pub(crate) is_whole: bool,
}

impl ScanSchema {
    /// The items of a table that are an `R`.
    pub(crate) fn of_table<R: Scannable>() -> ScanSchema {
        ScanSchema {
            name: R::NAME,
            table: <R::Table as Table>::schema(),
            pattern: None,
            members: R::members(),
            is_whole: R::IS_WHOLE,
        }
    }

    /// The entries of an index that an access pattern finds, whatever their partition.
    pub(crate) fn of_index<P: IndexPattern>() -> ScanSchema {
        let pattern = P::schema();
        ScanSchema {
            name: pattern.entity,
            table: pattern.table,
            pattern: Some(pattern),
            members: pattern.subject.map_or_else(|| pattern.members.clone(), |it| vec![it]),
            is_whole: pattern.subject.is_none(),
        }
    }

    /// The table.
    pub(crate) fn table(&self) -> &'static TableSchema {
        self.table
    }

    /// The index that is read.
    pub(crate) fn index(&self) -> Option<&'static str> {
        self.pattern.and_then(|pattern| pattern.index.as_deref())
    }

    /// The condition that an item is of the entity that is looked for. Where everything is, the
    /// database leaves nothing out.
    pub(crate) fn type_term(&self) -> Option<Term> {
        let [entity] = self.members.as_slice() else { return None };
        let name = self.type_attribute().filter(|_| !self.is_whole)?;
        Some(Term::Compare(name, "=", Value::from(entity.definition.tag)))
    }

    /// Returns whether an item is of one of the entities.
    pub(crate) fn recognizes(&self, item: &Item) -> bool {
        self.members.iter().any(|entity| match self.pattern {
            None => entity.recognizes(item),
            Some(pattern) => self.is_entry(entity, pattern, item),
        })
    }

    /// The projection for a row; nothing where the whole item is asked for. What tells entities
    /// apart is asked for as well.
    pub(crate) fn projection<R: Row>(&self, placeholders: &mut Placeholders) -> Option<String> {
        let keys: Vec<&str> = match self.pattern {
            Some(pattern) => pattern.position_names().collect(),
            None => self.table.key_names().collect(),
        };
        let names = keys.into_iter().chain(self.telling());
        projection_of::<R>(names, None, |name| self.holds(name), placeholders)
    }

    /// The attributes, besides the keys, that an entity is known by: its type, or what its items
    /// must have where there is none to be read.
    fn telling(&self) -> Vec<&'static str> {
        if let Some(name) = self.type_attribute() {
            return vec![name];
        }
        let fields = self.members.iter().flat_map(|entity| entity.definition.attributes);
        let told = fields.filter(|field| field.required && field.stored);
        told.map(|field| field.stored_name).filter(|name| self.holds(name)).collect()
    }

    /// The type attribute, if what is read holds it.
    fn type_attribute(&self) -> Option<&'static str> {
        self.table.definition.type_attribute.filter(|name| self.holds(name))
    }

    fn holds(&self, attribute: &str) -> bool {
        self.pattern.is_none_or(|pattern| pattern.holds(attribute))
    }

    /// Returns whether an entry of an index is of an entity: by its type attribute, or by its keys
    /// and what it must hold where the index has no types.
    fn is_entry(&self, entity: &EntitySchema, pattern: &PatternSchema, item: &Item) -> bool {
        if let Some(name) = self.type_attribute() {
            return matches!(
                item.get(name), Some(Value::String(found)) if found == entity.definition.tag
            );
        }
        let mut fields =
            entity.definition.attributes.iter().filter(|it| self.holds(it.stored_name));
        entity.has_key(item)
            && pattern.has_key(item)
            && fields.all(|field| has_attribute(item, field))
    }
}
