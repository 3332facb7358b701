//! What a write does to the entries of an item in the indexes of its table.

use monotable_expr::parse_update;
use monotable_model::document::{Entity, Expression, Index, IndexKeys, NameSource, Table};

use super::request::{EntryChange, ItemWrite};
use super::size::{EntitySize, projects};

/// Whose item is written, and how large it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) table: &'a Table,
    pub(super) entity: &'a Entity,
    pub(super) size: &'a EntitySize,
    /// The size of the item, where the pattern says that it differs from the entity's.
    pub(super) item_bytes: u64,
}

impl Written<'_> {
    /// A whole item is written where there was none.
    pub(super) fn put(&self) -> ItemWrite {
        self.write(None, Some(self.item_bytes), |_, _, bytes| EntryChange::Inserted(bytes))
    }

    /// The item is deleted.
    pub(super) fn delete(&self) -> ItemWrite {
        self.write(Some(self.item_bytes), None, |_, _, bytes| EntryChange::Removed(bytes))
    }

    /// Attributes change, and the item keeps its size.
    pub(super) fn update(&self, change: Option<&Expression>) -> ItemWrite {
        let changed = change.map(changed_attributes).unwrap_or_default();
        let size = Some(self.item_bytes);
        self.write(size, size, |index, keys, bytes| self.entry_change(index, keys, &changed, bytes))
    }

    fn write(
        &self,
        before: Option<u64>,
        after: Option<u64>,
        change: impl Fn(&Index, &IndexKeys, u64) -> EntryChange,
    ) -> ItemWrite {
        let indexes = self.table.indexes.iter().filter_map(|index| {
            let keys = self.entity.index_key(&index.name)?;
            let entry = self.size.entry(&index.name)?;
            Some((index.name.clone(), change(index, keys, entry.bytes)))
        });
        ItemWrite { before, after, indexes: indexes.collect() }
    }

    fn entry_change(
        &self,
        index: &Index,
        keys: &IndexKeys,
        changed: &[String],
        bytes: u64,
    ) -> EntryChange {
        let is_changed = |name: &str| changed.iter().any(|other| other == name);
        let stored = |name: &str| {
            self.entity.attribute(name).map_or(name, |attribute| attribute.item_name()).to_owned()
        };
        let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
        let mut parts =
            templates.flat_map(|template| template.paths()).map(|path| path.root.as_str());
        let mut own_keys = index.key_attributes();
        if own_keys.any(|key| is_changed(&key.name)) || parts.any(|name| is_changed(&stored(name)))
        {
            return EntryChange::Moved { before: bytes, after: bytes };
        }
        let mut of_condition = keys.when.iter().flat_map(|when| &when.attributes);
        if of_condition.any(|name| is_changed(&stored(name))) {
            // The item enters the index or leaves it: one write either way.
            return EntryChange::Inserted(bytes);
        }
        let is_projected = |name: &String| projects(self.table, index, &index.projection, name);
        if changed.iter().any(is_projected) {
            return EntryChange::Changed { before: bytes, after: bytes };
        }
        EntryChange::Untouched
    }
}

/// The attributes that an update changes, by their names in items.
fn changed_attributes(change: &Expression) -> Vec<String> {
    let Ok(update) = parse_update(&change.rewritten) else {
        // A list index that is a parameter cannot be parsed yet; then all that is named may change.
        return change.names.values().filter_map(fixed_name).collect();
    };
    let names = update.target_names().map(|written| match change.names.get(written) {
        Some(source) => fixed_name(source),
        None => Some(written.to_owned()),
    });
    names.flatten().collect()
}

fn fixed_name(source: &NameSource) -> Option<String> {
    match source {
        NameSource::Name(name) => Some(name.clone()),
        NameSource::Parameter(_) => None,
    }
}
