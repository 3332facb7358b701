//! Views: a table, or one of its indexes, as charts name it.

use monotable_model::document::{Index, IndexKind, IndexProjection, KeyAttribute, Model, Table};
use monotable_plan::Target;

/// A table or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Which.
    pub target: Target,
    /// What it is.
    pub kind: ViewKind,
    /// What it is for.
    pub description: Option<String>,
    /// The attributes of the partition key.
    pub partition_key: Vec<String>,
    /// The attributes of the sort key.
    pub sort_key: Vec<String>,
    /// What an index holds, in words.
    pub projection: Option<String>,
}

/// What a view is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewKind {
    /// The table itself.
    Table,
    /// A local index.
    LocalIndex,
    /// A global index.
    GlobalIndex,
}

impl View {
    /// The tables of a model, each followed by its indexes, in the order of the file.
    pub(super) fn all(model: &Model) -> Vec<(&Table, Option<&Index>)> {
        let mut views = Vec::new();
        for table in &model.tables {
            views.push((table, None));
            views.extend(table.indexes.iter().map(|index| (table, Some(index))));
        }
        views
    }

    /// The view of a table or of one of its indexes.
    pub(super) fn of(table: &Table, index: Option<&Index>) -> View {
        let target =
            Target { table: table.name.clone(), index: index.map(|index| index.name.clone()) };
        match index {
            None => View {
                target,
                kind: ViewKind::Table,
                description: table.description.clone(),
                partition_key: vec![table.partition_key.name.clone()],
                sort_key: names(table.sort_key.as_slice()),
                projection: None,
            },
            Some(index) => View {
                target,
                kind: match index.kind {
                    IndexKind::Local => ViewKind::LocalIndex,
                    IndexKind::Global => ViewKind::GlobalIndex,
                },
                description: index.description.clone(),
                partition_key: names(&index.partition_key),
                sort_key: names(&index.sort_key),
                projection: Some(projection_words(&index.projection)),
            },
        }
    }

    /// The name of the table or index.
    pub fn name(&self) -> &str {
        self.target.index.as_ref().unwrap_or(&self.target.table)
    }

    /// What it is, in words: `global index`.
    pub fn kind_words(&self) -> &'static str {
        match self.kind {
            ViewKind::Table => "table",
            ViewKind::LocalIndex => "local index",
            ViewKind::GlobalIndex => "global index",
        }
    }

    /// Its heading: `Table Shop`, `Global index GSI1 of Shop`.
    pub fn heading(&self) -> String {
        let table = &self.target.table;
        match self.kind {
            ViewKind::Table => format!("Table {table}"),
            ViewKind::LocalIndex => format!("Local index {} of {table}", self.name()),
            ViewKind::GlobalIndex => format!("Global index {} of {table}", self.name()),
        }
    }

    /// The attributes of the key with what each is for: `partition key`, `sort key`.
    pub fn key(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let partition = self.partition_key.iter().map(|name| ("partition key", name.as_str()));
        partition.chain(self.sort_key.iter().map(|name| ("sort key", name.as_str())))
    }

    /// Returns whether an index or table of this name is meant.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name() == name
    }
}

fn names(key: &[KeyAttribute]) -> Vec<String> {
    key.iter().map(|attribute| attribute.name.clone()).collect()
}

fn projection_words(projection: &IndexProjection) -> String {
    match projection {
        IndexProjection::All => "all attributes".to_owned(),
        IndexProjection::KeysOnly => "keys only".to_owned(),
        IndexProjection::Include(names) => format!("keys and {}", names.join(", ")),
    }
}
