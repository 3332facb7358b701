//! One table: its items, what follows from them, and what they add up to.

use std::collections::BTreeMap;

use monotable_storage::{Engine, Result as StorageResult};

use super::checker::Checker;
use super::collections::Collection;
use super::{CounterKind, FaultLocation};
use crate::any_index::AnyIndex;
use crate::key::ItemKey;
use crate::keyspace::counter;
use crate::keyspace::fill::{self, Filled};
use crate::schema::{IndexId, IndexStatus, TableSchema};

/// What is known of a table while it is checked.
pub(super) struct TableCheck<'t> {
    pub(super) schema: &'t TableSchema,
    /// How far the slices of the indexes are filled that are being filled; none if that cannot be
    /// read.
    pub(super) fills: BTreeMap<IndexId, Option<Vec<Filled>>>,
    /// What the items add up to.
    pub(super) sums: Sums,
    /// What the entries of each index should add up to.
    pub(super) index_sums: BTreeMap<IndexId, Sums>,
    /// Whether every item could be read, so that the sums are right.
    pub(super) is_certain: bool,
    /// The item collection that the walk over the items is in.
    pub(super) collection: Option<Collection>,
}

/// How many there are, and how many bytes they have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    items: i64,
    bytes: i64,
}

impl Sums {
    pub(super) fn add(&mut self, size_bytes: usize) {
        self.items += 1;
        self.bytes += size_bytes as i64;
    }
}

/// Whether an index should hold an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holding {
    /// It should.
    Yes,
    /// It is not filled up to it.
    NotYet,
    /// It is unknown: the index is being removed, or how far it is filled cannot be read.
    Unknown,
}

impl<'t> TableCheck<'t> {
    fn new(schema: &'t TableSchema) -> TableCheck<'t> {
        TableCheck {
            schema,
            fills: BTreeMap::new(),
            sums: Sums::default(),
            index_sums: BTreeMap::new(),
            is_certain: true,
            collection: None,
        }
    }

    pub(super) fn place(&self) -> FaultLocation {
        FaultLocation::table(&self.schema.name)
    }

    /// Whether an index should hold the item with this key.
    pub(super) fn holding(&self, index: AnyIndex<'_>, key: &ItemKey) -> Holding {
        match index.status() {
            IndexStatus::Active => Holding::Yes,
            IndexStatus::Deleting => Holding::Unknown,
            IndexStatus::Creating => {
                let Some(Some(slices)) = self.fills.get(&index.id()) else {
                    return Holding::Unknown;
                };
                let filled = slices.get(usize::from(fill::slice_of(key)));
                let is_held = filled.is_some_and(|filled| filled.holds(key.storage_key()));
                if is_held { Holding::Yes } else { Holding::NotYet }
            }
        }
    }

    /// Returns whether it can be said what an index should hold.
    fn is_clear(&self, index: AnyIndex<'_>) -> bool {
        match index.status() {
            IndexStatus::Active => true,
            IndexStatus::Deleting => false,
            IndexStatus::Creating => self.fills.get(&index.id()).is_some_and(Option::is_some),
        }
    }
}

impl<E: Engine> Checker<'_, E> {
    /// Checks a table.
    pub(super) async fn check_table(&mut self, schema: &TableSchema) -> StorageResult<()> {
        let mut table = TableCheck::new(schema);
        self.check_fills(&mut table).await?;
        self.check_items(&mut table).await?;
        self.check_sums(&table).await?;
        for index in schema.every_maintained_index() {
            self.check_index_entries(&table, index).await?;
        }
        self.check_expiry_entries(&table).await?;
        self.commit().await
    }

    /// Compares the counters with what the items add up to. An item that cannot be read may be
    /// counted or not.
    async fn check_sums(&mut self, table: &TableCheck<'_>) -> StorageResult<()> {
        if !table.is_certain {
            return Ok(());
        }
        self.check_counts(table.place(), table.schema, None, table.sums).await?;
        for index in table.schema.every_maintained_index().filter(|index| table.is_clear(*index)) {
            let sums = table.index_sums.get(&index.id()).copied().unwrap_or_default();
            let place = table.place().index(index.name());
            self.check_counts(place, table.schema, Some(index.id()), sums).await?;
        }
        Ok(())
    }

    async fn check_counts(
        &mut self,
        place: FaultLocation,
        schema: &TableSchema,
        index: Option<IndexId>,
        sums: Sums,
    ) -> StorageResult<()> {
        let items = counter::items_key(schema.id, index);
        self.check_counter(place.clone(), CounterKind::Items, items, sums.items).await?;
        let bytes = counter::bytes_key(schema.id, index);
        self.check_counter(place, CounterKind::Bytes, bytes, sums.bytes).await
    }
}
