//! What is known while the code is written.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Model, Pattern, Table};

use super::collection::Collections;
use super::expressed::entities_of;
use super::identifier::type_name;
use super::key::table_of;
use crate::foreign::note;

/// The model, and what has become of it so far.
pub(super) struct Context<'m> {
    pub(super) model: &'m Model,
    pub(super) collections: Collections,
    pub(super) notes: Vec<Diagnostic>,
}

impl<'m> Context<'m> {
    pub(super) fn new(model: &'m Model) -> Context<'m> {
        Context { model, collections: Collections::default(), notes: Vec::new() }
    }

    /// The name of a table's struct: not that of an entity.
    pub(super) fn table_name(&self, table: &Table) -> String {
        let name = type_name(&table.name);
        let is_taken = self.model.entities.iter().any(|entity| type_name(&entity.name) == name);
        if is_taken { format!("{name}Table") } else { name }
    }

    /// The table of an entity that has a struct.
    pub(super) fn table_of(&self, entity: &'m Entity) -> Result<&'m Table, String> {
        let table = table_of(self.model, entity);
        let table = table.ok_or_else(|| format!("{} is in no table", entity.name))?;
        let is_written = entities_of(self.model, table).iter().any(|it| it.name == entity.name);
        if is_written { Ok(table) } else { Err(format!("{} is not written", entity.name)) }
    }

    /// An entity with its table.
    pub(super) fn entity(&self, name: &str) -> Result<(&'m Table, &'m Entity), String> {
        let entity = self.model.entity(name);
        let entity = entity.ok_or_else(|| format!("there is no entity {name}"))?;
        Ok((self.table_of(entity)?, entity))
    }

    /// The entities of a pattern.
    pub(super) fn entities(&self, pattern: &Pattern) -> Result<Vec<&'m Entity>, String> {
        pattern.entities.iter().map(|name| Ok(self.entity(name)?.1)).collect()
    }

    /// The entity of a pattern that has one.
    pub(super) fn only_entity(&self, pattern: &Pattern) -> Result<(&'m Table, &'m Entity), String> {
        match pattern.entities.as_slice() {
            [one] => self.entity(one),
            several => Err(format!("it is about {} entities", several.len())),
        }
    }

    /// Notes what becomes of a member of a pattern.
    pub(super) fn note_pattern(&mut self, pattern: &Pattern, member: &str, message: &str) {
        let place = Place::pattern(&pattern.name).member(member);
        self.notes.push(note(&place, message));
    }
}
