//! Where a request can go: a table, or one of its indexes.

use std::fmt;

use monotable_model::document::{
    Entity, Expression, Index, IndexKind, IndexProjection, KeyAttribute, Keys, Model, Table,
};

/// A table, or one of its indexes, by their names in the model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// The table.
    pub table: String,
    /// The index, unless it is the table itself.
    pub index: Option<String>,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.index.as_ref().unwrap_or(&self.table))
    }
}

/// A target with its definition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Route<'m> {
    pub(super) table: &'m Table,
    pub(super) index: Option<&'m Index>,
}

impl<'m> Route<'m> {
    /// The table and all its indexes, in the order of the file.
    pub(super) fn all(table: &'m Table) -> impl Iterator<Item = Route<'m>> {
        let of_indexes = table.indexes.iter().map(move |index| Route { table, index: Some(index) });
        std::iter::once(Route { table, index: None }).chain(of_indexes)
    }

    pub(super) fn target(&self) -> Target {
        let index = self.index.map(|index| index.name.clone());
        Target { table: self.table.name.clone(), index }
    }

    pub(super) fn partition_key(&self) -> &'m [KeyAttribute] {
        match self.index {
            Some(index) => &index.partition_key,
            None => std::slice::from_ref(&self.table.partition_key),
        }
    }

    pub(super) fn sort_key(&self) -> &'m [KeyAttribute] {
        match self.index {
            Some(index) => &index.sort_key,
            None => self.table.sort_key.as_slice(),
        }
    }

    /// The templates of an entity here, if its items can be here.
    pub(super) fn keys_of(&self, entity: &'m Entity) -> Option<&'m Keys> {
        if !entity.tables.contains(&self.table.name) {
            return None;
        }
        match self.index {
            Some(index) => entity.index_key(&index.name).map(|keys| &keys.keys),
            None => entity.key.as_ref(),
        }
    }

    /// The condition under which an entity's items are here.
    pub(super) fn when_of(&self, entity: &'m Entity) -> Option<&'m Expression> {
        self.index.and_then(|index| entity.index_key(&index.name)?.when.as_ref())
    }

    /// The entities whose items can be here, in the order of the file.
    pub(super) fn entities(&self, model: &'m Model) -> Vec<&'m Entity> {
        model.entities_in(self.table).filter(|entity| self.keys_of(entity).is_some()).collect()
    }

    pub(super) fn is_global(&self) -> bool {
        self.index.is_some_and(|index| index.kind == IndexKind::Global)
    }

    /// Returns whether an attribute is part of the key that is queried.
    pub(super) fn is_key(&self, stored_name: &str) -> bool {
        let mut keys = self.partition_key().iter().chain(self.sort_key());
        keys.any(|key| key.name == stored_name)
    }

    /// Returns whether items have this attribute here.
    pub(super) fn holds(&self, stored_name: &str) -> bool {
        let Some(index) = self.index else { return true };
        let is_table_key = self.table.key_attributes().any(|key| key.name == stored_name);
        match &index.projection {
            IndexProjection::All => true,
            _ if is_table_key || self.is_key(stored_name) => true,
            IndexProjection::KeysOnly => false,
            IndexProjection::Include(names) => names.iter().any(|name| name == stored_name),
        }
    }

    /// The place in the order of preference: the table, local indexes, global ones.
    pub(super) fn kind_rank(&self) -> usize {
        match self.index.map(|index| index.kind) {
            None => 0,
            Some(IndexKind::Local) => 1,
            Some(IndexKind::Global) => 2,
        }
    }

    /// How much is projected, for the order of preference.
    pub(super) fn projection_rank(&self) -> usize {
        match self.index.map(|index| &index.projection) {
            Some(IndexProjection::KeysOnly) => 0,
            Some(IndexProjection::Include(names)) => 1 + names.len(),
            Some(IndexProjection::All) | None => usize::MAX,
        }
    }
}
