//! The whole model, and finding things in it by name.

use super::{
    Allowance, Entity, Index, LintSettings, ModelTest, Pattern, Relationship, Sample, Table, Tree,
    Workload,
};

/// The version of the form that this library reads and writes.
pub const FORMAT: u64 = 1;

/// A single-table design.
///
/// Tables, entities and patterns stand in the order of the file. They refer to each other by name,
/// and in a model that was read every name exists: [`Model::table`] and its siblings find what a
/// name means, and `expect` is right where the name came from the model itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// The name: lower case, as in file names.
    pub name: String,
    /// One line for people.
    pub title: Option<String>,
    /// What the design is for.
    pub description: Option<String>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The kinds of items, and the documents embedded in them.
    pub entities: Vec<Entity>,
    /// How many of one entity belong to one of another.
    pub relationships: Vec<Relationship>,
    /// What the application asks of the tables.
    pub patterns: Vec<Pattern>,
    /// Items to show and to test with, in the order of the file.
    pub samples: Vec<Sample>,
    /// What access patterns must bring on these items.
    pub tests: Vec<ModelTest>,
    /// What holds for patterns that do not say.
    pub workload: Workload,
    /// How the linter is to judge.
    pub lint: LintSettings,
    /// Findings that the author knows of and accepts.
    pub allow: Vec<Allowance>,
    /// Members of foreign formats, kept as they are.
    pub extensions: Option<Tree>,
}

impl Model {
    /// The table of this name in the model.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The entity of this name.
    pub fn entity(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    /// The access pattern of this name.
    pub fn pattern(&self, name: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| pattern.name == name)
    }

    /// The tables whose items an entity is: none for an embedded one, several for an entity that
    /// lives in tables of the same form.
    pub fn tables_of<'m>(&'m self, entity: &'m Entity) -> impl Iterator<Item = &'m Table> {
        entity.tables.iter().filter_map(|name| self.table(name))
    }

    /// The entities whose items are in a table.
    pub fn entities_in<'m>(&'m self, table: &'m Table) -> impl Iterator<Item = &'m Entity> {
        self.entities.iter().filter(|entity| entity.tables.contains(&table.name))
    }

    /// The entities whose items an index can hold, in the order of the file.
    pub fn entities_in_index<'m>(
        &'m self,
        table: &'m Table,
        index: &'m Index,
    ) -> impl Iterator<Item = &'m Entity> {
        self.entities_in(table).filter(|entity| entity.index_key(&index.name).is_some())
    }
}
